"""Plots of a report's answers, as SVG that takes its colours and letters from the style sheet.

One picture serves both themes. It is drawn by hand because a plotting library took three
quarters of the time in which the page is made; what is drawn is lines, bands and bars.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING, Literal

from markupsafe import Markup, escape

from memctl.base.counting import counted, sized
from memctl.reports.answers import cell_text, shortened
from memctl.reports.page.tables import anchor_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from memctl.reports.answers import Cell, Report

    Record = Mapping[str, Cell]
    Point = tuple[float, float]

_WIDTH, _HEIGHT = 360, 200  # CSS pixels: the column of a phone, so that letters keep their size
_LEFT, _RIGHT, _TOP, _BOTTOM = 50, 10, 8, 24
_LETTER = 6.4  # width of a letter at 11 px
_TICKS = 4
_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)
_LONG = 200  # days from which months are named without their days

_MOST_STORES = 3  # each has a plot of its own: quantiles of several stores cannot be added up
_MOST_TABLES = 4  # the others are added up
_MOST_CURVES = 4  # more curves with bands hide each other
_MOST_SCREENS = 8
_MOST_CHARTS = 6
_FEWEST_DAYS = 2  # a single one has nothing to be compared with
_ONE_SCALE = " All {} are drawn to one scale."


@dataclass(frozen=True, slots=True)
class Plot:
    """A plot and its caption.

    Parameters
    ----------
    name
        Unique on the page: what its ids begin with.
    of
        The store or screen that it is about; empty where it is about all.
    about
        What is to be seen, in words: who does not see it reads this and the table.
    table
        Id of the table with its figures.
    keys
        What its lines or stacked bars are, in the order of the style sheet's series.
    marks
        Which of these.
    """

    name: str
    title: str
    of: str
    about: str
    table: str
    svg: Markup
    keys: tuple[str, ...] = ()
    marks: Literal["lines", "bars"] = "lines"


def plots_of(reports: Iterable[Report]) -> tuple[Plot, ...]:
    """Return the plots of those answers of reports that have rows."""
    answers = {
        f"{report.name}.{answer.name}": answer for report in reports for answer in report.answers
    }
    return tuple(
        plot
        for name, draw in _PLOTS.items()
        if name in answers
        for plot in draw(answers[name].records(), anchor_of(name))
    )


def ticks(highest: float) -> list[float]:
    """Return round numbers from 0 to the first one that is not less than `highest`."""
    if highest <= 0:
        return [0.0, 1.0]
    rough = highest / _TICKS
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(each * power for each in _STEPS if each * power >= rough * (1 - 1e-9))
    return [step * n for n in range(math.ceil(highest / step - 1e-9) + 1)]


@dataclass(slots=True)
class Chart:
    """A plot that is being drawn; a `series` is a class of the style sheet: ``s1``, ``centre``.

    Parameters
    ----------
    x, top
        The ends of the horizontal axis, and that of the vertical one, which begins at 0.
    y_text
        Returns the text of a value on the vertical axis.
    x_marks
        Places on the horizontal axis and their texts.
    """

    x: tuple[float, float]
    top: float
    y_text: Callable[[float], str]
    x_marks: Sequence[tuple[float, str]]
    x_label: str = ""
    _parts: list[str] = field(default_factory=list)
    _hits: list[str] = field(default_factory=list)

    def line(self, points: Sequence[Point], series: str) -> None:
        """Draw a line."""
        if points:
            self._parts.append(f'<path class="line {series}" d="{self._path(points)}"/>')

    def dots(self, points: Iterable[Point], series: str) -> None:
        """Draw a dot at each point."""
        self._parts += [
            f'<circle class="dot {series}" cx="{x:.1f}" cy="{y:.1f}" r="2.4"/>'
            for x, y in map(self._at, points)
        ]

    def alarms(self, points: Iterable[Point]) -> None:
        """Draw a triangle at each point."""
        self._parts += [
            f'<path class="alarm" d="M{x:.1f} {y - 6:.1f}l5.5 9.5h-11z"/>'
            for x, y in map(self._at, points)
        ]

    def band(self, lower: Sequence[Point], upper: Sequence[Point], series: str) -> None:
        """Fill what lies between two lines."""
        path = self._path([*upper, *reversed(lower)])
        self._parts.append(f'<path class="band {series}" d="{path}Z"/>')

    def bar(self, at: float, base: float, height: float, series: str) -> None:
        """Draw a bar of four fifths of one on the horizontal axis."""
        if height > 0:
            left, bottom = self._at((at - 0.4, base))
            right, upper = self._at((at + 0.4, base + height))
            path = f"M{left:.1f} {bottom:.1f}H{right:.1f}V{upper:.1f}H{left:.1f}Z"
            self._parts.append(f'<path class="bar {series}" d="{path}"/>')

    def tell(self, places: Sequence[float], texts: Iterable[str]) -> None:
        """Show a text where one points at a place on the horizontal axis or near it."""
        between = ((a + b) / 2 for a, b in itertools.pairwise(places))
        edges = [self._at((at, 0))[0] for at in (self.x[0], *between, self.x[1])]
        for (left, right), text in zip(itertools.pairwise(edges), texts, strict=True):
            self._hits.append(
                f'<rect class="hit" x="{left:.1f}" y="{_TOP}" width="{max(right - left, 1):.1f}"'
                f' height="{_HEIGHT - _TOP - _BOTTOM}"><title>{escape(text)}</title></rect>'
            )

    def svg(self) -> Markup:
        """Return the plot as an ``<svg>`` element for HTML."""
        right = _WIDTH - _RIGHT
        axes = []
        for value in ticks(self.top):
            _, y = self._at((0, value))
            axes.append(
                f'<path class="grid" d="M{_LEFT} {y:.1f}H{right}"/>'
                f'<text class="y" x="{_LEFT - 6}" y="{y + 3.5:.1f}">{self.y_text(value)}</text>'
            )
        for at, text in self.x_marks:
            half = len(text) * _LETTER / 2
            x = min(max(self._at((at, 0))[0], half), _WIDTH - half)
            axes.append(f'<text class="x" x="{x:.1f}" y="{_HEIGHT - 8}">{text}</text>')
        if self.x_label:
            y = _HEIGHT - _BOTTOM - 5
            axes.append(f'<text class="y" x="{right}" y="{y}">{self.x_label}</text>')
        return _svg(_HEIGHT, [*axes, *self._parts, *self._hits])

    def _at(self, point: Point) -> Point:
        """Return where a point lies in the picture."""
        first, last = self.x
        across = (point[0] - first) / ((last - first) or 1)
        up = min(point[1] / self.top, 1.0)
        return (
            _LEFT + across * (_WIDTH - _LEFT - _RIGHT),
            _HEIGHT - _BOTTOM - up * (_HEIGHT - _TOP - _BOTTOM),
        )

    def _path(self, points: Iterable[Point]) -> str:
        return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in map(self._at, points))


def _svg(height: int, parts: Iterable[str]) -> Markup:
    return Markup(  # noqa: S704  (numbers, and texts that were escaped)
        f'<svg viewBox="0 0 {_WIDTH} {height}" width="{_WIDTH}" height="{height}" aria-hidden="true">'
        f"{''.join(parts)}</svg>"
    )


def _over_days(days: Sequence[int], highest: float, y_text: Callable[[float], str]) -> Chart:
    """Return an empty plot over these days, by their numbers, with half a day to spare."""
    first, last = min(days), max(days)
    pattern = "%b %Y" if last - first > _LONG else "%d %b"
    named = range(first, last + 1, max(math.ceil((last - first) / _TICKS), 1))
    marks = [(float(at), date.fromordinal(at).strftime(pattern)) for at in named]
    return Chart((first - 0.6, last + 0.6), ticks(highest)[-1], y_text, marks)


def _number(record: Record, column: str) -> float:
    cell = record[column]
    return float(cell) if isinstance(cell, (int, float)) else 0.0


def _text(record: Record, column: str) -> str:
    cell = record[column]
    return "" if cell is None else str(cell)


def _day(record: Record, column: str = "day") -> int:
    return date.fromisoformat(_text(record, column)[:10]).toordinal()


def _dated(records: Iterable[Record], column: str = "day") -> list[Record]:
    """Return the records whose cell is a day, which hands may have typed, in order."""
    dated = []
    for record in records:
        try:
            dated.append((_day(record, column), record))
        except ValueError:
            continue
    return [record for _, record in sorted(dated, key=lambda pair: pair[0])]


def _by(records: Iterable[Record], *columns: str) -> dict[tuple[str, ...], list[Record]]:
    groups: dict[tuple[str, ...], list[Record]] = {}
    for record in records:
        groups.setdefault(tuple(_text(record, column) for column in columns), []).append(record)
    return groups


def _survival(records: Iterable[Record], table: str) -> Iterator[Plot]:
    """Yield the curve of all components, and those of the largest types and apps."""
    note = "Share still there by age, Kaplan-Meier, with the band of 95 %."
    groups = _by(records, "grouping", "store", "group")
    for grouping, suffix in (("all", ""), ("app", " by app"), ("type", " by type")):
        curves = [rows for key, rows in groups.items() if key[0] == grouping]
        # The largest: how many are at risk at the first age.
        curves.sort(key=lambda rows: -_number(rows[0], "at_risk"))
        if not curves or (grouping != "all" and len(curves) == 1):
            continue
        chosen = curves[:_MOST_CURVES]
        more = f" The {_MOST_CURVES} largest of {len(curves)}." if chosen != curves else ""
        names = ["all"] if grouping == "all" else [_group_name(rows[0]) for rows in chosen]
        keys = [
            f"{name}: {_number(rows[0], 'at_risk'):,.0f}, {_number(rows[-1], 'survival'):.0%} left"
            for name, rows in zip(names, chosen, strict=True)
        ]
        yield Plot(
            name=f"survival-{grouping}",
            title=f"How long components last{suffix}",
            of="",
            about=f"{note} {_lost(chosen[0])}" if grouping == "all" else note + more,
            table=table,
            svg=_curves(chosen, names),
            keys=() if grouping == "all" else tuple(keys),
        )


def _group_name(row: Record) -> str:
    store, group = _text(row, "store"), _text(row, "group")
    return group if not store or store == group else f"{group}, {store}"


def _lost(rows: Sequence[Record]) -> str:
    gone = sum(_number(row, "events") for row in rows)
    age, left = _number(rows[-1], "days"), _number(rows[-1], "survival")
    half = next((_number(row, "days") for row in rows if _number(row, "survival") <= 1 / 2), None)
    return (
        f"Of {counted(int(_number(rows[0], 'at_risk')), 'component')}, {gone:,.0f}"
        f" {'was' if gone == 1 else 'were'} lost; an estimated {left:.0%} last {cell_text(age, 'days')}."
    ) + ("" if half is None else f" Half are gone after {cell_text(half, 'days')}.")


def _curves(curves: Sequence[Sequence[Record]], names: Sequence[str]) -> Markup:
    longest = max(_number(rows[-1], "days") for rows in curves) or 1.0
    marks = [(at, f"{at:,.4g}") for at in ticks(longest) if at <= longest]
    chart = Chart((0, longest), 1.0, lambda share: f"{share:.0%}", marks, "age in days")
    for place, rows in enumerate(curves, 1):
        chart.band(_stepped(rows, "lower"), _stepped(rows, "upper"), f"s{place}")
        chart.line(_stepped(rows, "survival"), f"s{place}")

    def left_at(age: float) -> str:
        shares = []
        for name, rows in zip(names, curves, strict=True):
            until = [row for row in rows if _number(row, "days") <= age]
            shares += [f"{name} {_number(until[-1], 'survival'):.1%}"] if until else []
        return f"After {cell_text(age, 'days')}: {', '.join(shares)}"

    ages = sorted({_number(row, "days") for rows in curves for row in rows})
    chart.tell(ages, map(left_at, ages))
    return chart.svg()


def _stepped(rows: Sequence[Record], column: str) -> list[Point]:
    """Return the points of a column by age; each value lasts until the next one.

    Where no band is defined, nobody was lost yet, or nobody is left: the curve is the band.
    """
    points = [
        (_number(row, "days"), _number(row, column if row[column] is not None else "survival"))
        for row in rows
    ]
    steps = [((x, before), (x, y)) for (_, before), (x, y) in itertools.pairwise(points)]
    return [points[0], *itertools.chain.from_iterable(steps)]


def _hit_rate(records: Iterable[Record], table: str) -> Iterator[Plot]:
    """Yield the shares of screens and components recognised by day, of the busiest stores."""
    lines = {"recognised_share": "screens known", "found_share": "components found"}
    for place, (store, rows, total) in enumerate(_busiest(records, "looks"), 1):
        shares = [
            "unknown" if total[column] is None else cell_text(total[column], "share")
            for column in lines
        ]
        about = (
            f"Screens that were known, and components that were there of those looked for, by"
            f" day. Over all {counted(int(_number(total, 'looks')), 'screenshot')}:"
            f" {' and '.join(shares)}."
        )
        svg = _lines(rows, lines, lambda each: f"{each:.0%}", 1.0, "looks")
        keys = tuple(lines.values())
        yield Plot(f"hit-rate-{place}", "How much is recognised", store, about, table, svg, keys)


def _latency(records: Iterable[Record], table: str) -> Iterator[Plot]:
    """Yield median and 95 % quantile by day, for the stores that were asked most."""
    stores = _busiest(records, "recalls")
    lines = {"median": "median", "p95": "95 %"}
    highest = max((_number(row, "p95") for _, rows, _ in stores for row in rows), default=0.0)
    for place, (store, rows, total) in enumerate(stores, 1):
        about = (
            f"Median and the time that nineteen in twenty stay under, by day."
            f" Over all {counted(int(_number(total, 'recalls')), 'recall')}:"
            f" {_number(total, 'median'):,.1f} and {_number(total, 'p95'):,.1f} ms."
        ) + _ONE_SCALE.format("stores") * (len(stores) > 1)
        svg = _lines(rows, lines, lambda ms: f"{ms:,.4g} ms", highest, "recalls")
        keys = tuple(lines.values())
        yield Plot(f"latency-{place}", "How long recalls take", store, about, table, svg, keys)


def _busiest(records: Iterable[Record], size: str) -> list[tuple[str, list[Record], Record]]:
    """Return store, rows by day and the row over all days, the largest stores first."""
    stores = []
    for (store,), rows in _by(records, "store").items():
        daily = _dated(row for row in rows if row["grouping"] == "day")
        total = next((row for row in rows if row["grouping"] == "all"), None)
        if daily and total is not None:
            stores.append((store, daily, total))
    stores.sort(key=lambda each: -_number(each[2], size))
    return stores[:_MOST_STORES]


def _lines(
    rows: Sequence[Record],
    lines: Mapping[str, str],
    y_text: Callable[[float], str],
    highest: float,
    counted_as: str,
) -> Markup:
    days = [_day(row) for row in rows]
    chart = _over_days(days, highest, y_text)
    for place, column in enumerate(lines, 1):
        points = [
            (float(at), _number(row, column))
            for at, row in zip(days, rows, strict=True)
            if row[column] is not None
        ]
        chart.line(points, f"s{place}")
        chart.dots(points, f"s{place}")

    def figures(row: Record) -> str:
        known = [
            f"{name} {y_text(_number(row, column))}"
            for column, name in lines.items()
            if row[column] is not None
        ]
        day = f"{date.fromordinal(_day(row)):%d %b %Y}"
        return f"{day}: {', '.join(known)} ({_number(row, counted_as):,.0f} {counted_as})"

    chart.tell(days, map(figures, rows))
    return chart.svg()


def _growth(records: Iterable[Record], table: str) -> Iterator[Plot]:
    """Yield the bytes that were added on each day, by table."""
    rows = _dated(records)
    if not rows:
        return
    sizes: Counter[str] = Counter()
    for row in rows:
        sizes[_text(row, "table")] += int(_number(row, "bytes"))
    largest = [name for name, _ in sizes.most_common(_MOST_TABLES)]
    keys = (*largest, "others") if len(sizes) > len(largest) else tuple(largest)
    stacks: dict[int, Counter[str]] = {_day(row): Counter() for row in rows}
    for row in rows:
        name = _text(row, "table")
        stacks[_day(row)][name if name in largest else "others"] += int(_number(row, "bytes"))
    chart = _over_days(
        list(stacks),
        max(each.total() for each in stacks.values()),
        lambda size: sized(size).replace(".0 ", " "),
    )
    for day, stack in stacks.items():
        base = 0
        for place, name in enumerate(keys, 1):
            chart.bar(day, base, stack[name], f"s{place}")
            base += stack[name]
    chart.tell(
        list(stacks),
        (
            f"{date.fromordinal(day):%d %b %Y}: "
            + ", ".join(f"{name} {sized(stack[name])}" for name in keys if stack[name])
            for day, stack in stacks.items()
        ),
    )
    about = (
        f"Bytes that were written on each day and are still there: {sized(sizes.total())} on"
        f" {counted(len(stacks), 'day')}, most of it in {largest[0]}."
    )
    yield Plot("growth", "How the stores grow", "", about, table, chart.svg(), keys, "bars")


def _time_per_screen(records: Sequence[Record], table: str) -> Iterator[Plot]:
    """Yield the times of the screens that were looked at most, as bars that lie."""
    rows = sorted(records, key=lambda row: -_number(row, "looks"))[:_MOST_SCREENS]
    if not rows:
        return
    rows.sort(key=lambda row: -_number(row, "median"))
    several = len({_text(row, "store") for row in rows}) > 1
    names = [
        (_text(row, "screen") or "not recognised") + f", {_text(row, 'store')}" * several
        for row in rows
    ]
    about = (
        f"Median of the screens that were looked at most, with a line up to the time that"
        f" nineteen in twenty looks stay under. The slowest is {names[0]},"
        f" {_number(rows[0], 'median'):,.0f} ms."
    )
    longest = max(_number(row, column) for row in rows for column in ("median", "p95")) or 1.0
    made, y = [], 4
    for name, row in zip(names, rows, strict=True):
        median, p95 = _number(row, "median"), max(_number(row, "p95"), _number(row, "median"))
        stop, tip = (1 + each / longest * (_WIDTH - 74) for each in (median, p95))
        looks = counted(int(_number(row, "looks")), "look")
        text = f"{name}: median {median:,.0f} ms, 95 % {p95:,.0f} ms ({looks})"
        made.append(
            f'<text class="name" x="0" y="{y + 9}">'
            f"{escape(shortened(name, int(_WIDTH / _LETTER)))}</text>"
            f'<path class="reach" d="M{stop:.1f} {y + 19}H{tip:.1f}M{tip:.1f} {y + 15}v8"/>'
            f'<path class="bar s1" d="M0 {y + 14}H{stop:.1f}v10H0Z"/>'
            f'<text class="x end" x="{tip + 6:.1f}" y="{y + 23}">{median:,.0f} ms</text>'
            f'<rect class="hit" x="0" y="{y}" width="{_WIDTH}" height="28">'
            f"<title>{escape(text)}</title></rect>"
        )
        y += 32
    yield Plot("time-per-screen", "How long a look takes", "", about, table, _svg(y, made))


def _drift(records: Iterable[Record], table: str) -> Iterator[Plot]:
    """Yield a chart for the screens that left their band, then for those looked at most."""
    screens = []
    daily = (row for row in records if row["grouping"] == "day" and row["centre"] is not None)
    for rows in _by(daily, "store", "state_id").values():
        known = _dated(rows, "group")
        if len(known) >= _FEWEST_DAYS:
            alarms = [row for row in known if row["alarm"] is not None]
            screens.append((known, alarms))
    screens.sort(key=lambda each: (-len(each[1]), -sum(_number(row, "looks") for row in each[0])))
    shown = screens[:_MOST_CHARTS]
    highest = max(
        (_number(row, side) for rows, _ in shown for row in rows for side in ("value", "upper")),
        default=0.0,
    )
    for place, (rows, alarms) in enumerate(shown, 1):
        about = f"Share of what was looked for that was absent, on {counted(len(rows), 'day')}."
        if alarms:
            days = ", ".join(_text(row, "group")[:10] for row in alarms[:3])
            more = f" and {len(alarms) - 3} more" if len(alarms) > 3 else ""  # noqa: PLR2004
            about += f" It left its band on {days}{more}: the triangles."
        else:
            about += " It stayed within its band."
        about += _ONE_SCALE.format("screens") * (len(shown) > 1)
        of = f"{_text(rows[0], 'screen') or _text(rows[0], 'state_id')}, {_text(rows[0], 'store')}"
        svg = _control_chart(rows, alarms, highest)
        yield Plot(f"drift-{place}", "Misses on a screen", of, about, table, svg)


def _control_chart(rows: Sequence[Record], alarms: Sequence[Record], highest: float) -> Markup:
    days = [_day(row, "group") for row in rows]
    chart = _over_days(days, highest, lambda share: f"{share * 100:.3g}%")

    def points(column: str, of: Sequence[Record] = rows) -> list[Point]:
        return [(float(_day(row, "group")), _number(row, column)) for row in of]

    chart.band(points("lower"), points("upper"), "usual")
    chart.line(points("centre"), "centre")
    chart.line(points("value"), "s1")
    chart.dots(points("value"), "s1")
    chart.alarms(points("value", alarms))
    chart.tell(
        days,
        (
            f"{_text(row, 'group')[:10]}: {_number(row, 'value'):.1%}"
            f" ({_number(row, 'misses'):,.0f} of {_number(row, 'looks'):,.0f} missed);"
            f" usual {_number(row, 'centre'):.1%}, up to {_number(row, 'upper'):.1%}"
            for row in rows
        ),
    )
    return chart.svg()


_PLOTS: Mapping[str, Callable[[list[dict[str, Cell]], str], Iterator[Plot]]] = {
    "decay.survival": _survival,
    "matching.hit_rate": _hit_rate,
    "matching.time_per_screen": _time_per_screen,
    "recall.latency": _latency,
    "growth.rows_per_day": _growth,
    "decay.drift": _drift,
}
