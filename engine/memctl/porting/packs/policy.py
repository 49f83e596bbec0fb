"""What of a row travels: into packs, or into other stores of the same person."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from memctl.store import schema_text

if TYPE_CHECKING:
    import sqlite3

Level = Literal["pack", "store"]


def travelling(row: sqlite3.Row, table: str, level: Level) -> dict[str, Any]:
    """Return what of a row may leave the file at a level."""
    here = row.keys()
    return {name: row[name] for name in schema_text.travelling(table, level) if name in here}
