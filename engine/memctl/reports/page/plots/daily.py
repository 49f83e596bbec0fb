"""Plots over days: recall times, recognised shares, and growth by table."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from memctl.base.counting import counted
from memctl.reports.page.plots.plot import Plot, by, dated, day, number, text
from memctl.reports.page.plots.themed import DASHES, SERIES, axes, over_days, svg_of
from memctl.reports.page.tables import sized

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from markupsafe import Markup

    from memctl.reports.answers import Answer
    from memctl.reports.page.plots.plot import Record

__all__ = ["growth_plot", "hit_rate_plots", "latency_plots"]

_MOST_STORES = 3  # each has a plot of its own: quantiles of several stores cannot be added up
_MOST_TABLES = 4  # the others are added up


def latency_plots(answer: Answer, table: str) -> Iterator[Plot]:
    """Yield median and 95 % quantile by day, for the stores that were asked most."""
    for number_, (store, rows, total) in enumerate(_stores(answer, "recalls"), 1):
        name = f"latency-{number_}"
        about = (
            f"Median and the time that nineteen in twenty stay under, by day."
            f" Over all {counted(int(number(total, 'recalls')), 'recall')}:"
            f" {number(total, 'median'):,.1f} and {number(total, 'p95'):,.1f} ms."
        )
        lines = {"median": "median", "p95": "95 %"}
        svg = _lines(rows, lines, name, lambda value, _: f"{value:,.4g} ms", top=None)
        keys = tuple(lines.values())
        yield Plot(name, "How long recalls take", store, about, table, svg, keys)


def hit_rate_plots(answer: Answer, table: str) -> Iterator[Plot]:
    """Yield the shares of screens and components recognised by day, of the busiest stores."""
    for number_, (store, rows, total) in enumerate(_stores(answer, "looks"), 1):
        name = f"hit-rate-{number_}"
        about = (
            f"Screens that were known, and components that were there of those looked for, by"
            f" day. Over all {counted(int(number(total, 'looks')), 'screenshot')}:"
            f" {number(total, 'recognised_share'):.1%} and {number(total, 'found_share'):.1%}."
        )
        lines = {"recognised_share": "screens known", "found_share": "components found"}
        svg = _lines(rows, lines, name, lambda share, _: f"{share:.0%}", top=1.02)
        keys = tuple(lines.values())
        yield Plot(name, "How much is recognised", store, about, table, svg, keys)


def _stores(answer: Answer, size: str) -> list[tuple[str, list[Record], Record]]:
    """Return store, rows by day and the row over all days, the largest stores first."""
    found = []
    for (store,), rows in by(answer.records(), "store").items():
        daily = dated(row for row in rows if row["grouping"] == "day")
        total = next((row for row in rows if row["grouping"] == "all"), None)
        if daily and total is not None:
            found.append((store, daily, total))
    found.sort(key=lambda each: -number(each[2], size))
    return found[:_MOST_STORES]


def _lines(
    rows: Sequence[Record],
    lines: dict[str, str],
    name: str,
    tick: Callable[[float, float], str],
    *,
    top: float | None,
) -> Markup:
    with axes() as plot:
        days = [day(row) for row in rows]
        for column, colour, dash in zip(lines, SERIES, DASHES, strict=False):
            known = [
                (at, row) for at, row in zip(days, rows, strict=True) if row[column] is not None
            ]
            plot.plot(
                [at for at, _ in known],
                [number(row, column) for _, row in known],
                color=colour,
                ls=dash,
                marker="o",
                ms=3.5,
            )
        plot.set_ylim(bottom=0, top=top)
        plot.yaxis.set_major_formatter(tick)
        over_days(plot, days)
        return svg_of(plot, name)


def growth_plot(answer: Answer, table: str) -> Plot | None:
    """Return the bytes that were added on each day, by table; ``None`` where nothing was."""
    rows = dated(answer.records())
    if not rows:
        return None
    sizes: Counter[str] = Counter()
    for row in rows:
        sizes[text(row, "table")] += int(number(row, "bytes"))
    largest = [name for name, _ in sizes.most_common(_MOST_TABLES)]
    shown = [*largest, "others"] if len(sizes) > len(largest) else largest
    days = sorted({day(row) for row in rows})
    stacks: dict[str, Counter[int]] = {name: Counter() for name in shown}
    for row in rows:
        name = text(row, "table")
        stacks[name if name in largest else "others"][day(row)] += int(number(row, "bytes"))
    total = sum(sizes.values())
    about = (
        f"Bytes that were written on each day and are still there: {sized(total)} on"
        f" {len(days):,} {'day' if len(days) == 1 else 'days'}, most of it in {largest[0]}."
    )
    svg, keys = _drawn(stacks, days), tuple(shown)
    return Plot("growth", "How the stores grow", "", about, table, svg, keys, marks="bars")


def _drawn(stacks: dict[str, Counter[int]], days: list[int]) -> Markup:
    with axes() as plot:
        base = [0] * len(days)
        for values, colour in zip(stacks.values(), SERIES, strict=False):
            heights = [values[each] for each in days]
            plot.bar(days, heights, width=0.8, bottom=base, color=colour, lw=0)
            base = [below + height for below, height in zip(base, heights, strict=True)]
        plot.yaxis.set_major_formatter(lambda value, _: sized(value))
        over_days(plot, days)
        return svg_of(plot, "growth")
