"""The score and what changed since an earlier report, as the page shows them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from memctl.reports.page.tables import anchor_of

if TYPE_CHECKING:
    from memctl.reports.earlier_reports import ReportChanges
    from memctl.reports.key_figures import Score, ScoreShare


@dataclass(frozen=True, slots=True)
class PartView:
    """A part of the score: its share, of what, its bar's width, and its table.

    Of one that does not count the cases alone; its `note` is empty.
    """

    label: str
    value: str
    note: str
    percent: float
    table: str


@dataclass(frozen=True, slots=True)
class ScoreView:
    """The score as it is shown; ``change`` since an earlier report, empty where there is none."""

    value: str
    change: str
    about: str
    parts: tuple[PartView, ...]


@dataclass(frozen=True, slots=True)
class ChangeView:
    """One figure then and now, and the difference."""

    label: str
    before: str
    now: str
    change: str


@dataclass(frozen=True, slots=True)
class ChangesView:
    """What changed since an earlier report."""

    since: str
    rows: tuple[ChangeView, ...]
    unchanged: int
    remark: str


def score_shown(score: Score, comparison: ReportChanges | None) -> ScoreView:
    """Return the score with its parts, and its difference to an earlier one."""
    before = {one.name: one for one in comparison.changes} if comparison else {}
    change = before.get("score")
    return ScoreView(
        "\N{EN DASH}" if score.value is None else f"{score.value:.0f}",
        change.told()[-1] if change else "",
        score.about,
        tuple(_part(part) for part in score.parts),
    )


def _part(part: ScoreShare) -> PartView:
    share = part.share
    report, _, answer = part.table.partition(".")
    return PartView(
        part.label,
        f"{part.of:,.0f}" if share is None else f"{share:.1%}",
        "" if share is None else f"{part.good:,.0f} of {part.of:,.0f}",
        round(100 * (share or 0.0), 1),
        anchor_of(report, answer),
    )


def changes_shown(comparison: ReportChanges | None) -> ChangesView | None:
    """Return the figures that changed since an earlier report; ``None`` where none was named."""
    if comparison is None:
        return None
    told = [(one.label, *one.told()) for one in comparison.changes]
    rows = tuple(ChangeView(*each) for each in told if each[-1])
    return ChangesView(
        comparison.made_at[:16].replace("T", " "), rows, len(told) - len(rows), comparison.remark
    )
