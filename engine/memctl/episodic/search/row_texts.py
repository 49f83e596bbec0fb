"""What is said in turns and episodes, read by their rows of the index."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from memctl.store import statements

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable

    from memctl.store.store import Store

__all__ = ["texts_of", "tokens_text", "written_in"]

SQL = statements.load("store/episodic_recall")


def texts_of(store: Store, rows: Iterable[int]) -> dict[int, sqlite3.Row]:
    """Return the texts of rows of the index, by row."""
    wanted = list(rows)
    found: dict[int, sqlite3.Row] = {}
    for bit, sql in enumerate((SQL.turn_texts, SQL.episode_texts)):
        ids = [row >> 1 for row in wanted if row & 1 == bit]
        if ids:
            found |= {
                cells["index_id"]: cells for cells in store.rows(sql, {"ids": json.dumps(ids)})
            }
    return found


def tokens_text(cells: sqlite3.Row) -> str:
    """Return what a row would put into a prompt."""
    return "\n".join(
        part for part in (cells["happened_at"], cells["participants"], cells["text"]) if part
    ) + (f"\n{cells['details']}" if cells["details"] else "")


def written_in(cells: sqlite3.Row) -> str:
    """Return all that the index has of a row."""
    return "\n".join(cells[name] for name in ("text", "details", "tags", "participants"))
