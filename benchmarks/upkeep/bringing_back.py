"""Counts the rows that come back: by recover, and by the ``.recover`` of SQLite's shell."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
from collections import Counter
from contextlib import closing
from typing import TYPE_CHECKING

import memctl

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["Rows", "brought_back", "by_shell", "rows_of"]

Rows = dict[str, Counter[tuple[object, ...]]]


def rows_of(path: Path) -> Rows:
    """Return the rows of every table of ours: what SQLite and the word index keep is left out."""
    with closing(sqlite3.connect(path)) as connection:
        tables = connection.execute(
            "select name from pragma_table_list where type = 'table' and schema = 'main' "
            "and name not like 'sqlite%' and name != 'migration'"
        ).fetchall()
        return {
            name: Counter(connection.execute(f'select * from "{name}"').fetchall())  # noqa: S608
            for (name,) in tables
        }


def brought_back(sound: Rows, path: Path | None) -> dict[str, int]:
    """Count the rows of `path` that the undamaged store has too, and those that it has not."""
    try:
        found = rows_of(path) if path is not None else {}
    except sqlite3.Error:
        found = {}
    kept = sum((rows & found.get(table, Counter())).total() for table, rows in sound.items())
    other = sum((rows - sound.get(table, Counter())).total() for table, rows in found.items())
    return {"rows": sum(rows.total() for rows in sound.values()), "kept": kept, "other": other}


def recovered(home: Path, app: str, out: Path) -> Path | None:
    """Recover a store into `out`; ``None`` where nothing could be."""
    out.unlink(missing_ok=True)
    try:
        memctl.recover(app, home, out)
    except memctl.MemctlError:
        return None
    return out


def by_shell(damaged: Path, out: Path) -> Path | None:
    """Let the ``sqlite3`` shell recover a file; ``None`` where there is no shell, or no result."""
    shell = shutil.which("sqlite3")
    out.unlink(missing_ok=True)
    if shell is None:
        return None
    done = subprocess.run(  # noqa: S603  (its own words)
        [shell, str(damaged), ".recover"], capture_output=True, check=False, timeout=60
    )
    subprocess.run(  # noqa: S603
        [shell, str(out)], input=done.stdout, capture_output=True, check=False, timeout=60
    )
    return out if out.exists() else None
