"""Draws plots as SVG that takes its colours and letters from the page's style sheet.

One picture serves both themes. It is drawn by hand because a plotting library took three
quarters of the time in which the page is made; what is drawn is lines, bands and bars.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING

from markupsafe import Markup, escape

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

SERIES = 6
"""Colours and dash patterns that the style sheet has: ``s1`` to ``s6``."""

_WIDTH, _HEIGHT = 360, 200  # CSS pixels: the column of a phone, so that letters keep their size
_LEFT, _RIGHT, _TOP, _BOTTOM = 50, 10, 8, 24
_LETTER = 6.4  # width of a letter at 11 px
_TICKS = 4
_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)
_LONG = 200  # days from which months are named without their days

Point = tuple[float, float]


def nice_top(highest: float) -> float:
    """Return the first round number from `highest` on, 1 where that is 0."""
    return ticks(highest)[-1]


def ticks(highest: float) -> list[float]:
    """Return round numbers from 0 to the first one that is not less than `highest`."""
    if highest <= 0:
        return [0.0, 1.0]
    rough = highest / _TICKS
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(each * power for each in _STEPS if each * power >= rough * (1 - 1e-9))
    return [step * n for n in range(math.ceil(highest / step - 1e-9) + 1)]


def dates(first: int, last: int) -> list[tuple[float, str]]:
    """Return days to be named on an axis from one day to another, by their numbers."""
    pattern = "%b %Y" if last - first > _LONG else "%d %b"
    step = max(math.ceil((last - first) / _TICKS), 1)
    return [
        (float(at), date.fromordinal(at).strftime(pattern)) for at in range(first, last + 1, step)
    ]


@dataclass(slots=True)
class Chart:
    """A plot that is being drawn.

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

    def line(self, points: Sequence[Point], series: str, *, step: bool = False) -> None:
        """Draw a line; `series` is a class of the style sheet: ``s1``, ``centre``."""
        if not points:
            return
        path = self._path(_stepped(points) if step else points)
        self._parts.append(f'<path class="line {series}" d="{path}"/>')

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

    def band(
        self, lower: Sequence[Point], upper: Sequence[Point], series: str, *, step: bool = False
    ) -> None:
        """Fill what lies between two lines."""
        low, high = (_stepped(each) if step else each for each in (lower, upper))
        path = self._path([*high, *reversed(low)])
        self._parts.append(f'<path class="band {series}" d="{path}Z"/>')

    def bar(self, at: float, base: float, height: float, series: str) -> None:
        """Draw a bar of four fifths of one on the horizontal axis."""
        if height <= 0:
            return
        (left, bottom), (right, upper) = (
            self._at((at - 0.4, base)),
            self._at((at + 0.4, base + height)),
        )
        self._parts.append(
            f'<path class="bar {series}" d="M{left:.1f} {bottom:.1f}H{right:.1f}V{upper:.1f}H{left:.1f}Z"/>'
        )

    def tell(self, places: Sequence[float], texts: Iterable[str]) -> None:
        """Say a text where one points at a place on the horizontal axis or near it."""
        edges = [
            self.x[0],
            *((a + b) / 2 for a, b in itertools.pairwise(places)),
            self.x[1],
        ]
        for left, right, text in zip(edges[:-1], edges[1:], texts, strict=True):
            x, _ = self._at((left, 0))
            width = self._at((right, 0))[0] - x
            self._hits.append(
                f'<rect class="hit" x="{x:.1f}" y="{_TOP}" width="{max(width, 1):.1f}"'
                f' height="{_HEIGHT - _TOP - _BOTTOM}"><title>{escape(text)}</title></rect>'
            )

    def svg(self) -> Markup:
        """Return the plot as an ``<svg>`` element to stand inside of HTML."""
        return _svg(_HEIGHT, [*self._axes(), *self._parts, *self._hits])

    def _axes(self) -> list[str]:
        made = []
        right = _WIDTH - _RIGHT
        for value in ticks(self.top):
            _, y = self._at((0, value))
            made.append(f'<path class="grid" d="M{_LEFT} {y:.1f}H{right}"/>')
            made.append(
                f'<text class="y" x="{_LEFT - 6}" y="{y + 3.5:.1f}">{self.y_text(value)}</text>'
            )
        for at, text in self.x_marks:
            x, _ = self._at((at, 0))
            half = len(text) * _LETTER / 2
            x = min(max(x, half), _WIDTH - half)
            made.append(f'<text class="x" x="{x:.1f}" y="{_HEIGHT - 8}">{text}</text>')
        if self.x_label:
            made.append(
                f'<text class="y" x="{right}" y="{_HEIGHT - _BOTTOM - 5}">{self.x_label}</text>'
            )
        return made

    def _at(self, point: Point) -> Point:
        """Return where a point lies in the picture."""
        first, last = self.x
        across = (point[0] - first) / ((last - first) or 1)
        up = min(point[1] / self.top, 1.0)
        return (
            _LEFT + across * (_WIDTH - _LEFT - _RIGHT),
            _HEIGHT - _BOTTOM - up * (_HEIGHT - _TOP - _BOTTOM),
        )

    def _path(self, points: Sequence[Point]) -> str:
        return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in map(self._at, points))


def _stepped(points: Sequence[Point]) -> list[Point]:
    """Return points on which a value lasts until the next one."""
    made = list(points[:1])
    for (_, before), (x, y) in itertools.pairwise(points):
        made += [(x, before), (x, y)]
    return made


def bars_across(rows: Sequence[tuple[str, float, float, str]], unit: str) -> Markup:
    """Return bars that lie, below their names.

    Parameters
    ----------
    rows
        Of each bar its name, its length, where the thin line beyond its end ends, and what is
        said where one points at it.
    unit
        What the numbers beside the bars are.
    """
    longest = max((end for _, _, end, _ in rows), default=0.0) or 1.0
    room = _WIDTH - 74
    made, y = [], 4
    most = int(_WIDTH / _LETTER)
    for name, length, end, text in rows:
        stop, tip = 1 + length / longest * room, 1 + end / longest * room
        made.append(
            f'<text class="name" x="0" y="{y + 9}">{escape(_cut(name, most))}</text>'
            f'<path class="reach" d="M{stop:.1f} {y + 19}H{tip:.1f}M{tip:.1f} {y + 15}v8"/>'
            f'<path class="bar s1" d="M0 {y + 14}H{stop:.1f}v10H0Z"/>'
            f'<text class="x end" x="{tip + 6:.1f}" y="{y + 23}">{length:,.0f} {unit}</text>'
            f'<rect class="hit" x="0" y="{y}" width="{_WIDTH}" height="28">'
            f"<title>{escape(text)}</title></rect>"
        )
        y += 32
    return _svg(y, made)


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "\N{HORIZONTAL ELLIPSIS}"


def _svg(height: int, parts: Iterable[str]) -> Markup:
    return Markup(  # noqa: S704  (numbers, and texts that were escaped)
        f'<svg viewBox="0 0 {_WIDTH} {height}" width="{_WIDTH}" height="{height}" aria-hidden="true">'
        f"{''.join(parts)}</svg>"
    )
