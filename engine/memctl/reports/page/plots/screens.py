"""Plots of matching: the time of each screen, and the control charts of its misses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memctl.base.counting import counted
from memctl.reports.page.plots.plot import Plot, by, dated, day, number, text
from memctl.reports.page.plots.themed import BAND, MUTED, SERIES, axes, over_days, svg_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from markupsafe import Markup

    from memctl.reports.answers import Answer
    from memctl.reports.page.plots.plot import Record

__all__ = ["drift_plots", "time_plot"]

_MOST_SCREENS = 8
_MOST_CHARTS = 6
_FEWEST_DAYS = 2  # a single one has nothing to be compared with
_ALARM, _VALUE = SERIES[1], SERIES[0]


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
        _time_bars(rows),
        keys,
        marks="numbers",
    )


def _name(row: Record, *, several: bool) -> str:
    name = text(row, "screen") or "not recognised"
    return f"{name}, {text(row, 'store')}" if several else name


def _time_bars(rows: Sequence[Record]) -> Markup:
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


def drift_plots(answer: Answer, table: str) -> Iterator[Plot]:
    """Yield a chart for the screens that left their band, then for those looked at most."""
    daily = [row for row in answer.records() if row["grouping"] == "day"]
    screens = []
    for (store, _), rows in by(daily, "store", "state_id").items():
        known = [row for row in dated(rows, "group") if row["centre"] is not None]
        if len(known) >= _FEWEST_DAYS:
            screens.append((store, known))
    screens.sort(key=lambda each: (-_alarms(each[1]), -sum(number(r, "looks") for r in each[1])))
    for place, (store, rows) in enumerate(screens[:_MOST_CHARTS], 1):
        name = f"drift-{place}"
        screen = text(rows[0], "screen") or text(rows[0], "state_id")
        yield Plot(
            name,
            "Misses on a screen",
            f"{screen}, {store}",
            _about(rows),
            table,
            _control_chart(rows, name),
        )


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


def _control_chart(rows: Sequence[Record], name: str) -> Markup:
    with axes() as plot:
        days = [day(row, "group") for row in rows]
        values = [number(row, "value") for row in rows]
        lower, upper = ([number(row, side) for row in rows] for side in ("lower", "upper"))
        plot.fill_between(days, lower, upper, color=BAND, alpha=0.14, lw=0)
        plot.plot(days, [number(row, "centre") for row in rows], color=MUTED, lw=1, ls=(0, (4, 3)))
        plot.plot(days, values, color=_VALUE, marker="o", ms=3.5)
        out = [
            (at, value)
            for at, value, row in zip(days, values, rows, strict=True)
            if row["alarm"] is not None
        ]
        if out:
            plot.plot(*zip(*out, strict=True), ls="", marker="^", ms=8, color=_ALARM)
        plot.set_ylim(bottom=0, top=max(*values, *upper, 0.01) * 1.1)
        plot.yaxis.set_major_formatter(lambda share, _: f"{share:.1%}")
        over_days(plot, days)
        return svg_of(plot, name)
