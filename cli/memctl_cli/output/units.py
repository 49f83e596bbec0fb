"""Numbers with their units, as people read them."""

from __future__ import annotations

_UNITS = ("B", "kB", "MB", "GB", "TB")
_KILO = 1000


def size_text(size: float) -> str:
    """Return a number of bytes in the unit that suits it: ``512 B``, ``3.1 MB``."""
    unit = 0
    while abs(size) >= _KILO and unit < len(_UNITS) - 1:
        size, unit = size / _KILO, unit + 1
    return f"{size:.0f} {_UNITS[unit]}" if unit == 0 else f"{size:.1f} {_UNITS[unit]}"
