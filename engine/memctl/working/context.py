"""Context: what a prompt is answered with, in one fenced block within a cap of tokens.

What changes seldom stands first, so that the beginning of a prompt stays the same from turn to turn
and a host's cache of prompts holds: who the user is and how things are set, the goal and the plan,
what is open and was decided, then what the prompt asks for, and what was seen last.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from memctl.base.tokens import estimate_tokens
from memctl.text.fences import CLOSE, OPEN, escaped
from memctl.working.entries import LAST_PROMPT

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memctl.search.recall_results import Row
    from memctl.working.entries import JournalState, OpenItem

_OBSERVATIONS = 5  # the last, that are shown


@dataclass(frozen=True, slots=True)
class ContextLine:
    """One line of the context: the row that it tells of, and its text."""

    row: str
    text: str


@dataclass(frozen=True, slots=True)
class Section:
    """Lines under one title, those that matter most first.

    Parameters
    ----------
    title
        A few words.
    lines
        Its lines.
    worth
        Sections of a higher worth are given room first, wherever they stand.
    """

    title: str
    lines: Sequence[ContextLine]
    worth: int


@dataclass(frozen=True, slots=True)
class Context:
    """The context of a prompt.

    Parameters
    ----------
    text
        The fenced block; empty where there is nothing to say, or no room for a line of it.
    tokens
        Its estimated tokens, fence included.
    rows
        The rows that it tells of, in its order.
    left_out
        What was left out, and why: one sentence each.
    """

    text: str
    tokens: int
    rows: tuple[str, ...]
    left_out: tuple[str, ...]


def context_of(
    sections: Sequence[Section], *, max_tokens: int, remarks: Iterable[str] = ()
) -> Context:
    """Return sections as one block of at most `max_tokens`, fence included.

    Parameters
    ----------
    sections
        In the order in which they stand.
    max_tokens
        A hard cap, estimated by `memctl.base.tokens`.
    remarks
        What was left out already, and why.
    """
    left = max_tokens - estimate_tokens(f"{OPEN}\n{CLOSE}")
    taken: dict[str, list[ContextLine]] = {}
    missing: dict[str, int] = {}
    for section in sorted(sections, key=lambda one: -one.worth):
        title = estimate_tokens(f"{section.title}:\n")
        for line in section.lines:
            begun = section.title in taken
            cost = estimate_tokens(f"- {escaped(line.text)}\n") + (0 if begun else title)
            if cost <= left:
                left -= cost
                taken.setdefault(section.title, []).append(line)
            else:
                missing[section.title] = missing.get(section.title, 0) + 1
    left_out = [*remarks, *(_missing(title, count, max_tokens) for title, count in missing.items())]
    shown = [section.title for section in sections if section.title in taken]
    if not shown:
        return Context("", 0, (), tuple(left_out))
    text = "\n".join(
        [OPEN, *(line for title in shown for line in _section(title, taken[title])), CLOSE]
    )
    rows = tuple(line.row for title in shown for line in taken[title] if line.row)
    return Context(text, estimate_tokens(text), rows, tuple(left_out))


def row_line(row: Row) -> ContextLine:
    """Return the line of a row that recall found, with its day and, of a turn, who said it."""
    marks = [row.day]
    if row.earlier_than is not None:
        marks.append(f"earlier than {row.earlier_than}, undecided")
    if row.kind == "fact":
        marks += [row.tag] if row.tag else []
        marks += [f"to be checked: {row.doubt}"] if row.doubt else []
        return ContextLine(row.name, f"[{row.id}] {row.text} ({', '.join(marks)})")
    who = f" {', '.join(row.who)}" if row.who else ""
    text = " ".join(part for part in (row.text, row.details) if part)
    return ContextLine(row.name, f"[{row.kind} {row.id}] {', '.join(marks)}{who}: {text}")


def journal_sections(
    state: JournalState, elsewhere: Iterable[OpenItem] = (), *, asked: bool = False
) -> list[Section]:
    """Return what a journal gives: goal, plan, open items, named values, observations.

    Parameters
    ----------
    state
        The journal of the session.
    elsewhere
        What other sessions left open.
    asked
        Whether a prompt is at hand: then the last one is left out.
    """
    goal = [ContextLine("", state.task.text)] if state.task else []
    goal += [ContextLine("", f"skill in use: {state.skill.text}")] if state.skill else []
    goal += [ContextLine("", f"decided: {entry.text}") for entry in state.decisions]
    shown = [entry for entry in state.context if not (asked and entry.name == LAST_PROMPT)]
    named = [ContextLine("", f"{entry.name}: {entry.text}") for entry in shown]
    plan = [ContextLine("", f"[{'x' if step.done_at else ' '}] {step.text}") for step in state.plan]
    here = [f"{e.kind}: {e.text}" for e in state.open if e.kind != "step"]
    others = [
        f"{item.kind}: {item.text} (session {item.session})"
        for item in elsewhere
        if (item.session, item.channel) != (state.session, state.channel)
    ]
    seen = [ContextLine("", entry.text) for entry in state.observations[-_OBSERVATIONS:]]
    return [
        Section("Goal", goal, 5),
        Section("Plan", plan, 4),
        Section("Open", [ContextLine("", text) for text in (*here, *others)], 4),
        Section("Context", named, 4),
        Section("Seen last", seen, 1),
    ]


def _section(title: str, lines: Iterable[ContextLine]) -> list[str]:
    return [f"{title}:", *(f"- {escaped(line.text)}" for line in lines)]


def _missing(title: str, count: int, max_tokens: int) -> str:
    lines = "line" if count == 1 else "lines"
    return f"{title}: {count} {lines} did not fit within {max_tokens} tokens"
