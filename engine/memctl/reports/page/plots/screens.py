"""How long a look at each screen takes, as bars."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memctl.reports.page.plots.plot import Plot, number, text
from memctl.reports.page.plots.themed import MUTED, SERIES, axes, svg_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from markupsafe import Markup

    from memctl.reports.answers import Answer
    from memctl.reports.page.plots.plot import Record

__all__ = ["time_plot"]

_MOST_SCREENS = 8


def time_plot(answer: Answer, table: str) -> Plot | None:
    """Return the times of the screens that were looked at most; ``None`` where none was."""
    rows = sorted(answer.records(), key=lambda row: -number(row, "looks"))[:_MOST_SCREENS]
    if not rows:
        return None
    rows.sort(key=lambda row: -number(row, "median"))
    several = len({text(row, "store") for row in rows}) > 1
    slowest = _name(rows[0], several=several)
    about = (
        f"Median of the screens that were looked at most, with a line up to the time that"
        f" nineteen in twenty looks stay under. The slowest is {slowest},"
        f" {number(rows[0], 'median'):,.0f} ms."
    )
    keys = tuple(_name(row, several=several) for row in rows)
    return Plot(
        "time-per-screen",
        "How long a look takes",
        "",
        about,
        table,
        _drawn(rows),
        keys,
        marks="numbers",
    )


def _name(row: Record, *, several: bool) -> str:
    name = text(row, "screen") or "not recognised"
    return f"{name}, {text(row, 'store')}" if several else name


def _drawn(rows: Sequence[Record]) -> Markup:
    with axes() as plot:
        places = range(1, len(rows) + 1)
        medians = [number(row, "median") for row in rows]
        highest = [
            max(number(row, "p95"), median) for row, median in zip(rows, medians, strict=True)
        ]
        plot.hlines(places, medians, highest, color=MUTED, lw=1.6)
        plot.plot(highest, list(places), ls="", marker="|", ms=7, color=MUTED)
        plot.barh(list(places), medians, height=0.62, color=SERIES[0], lw=0)
        plot.set_yticks(list(places))
        plot.invert_yaxis()
        plot.grid(visible=False, axis="y")
        plot.grid(visible=True, axis="x")
        plot.tick_params(axis="y", length=0)
        plot.set_xlabel("milliseconds")
        plot.set_xlim(left=0)
        return svg_of(plot, "time-per-screen")
