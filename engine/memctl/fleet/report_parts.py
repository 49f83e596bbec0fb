"""Parts: what reports load from one store, as one small Parquet file.

A part is named after its store, so that a listing alone tells which are of today::

    parts/MACHINE/home/ann/memory/apps/harbor.db.SIGN.KIND.parquet

The sign changes whenever the store does, or what its settings come from. The kind is that of memctl's
version, of the loaded columns, and whether there are texts in it. Rows are in long form, a table's
name and the cells as texts: two columns of Parquet instead of a hundred, all tables in one file.
"""

from __future__ import annotations

import os
import platform
import threading
from functools import cache, lru_cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote, unquote_to_bytes

from memctl.base.errors import FileAccessError, MemctlError, NotFoundError, StoreDamagedError
from memctl.base.home import home_around
from memctl.base.user_zone import UserZone
from memctl.base.whole_file import part_folder
from memctl.config.settings import KNOWN
from memctl.fleet.buckets import fetch
from memctl.fleet.change_marks import change_mark
from memctl.fleet.in_bucket.leases import borrowed
from memctl.reports.loading import (
    SETTING_TABLE,
    TYPES,
    ZONE_TABLE,
    connected,
    default_numbers,
    give_times,
    make_tables,
    rows_of,
    types_of,
)
from memctl.reports.questions import REPORTS, needed, questions_of, tables
from memctl.reports.sources import Source
from memctl.store import statements
from memctl.store.home_settings import read_home_settings

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    import duckdb

    from memctl.config.setting import Value
    from memctl.fleet.store_queue import FleetStore

    Cells = list[str | None]

SQL = statements.load("fleet/report_parts")
SETTINGS = statements.load("fleet/part_settings")

# The form of parts; another number makes all of them anew.
_FORM = 1
# Files that DuckDB reads at once: their rows are in memory twice.
_AT_ONCE = 500
_PYTHON_TYPES: Mapping[str, type | tuple[type, ...]] = {"integer": int, "real": (int, float)}


# What stands for the machine of a store in a bucket.
BUCKET = "bucket"


class PartName(NamedTuple):
    """The name of a part: of which file on which machine it is, and of which state of it."""

    machine: str
    where: str
    sign: str
    kind: str

    def __str__(self) -> str:
        path = "/".join(_quoted(name) for name in Path(self.where).parts[1:])
        return f"{_quoted(self.machine)}/{path}.{self.sign}.{self.kind}.parquet"

    @classmethod
    def of(cls, text: str) -> PartName | None:
        """Return the name that a text is; ``None`` for that of another file."""
        machine, *names = (os.fsdecode(unquote_to_bytes(name)) for name in text.split("/"))
        last, *ends = names.pop().rsplit(".", 3) if names else ("",)
        if len(ends) != 3 or ends[-1] != "parquet":  # noqa: PLR2004  (sign, kind and ending)
            return None
        return cls(machine, str(Path(os.sep, *names, last)), ends[0], ends[1])


def _quoted(name: str) -> str:
    return quote(os.fsencode(name), safe="@")  # DuckDB takes * and ? for patterns


def sign_of(store: FleetStore) -> tuple[str, str]:
    """Return the name of this machine, or `BUCKET`, and the sign of a store; see `PartName`.

    Raises NotFoundError when there is no such file or object.
    """
    if store.in_bucket:
        kept = fetch(store.where, content=False)
        if kept is None:
            raise NotFoundError(
                f'"{store.where}" is not there', hint="memctl fleet stores lists it"
            )
        return BUCKET, sha256(kept.e_tag.encode()).hexdigest()[:32]
    path = Path(store.where)
    said = [os.environ.get(f"MEMCTL_{key.upper()}") for key in sorted(KNOWN)]
    try:
        home = read_home_settings(home_around(path)).text
    except MemctlError as error:  # the part says so, too
        home = error.message
    sign = sha256(repr((change_mark(path), said, home)).encode()).hexdigest()[:32]
    return platform.node(), sign


@cache
def kind_of(*, texts: bool) -> str:
    """Return the kind of parts that this version makes; see `PartName`."""
    from memctl import __version__

    loaded = [
        (name, columns, dict(types_of(name)), tables()[name].sql if name in tables() else "")
        for name, columns in _columns().items()
    ]
    return sha256(repr((_FORM, __version__, texts, loaded)).encode()).hexdigest()[:16]


@cache
def _columns() -> Mapping[str, tuple[str, ...]]:
    """Return the columns by table that all reports together load."""
    columns, _ = needed([question for name in REPORTS for question in questions_of(name)])
    return {**columns, ZONE_TABLE: ("name",)}


def part_of(store: FleetStore, *, texts: bool) -> bytes:
    """Return the part of a store as it is now.

    Without `texts`, each of its texts is replaced by a number: equal ones by an equal number.

    Raises
    ------
    MemctlError
        When the store cannot be read to the end.
    """
    numbers: dict[str, int] | None = None if texts else {}
    connection = _writer(os.getpid(), threading.get_ident())
    connection.execute(SQL.make_part)
    with (
        borrowed(store, writes=False) as path,
        part_folder() as folder,
    ):
        source = Source(store.name, path, "")
        with connection.appender("part") as part:
            for name, rows in rows_of(source, _columns()):
                types = [types_of(name)[column] for column in _columns()[name]]
                kept = _unusual(rows) if name == SETTING_TABLE else rows
                part.append_rows([(name, _cells(row[1:], types, numbers, source)) for row in kept])
        file = folder / "part"
        connection.execute(f"copy part to '{file}' (format parquet, compression zstd)")
        connection.execute(SQL.empty_part)
        return file.read_bytes()


@lru_cache(maxsize=1)
def _writer(_process: int, _thread: int) -> duckdb.DuckDBPyConnection:
    """Return a DuckDB of this thread: to start one takes as long as to read a store."""
    return connected()


def _unusual(rows: Iterable[tuple[object, ...]]) -> Iterator[tuple[object, ...]]:
    """Yield the settings with another value than their default, and leave out the others."""
    usual = default_numbers()
    return (row for row in rows if usual[str(row[1])] != row[2])


def _cells(
    row: Sequence[object], types: Sequence[str], numbers: dict[str, int] | None, source: Source
) -> Cells:
    cells: Cells = []
    for cell, kind in zip(row, types, strict=True):
        if cell is None:
            cells.append(None)
        elif not isinstance(cell, _PYTHON_TYPES.get(kind, str)):
            raise StoreDamagedError(
                f'"{source.path}" is damaged: a column of the type {kind} holds another',
                hint="memctl doctor says more",
            )
        elif kind == "words" and cell and numbers is not None:
            cells.append(f"(text {numbers.setdefault(str(cell), len(numbers) + 1)})")
        else:
            cells.append(str(cell))
    return cells


def load_parts(
    into: duckdb.DuckDBPyConnection,
    files: Mapping[str, Path],
    wanted: Mapping[str, tuple[str, ...]],
    settings: Mapping[str, Value],
) -> None:
    """Make a table for each of `wanted` and fill it from parts, as `loading.load` does from stores.

    Parameters
    ----------
    files
        The parts by the names of their stores.
    settings
        Values that win over those in force in each store.

    Raises
    ------
    FileAccessError
        When a part is not there any more, or damaged.
    """
    import duckdb

    make_tables(into, wanted)
    into.execute(SQL.make_sources)
    with into.appender("part_source") as sources:
        listed = enumerate(files.items())
        sources.append_rows([(place, name, str(file)) for place, (name, file) in listed])
    paths = [str(file) for file in files.values()]
    for first in range(0, len(paths), _AT_ONCE):
        try:
            files_now = paths[first : first + _AT_ONCE]
            rows = into.read_parquet(files_now, filename=True, file_row_number=True)
            rows.create_view("part")
            into.execute(SQL.read_parts)
        except duckdb.OutOfMemoryException:
            raise
        except (duckdb.Error, UnicodeError) as error:
            raise FileAccessError(
                f"a part cannot be read: {str(error).splitlines()[0]}",
                hint="remove the folder parts there, and ask again: all are made anew",
            ) from error
        for name, columns in wanted.items():
            into.execute(_distribution(name, columns), [name])
    give_times(into, wanted)
    if SETTING_TABLE in wanted:
        for key, value in default_numbers().items():
            into.execute(SETTINGS.fill_setting, {"key": key, "value": value})
            if key in settings:
                into.execute(SETTINGS.set_setting, {"key": key, "value": float(settings[key])})


def _distribution(name: str, columns: Iterable[str]) -> str:
    """Return the statement that puts the rows of one table where they belong."""
    places = _columns()[name]
    types = types_of(name)
    cells = "".join(
        f", cells[{places.index(column) + 1}]::{TYPES[types[column]]}" for column in columns
    )
    return f'insert into "{name}" select store{cells} from part_row where relation = ?'  # noqa: S608


def zone_in(
    connection: duckdb.DuckDBPyConnection, first: str | None, settings: Mapping[str, Value]
) -> UserZone:
    """Return the zone whose days are counted: that of the first store, as in `make_reports`."""
    if "timezone" in settings:
        return UserZone(str(settings["timezone"]))
    rows = connection.execute(SETTINGS.zone_of_store, {"store": first}).fetchall()
    return UserZone((rows[0][0] if rows else None) or "")
