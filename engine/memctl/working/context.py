"""Context: what a prompt is answered with, in one fenced block within a cap of tokens.

On a session's start it has what holds whatever is asked, what is open and was decided lately; with
a prompt the few rows that the prompt asks for and that the session was not given yet; and both
where somebody asks for the context itself.

What changes seldom comes first, so that the beginning of a prompt stays the same from turn to turn
and a host's cache of prompts holds: who the user is and how things are set, the goal and the plan,
what is open and was decided, then what the prompt asks for, and what was seen last.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Literal, Protocol, get_args

from memctl.base.errors import UsageError
from memctl.base.near_words import one_of
from memctl.base.tokens import Budget, estimate_tokens
from memctl.search.recall_results import Row
from memctl.store import statements
from memctl.store.results import Result
from memctl.text.fences import block, escaped
from memctl.text.sentence_kinds import may_state
from memctl.working.entries import LAST_PROMPT
from memctl.working.prompt_rows import Demand, SessionView, chosen_rows
from memctl.working.recall_policy import PromptReading, read_prompt

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from memctl.base.user_zone import UserZone
    from memctl.config.settings import Settings
    from memctl.episodic.log import Log
    from memctl.search.recall_results import Recalled
    from memctl.semantic.facts import Facts
    from memctl.semantic.records import Fact
    from memctl.store.store import Store
    from memctl.working.journal import Journal

SKILLS = statements.load("store/skill")

Occasion = Literal["asked", "start", "prompt"]

_STANDING = ("identity", "preference", "configuration", "rule")
_FACTS = 8
_LATELY = 5
_OPEN = 10
_OBSERVATIONS = 5  # the last, that are shown
_MAX_TOKENS = 100_000
_FOUND = 12  # rows, of which those of a prompt are chosen
_FOUND_TOKENS = 600  # of them together: of a long row its passages
# An order is given what it names; a statement, what is nearly it.
_NAMED = Demand(covers=0.07, gap=0.8, rows=2, all_said=False)
_STATED = Demand(covers=0.3, words=2, rows=2, all_said=False)
# What was said in another project answers only what clearly asks for it.
_ELSEWHERE = Demand(covers=0.3, rows=2)


class SkillLines(Protocol):
    """The skills of a store, as a prompt has them."""

    def told(self, question: str) -> Sequence[str]:
        """Return a line for each active skill that a question asks for."""


class PromptMemory(Protocol):
    """The parts of a `memctl.Memory` that prompts are answered from."""

    @property
    def store(self) -> Store: ...  # noqa: D102
    @property
    def settings(self) -> Settings: ...  # noqa: D102
    @property
    def session(self) -> str | None: ...  # noqa: D102
    @property
    def facts(self) -> Facts: ...  # noqa: D102
    @property
    def turns(self) -> Log: ...  # noqa: D102
    @property
    def journal(self) -> Journal: ...  # noqa: D102
    @property
    def skills(self) -> SkillLines: ...  # noqa: D102


@dataclass(frozen=True, slots=True)
class Context(Result):
    """The context of a prompt.

    Parameters
    ----------
    text
        The fenced block; empty where there is nothing to say, or no room for a line of it.
    tokens
        Its estimated tokens, fence included.
    rows
        The names of the rows in it, in its order.
    left_out
        What was left out, and why: one sentence each.
    """

    text: str
    tokens: int
    rows: tuple[str, ...]
    left_out: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ContextLine:
    """One line of a context, and the name of its row; empty where it is made of none."""

    row: str
    text: str


@dataclass(frozen=True, slots=True)
class Section:
    """Lines under one title, those that matter most first; of higher worth, they get room first."""

    title: str
    lines: Sequence[ContextLine]
    worth: int


def context_of(
    memory: PromptMemory,
    query: str | None,
    *,
    occasion: Occasion,
    max_tokens: int | None,
    trigger: str = "",
    also: PromptMemory | None = None,
) -> Context:
    """Assemble the context of an occasion, as `memctl.Memory.context` describes."""
    most = memory.settings.integer("context_max_tokens") if max_tokens is None else max_tokens
    if not 0 <= most <= _MAX_TOKENS:
        raise UsageError(f"{most} tokens are out of range", hint=f"0 to {_MAX_TOKENS}")
    if occasion not in get_args(Occasion):
        hint = one_of(occasion, get_args(Occasion))
        raise UsageError(f'occasion "{str(occasion)[:40]}" is unknown', hint=hint)
    strategy = str(memory.settings["recall_strategy"]) if occasion == "prompt" else "always"
    reading = read_prompt(query or "", strategy, trigger=trigger)
    read = [one for one in (memory, also) if one is not None and one.store.exists]
    remarks: list[str] = []
    if occasion == "prompt":
        sections = _asked_for(memory, read, reading, set(), remarks)
    else:
        reading = replace(reading, skipped="")  # it was asked for
        standing = [line for one in read for line in _standing(one)]
        known = {line.row for line in standing}
        *going_on, seen = journal_sections(memory.journal, asked=bool(reading.text))
        if reading.text:
            found = _asked_for(memory, read, reading, known, remarks)
        else:
            found = [_lately(read, known)]
        sections = [Section("Known", standing, 3), *going_on, *found, seen]
    made = packed_sections(sections, max_tokens=most, remarks=remarks)
    for one in read:
        note_served(one.store, made.rows)
    return made


def packed_sections(
    sections: Sequence[Section], *, max_tokens: int, remarks: Iterable[str] = ()
) -> Context:
    """Pack sections into one block of at most `max_tokens`, fence included, in their order.

    `remarks` are sentences on what was left out already.
    """
    budget = Budget(max_tokens - estimate_tokens(block([])))
    taken: dict[str, list[ContextLine]] = {}
    left_out = [*remarks]
    for section in sorted(sections, key=lambda one: -one.worth):
        title = estimate_tokens(f"{section.title}:\n")
        fit: list[ContextLine] = []
        for line in section.lines:
            cost = estimate_tokens(f"- {escaped(line.text)}\n")
            if budget.spend(cost if fit else cost + title):
                fit.append(line)
        taken[section.title] = fit
        if missing := len(section.lines) - len(fit):
            lines = "line" if missing == 1 else "lines"
            left_out.append(
                f"{section.title}: {missing} {lines} did not fit within {max_tokens} tokens"
            )
    titles = [section.title for section in sections if taken[section.title]]
    if not titles:
        return Context("", 0, (), tuple(left_out))
    text = block(
        line
        for title in titles
        for line in (f"{title}:", *(f"- {escaped(one.text)}" for one in taken[title]))
    )
    rows = tuple(line.row for title in titles for line in taken[title] if line.row)
    return Context(text, estimate_tokens(text), rows, tuple(left_out))


def rows_for(memory: PromptMemory, question: str, *, own: bool = True) -> Recalled:
    """Recall the rows for a prompt; of another memory than the session's `own`, its facts alone.

    A prompt waits for no model to load: its vectors are asked where this process has loaded it.
    """
    from memctl.recall.tiers import recall_across
    from memctl.search.recall_request import RecallRequest

    request = RecallRequest(
        question,
        _FOUND,
        _FOUND_TOKENS,
        kinds=("turn", "episode", "fact") if own else ("fact",),
        min_worth=memory.settings.number("context_min_worth"),
        patient=False,
        record=False,
        zone=memory.store.zone,
    )
    return recall_across(lambda: memory.facts, memory.store, memory.settings, request)


def note_served(store: Store, rows: Iterable[str]) -> None:
    """Note that the facts among some rows were served, so that decay leaves them alone."""
    facts = [row for row in rows if row.startswith("f_")]
    if facts:
        from memctl.semantic.finding import note_served as note

        note(store, facts)


# -- sections ------------------------------------------------------------------------------


def journal_sections(journal: Journal, *, asked: bool = False) -> list[Section]:
    """Return goal, plan, open items, named values and observations of a journal.

    The last prompt is left out where another one is `asked`.
    """
    state = journal.get()
    goal = [state.task.text] if state.task else []
    goal += [f"skill in use: {state.skill.text}"] if state.skill else []
    goal += [f"decided: {entry.text}" for entry in state.decisions]
    plan = [f"[{'x' if step.done_at else ' '}] {step.text}" for step in state.plan]
    open_items = [f"{e.kind}: {e.text}" for e in state.open if e.kind != "step"]
    open_items += [
        f"{item.kind}: {item.text} (session {item.session})"
        for item in journal.open_items(limit=_OPEN)
        if (item.session, item.channel) != (state.session, state.channel)
    ]
    named = [
        f"{entry.name}: {entry.text}"
        for entry in state.context
        if not (asked and entry.name == LAST_PROMPT)
    ]
    seen = [entry.text for entry in state.observations[-_OBSERVATIONS:]]
    titled = (
        ("Goal", goal, 5),
        ("Plan", plan, 4),
        ("Open", open_items, 4),
        ("Context", named, 4),
        ("Seen last", seen, 1),
    )
    return [
        Section(title, [ContextLine("", text) for text in texts], worth)
        for title, texts, worth in titled
    ]


def _standing(memory: PromptMemory) -> list[ContextLine]:
    """Return the most important valid facts, whatever is asked."""
    hits = memory.facts.standing(_STANDING, limit=_FACTS)
    # By their ids: the order of their importance changes with every recall.
    return [
        row_line(_as_row(hit.fact, memory.store.zone))
        for hit in sorted(hits, key=lambda hit: hit.fact.id)
    ]


def _lately(read: Sequence[PromptMemory], known: set[str]) -> Section:
    """Return the newest facts, the last one first."""
    newest = [
        row_line(_as_row(fact, memory.store.zone))
        for memory in read[:1]
        for fact in memory.facts.list(limit=_LATELY + len(known))
        if fact.id not in known
    ]
    return Section("Decided or told lately", newest[:_LATELY], 3)


def _asked_for(
    memory: PromptMemory,
    read: Sequence[PromptMemory],
    reading: PromptReading,
    known: set[str],
    remarks: list[str],
) -> list[Section]:
    """Return the skills and the rows that a prompt asks for."""
    if reading.skipped or not reading.text:
        remarks += [f"Recalled: {reading.skipped}"] if reading.skipped else []
        return []
    exists = memory.store.exists
    # Skills take half as long to load as all the rest.
    any_skill = exists and memory.store.value(SKILLS.any_active)
    skills = (
        [ContextLine("", line) for line in memory.skills.told(reading.text)] if any_skill else []
    )
    given = _given(memory)
    rows = [row for row in _rows(memory, read, reading, given, remarks) if row.name not in known]
    lines = list(map(row_line, rows))
    if not lines and reading.recollects and exists and memory.store.scope.project:
        lines = list(_elsewhere(memory, reading.text, given))
    return [Section("Skills", skills, 4), Section("Recalled", lines, 3)]


def _given(memory: PromptMemory) -> set[str]:
    """Return the names of the rows that the session's prompts were given."""
    from memctl.recall.recalls import told_in

    session = memory.session
    return told_in(memory.store, session, hook="prompt") if session is not None else set()


def _rows(
    memory: PromptMemory,
    read: Sequence[PromptMemory],
    reading: PromptReading,
    given: set[str],
    remarks: list[str],
) -> list[Row]:
    """Return the rows worth giving, of all memories, best first."""
    most = memory.settings.integer("context_rows")
    demand = Demand(covers=0.0, rows=most)
    if not reading.asks:
        demand = _STATED if may_state(reading.text) else _NAMED
        demand = replace(demand, rows=min(most, demand.rows))
    chosen: list[Row] = []
    seen = 0
    for one in read:
        found = rows_for(one, reading.text, own=one is memory)
        seen += len(found) + found.left_out
        chosen += chosen_rows(
            found,
            demand,
            SessionView(memory.store, memory.session),
            told=given,
            past=reading.past,
            known=(reading.text,),
            fact=partial(_row_of, one),
        )
    if seen and not chosen:
        remarks.append(f"Recalled: none of the {seen} rows found answers enough of it")
    return sorted(chosen, key=lambda row: -row.score)[:most]


def _elsewhere(memory: PromptMemory, question: str, given: set[str]) -> Iterable[ContextLine]:
    """Yield rows of other projects, each with its own, where a prompt asks for the past."""
    found, projects = _across_projects(memory, question)
    view = SessionView(memory.store, memory.session)
    for row in chosen_rows(found, _ELSEWHERE, view, told=given):
        line = row_line(row)
        yield ContextLine(line.row, f"{line.text} (project {projects[row.name]})")


def _across_projects(memory: PromptMemory, question: str) -> tuple[Recalled, Mapping[str, str]]:
    """Recall the rows of other projects, and the project of each."""
    from memctl.recall.tiers import recall_across
    from memctl.search.recall_request import RecallRequest
    from memctl.semantic.facts import Facts

    store, own = memory.store, memory.store.scope.project
    request = RecallRequest(
        question, _FOUND, _FOUND_TOKENS, kinds=("turn", "fact"), record=False, zone=store.zone
    )
    facts = Facts(store, memory.settings, replace(store.scope, project=None))
    with store.across_projects():
        found = recall_across(lambda: facts, store, memory.settings, request)
        projects = {
            row.name: facts.get(str(row.id)).project
            if row.kind == "fact"
            else memory.turns.get(int(row.id)).project
            for row in found
        }
    others = tuple(row for row in found if projects[row.name] not in {"", own})
    return replace(found, rows=others), projects


# -- lines -----------------------------------------------------------------------------------


def row_line(row: Row) -> ContextLine:
    """Return the line of a row of recall, with its day and, of a turn, its speaker."""
    marks = [row.day]
    if row.earlier_than is not None:
        marks.append(f"earlier than {row.earlier_than}, undecided")
    if row.kind == "fact":
        marks += [row.tag] if row.tag else []
        marks += [f"shared in {row.shared}"] if row.shared else []
        marks += [f"to be checked: {row.doubt}"] if row.doubt else []
        return ContextLine(row.name, f"[{row.id}] {row.text} ({', '.join(marks)})")
    who = f" {', '.join(row.who)}" if row.who else ""
    text = " ".join(part for part in (row.text, row.details) if part)
    return ContextLine(row.name, f"[{row.kind} {row.id}] {', '.join(marks)}{who}: {text}")


def _row_of(memory: PromptMemory, id_: str) -> Row | None:
    """Return a valid fact as a row; ``None`` where it is not, or is out of reach."""
    # Listed, not got: what is only looked at was not served.
    listed = memory.facts.list(filters={"id": id_}, status="any", show_expired=True)
    fact = next(iter(listed), None)
    if fact is not None and fact.status != "active":
        return _row_of(memory, fact.superseded_by) if fact.superseded_by else None
    return None if fact is None else _as_row(fact, memory.store.zone)


def _as_row(fact: Fact, zone: UserZone) -> Row:
    return Row(
        "fact",
        fact.id,
        fact.text,
        fact.valid_from,
        score=0.0,
        matched=(),
        tags=(fact.tag,) if fact.tag else (),
        doubt=fact.doubt or "",
        shared=fact.shared,
        day=zone.day(fact.valid_from),
    )
