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
from memctl.base.errors import MemctlError, StoreDamagedError
from memctl.base.home import Address
from memctl.base.tokens import estimate_tokens
from memctl.base.user_zone import UserZone
from memctl.config.settings import KNOWN, Settings
from memctl.reports.answers import Skipped
from memctl.reports.questions import tables
from memctl.store.store import Store

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from pathlib import Path

    import duckdb

    from memctl.config.setting import Value
    from memctl.reports.sources import Source

    Columns = Mapping[str, tuple[str, ...]]

# Where nothing limits the time.
EARLIEST, LATEST = "0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z"
# Rows that are in Python's hands at once, whatever the size of the store.
BATCH = 10_000
# One of two is loaded: SQLite may be built without dbstat, which tells pages.
_PAGES_TABLE, _CONTENTS_TABLE = "table_pages", "table_contents"
# The settings in force: most are defaults, which no table of the store holds.
SETTING_TABLE = "setting_in_force"
_SETTING_TYPES = {"key": "text", "value": "real"}
_TYPES = {"text": "varchar", "integer": "bigint", "real": "double", "at": "varchar"}


@contextmanager
def engine() -> Iterator[duckdb.DuckDBPyConnection]:
    """Open a DuckDB in memory that neither fetches extensions nor leaves files behind."""
    import duckdb

    # A misspelt function must not make it look for an extension on the network.
    config: dict[str, str | bool | int | float | list[str]] = {
        "autoinstall_known_extensions": False,
        "autoload_known_extensions": False,
        "temp_directory": "",
    }
    with duckdb.connect(config=config) as connection:
        yield connection


def load(
    into: duckdb.DuckDBPyConnection,
    sources: Iterable[Source],
    wanted: Columns,
    progress: Callable[[str], object] = bool,
    *,
    settings: Mapping[str, Value] | None = None,
    window: tuple[str | None, str | None] = (None, None),
    zone: UserZone | None = None,
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
    window
        The time that is asked for: from the first, up to and without the second.
    zone
        Whose days are counted; those of this machine's zone by default.
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
    flags = dict(settings or {})
    times = {"since": window[0] or EARLIEST, "until": window[1] or LATEST}
    for name, columns in wanted.items():
        into.execute(_definition(name, columns))
    with ExitStack() as stack:
        appenders = {name: stack.enter_context(into.appender(name)) for name in wanted}
        for source in sources:
            progress(f"reading {source.name}")
            try:
                append = {name: appender.append_rows for name, appender in appenders.items()}
                _read(source, wanted, append, flags, times, zone or UserZone())
                read.append(source.name)
            except MemctlError as error:
                if alone:
                    raise
                unread.append((source, error))
    for name, columns in wanted.items():
        for source, _ in unread:  # damage is met in the middle of a table, too
            into.execute(f'delete from "{name}" where store = ?', [source.name])  # noqa: S608
        _give_times(into, name, columns)
    return tuple(read), tuple(skipped(source, error) for source, error in unread)


def sql_functions(connection: sqlite3.Connection, zone: UserZone) -> None:
    """Let SQL count tokens as recall and the facts do, and know the user's day of a time."""

    @lru_cache(maxsize=100_000)
    def user_day(minute: str) -> str:
        return zone.day(f"{minute}Z")

    connection.create_function("memory_tokens", 1, estimate_tokens, deterministic=True)
    connection.create_function(
        "user_day", 1, lambda at: at and user_day(str(at)[:16]), deterministic=True
    )


def _read(
    source: Source,
    wanted: Columns,
    append: Mapping[str, Callable[[list[tuple[object, ...]]], object]],
    flags: Mapping[str, Value],
    times: Mapping[str, str],
    zone: UserZone,
) -> None:
    """Read one store, as it is at one moment.

    Raises
    ------
    MemctlError
        When it cannot be read to the end; what was appended of it has to be removed.
    """
    with Store(source.path, Address(source.name), readonly=True) as store, store.snapshot():
        connection = store.connection()
        sql_functions(connection, zone)
        parameters = {**times, "store": source.name, "log_bytes": _log_bytes(source.path)}
        if SETTING_TABLE in wanted:
            columns = wanted[SETTING_TABLE]
            append[SETTING_TABLE](_settings_in_force(source.name, Settings(store, flags), columns))
        for name in stored_tables(connection, wanted):
            cursor = connection.cursor()
            cursor.row_factory = None
            cursor.execute(_selection(name, wanted[name]), parameters)
            while batch := cursor.fetchmany(BATCH):
                _append(append[name], batch, source, name)


def stored_tables(connection: sqlite3.Connection, wanted: Iterable[str]) -> list[str]:
    """Return the wanted tables that a store has rows for: its sizes by page, or else by content."""
    left_out = {SETTING_TABLE, _CONTENTS_TABLE if _tells_pages(connection) else _PAGES_TABLE}
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
    append: Callable[[list[tuple[object, ...]]], object],
    batch: list[tuple[object, ...]],
    source: Source,
    name: str,
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


def _definition(name: str, columns: Iterable[str]) -> str:
    types = _SETTING_TYPES if name == SETTING_TABLE else tables()[name].types
    listed = "".join(f", {column} {_TYPES[types[column]]}" for column in columns)
    return f'create table "{name}" (store varchar{listed})'


def _give_times(into: duckdb.DuckDBPyConnection, name: str, columns: Iterable[str]) -> None:
    types = _SETTING_TYPES if name == SETTING_TABLE else tables()[name].types
    for column in columns:
        if types[column] == "at":
            into.execute(
                f'alter table "{name}" alter column {column}'
                f" type timestamp using nullif(nullif("
                f"try_cast({column} as timestamp), 'infinity'), '-infinity')"
            )


def _settings_in_force(
    name: str, settings: Settings, columns: Iterable[str]
) -> list[tuple[object, ...]]:
    """Return the settings that are numbers, as they are in force for a store."""
    numbers = [key for key, setting in KNOWN.items() if type(setting.default) in (int, float)]
    values = settings.several(*numbers)
    cells = [{"key": key, "value": float(value)} for key, value in values.items()]
    return [(name, *(row[column] for column in columns)) for row in cells]


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
