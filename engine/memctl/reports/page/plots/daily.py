"""Plots over days: recall times, recognised shares, and growth by table."""

from __future__ import annotations

from collections import Counter
from datetime import date
from typing import TYPE_CHECKING

from memctl.base.counting import counted, sized
from memctl.reports.page.plots.drawing import Chart, dates, nice_top
from memctl.reports.page.plots.plot import Plot, by, dated, day, number, text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from markupsafe import Markup

    from memctl.reports.answers import Answer
    from memctl.reports.page.plots.plot import Record

_MOST_STORES = 3  # each has a plot of its own: quantiles of several stores cannot be added up
_MOST_TABLES = 4  # the others are added up
_SAME_SCALE = " All stores are drawn to one scale."


def over_days(days: Sequence[int], top: float, y_text: Callable[[float], str]) -> Chart:
    """Return an empty plot over these days, by their numbers, with half a day to spare."""
    first, last = min(days), max(days)
    return Chart((first - 0.6, last + 0.6), top, y_text, dates(first, last))


def latency_plots(answer: Answer, table: str) -> Iterator[Plot]:
    """Yield median and 95 % quantile by day, for the stores that were asked most."""
    stores = _stores(answer, "recalls")
    lines = {"median": "median", "p95": "95 %"}
    highest = max(
        (number(row, "p95") for _, rows, _ in stores for row in rows),
        default=0.0,
    )
    for place, (store, rows, total) in enumerate(stores, 1):
        about = (
            f"Median and the time that nineteen in twenty stay under, by day."
            f" Over all {counted(int(number(total, 'recalls')), 'recall')}:"
            f" {number(total, 'median'):,.1f} and {number(total, 'p95'):,.1f} ms."
        ) + _SAME_SCALE * (len(stores) > 1)
        svg = _lines(rows, lines, lambda value: f"{value:,.4g} ms", nice_top(highest), "recalls")
        name, keys = f"latency-{place}", tuple(lines.values())
        yield Plot(name, "How long recalls take", store, about, table, svg, keys)


def hit_rate_plots(answer: Answer, table: str) -> Iterator[Plot]:
    """Yield the shares of screens and components recognised by day, of the busiest stores."""
    lines = {"recognised_share": "screens known", "found_share": "components found"}
    for place, (store, rows, total) in enumerate(_stores(answer, "looks"), 1):
        about = (
            f"Screens that were known, and components that were there of those looked for, by"
            f" day. Over all {counted(int(number(total, 'looks')), 'screenshot')}:"
            f" {_share(total, 'recognised_share')} and {_share(total, 'found_share')}."
        )
        svg = _lines(rows, lines, lambda share: f"{share:.0%}", 1.0, "looks")
        name, keys = f"hit-rate-{place}", tuple(lines.values())
        yield Plot(name, "How much is recognised", store, about, table, svg, keys)


def _share(row: Record, column: str) -> str:
    return "unknown" if row[column] is None else f"{number(row, column):.1%}"


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
    y_text: Callable[[float], str],
    top: float,
    counted_as: str,
) -> Markup:
    days = [day(row) for row in rows]
    chart = over_days(days, top, y_text)
    for place, column in enumerate(lines, 1):
        points = [
            (float(at), number(row, column))
            for at, row in zip(days, rows, strict=True)
            if row[column] is not None
        ]
        chart.line(points, f"s{place}")
        chart.dots(points, f"s{place}")
    chart.tell(
        days,
        (
            f"{_named(at)}: "
            + ", ".join(
                f"{told} {y_text(number(row, column))}"
                for column, told in lines.items()
                if row[column] is not None
            )
            + f" ({number(row, counted_as):,.0f} {counted_as})"
            for at, row in zip(days, rows, strict=True)
        ),
    )
    return chart.svg()


def _named(at: int) -> str:
    return f"{date.fromordinal(at):%d %b %Y}"


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
    svg, keys = _stacked(stacks, days), tuple(shown)
    return Plot("growth", "How the stores grow", "", about, table, svg, keys, marks="bars")


def _stacked(stacks: dict[str, Counter[int]], days: list[int]) -> Markup:
    highest = max(sum(values[each] for values in stacks.values()) for each in days)
    chart = over_days(days, nice_top(highest), lambda size: sized(size).replace(".0 ", " "))
    for each in days:
        base = 0
        for place, values in enumerate(stacks.values(), 1):
            chart.bar(each, base, values[each], f"s{place}")
            base += values[each]
    chart.tell(
        days,
        (
            f"{_named(each)}: "
            + ", ".join(
                f"{name} {sized(values[each])}" for name, values in stacks.items() if values[each]
            )
            for each in days
        ),
    )
    return chart.svg()
