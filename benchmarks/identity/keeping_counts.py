"""Turns answers into the raw figures that are kept: counts by every heading, and what was wrong."""

from __future__ import annotations

from statistics import median
from typing import TYPE_CHECKING, Any

from benchmarks.identity.answers import WRONG
from benchmarks.identity.figures import grouped

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchmarks.identity.answers import Answer
    from benchmarks.identity.figures import Count
    from benchmarks.identity.notes import Notes

__all__ = ["answers_as_json", "notes_as_json"]

MOST = 200
"""So many wrong answers are kept by name; counts tell of all."""


def notes_as_json(notes: Notes) -> dict[str, Any]:
    """Return the figures of one half."""
    answers = notes.answers
    located = [one.given.ms for one in answers if one.given.by == "locate"]
    times = {"learn": notes.learn_ms, "match": notes.match_ms, "locate": located}
    return {
        "median_ms": {call: round(median(ms), 1) for call, ms in times.items() if ms},
        "made_no_component": notes.unlearned,
        "remarks": notes.remarks,
    } | answers_as_json(answers)


def answers_as_json(answers: Sequence[Answer]) -> dict[str, Any]:
    """Return the counts, and what was wrong by name."""
    wrong = [one for one in answers if one.outcome == WRONG]
    step = max(-(-len(wrong) // MOST), 1)
    return {"counts": _counts(answers), "wrong": [_told(one) for one in wrong[::step]]}


def _counts(answers: Sequence[Answer]) -> list[str]:
    """Return a line for each heading: part, style or layout, variation, kind, memory, who."""
    groups = grouped(answers, _heading)
    return [f"{heading}: {_line(one)}" for heading, one in groups.items()]


def _line(one: Count) -> str:
    return ", ".join(f"{name} {number}" for name, number in one.as_json().items() if number)


def _heading(one: Answer) -> str:
    asked = one.asked
    about = (asked.part, asked.group, asked.variation, asked.kind, asked.memory, one.given.by)
    return " | ".join(about)


def _told(one: Answer) -> str:
    asked = one.asked
    where = f"{asked.group}, {asked.variation}, {asked.memory}"
    return f"{one.given.by}, {where}: {asked.label}, taken for it: {one.met}. {one.given.why}"
