"""Brings the columns that questions need from stores into DuckDB.

DuckDB's own SQLite extension would have to be downloaded; its appender needs nothing. Each
store is read in one read transaction, so what is loaded of it is of one moment, whatever
others write meanwhile.
"""

from __future__ import annotations

from contextlib import ExitStack, contextmanager
from datetime import date, datetime
from functools import lru_cache
from typing import TYPE_CHECKING

from memctl.base.categories import KINDS
from memctl.base.errors import MemctlError, StoreDamagedError, UsageError
from memctl.base.home import Address
from memctl.base.tokens import estimate_tokens
from memctl.base.whole_file import part_folder
from memctl.config.settings import KNOWN, Settings
from memctl.reports.answers import Skipped
from memctl.reports.questions import tables
from memctl.store.store import Store

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from pathlib import Path

    import duckdb

    from memctl.base.user_zone import UserZone
    from memctl.config.setting import Value
    from memctl.reports.sources import Source

    Columns = Mapping[str, tuple[str, ...]]
    Row = tuple[object, ...]

# Where nothing limits the time.
EARLIEST, LATEST = "0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z"
# Rows that are in Python's hands at once, whatever the size of the store.
BATCH = 10_000
# One of two is loaded: SQLite may be built without dbstat, which tells pages.
_PAGES_TABLE, _CONTENTS_TABLE = "table_pages", "table_contents"
# The settings in force, and the zone among them: most are defaults, which no table of the store holds.
SETTING_TABLE, ZONE_TABLE = "setting_in_force", "zone_in_force"
_SETTING_TYPES: Mapping[str, Mapping[str, str]] = {
    SETTING_TABLE: {"key": "text", "value": "real"},
    ZONE_TABLE: {"name": "text"},
}
TYPES: Mapping[str, str] = {
    "text": "varchar",
    "words": "varchar",
    "integer": "bigint",
    "real": "double",
    "at": "varchar",
}
"""What columns of each type are in DuckDB while they are loaded."""


@contextmanager
def engine(memory_limit: str | None = None) -> Iterator[duckdb.DuckDBPyConnection]:
    """Open a DuckDB in memory that fetches no extensions and leaves no file behind.

    What does not fit into memory, of which it takes at most `memory_limit` ("200MB"), lies in a
    private folder meanwhile.
    """
    import duckdb

    with part_folder() as folder:
        try:
            with connected(str(folder), memory_limit) as connection:
                yield connection
        except duckdb.OutOfMemoryException as error:
            raise MemctlError(
                "the answers need more memory than they may take", hint="allow more, or ask less"
            ) from error


def connected(folder: str = "", memory_limit: str | None = None) -> duckdb.DuckDBPyConnection:
    """Return a DuckDB in memory that fetches no extensions; `folder` takes what does not fit."""
    import duckdb

    # A misspelt function must not make it look for an extension on the network.
    config: dict[str, str | bool | int | float | list[str]] = {
        "autoinstall_known_extensions": False,
        "autoload_known_extensions": False,
        "temp_directory": folder,
        **({"memory_limit": memory_limit} if memory_limit else {}),
    }
    try:
        return duckdb.connect(config=config)
    except duckdb.Error as error:
        raise UsageError(
            f'"{memory_limit}" is no amount of memory', hint="write it as 200MB or 2GB"
        ) from error


def load(
    into: duckdb.DuckDBPyConnection,
    sources: Iterable[Source],
    wanted: Columns,
    progress: Callable[[str], object] = bool,
    *,
    settings: Mapping[str, Value] | None = None,
    alone: bool = False,
) -> tuple[tuple[str, ...], tuple[Skipped, ...]]:
    """Make a table for each of `wanted` and fill it from every store, its name first.

    Parameters
    ----------
    wanted
        Columns by table, as `questions.needed` returns them.
    progress
        Called once a store, before it is read, with what is done.
    settings
        Values that win over those in force in each store.
    alone
        Raise the error of a store that cannot be read, instead of skipping it.

    Returns
    -------
    tuple
        The names of the stores that were read, and those that could not be.

    Notes
    -----
    Times that are no times, as hands may type them, are loaded as null.
    """
    read: list[str] = []
    unread: list[tuple[Source, MemctlError]] = []
    make_tables(into, wanted)
    with ExitStack() as stack:
        appenders = {name: stack.enter_context(into.appender(name)) for name in wanted}
        for source in sources:
            progress(f"reading {source.name}")
            try:
                for name, rows in rows_of(source, wanted, settings):
                    _append(appenders[name].append_rows, rows, source, name)
                read.append(source.name)
            except MemctlError as error:
                if alone:
                    raise
                unread.append((source, error))
    for name in wanted:
        for source, _ in unread:  # damage is met in the middle of a table, too
            into.execute(f'delete from "{name}" where store = ?', [source.name])  # noqa: S608
    give_times(into, wanted)
    return tuple(read), tuple(skipped(source, error) for source, error in unread)


def sql_functions(connection: sqlite3.Connection) -> None:
    """Let SQL count tokens as recall and the facts do."""
    connection.create_function("memory_tokens", 1, estimate_tokens, deterministic=True)


def rows_of(
    source: Source, wanted: Columns, settings: Mapping[str, Value] | None = None
) -> Iterator[tuple[str, list[Row]]]:
    """Yield the wanted rows of a store table by table, its name first; all of one moment.

    Raises
    ------
    MemctlError
        When it cannot be read to the end; what was yielded of it does not count.
    """
    with Store(source.path, Address(source.name), readonly=True) as store, store.snapshot():
        connection = store.connection()
        sql_functions(connection)
        parameters = {"store": source.name, "log_bytes": _log_bytes(source.path)}
        if SETTING_TABLE in wanted:
            in_force = Settings(store, dict(settings or {}))
            yield SETTING_TABLE, _settings_in_force(source.name, in_force, wanted[SETTING_TABLE])
        if ZONE_TABLE in wanted:
            yield ZONE_TABLE, [(source.name, store.said("timezone"))]
        for name in stored_tables(connection, wanted):
            cursor = connection.cursor()
            cursor.row_factory = None
            cursor.execute(_selection(name, wanted[name]), parameters)
            while batch := cursor.fetchmany(BATCH):
                yield name, batch


def stored_tables(connection: sqlite3.Connection, wanted: Iterable[str]) -> list[str]:
    """Return the wanted tables that a store has rows for: its sizes by page, or else by content."""
    left_out = {*_SETTING_TYPES, _CONTENTS_TABLE if _tells_pages(connection) else _PAGES_TABLE}
    return [name for name in wanted if name not in left_out]


def _tells_pages(connection: sqlite3.Connection) -> bool:
    row = connection.execute("select 1 from pragma_module_list where name = 'dbstat'").fetchone()
    return row is not None


def _log_bytes(path: Path) -> int:
    """Return the size of the write-ahead log beside a store."""
    try:
        return path.with_name(f"{path.name}-wal").stat().st_size
    except OSError:
        return 0


def _append(
    append: Callable[[list[Row]], object], batch: list[Row], source: Source, name: str
) -> None:
    """Append rows; a value of another type than its column's comes from a broken page alone."""
    import duckdb

    try:
        append(batch)
    except (duckdb.Error, UnicodeError) as error:
        raise StoreDamagedError(f'"{source.path}" is damaged: {name} holds no {name}') from error


def _selection(name: str, columns: Iterable[str]) -> str:
    # SQLite does not compute what is not asked of the inner query.
    return f"select :store, {', '.join(columns)} from ({tables()[name].sql})"  # noqa: S608


def make_tables(into: duckdb.DuckDBPyConnection, wanted: Columns) -> None:
    """Make a table for each of `wanted`, of which times are texts until `give_times`."""
    for name, columns in wanted.items():
        types = types_of(name)
        listed = "".join(f", {column} {TYPES[types[column]]}" for column in columns)
        into.execute(f'create table "{name}" (store varchar{listed})')


def give_times(into: duckdb.DuckDBPyConnection, wanted: Columns) -> None:
    """Make times of the texts that are times, and null of the others."""
    for name, columns in wanted.items():
        types = types_of(name)
        for column in columns:
            if types[column] == "at":
                into.execute(
                    f'alter table "{name}" alter column {column}'
                    f" type timestamp using nullif(nullif("
                    f"try_cast({column} as timestamp), 'infinity'), '-infinity')"
                )


def types_of(table: str) -> Mapping[str, str]:
    """Return the types of a table's columns by name."""
    return _SETTING_TYPES.get(table) or tables()[table].types


def _settings_in_force(name: str, settings: Settings, columns: Iterable[str]) -> list[Row]:
    """Return the settings that are numbers, as they are in force for a store."""
    values = settings.several(*default_numbers())
    cells = [{"key": key, "value": float(value)} for key, value in values.items()]
    return [(name, *(row[column] for column in columns)) for row in cells]


def default_numbers() -> dict[str, float]:
    """Return the settings that are numbers, with their defaults."""
    return {
        key: float(setting.default)
        for key, setting in KNOWN.items()
        if type(setting.default) in (int, float)
    }


def skipped(source: Source, error: MemctlError) -> Skipped:
    """Return the store that could not be read, and why."""
    why = f"{error.message} ({error.hint})" if error.hint else error.message
    return Skipped(str(source.path), error.code, why)


def put_request(
    connection: duckdb.DuckDBPyConnection,
    made_at: str,
    window: tuple[str | None, str | None],
    zone: UserZone,
) -> None:
    """Make what every question may read: ``request``, of one row, ``category_tag``, ``user_day()``."""
    if zone.known:

        @lru_cache(maxsize=100_000)
        def user_day(at: datetime) -> date:
            return date.fromisoformat(zone.day(at.isoformat() + "Z"))

        connection.create_function("user_day", user_day, ["TIMESTAMP"], "DATE")
    else:
        connection.execute("create macro user_day(moment) as moment::date")
    connection.execute(
        "create table request (asked_at timestamp, since_at timestamp, until_at timestamp)"
    )
    # DuckDB takes times as UTC when they do not say so.
    moments = [
        datetime.fromisoformat(at).replace(tzinfo=None)
        for at in (made_at, window[0] or EARLIEST, window[1] or LATEST)
    ]
    connection.execute("insert into request values (?, ?, ?)", moments)
    connection.execute("create table category_tag (category varchar, tag varchar)")
    with connection.appender("category_tag") as tags:
        tags.append_rows([(kind.category, kind.tag) for kind in KINDS.values()])
