"""Numbers with their nouns and units, as people write them: "1 entry", "2 entries", "1.2 MB"."""

from __future__ import annotations

_HISSING = ("s", "x", "z", "ch", "sh")
_UNITS = ("B", "kB", "MB", "GB", "TB")
_UNIT = 1000


def counted(number: int, one: str, several: str = "") -> str:
    """Return ``"1 screen"``, ``"1,204 screens"``; `several` where the last word is no noun."""
    return f"{number:,} {one if number == 1 else several or plural(one)}"


def plural(noun: str) -> str:
    """Return the plural of a regular English noun, or of a phrase that ends in one."""
    if noun.endswith("y") and not noun.endswith(("ay", "ey", "oy", "uy")):
        return f"{noun[:-1]}ies"
    return f"{noun}es" if noun.endswith(_HISSING) else f"{noun}s"


def sized(number: float) -> str:
    """Return bytes in the unit that leaves one to three digits before the point."""
    for unit in _UNITS:
        if abs(number) < _UNIT or unit == _UNITS[-1]:
            break
        number /= _UNIT
    return f"{number:.0f} {unit}" if unit == "B" else f"{number:.1f} {unit}"
