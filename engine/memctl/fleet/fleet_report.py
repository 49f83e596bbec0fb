"""Reports over all stores of a fleet: only what has changed since the last one is read again.

What reports load from one store is a part, one small Parquet file, which is named after its store, so
that a listing alone tells which are of today::

    parts/MACHINE/home/ann/memory/apps/harbor.db.SIGN.KIND.parquet

The sign changes whenever the store does, or what its settings come from. The kind is that of memctl's
version, of the loaded columns, and whether there are texts in it. Rows are in long form, a table's
name and the cells as texts: two columns of Parquet instead of a hundred, all tables in one file.
"""

from __future__ import annotations

import os
import platform
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import quote, unquote_to_bytes

from memctl.base.arguments import checked
from memctl.base.errors import (
    FileAccessError,
    MemctlError,
    NotFoundError,
    StoreDamagedError,
    UsageError,
)
from memctl.base.home import home_around, parse_address
from memctl.base.user_zone import UserZone
from memctl.base.whole_file import part_folder
from memctl.config.settings import KNOWN
from memctl.fleet.buckets import below, fetch, is_bucket, names, read, remove, write
from memctl.fleet.change_marks import change_mark
from memctl.fleet.fleet_stores import Place, listed_stores
from memctl.fleet.in_bucket.leases import borrowed
from memctl.fleet.spreading import spread, spread_where_they_lie
from memctl.fleet.store_queue import FleetStore
from memctl.reports.answers import Report
from memctl.reports.loading import (
    SETTING_TABLE,
    TYPES,
    ZONE_TABLE,
    connected,
    default_numbers,
    engine,
    give_times,
    make_tables,
    rows_of,
    skipped,
    types_of,
)
from memctl.reports.questions import REPORTS, needed, questions_of, tables
from memctl.reports.report import Loaded, Request, ask_reports
from memctl.reports.sources import Source
from memctl.store import statements
from memctl.store.home_settings import read_home_settings
from memctl.store.results import Result

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    import duckdb

    from memctl.base.clock import When
    from memctl.config.setting import Value
    from memctl.reports.answers import Skipped

    Cells = list[str | None]


SQL = statements.load("fleet/report_parts")
SETTINGS = statements.load("fleet/part_settings")

# The form of parts; another number makes all of them anew.
_FORM = 1
# Files that DuckDB reads at once: their rows are in memory twice.
_FILES_AT_ONCE = 500
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
    with borrowed(store, writes=False) as path, part_folder() as folder:
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
    for first in range(0, len(paths), _FILES_AT_ONCE):
        try:
            files_now = paths[first : first + _FILES_AT_ONCE]
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


# -- Parts ---------------------------------------------------------------------------------


# Parts of a bucket that are fetched at once.
_AT_ONCE = 16


@dataclass(frozen=True, slots=True)
class FleetReports(Result):
    """Reports over a fleet, and what it took to make them.

    Parameters
    ----------
    reports
        As `memctl.report` makes each.
    read
        Stores that were read, because they had changed or were new.
    kept
        Stores whose parts were still true.
    removed
        Parts that were removed before anything else: of stores that had changed or are gone.
    sources
        The stores whose files this machine has: a page draws the first of them.
    """

    reports: tuple[Report, ...]
    read: int
    kept: int
    removed: int
    sources: tuple[Source, ...]

    @property
    def skipped(self) -> tuple[Skipped, ...]:
        """The stores that could not be read."""
        return self.reports[0].skipped if self.reports else ()


@checked
def report(
    name: str,
    stores: Sequence[Place | FleetStore] | Place | None = None,
    *,
    into: Place,
    texts: bool = False,
    since: When | None = None,
    until: When | None = None,
    jobs: int = 1,
    scheduler: str | None = None,
    memory_limit: str | None = None,
) -> Report:
    """Answer questions about all stores of a fleet, as `memctl.report` does about those of a home.

    Parameters
    ----------
    name
        ``health``, ``decay``, ``recall``, ``matching``, ``growth`` or ``lift``.
    stores
        Places, as for `memctl.fleet.stores`; or what that has returned, all or some of it.
    into
        A folder or a bucket's URL for the parts: what reports load, one small file a store. The
        next report reads only those stores again that have changed.
    texts
        Keep texts in the parts: of facts, episodes and questions, the names and labels of
        components, who a fact is about. Without it answers have numbers in their place, equal
        ones for equal texts of a store, and words that were asked for are left out.
    since, until
        What happened from `since`, up to and without `until`.
    jobs, scheduler
        Who reads the stores, as for `memctl.fleet.run`.
    memory_limit
        How much memory the answers take at most: ``"500MB"``.

    Returns
    -------
    Report
        Stores that cannot be read are listed in ``skipped``.

    Raises
    ------
    UsageError
        When there is no such report, or the times are not allowed or backwards.
    NotFoundError
        When a place holds no store.
    """
    made = make_fleet_reports(
        [name],
        stores,
        into=into,
        texts=texts,
        since=since,
        until=until,
        jobs=jobs,
        scheduler=scheduler,
        memory_limit=memory_limit,
    )
    return made.reports[0]


def make_fleet_reports(
    asked: Iterable[str],
    stores: Sequence[Place | FleetStore] | Place | None = None,
    *,
    into: Place,
    texts: bool = False,
    since: When | None = None,
    until: When | None = None,
    now: When | None = None,
    settings: Mapping[str, Value] | None = None,
    jobs: int = 1,
    scheduler: str | None = None,
    memory_limit: str | None = None,
    progress: Callable[[str], object] = bool,
) -> FleetReports:
    """Return several reports over the same stores; see `report` and `make_reports`."""
    request = Request.of(asked, since, until, now)
    fleet = listed_stores(stores, scheduler)
    began = time.perf_counter()
    parts = _Parts(below(os.fspath(into), "parts"), kind_of(texts=texts))
    wrong: dict[FleetStore, MemctlError] = {}
    names_now: dict[FleetStore, str] = {}
    how: dict[str, Any] = {"jobs": jobs, "scheduler": scheduler}
    for signed in spread_where_they_lie(sign_of, fleet, **how):
        if signed.value is not None:
            names_now[signed.store] = parts.name_of(signed.store, *signed.value)
        elif signed.error is not None:
            wrong[signed.store] = signed.error
    # Whatever was erased must be gone from the parts, even where this comes to no end.
    removed = parts.remove_stale(names_now)
    missing = {store: name for store, name in names_now.items() if name not in parts.there}
    for store in fleet:
        if store not in missing:
            progress(f"unchanged {store.name}")
    left = 0
    for finished in spread(partial(part_of, texts=texts), list(missing), **how):
        if finished.error is None and finished.value is not None:
            parts.write(names_now[finished.store], finished.value)
        elif finished.error is not None:
            left += finished.left
            wrong[finished.store] = finished.error
        progress(f"read {finished.store.name}")
    if left:
        raise KeyboardInterrupt  # what was read is in the parts: the same call goes on
    sources = list(map(_source, fleet))
    could_be_read = {store.name: names_now[store] for store in fleet if store not in wrong}
    with engine(memory_limit) as connection, parts.files(could_be_read) as files:
        columns = {**request.columns, ZONE_TABLE: ("name",)}
        load_parts(connection, files, columns, settings or {})
        loaded = Loaded(
            sources,
            tuple(could_be_read),
            tuple(skipped(_source(store), wrong[store]) for store in fleet if store in wrong),
            zone_in(connection, next(iter(could_be_read), None), settings or {}),
            round((time.perf_counter() - began) * 1000, 3),
            texts,
        )
        made = ask_reports(connection, request, loaded, progress)
    read_anew = len([store for store in missing if store not in wrong])
    here = tuple(
        source for source in sources if source.name in could_be_read and source.path.is_file()
    )
    return FleetReports(made, read_anew, len(could_be_read) - read_anew, removed, here)


def _source(store: FleetStore) -> Source:
    """Return a store as reports know it, with the command that leads to it where it has an address."""
    path, command = Path(store.where), ""
    if home := home_around(path):
        with suppress(UsageError):
            address = parse_address(store.name.partition(" (")[0])
            command = address.command(path) if address.path(home) == path else ""
    return Source(store.name, path, command)


class _Parts:
    """The parts in a folder or a bucket, by their names; as they were listed, and written since."""

    def __init__(self, url: str, kind: str) -> None:
        self.url, self.kind = url, kind
        self.there = set(names(url))

    def name_of(self, store: FleetStore, node: str, sign: str) -> str:
        """Return the name of the part of a store as it is now."""
        machine = f"{node}@{store.machine}" if store.machine else node
        where = f"/{store.where.replace('://', '/', 1)}" if store.in_bucket else store.where
        return str(PartName(machine, where, sign, self.kind))

    def remove_stale(self, now: Mapping[FleetStore, str]) -> int:
        """Remove the parts of stores that have changed or are gone; return how many there were.

        Of stores that are not asked about, those of this machine: only it can look at them.
        """
        true = {
            (name.machine, name.where): str(name) for name in map(PartName.of, now.values()) if name
        }
        stale = [
            text
            for text in sorted(self.there)
            if (name := PartName.of(text))
            and (true[name[:2]] != text if name[:2] in true else _is_stale(name))
        ]
        with ThreadPoolExecutor(_AT_ONCE) as pool:
            list(pool.map(lambda text: remove(below(self.url, text)), stale))
        self.there.difference_update(stale)
        return len(stale)

    def write(self, name: str, data: bytes) -> None:
        """Write a part."""
        write(below(self.url, name), data)
        self.there.add(name)

    @contextmanager
    def files(self, parts: Mapping[str, str]) -> Iterator[dict[str, Path]]:
        """Yield the files of parts by what each is given for; those of a bucket are fetched."""
        if not is_bucket(self.url):
            folder = Path(self.url.removeprefix("file://")).absolute()
            yield {store: folder / name for store, name in parts.items()}
            return
        with part_folder() as fetched, ThreadPoolExecutor(_AT_ONCE) as pool:

            def fetch(number: int, name: str) -> Path:
                file = fetched / str(number)
                file.write_bytes(read(below(self.url, name)))
                return file

            yield dict(zip(parts, pool.map(fetch, range(len(parts)), parts.values()), strict=True))


def _is_stale(name: PartName) -> bool:
    where = name.where[1:].replace("/", "://", 1) if name.machine == BUCKET else name.where
    if name.machine != BUCKET and name.machine.partition("@")[0] != platform.node():
        return False
    try:
        return sign_of(FleetStore("", where, 0))[1] != name.sign
    except NotFoundError:
        return True
