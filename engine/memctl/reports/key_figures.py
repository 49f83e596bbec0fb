"""Key figures of reports, the score, and how they differ from those of an earlier report.

Every figure is read off a described answer, so that whoever doubts it finds the table it comes
from. The score is the mean of its parts, each a share of at least `ENOUGH` cases; a part with
fewer says so and does not count. A page carries its figures, and so does ``--json``: a later
report reads them back.
"""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from memctl.base.errors import UnusableInputError
from memctl.reports.answers import cell_text
from memctl.visual.reading.input_files import quoted, read_limited

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping, Sequence

    from memctl.reports.answers import Answer, Kind, Report

ENOUGH = 10
"""Cases from which a share says anything."""
_FEWEST_PARTS = 2  # the mean of a single part is that part
# Figures that add up what all reports say: of other reports they are others.
_SUMMED_UP = frozenset({"score", "findings"})
_MOST_BYTES = 256_000_000
_IN_A_PAGE = re.compile(
    rb'<script type="application/json" id="memctl-figures">(.*?)</script>', re.DOTALL
)
_HINT = "name a page that --html wrote, or what --json printed"


class _Sum(NamedTuple):
    """A sum over the rows of ``REPORT.ANSWER``; of no column, their number."""

    answer: str
    column: str = ""
    where: tuple[str, str] | None = None


_ALL_TIME = ("grouping", "all")
_SUMS: Mapping[str, _Sum] = {
    **{
        name: _Sum("health.summary", "count", ("what", what))
        for name, what in {
            "screens": "states",
            "transitions": "transitions between states",
            "components": "components",
            "forgotten": "components forgotten",
            "turns": "turns",
            "episodes": "episodes",
            "facts": "facts that hold",
            "pending": "facts that wait",
        }.items()
    },
    **{
        name: _Sum("matching.hit_rate", name, _ALL_TIME)
        for name in ("looks", "matches", "matches_recognised", "found", "absent")
    },
    "stale": _Sum("health.stale"),
    "recalls": _Sum("recall.recalls", "recalls"),
    "empty": _Sum("recall.recalls", "empty"),
    "done": _Sum("lift.skills_worth", "done"),
    "lost": _Sum("lift.skills_worth", "lost"),
    "saved_s": _Sum("lift.skills_worth", "saved_s"),
    "bytes": _Sum("health.sizes", "bytes", ("part", "file")),
}
# Of each share its good cases and all of them, as sums; a minus takes away.
_PARTS = (
    ("recognised", "Matches of a known screen", "matches_recognised", "matches"),
    ("found", "Components found of those looked for", "found", "found absent"),
    ("fresh", "Components there when last expected", "components -stale", "components"),
    ("answered", "Recalls that brought something", "recalls -empty", "recalls"),
    ("settled", "Facts that hold, of these and those that wait", "facts", "facts pending"),
    ("done", "Runs of skills that were done", "done", "done lost"),
)
_COUNTS: tuple[tuple[str, str, Kind], ...] = (
    ("screens", "Screens", "count"),
    ("transitions", "Transitions", "count"),
    ("components", "Components", "count"),
    ("forgotten", "Components forgotten", "count"),
    ("stale", "Stale components", "count"),
    ("turns", "Turns", "count"),
    ("episodes", "Episodes", "count"),
    ("facts", "Facts", "count"),
    ("pending", "Facts that wait", "count"),
    ("looks", "Screenshots looked at", "count"),
    ("recalls", "Recalls", "count"),
    ("empty", "Recalls that brought nothing", "count"),
    ("saved_s", "Seconds saved by skills", "number"),
    ("bytes", "Size of the files", "bytes"),
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


@dataclass(frozen=True, slots=True)
class EarlierReport:
    """Key figures of an earlier report by their names, when it was made, and about what.

    ``reports`` are the names of those that it was made of; empty: it does not say.
    """

    made_at: str
    stores: tuple[str, ...]
    figures: Mapping[str, float]
    reports: tuple[str, ...] = ()
    since: str | None = None
    until: str | None = None


@dataclass(frozen=True, slots=True)
class FigureChange:
    """One figure then and now; ``kind`` as of a column."""

    name: str
    label: str
    kind: Kind
    before: float
    now: float

    @property
    def texts(self) -> tuple[str, str, str]:
        """Both as people read them, and the difference: ``"+12"``, ``"-1.5 points"``.

        The difference is empty where they read alike.
        """
        before, now = cell_text(self.before, self.kind), cell_text(self.now, self.kind)
        by = self.now - self.before
        if before == now:
            return before, now, ""
        if self.kind == "share":
            return before, now, f"{100 * by:+.1f} points"
        return before, now, ("+" if by > 0 else "-") + cell_text(abs(by), self.kind)


@dataclass(frozen=True, slots=True)
class ReportChanges:
    """What has changed since an earlier report.

    Parameters
    ----------
    made_at
        When the earlier one was made.
    changes
        Every figure that both have, the unchanged included; not those that add up what reports
        say, where they are made of other reports.
    remark
        That it was about other stores, another time or other reports; empty where it was about
        the same.
    """

    made_at: str
    changes: tuple[FigureChange, ...]
    remark: str

    @property
    def changed(self) -> list[FigureChange]:
        """The figures that do not read as they did."""
        return [change for change in self.changes if change.texts[-1]]


def score_of(reports: Sequence[Report]) -> Score:
    """Return the score of reports, from the parts in them."""
    sums = _sums(reports)
    parts = []
    for name, label, good, of in _PARTS:
        well, all_cases = _added(good, sums), _added(of, sums)
        if well is not None and all_cases is not None:
            table = _SUMS[of.split()[0]].answer
            parts.append(ScoreShare(name, label, well, all_cases, table))
    shares = [part.share for part in parts if part.share is not None]
    value = 100 * sum(shares) / len(shares) if len(shares) >= _FEWEST_PARTS else None
    return Score(value, tuple(parts))


def key_figures(reports: Sequence[Report]) -> tuple[KeyFigure, ...]:
    """Return the score, its parts and what is counted, as far as these reports know them."""
    sums, score = _sums(reports), score_of(reports)
    figures: list[tuple[str, str, Kind, float | None]] = [
        ("score", "Score of 100", "number", score.value),
        *((part.name, part.label, "share", part.share) for part in score.parts),
        *((*count, sums.get(count[0])) for count in _COUNTS),
        ("findings", "Findings", "count", sum(len(report.findings) for report in reports)),
    ]
    return tuple(
        KeyFigure(name, label, kind, value)
        for name, label, kind, value in figures
        if value is not None
    )


def _sums(reports: Sequence[Report]) -> dict[str, float]:
    """Return the sums over the answers of reports."""
    answers = {
        f"{report.name}.{answer.name}": answer for report in reports for answer in report.answers
    }
    return {
        name: _amount(term, answers[term.answer])
        for name, term in _SUMS.items()
        if term.answer in answers
    }


def _amount(term: _Sum, answer: Answer) -> float:
    rows: list[dict[str, Any]] = [
        row for row in answer.records() if term.where is None or row[term.where[0]] == term.where[1]
    ]
    return sum(row[term.column] or 0 for row in rows) if term.column else len(rows)


def _added(names: str, sums: Mapping[str, float]) -> float | None:
    """Return the total of several sums; ``None`` where one is unknown."""
    signed = [(-1 if name[0] == "-" else 1, name.lstrip("-")) for name in names.split()]
    if any(name not in sums for _, name in signed):
        return None
    return sum(sign * sums[name] for sign, name in signed)


def plain_figures(reports: Sequence[Report]) -> dict[str, Any]:
    """Return the key figures of reports as JSON, for `read_earlier`."""
    first = reports[0] if reports else None
    return {
        "made_at": first.made_at if first else "",
        "stores": list(first.stores) if first else [],
        "reports": [report.name for report in reports],
        "since": first.since if first else None,
        "until": first.until if first else None,
        "figures": {figure.name: figure.value for figure in key_figures(reports)},
    }


def read_earlier(path: str | os.PathLike[str]) -> EarlierReport:
    """Read the figures of an earlier report.

    Parameters
    ----------
    path
        A page, or the output of ``memctl --json report``.

    Raises
    ------
    UnusableInputError
        When there is no such file, it cannot be read, or holds no figures of a report.
    """
    data = read_limited(path, most=_MOST_BYTES, what="a report")
    page = _IN_A_PAGE.search(data)
    try:
        made = json.loads(page[1] if page else data)
        return _earlier(made if page else made["figures"])
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise UnusableInputError(f"{quoted(path)} is no report", hint=_HINT) from None


def _earlier(plain: dict[str, Any]) -> EarlierReport:
    """Return figures as `plain_figures` made them; raises ValueError where a figure is none."""
    figures = {str(name): float(value) for name, value in plain["figures"].items()}
    if not all(map(math.isfinite, figures.values())):
        raise ValueError(figures)
    return EarlierReport(
        str(plain["made_at"]),
        tuple(map(str, plain["stores"])),
        figures,
        tuple(map(str, plain.get("reports", ()))),
        *(str(at) if (at := plain.get(end)) else None for end in ("since", "until")),
    )


def compare(earlier: EarlierReport, reports: Sequence[Report]) -> ReportChanges:
    """Return how the key figures of these reports differ from those of an earlier one."""
    figures, now = key_figures(reports), _earlier(plain_figures(reports))
    others = bool(earlier.reports) and set(earlier.reports) != set(now.reports)
    changes = [
        FigureChange(
            figure.name, figure.label, figure.kind, earlier.figures[figure.name], figure.value
        )
        for figure in figures
        if figure.name in earlier.figures and not (others and figure.name in _SUMMED_UP)
    ]
    remarks = []
    if set(now.stores) != set(earlier.stores):
        remarks.append(
            f"the earlier report was about other stores: {', '.join(earlier.stores) or 'none'}"
        )
    if (earlier.since, earlier.until) != (now.since, now.until):
        ends = {"from": earlier.since, "until": earlier.until}
        named = [f"{word} {at[:16].replace('T', ' ')}" for word, at in ends.items() if at]
        span = f"the time {' '.join(named)}" if named else "all time"
        remarks.append(f"the earlier report was about {span}")
    if others:
        remarks.append(f"the earlier report was made of others: {', '.join(earlier.reports)}")
    if missing := [figure.label for figure in figures if figure.name not in earlier.figures]:
        remarks.append(f"not in the earlier report: {', '.join(missing)}")
    return ReportChanges(earlier.made_at, tuple(changes), "; ".join(remarks))
