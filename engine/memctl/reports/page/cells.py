"""How a cell of each kind is written for people, and what it is sorted by."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memctl.reports.answers import Cell, Kind

__all__ = ["Shown", "counted", "lasting", "shown", "sized"]

_UNITS = ("B", "kB", "MB", "GB", "TB")
_UNIT = 1000
_SPANS = (("day", 1), ("hour", 24), ("minute", 1_440), ("second", 86_400))
_DAY_MINUTES = "YYYY-MM-DDTHH:MM"
_LONGEST = 300  # letters of a text in a table; the rest is in the store
_UNKNOWN = "\N{EN DASH}"
_TEN = 10


@dataclass(frozen=True, slots=True)
class Shown:
    """A cell of a table.

    Parameters
    ----------
    text
        What is read.
    value
        What it is sorted by; ``None``: its text, ``""``: last, because it is not known.
    align
        A class of the style sheet: ``"num"`` or ``""``.
    """

    text: str
    value: str | None
    align: str


def shown(cell: Cell, kind: Kind) -> Shown:
    """Return a cell as the page shows it."""
    if cell is None:
        return Shown(_UNKNOWN, "", "" if kind in {"text", "at"} else "num")
    if kind == "at":
        text = str(cell)
        return Shown(text[: len(_DAY_MINUTES)].replace("T", " "), text, "")
    if isinstance(cell, str):
        return Shown(_short(cell), None, "")
    return Shown(_number(cell, kind), repr(cell), "num")


def counted(number: int, one: str, many: str | None = None) -> str:
    """Return ``"1 screen"``, ``"1,204 screens"``."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def sized(number: float) -> str:
    """Return bytes in the unit that leaves one to three digits before the point."""
    for unit in _UNITS:
        if abs(number) < _UNIT or unit == _UNITS[-1]:
            break
        number /= _UNIT
    return f"{number:.0f} {unit}" if unit == "B" else f"{number:.1f} {unit}"


def lasting(days: float) -> str:
    """Return a length of time in the largest unit of which there is one."""
    for unit, per_day in _SPANS:
        if days * per_day >= 1:
            return _length(days * per_day, unit)
    return _length(days * _SPANS[-1][1], _SPANS[-1][0])


def _length(number: float, unit: str) -> str:
    """Return ``"1 day"``, ``"2.5 hours"``."""
    text = f"{number:,.1f}".removesuffix(".0")
    return f"{text} {unit}" if text == "1" else f"{text} {unit}s"


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "\N{HORIZONTAL ELLIPSIS}"


def _number(cell: float, kind: Kind) -> str:
    if kind == "share":
        return f"{cell:.1%}"
    if kind == "bytes":
        return sized(cell)
    if kind == "days":
        return f"{cell:,.1f} d"
    if kind == "ms":
        return f"{cell:,.0f} ms" if abs(cell) >= _TEN else f"{cell:.1f} ms"
    return f"{cell:,}" if isinstance(cell, int) else f"{cell:,.4g}"
