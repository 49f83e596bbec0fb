"""Control charts: the share of misses on a screen by day, within its band."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memctl.reports.page.cells import counted
from memctl.reports.page.plots.plot import Plot, by, dated, day, number, text
from memctl.reports.page.plots.themed import BAND, MUTED, SERIES, axes, over_days, svg_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from markupsafe import Markup

    from memctl.reports.answers import Answer
    from memctl.reports.page.plots.plot import Record

__all__ = ["drift_plots"]

_MOST_SCREENS = 6
_FEWEST_DAYS = 2  # a single one has nothing to be compared with
_ALARM, _VALUE = SERIES[1], SERIES[0]


def drift_plots(answer: Answer, table: str) -> Iterator[Plot]:
    """Yield a chart for the screens that left their band, then for those looked at most."""
    daily = [row for row in answer.records() if row["grouping"] == "day"]
    screens = []
    for (store, _), rows in by(daily, "store", "state_id").items():
        known = [row for row in dated(rows, "group") if row["centre"] is not None]
        if len(known) >= _FEWEST_DAYS:
            screens.append((store, known))
    screens.sort(key=lambda each: (-_alarms(each[1]), -sum(number(r, "looks") for r in each[1])))
    for place, (store, rows) in enumerate(screens[:_MOST_SCREENS], 1):
        name = f"drift-{place}"
        screen = text(rows[0], "screen") or text(rows[0], "state_id")
        yield Plot(
            name,
            "Misses on a screen",
            f"{screen}, {store}",
            _about(rows),
            table,
            _drawn(rows, name),
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


def _drawn(rows: Sequence[Record], name: str) -> Markup:
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
