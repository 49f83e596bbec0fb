"""Plots of matching: the time of each screen, and the control charts of its misses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memctl.base.counting import counted
from memctl.reports.page.plots.daily import over_days
from memctl.reports.page.plots.drawing import bars_across, nice_top
from memctl.reports.page.plots.plot import Plot, by, dated, day, number, text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from markupsafe import Markup

    from memctl.reports.answers import Answer
    from memctl.reports.page.plots.plot import Record

_MOST_SCREENS = 8
_MOST_CHARTS = 6
_FEWEST_DAYS = 2  # a single one has nothing to be compared with


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
    svg = bars_across([_bar(row, several=several) for row in rows], "ms")
    return Plot("time-per-screen", "How long a look takes", "", about, table, svg)


def _name(row: Record, *, several: bool) -> str:
    name = text(row, "screen") or "not recognised"
    return f"{name}, {text(row, 'store')}" if several else name


def _bar(row: Record, *, several: bool) -> tuple[str, float, float, str]:
    name, median = _name(row, several=several), number(row, "median")
    p95, looks = max(number(row, "p95"), median), counted(int(number(row, "looks")), "look")
    return name, median, p95, f"{name}: median {median:,.0f} ms, 95 % {p95:,.0f} ms ({looks})"


def drift_plots(answer: Answer, table: str) -> Iterator[Plot]:
    """Yield a chart for the screens that left their band, then for those looked at most."""
    daily = [row for row in answer.records() if row["grouping"] == "day"]
    screens = []
    for (store, _), rows in by(daily, "store", "state_id").items():
        known = [row for row in dated(rows, "group") if row["centre"] is not None]
        if len(known) >= _FEWEST_DAYS:
            screens.append((store, known))
    screens.sort(key=lambda each: (-_alarms(each[1]), -sum(number(r, "looks") for r in each[1])))
    shown = screens[:_MOST_CHARTS]
    top = nice_top(max((_highest(rows) for _, rows in shown), default=0.0))
    for place, (store, rows) in enumerate(shown, 1):
        screen = text(rows[0], "screen") or text(rows[0], "state_id")
        about = _about(rows) + " All screens are drawn to one scale." * (len(shown) > 1)
        svg, of = _control_chart(rows, top), f"{screen}, {store}"
        yield Plot(f"drift-{place}", "Misses on a screen", of, about, table, svg)


def _highest(rows: Sequence[Record]) -> float:
    return max(number(row, side) for row in rows for side in ("value", "upper"))


def _alarms(rows: Sequence[Record]) -> int:
    return sum(row["alarm"] is not None for row in rows)


def _about(rows: Sequence[Record]) -> str:
    alarms = [row for row in rows if row["alarm"] is not None]
    start = f"Share of what was looked for that was absent, on {counted(len(rows), 'day')}."
    if not alarms:
        return f"{start} It stayed within its band."
    days = ", ".join(text(row, "group")[:10] for row in alarms[:3])
    more = f" and {len(alarms) - 3} more" if len(alarms) > 3 else ""  # noqa: PLR2004
    return f"{start} It left its band on {days}{more}: the triangles."


def _control_chart(rows: Sequence[Record], top: float) -> Markup:
    days = [day(row, "group") for row in rows]

    def points(column: str) -> list[tuple[float, float]]:
        return [(float(at), number(row, column)) for at, row in zip(days, rows, strict=True)]

    chart = over_days(days, top, lambda share: f"{share * 100:.3g}%")
    chart.band(points("lower"), points("upper"), "usual")
    chart.line(points("centre"), "centre")
    chart.line(points("value"), "s1")
    chart.dots(points("value"), "s1")
    out = [row["alarm"] is not None for row in rows]
    chart.alarms(point for point, alarm in zip(points("value"), out, strict=True) if alarm)
    chart.tell(days, map(_told, rows))
    return chart.svg()


def _told(row: Record) -> str:
    usual = f"usual {number(row, 'centre'):.1%}, up to {number(row, 'upper'):.1%}"
    missed = f"{number(row, 'misses'):,.0f} of {number(row, 'looks'):,.0f} missed"
    return f"{text(row, 'group')[:10]}: {number(row, 'value'):.1%} ({missed}); {usual}"
