"""What held when: the facts that exclude one another, in the order of time.

Each holds from its ``valid_from`` until the next one begins, so that at any moment at most
one answers: the one that began last. What becomes known late takes its place in between.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable

__all__ = ["Place", "is_late", "place_at"]


class Place(NamedTuple):
    """What stands around a moment: the rows that hold then, and the one that begins next."""

    holding: list[sqlite3.Row]
    following: sqlite3.Row | None


def is_late(rows: Iterable[sqlite3.Row], moment: str) -> bool:
    """Whether one of some rows begins to hold only after a moment."""
    return any(row["valid_from"] > moment for row in rows)


def place_at(rows: Iterable[sqlite3.Row], moment: str) -> Place:
    """Return what stands around `moment`, the latest to begin first.

    A row that ended when it began holds at no moment.
    """
    held = [row for row in rows if row["valid_to"] is None or row["valid_to"] > row["valid_from"]]
    begun = [row for row in held if row["valid_from"] <= moment]
    holding = [row for row in begun if row["valid_to"] is None or row["valid_to"] > moment]
    later = [row for row in held if row["valid_from"] > moment]
    return Place(
        sorted(holding, key=_order, reverse=True),
        min(later, key=lambda row: (row["valid_from"], -row["number"])) if later else None,
    )


def _order(row: sqlite3.Row) -> tuple[str, int]:
    return (row["valid_from"], row["number"])
