"""A table or view of any SQLite file, which is not changed.

A row is a record as a line of JSON Lines is; ``columns`` says which of theirs is which of ours.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memctl.base.errors import UsageError
from memctl.porting.foreign_sqlite import foreign_database, is_sqlite
from memctl.porting.formats.json_lines import check_columns, record_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from sqlite_utils import Database

    from memctl.porting.foreign_records import ForeignRecord, UnreadRecord


def recognises(path: Path) -> bool:
    """Return whether a file begins as SQLite files do."""
    return is_sqlite(path)


def read(path: Path, options: Mapping[str, Any]) -> Iterator[ForeignRecord | UnreadRecord]:
    """Yield the record of each row of the option ``table``, or of the only table."""
    columns: Mapping[str, str] = options.get("columns", {})
    with foreign_database(path) as database:
        name = _table(database, options.get("table"), path)
        table = database[name]
        check_columns([one.name for one in table.columns], columns, f'the table "{name}"')
        for number, row in enumerate(table.rows, 1):
            given = {key: value for key, value in row.items() if not isinstance(value, bytes)}
            yield record_of(given, f"{name}:{number}", columns)


def _table(database: Database, named: str | None, path: Path) -> str:
    there = [*database.table_names(), *database.view_names()]
    if named is None and len(there) == 1:
        return there[0]
    if named in there:
        return str(named)
    what = f'"{path}" has no table "{named}"' if named else f'"{path}" has {len(there)} tables'
    raise UsageError(what, hint=f"--table with one of: {', '.join(there) or 'none'}")
