"""The routing index: which words each store of a fleet has, so that a question is asked of few.

It is one file of a folder or bucket, sorted by stem: a stem, a store, and how many of its rows have
it. It holds no text. It is replaced whole: who reads it meanwhile reads the earlier one.
"""

from __future__ import annotations

import sqlite3
from contextlib import contextmanager
from glob import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from memctl.base.errors import ChangedMeanwhileError, NotFoundError, StoreDamagedError
from memctl.base.whole_file import part_folder
from memctl.fleet.buckets import below, fetch, is_bucket, names, put, read, remove, write
from memctl.reports.loading import engine
from memctl.store import statements
from memctl.store.store_file import Stamp
from memctl.text.splitting import Vocabulary

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    import duckdb

    from memctl.fleet.buckets import BucketObject

SQL = statements.load("fleet/routing")

# Another number wherever stems are cut or kept otherwise: an index of before is made anew.
_FORMAT = 1
_FOLDER, _FILE = "routing", f"words-{_FORMAT}.parquet"
# Rows that are read at once, and packed together.
_GROUP = 20_000
_HINT = "memctl fleet run index STORES --index DIR makes it"


class IndexedStore(NamedTuple):
    """A store as the index knows it: its number, what it was called, and its mark at that time."""

    number: int
    name: str
    where: str
    machine: str
    mark: str


class RoutingIndex(Vocabulary):
    """An open index: its stores and its words, split and stemmed as every store does it."""

    def __init__(
        self, connection: duckdb.DuckDBPyConnection, splitting: sqlite3.Connection
    ) -> None:
        self._duckdb = connection
        self._splitting = splitting

    def _connection(self) -> sqlite3.Connection:
        return self._splitting

    def stores(self) -> list[IndexedStore]:
        """Return the stores, sorted by name."""
        return [IndexedStore(*row) for row in self._rows(SQL.stores)]

    def counts(self, stems: Collection[str]) -> dict[str, int]:
        """Return those of `stems` that a store has, with their rows in all stores."""
        return dict(self._rows(SQL.stem_counts, {"stems": list(stems)}))

    def between(self, low: str, high: str, *, shortest: int, longest: int) -> dict[str, int]:
        """Return the stems from `low` up to and without `high` of some lengths, with their rows."""
        bounds = {"low": low, "high": high, "shortest": shortest, "longest": longest}
        return dict(self._rows(SQL.stems_between, bounds))

    def best(
        self, asked: Mapping[str, Collection[str]], among: Sequence[IndexedStore], most: int
    ) -> list[IndexedStore]:
        """Return the stores that have most of the words of a question, the best first.

        Parameters
        ----------
        asked
            Each word with the stems that it may be written by.
        among
            The stores that may be asked; how rare a word is, is counted among them.
        """
        pairs = [(word, stem) for word, stems in asked.items() for stem in stems]
        numbers = {store.number: store for store in among}
        if not pairs or not numbers:
            return []
        words, stems = (list(column) for column in zip(*pairs, strict=True))
        given = {"words": words, "stems": stems, "among": list(numbers), "most": most}
        return [numbers[number] for number, _ in self._rows(SQL.best_stores, given)]

    def _rows(self, sql: str, parameters: Mapping[str, object] | None = None) -> list[Any]:
        return self._duckdb.execute(sql, parameters).fetchall()


@contextmanager
def routing_index(index: str) -> Iterator[RoutingIndex]:
    """Open the routing index of a folder or bucket.

    Raises
    ------
    NotFoundError
        When there is none.
    StoreDamagedError
        When it is of another version, or broken.
    """
    with engine() as connection, _file_of(index) as path, _undamaged(index):
        splitting = sqlite3.connect(":memory:", isolation_level=None)
        try:
            connection.read_parquet(escape(str(path))).create_view("earlier")
            yield RoutingIndex(connection, splitting)
        finally:
            splitting.close()


@contextmanager
def _file_of(index: str) -> Iterator[Path]:
    """Yield the file of an index; of one in a bucket a copy that lasts as long."""
    url = below(index, f"{_FOLDER}/{_FILE}")
    files = [name for name in names(below(index, _FOLDER)) if name.endswith(".parquet")]
    if _FILE not in files and files:
        raise StoreDamagedError(
            f'the routing index in "{index}" is of another version of memctl', hint=_HINT
        )
    if not files:
        raise NotFoundError(f'"{index}" holds no routing index', hint=_HINT)
    if not is_bucket(index):
        yield Path(url)
        return
    with part_folder() as folder:
        copy = folder / _FILE
        copy.write_bytes(read(url))
        yield copy


@contextmanager
def _undamaged(index: str) -> Iterator[None]:
    """Raise whatever DuckDB meets in a file of other bytes, and at whichever statement, as damage."""
    import duckdb

    try:
        yield
    except (duckdb.Error, RuntimeError, UnicodeError) as error:
        raise StoreDamagedError(
            f'the routing index in "{index}" is damaged: {str(error).splitlines()[0]}', hint=_HINT
        ) from error


class RoutingDraft:
    """An index that is being made: the rows of the earlier one that stay, and new ones.

    Parameters
    ----------
    index
        Its folder or bucket.

    Attributes
    ----------
    anew
        Why nothing of the earlier one stays; empty where it does, or where there was none.
    """

    def __init__(self, connection: duckdb.DuckDBPyConnection, index: str) -> None:
        self._duckdb = connection
        self._folder = below(index, _FOLDER)
        self._url = below(self._folder, _FILE)
        self._before = _writing(self._url)
        self.anew = ""
        self._clear()
        try:
            with _file_of(index) as path, _undamaged(index):
                connection.read_parquet(escape(str(path))).create_view("earlier")
                for statement in (SQL.keep_stores, SQL.keep_words, SQL.forget_view):
                    connection.execute(statement)
        except NotFoundError:
            pass
        except StoreDamagedError as error:
            self.anew = error.message
            self._clear()
        self._known = {(store.where, store.machine) for store in self.stores()}
        self._last: int = connection.execute(SQL.last_number).fetchall()[0][0]

    def _clear(self) -> None:
        for statement in (SQL.make_stores, SQL.make_words):
            self._duckdb.execute(statement)

    def stores(self) -> list[IndexedStore]:
        """Return the stores that are in it."""
        return [IndexedStore(*row) for row in self._duckdb.execute(SQL.kept_stores).fetchall()]

    def drop(self, where: str, machine: str) -> None:
        """Leave a store out."""
        if (where, machine) not in self._known:
            return
        self._known.discard((where, machine))
        self._duckdb.execute(SQL.drop_store, {"location": where, "machine": machine})

    def add(self, name: str, where: str, machine: str, mark: str, stems: Mapping[str, int]) -> None:
        """Add a store with its stems, and how many of its rows have each."""
        self._known.add((where, machine))
        self._last += 1
        with self._duckdb.appender("store") as appender:
            appender.append_row(self._last, name, where, machine, mark)
        with self._duckdb.appender("word") as appender:
            appender.append_rows([(stem, self._last, hits) for stem, hits in stems.items()])

    def write(self) -> None:
        """Put it in the place of the earlier one, and remove what others left there.

        Raises
        ------
        ChangedMeanwhileError
            When somebody else has written the index since this began; it is as they wrote it.
        """
        with part_folder() as place:
            made = place / _FILE
            rows = self._duckdb.sql(SQL.sorted_rows)
            rows.write_parquet(str(made), compression="zstd", row_group_size=_GROUP)
            self._put(made.read_bytes())
        for name in names(self._folder):
            if name != _FILE:
                remove(below(self._folder, name))

    def _put(self, data: bytes) -> None:
        if isinstance(self._before, str):
            if self._before != _writing(self._url):
                raise ChangedMeanwhileError(
                    f'"{self._url}" was written by somebody else meanwhile', hint="run it again"
                )
            write(self._url, data)
            self._before = _writing(self._url)
        else:
            self._before = put(self._url, data, {}, self._before)


def _writing(url: str) -> BucketObject | str | None:
    """Return a mark of the last writing of a file, or the object in a bucket."""
    return fetch(url, content=False) if is_bucket(url) else str(Stamp.of(Path(url)).marks)
