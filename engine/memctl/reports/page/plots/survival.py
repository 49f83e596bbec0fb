"""Survival curves of components, with their confidence bands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memctl.base.counting import counted
from memctl.reports.page.plots.drawing import Chart, ticks
from memctl.reports.page.plots.plot import Plot, by, number, text
from memctl.reports.page.tables import lasting

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from markupsafe import Markup

    from memctl.reports.answers import Answer
    from memctl.reports.page.plots.plot import Record

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
        names = [_name(rows) for rows in chosen]
        yield Plot(
            name=f"survival-{grouping}",
            title=_TITLE + suffix,
            of="",
            about=_about(chosen[0]) if grouping == "all" else _NOTE + _left_out(curves),
            table=table,
            svg=_drawn(chosen, names if grouping != "all" else ["all"]),
            keys=() if grouping == "all" else tuple(map(_key, names, chosen)),
        )


def _left_out(curves: Sequence[object]) -> str:
    more = len(curves) - _MOST_LINES
    return f" The {_MOST_LINES} largest of {len(curves)}." if more > 0 else ""


def _name(rows: Sequence[Record]) -> str:
    store, group = text(rows[0], "store"), text(rows[0], "group")
    return group if not store or store == group else f"{group}, {store}"


def _key(name: str, rows: Sequence[Record]) -> str:
    return f"{name}: {number(rows[0], 'at_risk'):,.0f}, {number(rows[-1], 'survival'):.0%} left"


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


def _drawn(curves: Sequence[Sequence[Record]], names: Sequence[str]) -> Markup:
    longest = max(number(rows[-1], "days") for rows in curves) or 1.0
    marks = [(at, f"{at:,.4g}") for at in ticks(longest) if at <= longest]
    chart = Chart((0, longest), 1.0, lambda share: f"{share:.0%}", marks, "age in days")
    for place, rows in enumerate(curves, 1):
        _curve(chart, rows, f"s{place}")
    ages = sorted({number(row, "days") for rows in curves for row in rows})
    chart.tell(ages, (_told(age, curves, names) for age in ages))
    return chart.svg()


def _curve(chart: Chart, rows: Sequence[Record], series: str) -> None:
    def side(column: str) -> list[tuple[float, float]]:
        # Where no band is defined, nobody was lost yet, or nobody is left: the curve is the band.
        return [
            (number(row, "days"), number(row, column if row[column] is not None else "survival"))
            for row in rows
        ]

    chart.band(side("lower"), side("upper"), series, step=True)
    chart.line(side("survival"), series, step=True)


def _told(age: float, curves: Sequence[Sequence[Record]], names: Sequence[str]) -> str:
    shares = []
    for name, rows in zip(names, curves, strict=True):
        until = [row for row in rows if number(row, "days") <= age]
        shares += [f"{name} {number(until[-1], 'survival'):.1%}"] if until else []
    return f"After {lasting(age)}: {', '.join(shares)}"
