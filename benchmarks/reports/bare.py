"""What loading is held to: a loop that hands SQLite's rows to DuckDB's appender, and no more."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import duckdb

from memctl.base.user_zone import UserZone
from memctl.reports.loading import BATCH, EARLIEST, LATEST, sql_functions, stored_tables
from memctl.reports.questions import tables

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

__all__ = ["append_all"]

_TYPES = {"text": "varchar", "integer": "bigint", "real": "double", "at": "varchar"}
_ALWAYS = {"since": EARLIEST, "until": LATEST, "log_bytes": 0}


def append_all(path: Path, wanted: Mapping[str, tuple[str, ...]]) -> int:
    """Append the wanted columns of one store; times stay texts. Return how many rows it were.

    Nothing is checked: neither whose file it is, nor whether it is whole or changes meanwhile.
    The settings in force are left out: they are no rows.
    """
    count = 0
    with closing(sqlite3.connect(path)) as store, duckdb.connect() as into:
        sql_functions(store, UserZone())  # a column may be computed by them, in both loops alike
        for name in stored_tables(store, wanted):
            table, columns = tables()[name], wanted[name]
            typed = ", ".join(f"{column} {_TYPES[table.types[column]]}" for column in columns)
            into.execute(f'create table "{name}" ({typed})')
            rows = store.execute(f"select {', '.join(columns)} from ({table.sql})", _ALWAYS)  # noqa: S608
            with into.appender(name) as appender:
                while batch := rows.fetchmany(BATCH):
                    appender.append_rows(batch)
                    count += len(batch)
    return count
