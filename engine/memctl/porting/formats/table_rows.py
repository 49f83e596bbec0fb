"""Rows of anybody's making: CSV, a table of SQLite, an array of JSON objects.

A row is a record by its ``kind``, turn, episode, fact or alias, or by its keys: one with a ``summary`` is
an episode, one with a ``term`` an alias, one with a ``role``, ``speaker`` or ``session`` a turn; any other
is a fact. The option ``columns`` maps their keys to ours, the option ``table`` names the table or array.
"""

from __future__ import annotations

import csv
import json
import re
from collections import deque
from dataclasses import MISSING, fields
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from memctl.base.errors import UnusableInputError, UsageError
from memctl.base.near_words import one_of
from memctl.guard.door import MAX_TEXT
from memctl.porting.foreign_records import (
    AliasRecord,
    EpisodeRecord,
    FactRecord,
    ForeignRecord,
    Format,
    TurnRecord,
    UnreadRecord,
)
from memctl.porting.safe_files import (
    foreign_database,
    head_of,
    is_sqlite,
    json_arrays,
    json_items,
    opened_text,
)
from memctl.store.schema_text import columns as schema

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from sqlite_utils import Database

    from memctl.porting.foreign_records import Records

# --- rows

_KINDS: Mapping[str, tuple[type[ForeignRecord], str]] = {
    "turn": (TurnRecord, "log"),
    "episode": (EpisodeRecord, "episode"),
    "fact": (FactRecord, "fact"),
    "alias": (AliasRecord, "alias"),
}


def _columns_of(kind: str) -> dict[str, str]:
    """Return the keys that a record of a kind may have, each with the kind of its value."""
    made, table = _KINDS[kind]
    there = schema()[table]
    return {field.name: there[field.name].kind for field in fields(made) if field.name in there} | {
        "key": "text"
    }


_COLUMNS = {kind: _columns_of(kind) for kind in _KINDS}
_REQUIRED = {
    kind: [f.name for f in fields(made) if f.default is MISSING and f.name != "where"]
    for kind, (made, *_) in _KINDS.items()
}
OURS = frozenset({"kind", "id"}).union(*_COLUMNS.values())
"""Every key that a record may have."""
# One of these says what a record is about; without any there is nothing to take.
_NEEDED = frozenset({"text", "value", "summary", "term"})
_TYPES: Mapping[str, tuple[type, ...]] = {
    "text": (str,),
    "time": (str, datetime),
    "number": (int, float),
    "list": (tuple,),
    "object": (dict,),
}
_MILLISECONDS = 100_000_000_000  # of numbers from here on, these are milliseconds since 1970


def record_of(
    row: object, where: str, columns: Mapping[str, str] | None = None
) -> ForeignRecord | UnreadRecord:
    """Return the record that an object's keys describe; `columns` maps keys of others to ours."""
    if not isinstance(row, dict):
        return UnreadRecord(where, "no object")
    ours = columns or {}
    # A key that was mapped wins over one that is called so.
    named = sorted(row.items(), key=lambda pair: pair[0] in ours) if ours else row.items()
    given = {ours.get(key, str(key)): value for key, value in named if value is not None}
    kind = given.pop("kind", None) or _kind_of(given)
    if not isinstance(kind, str) or kind not in _KINDS:
        return UnreadRecord(where, f'there is no kind "{kind!s:.40}"; one of {", ".join(_KINDS)}')
    made, known = _KINDS[kind][0], _COLUMNS[kind]
    given["key"] = str(given.pop("id", given.get("key", "")))
    if missing := next((name for name in _REQUIRED[kind] if name not in given), ""):
        return UnreadRecord(where, f'{kind}: it has no "{missing}"')
    try:
        read = {key: _read(kind, key, value) for key, value in given.items() if key in known}
        return made(where=where, unused=tuple(sorted(given.keys() - known)), **read)
    except (TypeError, ValueError, OverflowError, OSError) as error:
        return UnreadRecord(where, f"{kind}: {error}")


def _read(kind: str, name: str, value: Any) -> Any:
    """Return a value as its column has it; tables have texts and numbers alone."""
    due = _COLUMNS[kind][name]
    if kind == "turn" and name in {"text", "details"} and isinstance(value, (list, dict)):
        return value  # a turn may be said in blocks
    if due == "list":
        value = tuple(map(str, value)) if isinstance(value, list) else _parts(str(value))
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        if due == "time":
            seconds = value / (1000 if value >= _MILLISECONDS else 1)
            value = datetime.fromtimestamp(seconds, UTC)
        elif due == "text":
            value = str(value)
    elif isinstance(value, str) and due in {"number", "object"}:
        value = float(value) if due == "number" else json.loads(value)
    if isinstance(value, bool) or not isinstance(value, _TYPES[due]):
        raise TypeError(f'"{name}" cannot be of type {type(value).__name__}')  # it may be a secret
    return value


def _parts(text: str) -> tuple[str, ...]:
    """Return the names in a cell: a JSON array, or parted by commas or semicolons."""
    if text.startswith("["):
        return tuple(map(str, json.loads(text)))
    return tuple(part.strip() for part in text.replace(";", ",").split(",") if part.strip())


def _kind_of(given: Mapping[str, Any]) -> str:
    if "summary" in given:
        return "episode"
    if "term" in given:
        return "alias"
    return "turn" if given.keys() & {"role", "speaker", "session"} else "fact"


def _check_columns(names: Iterable[str], columns: Mapping[str, str], what: str) -> None:
    """Refuse a table of which no column can be taken, or that lacks one which was named."""
    names = list(names)
    lacking = [theirs for theirs in columns if theirs not in names]
    if lacking:
        raise UsageError(f'{what} has no column "{lacking[0]}"', hint=one_of(lacking[0], names))
    if not _NEEDED & {columns.get(name, name) for name in names}:
        raise UnusableInputError(
            f"{what} has no column text, summary or term; it has: {', '.join(names) or 'none'}",
            hint="say which is: --column body=text",
        )


# --- CSV, its delimiter found out as its encoding is

_DELIMITERS = ",;\t|"
_QUOTED = re.compile(r'"[^"]*"')
_SAMPLE = 65_536  # characters by which the delimiter is found out


def _is_csv(path: Path) -> bool:
    return path.is_file() and path.suffix.casefold() in {".csv", ".tsv"}


def _read_csv(path: Path, options: Mapping[str, Any]) -> Records:
    """Yield the record of each row."""
    columns: Mapping[str, str] = options.get("columns", {})
    with opened_text(path, newline="") as text:
        header = _QUOTED.sub("", text.read(_SAMPLE).lstrip("\r\n").partition("\n")[0])
    delimiter = max(_DELIMITERS, key=header.count)  # of none of them, the first
    # The limit is the module's own; it is only ever raised to what a text may have here.
    csv.field_size_limit(max(csv.field_size_limit(), MAX_TEXT))
    with opened_text(path, newline="") as text:
        rows = csv.reader((line.replace("\0", "") for line in text), delimiter=delimiter)
        try:
            names = [name.strip() for name in next(rows, [])]
            if not any(names):
                return
            twice = next((name for name in names if name and names.count(name) > 1), None)
            if twice is not None:
                raise UnusableInputError(f'"{path}" has two columns "{twice}"', hint="rename one")
            _check_columns(names, columns, f'"{path}"')
            for row in rows:
                where = f"{path.name}:{rows.line_num}"
                if len(row) > len(names) and any(row[len(names) :]):
                    yield UnreadRecord(where, f"{len(row)} cells below {len(names)} columns")
                elif any(cell.strip() for cell in row):
                    cells = zip(names, row, strict=False)
                    given = {name: cell for name, cell in cells if name and cell.strip()}
                    yield record_of(given, where, columns)
        except csv.Error as error:
            raise UnusableInputError(f'"{path}", line {rows.line_num}: {error}') from None


def _count_csv(path: Path, options: Mapping[str, Any]) -> int:  # noqa: ARG001  (as all count)
    """Return the number of rows: of line ends outside of quotes."""
    rows, inside = 0, False
    with opened_text(path, newline="") as text:
        for line in text:
            inside ^= line.count('"') % 2 == 1
            rows += not inside and not line.isspace()
    return max(rows - 1, 0)


# --- a table or view of any SQLite file


def _read_sqlite(path: Path, options: Mapping[str, Any]) -> Records:
    """Yield the record of each row of the option ``table``, or of the only table."""
    columns: Mapping[str, str] = options.get("columns", {})
    with foreign_database(path) as database:
        name = _table(database, options.get("table"), path)
        table = database[name]
        _check_columns([column.name for column in table.columns], columns, f'the table "{name}"')
        if name in database.view_names():  # that one without end writes nothing
            deque(table.rows, maxlen=0)
        for number, row in enumerate(table.rows, 1):
            given = {key: value for key, value in row.items() if not isinstance(value, bytes)}
            yield record_of(given, f"{name}:{number}", columns)


def _count_sqlite(path: Path, options: Mapping[str, Any]) -> int:
    with foreign_database(path, whole=False) as database:
        return database[_table(database, options.get("table"), path)].count


def _table(database: Database, named: str | None, path: Path) -> str:
    there = [*database.table_names(), *database.view_names()]
    if named is None and len(there) == 1:
        return there[0]
    if named in there:
        return str(named)
    what = f'"{path}" has no table "{named}"' if named else f'"{path}" has {len(there)} tables'
    raise UsageError(what, hint=f"--table with one of: {', '.join(there) or 'none'}")


# --- JSON: an array of objects, or an object with one array of them


def _is_json(path: Path) -> bool:
    head = head_of(path).lstrip(b"\xef\xbb\xbf \t\r\n")[:1] if path.suffix == ".json" else b""
    return head in {b"[", b"{"}


def _read_json(path: Path, options: Mapping[str, Any]) -> Records:
    """Yield the record of each object in the array."""
    key = _array(path, options.get("table"))
    for number, row in enumerate(json_items(path, key=key)):
        yield record_of(row, f"{path.name}[{number}]", options.get("columns", {}))


def _array(path: Path, named: str | None) -> str | None:
    there = json_arrays(path)
    if "" in there:
        return None
    if named in there or (named is None and len(there) == 1):
        return named or there[0]
    if not there:
        raise UnusableInputError(f'"{path}" holds no array', hint="an array of objects is read")
    raise UsageError(
        f'"{path}" holds {len(there)} arrays' if named is None else f'it has no array "{named}"',
        hint=f"--table with one of: {', '.join(there)}",
    )


def _count_json(path: Path, options: Mapping[str, Any]) -> int:
    return sum(1 for _ in json_items(path, key=_array(path, options.get("table"))))


FORMATS = {
    "csv": Format(_is_csv, _read_csv, _count_csv),
    "sqlite": Format(is_sqlite, _read_sqlite, _count_sqlite),
    "json": Format(_is_json, _read_json, _count_json),
}
