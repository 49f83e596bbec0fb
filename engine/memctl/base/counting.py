"""Numbers with their nouns, as people write them: "1 entry", "2 entries"."""

from __future__ import annotations

__all__ = ["counted", "plural"]

_HISSING = ("s", "x", "z", "ch", "sh")


def counted(number: int, one: str, several: str = "") -> str:
    """Return ``"1 screen"``, ``"1,204 screens"``; `several` where the last word is no noun."""
    return f"{number:,} {one if number == 1 else several or plural(one)}"


def plural(noun: str) -> str:
    """Return the plural of a regular English noun, or of a phrase that ends in one."""
    if noun.endswith("y") and not noun.endswith(("ay", "ey", "oy", "uy")):
        return f"{noun[:-1]}ies"
    return f"{noun}es" if noun.endswith(_HISSING) else f"{noun}s"
