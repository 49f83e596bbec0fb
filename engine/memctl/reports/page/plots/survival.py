"""Survival curves of components, with their confidence bands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memctl.base.counting import counted
from memctl.reports.page.plots.plot import Plot, by, number, text
from memctl.reports.page.plots.themed import DASHES, SERIES, axes, svg_of
from memctl.reports.page.tables import lasting

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from markupsafe import Markup
    from matplotlib.axes import Axes

    from memctl.reports.answers import Answer
    from memctl.reports.page.plots.plot import Record

__all__ = ["survival_plots"]

_MOST_LINES = 4  # more curves with bands hide each other
_TITLE = "How long components last"
_NOTE = "Share still there by age, Kaplan-Meier, with the band of 95 %."


def survival_plots(answer: Answer, table: str) -> Iterator[Plot]:
    """Yield the curve of all components, and those of the largest types, apps and pages."""
    groups = by(answer.records(), "grouping", "store", "group")
    for grouping, suffix in (("all", ""), ("app", " by app"), ("type", " by type")):
        curves = [(key, rows) for key, rows in groups.items() if key[0] == grouping]
        # The largest: how many are at risk at the first age.
        curves.sort(key=lambda curve: -number(curve[1][0], "at_risk"))
        if not curves or (grouping != "all" and len(curves) == 1):
            continue
        chosen = [rows for _, rows in curves[:_MOST_LINES]]
        yield Plot(
            name=f"survival-{grouping}",
            title=_TITLE + suffix,
            of="",
            about=_about(chosen[0]) if grouping == "all" else _NOTE + _left_out(curves),
            table=table,
            svg=_drawn(chosen, f"survival-{grouping}"),
            keys=() if grouping == "all" else tuple(map(_name, chosen)),
        )


def _left_out(curves: Sequence[object]) -> str:
    more = len(curves) - _MOST_LINES
    return f" The {_MOST_LINES} largest of {len(curves)}." if more > 0 else ""


def _name(rows: Sequence[Record]) -> str:
    store, group = text(rows[0], "store"), text(rows[0], "group")
    size = f"{number(rows[0], 'at_risk'):,.0f}"
    name = group if not store or store == group else f"{group}, {store}"
    last = number(rows[-1], "survival")
    return f"{name}: {size}, {last:.0%} left"


def _about(rows: Sequence[Record]) -> str:
    size = int(number(rows[0], "at_risk"))
    gone = int(sum(number(row, "events") for row in rows))
    age, left = number(rows[-1], "days"), number(rows[-1], "survival")
    half = next((number(row, "days") for row in rows if number(row, "survival") <= 1 / 2), None)
    were = "was" if gone == 1 else "were"
    parts = [
        _NOTE,
        f"Of {counted(size, 'component')}, {gone:,} {were} lost;",
        f"an estimated {left:.0%} last {lasting(age)}.",
    ]
    if half is not None:
        parts.append(f"Half are gone after {lasting(half)}.")
    return " ".join(parts)


def _drawn(curves: Sequence[Sequence[Record]], name: str) -> Markup:
    with axes() as plot:
        for rows, colour, dash in zip(curves, SERIES, DASHES, strict=False):
            _curve(plot, rows, colour, dash)
        plot.set_ylim(0, 1.02)
        longest = max(number(rows[-1], "days") for rows in curves)
        plot.set_xlim(0, longest or 1)
        plot.yaxis.set_major_formatter(lambda share, _: f"{share:.0%}")
        plot.locator_params(axis="x", nbins=5)
        plot.set_xlabel("age in days")
        return svg_of(plot, name)


def _curve(plot: Axes, rows: Sequence[Record], colour: str, dash: object) -> None:
    days = [number(row, "days") for row in rows]
    plot.step(days, [number(row, "survival") for row in rows], where="post", color=colour, ls=dash)
    # Where no band is defined, nobody was lost yet, or nobody is left: the curve is the band.
    lower, upper = (
        [number(row, side if row[side] is not None else "survival") for row in rows]
        for side in ("lower", "upper")
    )
    plot.fill_between(days, lower, upper, step="post", color=colour, alpha=0.16, lw=0)
