"""Damages a file at random: bytes flipped, a page zeroed, two pages swapped, the end cut off."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from random import Random

__all__ = ["KINDS", "damage"]

KINDS = ("byte", "bytes", "zeroed", "swapped", "cut")
_PAGE = 4096


def damage(content: bytes, kind: str, random: Random) -> bytes:
    """Return `content` damaged in one place, or in the twenty of ``bytes``."""
    changed = bytearray(content)
    pages = len(content) // _PAGE
    if kind in {"byte", "bytes"}:
        for _ in range(1 if kind == "byte" else 20):
            at = random.randrange(len(changed))
            changed[at] ^= 1 << random.randrange(8)
    elif kind == "zeroed":
        _put(changed, random.randrange(pages), bytes(_PAGE))
    elif kind == "swapped":
        one, other = random.sample(range(pages), 2)
        first, second = (bytes(content[n * _PAGE : (n + 1) * _PAGE]) for n in (one, other))
        _put(changed, one, second)
        _put(changed, other, first)
    elif kind == "cut":
        del changed[random.randrange(1, len(changed)) :]
    else:
        raise ValueError(f"no such kind of damage: {kind}")
    return bytes(changed)


def _put(changed: bytearray, page: int, content: bytes) -> None:
    changed[page * _PAGE : (page + 1) * _PAGE] = content
