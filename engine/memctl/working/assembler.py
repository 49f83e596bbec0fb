"""Assembler of contexts: journal, standing facts and chosen rows, as the occasion asks for them.

On a session's start it brings what holds whatever is asked, what stood open and was decided lately;
with a prompt the few rows that the prompt asks for and that the session was not told yet; and both
where somebody asks for the context itself.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Literal

from memctl.base.errors import UsageError
from memctl.base.near_words import one_of
from memctl.search.recall_results import Row
from memctl.text.sentence_kinds import may_state
from memctl.working.context import (
    Context,
    ContextLine,
    Section,
    context_of,
    journal_sections,
    row_line,
)
from memctl.working.prompt_rows import Demand, SessionView, chosen_rows
from memctl.working.recall_policy import PromptReading, read_prompt

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from memctl.base.user_zone import UserZone
    from memctl.config.settings import Settings
    from memctl.search.recall_results import Recalled
    from memctl.semantic.facts import Facts
    from memctl.semantic.records import Fact
    from memctl.store.store import Store
    from memctl.working.journal import Journal

Occasion = Literal["asked", "start", "prompt"]
OCCASIONS = ("asked", "start", "prompt")

_STANDING = ("identity", "preference", "configuration", "rule")
_FACTS = 8
_LATELY = 5
_OPEN = 10
_MAX_TOKENS = 100_000
# An order is told of the things that it names; what tells something itself, of what is nearly it.
_NAMED = Demand(covers=0.07, gap=0.8, rows=2, all_said=False)
_STATED = Demand(covers=0.3, words=2, rows=2, all_said=False)
# What was told in another project answers only what clearly asks for it.
_ELSEWHERE = Demand(covers=0.3, rows=2)


@dataclass(frozen=True, slots=True)
class Sources:
    """What a context is made of.

    Parameters
    ----------
    store, settings
        The open store and its settings.
    journal
        The journal of the session.
    session
        The session that is told; ``None`` where none goes on.
    finders
        The facts of this store, and of those that are read along.
    recalls
        Finds the rows of a question, one for each of `finders`.
    told
        Names of the rows that this session's prompts were told.
    skills
        Returns a line for each active skill that a question asks for.
    elsewhere
        Finds the rows of a question in other projects, and which one each is of; ``None`` where
        there are no others.
    """

    store: Store
    settings: Settings
    journal: Journal
    session: str | None
    finders: Sequence[Facts]
    recalls: Sequence[Callable[[str], Recalled]]
    told: frozenset[str]
    skills: Callable[[str], Sequence[str]]
    elsewhere: Callable[[str], tuple[Recalled, Mapping[str, str]]] | None = None


def assembled(
    sources: Sources, query: str | None, *, occasion: Occasion, max_tokens: int, trigger: str = ""
) -> Context:
    """Return the context of an occasion.

    Parameters
    ----------
    sources
        What it is made of.
    query
        The user's message; without one nothing is recalled.
    occasion
        ``asked``, ``start`` or ``prompt``.
    max_tokens
        A hard cap on the block, fence included.
    trigger
        What started the turn, for the recall policy.

    Raises
    ------
    UsageError
        When the cap is below 0 or above 100,000, or the occasion or the strategy is unknown.
    """
    if not 0 <= max_tokens <= _MAX_TOKENS:
        raise UsageError(f"{max_tokens} tokens are out of range", hint=f"0 to {_MAX_TOKENS}")
    if occasion not in OCCASIONS:
        raise UsageError(
            f'occasion "{str(occasion)[:40]}" is unknown', hint=one_of(occasion, OCCASIONS)
        )
    strategy = str(sources.settings.get("recall_strategy")) if occasion == "prompt" else "always"
    reading = read_prompt(query or "", strategy, trigger=trigger)
    remarks: list[str] = []
    if occasion == "prompt":
        sections = _asked_for(sources, reading, set(), remarks)
        return context_of(sections, max_tokens=max_tokens, remarks=remarks)
    reading = replace(reading, skipped="")  # it was asked for
    standing = _standing(sources)
    known = {line.row for line in standing}
    *going_on, seen = journal_sections(
        sources.journal.get(),
        sources.journal.open_items(limit=_OPEN),
        asked=bool(reading.text),
    )
    found = (
        _asked_for(sources, reading, known, remarks) if reading.text else [_lately(sources, known)]
    )
    sections = [Section("Known", standing, 3), *going_on, *found, seen]
    return context_of(sections, max_tokens=max_tokens, remarks=remarks)


def _standing(sources: Sources) -> list[ContextLine]:
    """Return what holds whatever is asked: the most important, in an order that stays."""
    return [
        row_line(_as_row(hit.fact, finder.zone))
        for finder in sources.finders
        # By their ids: the order of their importance changes with every recall.
        for hit in sorted(finder.standing(_STANDING, limit=_FACTS), key=lambda hit: hit.fact.id)
    ]


def _lately(sources: Sources, known: set[str]) -> Section:
    """Return what was decided or told last: the newest facts, the last one first."""
    newest = [
        _as_row(fact, finder.zone)
        for finder in sources.finders[:1]
        for fact in finder.list(limit=_LATELY + len(known))
        if fact.id not in known
    ]
    lines = [*map(row_line, newest[:_LATELY])]
    return Section("Decided or told lately", lines, 3)


def _asked_for(
    sources: Sources, reading: PromptReading, known: set[str], remarks: list[str]
) -> list[Section]:
    """Return the skills and the rows that a prompt asks for."""
    if reading.skipped or not reading.text:
        remarks += [f"Recalled: {reading.skipped}"] if reading.skipped else []
        return []
    skills = [ContextLine("", line) for line in sources.skills(reading.text)]
    rows = [row for row in _rows(sources, reading, remarks) if row.name not in known]
    lines = [*map(row_line, rows)] or list(_elsewhere(sources, reading))
    return [Section("Skills", skills, 4), Section("Recalled", lines, 3)]


def _rows(sources: Sources, reading: PromptReading, remarks: list[str]) -> list[Row]:
    """Return the rows worth telling, of all stores, best first."""
    most = sources.settings.integer("context_rows")
    asked = Demand(covers=0.0, rows=most)
    chosen: list[Row] = []
    seen = 0
    for finder, recall in zip(sources.finders, sources.recalls, strict=True):
        found = recall(reading.text)
        seen += len(found) + found.left_out
        chosen += chosen_rows(
            found,
            asked if reading.asks else _unasked(reading.text, most),
            SessionView(sources.store, sources.session),
            told=sources.told,
            past=reading.past,
            known=(reading.text,),
            fact=partial(_row_of, finder),
        )
    if seen and not chosen:
        remarks.append(f"Recalled: none of the {seen} rows found answers enough of it")
    return sorted(chosen, key=lambda row: -row.score)[:most]


def _unasked(prompt: str, most: int) -> Demand:
    """Return what a row must reach for a prompt that asks for nothing that was told."""
    demand = _STATED if may_state(prompt) else _NAMED
    return replace(demand, rows=min(most, demand.rows))


def _elsewhere(sources: Sources, reading: PromptReading) -> Iterable[ContextLine]:
    """Yield rows of other projects, each with its own, where a prompt asks what was said."""
    if sources.elsewhere is None or not reading.recollects:
        return
    found, projects = sources.elsewhere(reading.text)
    view = SessionView(sources.store, sources.session)
    for row in chosen_rows(found, _ELSEWHERE, view, told=sources.told):
        line = row_line(row)
        yield ContextLine(line.row, f"{line.text} (project {projects[row.name]})")


def _row_of(finder: Facts, id_: str) -> Row | None:
    """Return a fact that holds as a row; ``None`` where it does not, or is out of reach."""
    # Listed, not got: what is only looked at was not served.
    fact = next(iter(finder.list(filters={"id": id_}, status="any", show_expired=True)), None)
    if fact is not None and fact.status != "active":
        return _row_of(finder, fact.superseded_by) if fact.superseded_by else None
    return None if fact is None else _as_row(fact, finder.zone)


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
        day=zone.day(fact.valid_from),
    )
