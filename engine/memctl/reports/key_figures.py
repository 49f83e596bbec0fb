"""Key figures of reports: what is counted, the shares that a score is made of, and the score.

Every figure is read off a described answer, so that whoever doubts it finds the table it comes
from. The score is the mean of its parts, each a share of at least `ENOUGH` cases; a part with
fewer says so and does not count.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from memctl.reports.answers import Answer, Kind, Report

ENOUGH = 10
"""Cases from which a share says anything."""
SUMMED_UP = frozenset({"score", "findings"})
"""Figures that add up what all reports say: of other reports they are others."""
_FEWEST_PARTS = 2  # the mean of a single part is that part


@dataclass(frozen=True, slots=True)
class _Term:
    """A sum over an answer's rows, of all stores.

    Parameters
    ----------
    answer
        ``REPORT.ANSWER``.
    column
        What is added up; empty: the rows are counted.
    where
        Only rows with these cells.
    sign
        1, or -1 for what is taken away.
    """

    answer: str
    column: str
    where: tuple[tuple[str, str], ...] = ()
    sign: int = 1


def _held(what: str) -> _Term:
    return _Term("health.summary", "count", (("what", what),))


_ALL_TIME = (("grouping", "all"),)
_PARTS: tuple[tuple[str, str, tuple[_Term, ...], tuple[_Term, ...]], ...] = (
    (
        "recognised",
        "Matches of a known screen",
        (_Term("matching.hit_rate", "matches_recognised", _ALL_TIME),),
        (_Term("matching.hit_rate", "matches", _ALL_TIME),),
    ),
    (
        "found",
        "Components found of those looked for",
        (_Term("matching.hit_rate", "found", _ALL_TIME),),
        (
            _Term("matching.hit_rate", "found", _ALL_TIME),
            _Term("matching.hit_rate", "absent", _ALL_TIME),
        ),
    ),
    (
        "fresh",
        "Components there when last expected",
        (_held("components"), _Term("health.stale", "", sign=-1)),
        (_held("components"),),
    ),
    (
        "answered",
        "Recalls that brought something",
        (_Term("recall.recalls", "recalls"), _Term("recall.recalls", "empty", sign=-1)),
        (_Term("recall.recalls", "recalls"),),
    ),
    (
        "settled",
        "Facts that hold, of these and those that wait",
        (_held("facts that hold"),),
        (_held("facts that hold"), _held("facts that wait")),
    ),
    (
        "done",
        "Runs of skills that were done",
        (_Term("lift.skills_worth", "done"),),
        (_Term("lift.skills_worth", "done"), _Term("lift.skills_worth", "lost")),
    ),
)
_COUNTS: tuple[tuple[str, str, Kind, _Term], ...] = (
    ("screens", "Screens", "count", _held("states")),
    ("transitions", "Transitions", "count", _held("transitions between states")),
    ("components", "Components", "count", _held("components")),
    ("forgotten", "Components forgotten", "count", _held("components forgotten")),
    ("stale", "Stale components", "count", _Term("health.stale", "")),
    ("turns", "Turns", "count", _held("turns")),
    ("episodes", "Episodes", "count", _held("episodes")),
    ("facts", "Facts", "count", _held("facts that hold")),
    ("pending", "Facts that wait", "count", _held("facts that wait")),
    ("looks", "Screenshots looked at", "count", _Term("matching.hit_rate", "looks", _ALL_TIME)),
    ("recalls", "Recalls", "count", _Term("recall.recalls", "recalls")),
    ("empty", "Recalls that brought nothing", "count", _Term("recall.recalls", "empty")),
    ("saved_s", "Seconds saved by skills", "number", _Term("lift.skills_worth", "saved_s")),
    ("bytes", "Size of the files", "bytes", _Term("health.sizes", "bytes", (("part", "file"),))),
)


@dataclass(frozen=True, slots=True)
class KeyFigure:
    """One figure, summed over all stores; ``kind`` as of a column."""

    name: str
    label: str
    kind: Kind
    value: float


@dataclass(frozen=True, slots=True)
class ScoreShare:
    """One share that the score is made of: so many good ones of so many.

    ``table`` is the answer that the number of cases comes from: ``matching.hit_rate``.
    """

    name: str
    label: str
    good: float
    of: float
    table: str

    @property
    def share(self) -> float | None:
        """The share, 0 to 1; ``None`` where there are fewer than `ENOUGH` cases."""
        return self.good / self.of if self.of >= ENOUGH else None


@dataclass(frozen=True, slots=True)
class Score:
    """How well a memory does, 0 to 100, and its parts; ``None`` where there are too few data."""

    value: float | None
    parts: tuple[ScoreShare, ...]

    @property
    def about(self) -> str:
        """How it is computed, in words."""
        counting = sum(part.share is not None for part in self.parts)
        if self.value is None:
            return (
                f"Too few data: a score needs {_FEWEST_PARTS} parts of {ENOUGH} cases each, and"
                f" {counting or 'none'} of {len(self.parts)} has as many."
            )
        return f"The mean of {counting} shares, in per cent; each counts alike, from {ENOUGH} cases on."


def score_of(reports: Sequence[Report]) -> Score:
    """Return the score of what these reports say, from the parts that they hold."""
    answers = _answers(reports)
    parts = []
    for name, label, good, of in _PARTS:
        amounts = _sum(good, answers), _sum(of, answers)
        if amounts[0] is not None and amounts[1] is not None:
            parts.append(ScoreShare(name, label, amounts[0], amounts[1], of[0].answer))
    shares = [part.share for part in parts if part.share is not None]
    value = 100 * sum(shares) / len(shares) if len(shares) >= _FEWEST_PARTS else None
    return Score(value, tuple(parts))


def key_figures(reports: Sequence[Report]) -> tuple[KeyFigure, ...]:
    """Return the score, its parts and what is counted, as far as these reports know them."""
    answers = _answers(reports)
    score = score_of(reports)
    made = (
        [KeyFigure("score", "Score of 100", "number", score.value)]
        if score.value is not None
        else []
    )
    made += [
        KeyFigure(part.name, part.label, "share", part.share)
        for part in score.parts
        if part.share is not None
    ]
    for name, label, kind, term in _COUNTS:
        amount = _sum((term,), answers)
        if amount is not None:
            made.append(KeyFigure(name, label, kind, amount))
    findings = sum(len(report.findings) for report in reports)
    return (*made, KeyFigure("findings", "Findings", "count", findings))


def _answers(reports: Sequence[Report]) -> Mapping[str, Answer]:
    return {
        f"{report.name}.{answer.name}": answer for report in reports for answer in report.answers
    }


def _sum(terms: Sequence[_Term], answers: Mapping[str, Answer]) -> float | None:
    """Return a sum; ``None`` where an answer that it needs was not asked for."""
    if any(term.answer not in answers for term in terms):
        return None
    return sum(term.sign * _amount(term, answers[term.answer]) for term in terms)


def _amount(term: _Term, answer: Answer) -> float:
    rows: list[dict[str, Any]] = [
        row for row in answer.records() if all(row[column] == cell for column, cell in term.where)
    ]
    return sum(row[term.column] or 0 for row in rows) if term.column else len(rows)
