"""The routing index: which words each store of a fleet has, so that a question is asked of few.

It is one file of a folder or bucket, sorted by stem: a stem, a store, and how many of its rows have
it. It holds no text. It is replaced whole: who reads it meanwhile reads the earlier one.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from contextlib import contextmanager
from glob import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from memctl.base.counting import counted
from memctl.base.errors import ChangedMeanwhileError, MemctlError, NotFoundError, StoreDamagedError
from memctl.base.whole_file import part_folder
from memctl.entry import open_memory
from memctl.fleet.buckets import below, fetch, is_bucket, names, put, read, remove, write
from memctl.fleet.change_marks import change_mark
from memctl.fleet.in_bucket.leases import borrowed
from memctl.fleet.spreading import spread, spread_where_they_lie
from memctl.fleet.store_queue import Finished, FleetStore
from memctl.reports.loading import engine
from memctl.search.index.index_words import IndexWords
from memctl.search.index.unindexed import reading_unindexed
from memctl.store import statements
from memctl.store.store_file import Stamp
from memctl.text.splitting import Vocabulary

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    import duckdb

    from memctl.fleet.buckets import BucketObject
    from memctl.store.store import Store


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


# -- bringing it up to date ----------------------------------------------------------------


STATES = statements.load("store/state")
WORDING = statements.load("store/wording")


class StoreWords(NamedTuple):
    """The stems of a store, each with its rows, and its mark from before they were read."""

    mark: str
    stems: Mapping[str, int]


def update_index(
    stores: Sequence[FleetStore], index: str, notes: list[str], **how: Any
) -> Iterator[Finished[str]]:
    """Yield every store as soon as the index knows its words, and those that left.

    What is gone leaves before anything is read, and what was indexed is read again before what is
    new, whether it is named or of another home: what was erased is not kept by a run that is
    interrupted. `how` is that of `spread`; what is to be said of the whole index is added to `notes`.
    """
    with engine() as connection:
        draft = RoutingDraft(connection, index)
        notes += [f"{draft.anew}: it was made anew"] if draft.anew else []
        known = {(store.where, store.machine): store for store in draft.stores()}
        named = {(store.where, store.machine) for store in stores}
        gone: list[FleetStore] = []
        changed: list[FleetStore] = []
        for other in (store for key, store in known.items() if key not in named):
            store = FleetStore(other.name, other.where, 0, other.machine)
            mark = _seen_mark(other)
            if mark == "":
                gone.append(store)
                draft.drop(other.where, other.machine)
                yield Finished(store, "left the index: its file is gone", None, 0.0)
            elif mark != other.mark and not how.get("scheduler"):
                changed.append(store)
        if gone or draft.anew:
            draft.write()
        new: list[FleetStore] = []
        marks = {
            (each.store.where, each.store.machine): each.value
            for each in spread_where_they_lie(mark_now, stores, **how)
        }
        for store in stores:
            before = known.get((store.where, store.machine))
            if before is not None and before.mark == marks.get((store.where, store.machine)):
                yield Finished(store, "nothing new", None, 0.0)
            else:
                (changed if before else new).append(store)
        unread = {(store.where, store.machine) for store in changed}
        try:
            for finished in spread(words_of, changed + new, **how):
                yield _added(draft, finished)
                key = finished.store.where, finished.store.machine
                if unread and not finished.left and not (unread := unread - {key}):
                    draft.write()
        finally:
            if changed or new:
                draft.write()


def words_of(store: FleetStore) -> StoreWords:
    """Return the stems of a store's own word index, and those of its screens and aliases."""
    mark = mark_now(store)
    with borrowed(store, writes=False) as path, open_memory(path, readonly=True) as memory:
        memory.store.connection()
        words = IndexWords(memory.store)
        words.prepare()
        with memory.store.snapshot(), reading_unindexed(memory.store):
            stems = Counter(words.every_stem())
            for tokens in words.split_as_indexed(_screens(memory.store)):
                stems.update({token.stem for token in tokens})
            _add_aliases(memory.store, words, stems)
    return StoreWords(mark, dict(stems))


def mark_now(store: FleetStore | IndexedStore) -> str:
    """Return the mark of a store's file or object as it is now; empty where it is gone."""
    if is_bucket(store.where):
        there = fetch(store.where, content=False)
        return there.e_tag if there else ""
    try:
        return change_mark(Path(store.where))
    except NotFoundError:
        return ""


def _seen_mark(store: IndexedStore) -> str:
    """Return the mark of a store as it is now; that of the index where it is not seen from here."""
    try:
        return store.mark if store.machine else mark_now(store)
    except MemctlError:
        return store.mark


def _added(draft: RoutingDraft, finished: Finished[StoreWords]) -> Finished[str]:
    """Put what was read into the draft; what cannot be read leaves it."""
    store, read, text = finished.store, finished.value, None
    if not finished.left:
        draft.drop(store.where, store.machine)
    if read is not None:
        draft.add(store.name, store.where, store.machine, read.mark, read.stems)
        text = counted(len(read.stems), "word")
    return Finished(store, text, finished.error, finished.ms, finished.tries)


def _screens(store: Store) -> list[str]:
    rows = store.rows(STATES.descriptions) if store.value(STATES.any_living) else ()
    return [" ".join(filter(None, (row["name"], row["description"]))) for row in rows]


def _add_aliases(store: Store, words: IndexWords, stems: Counter[str]) -> None:
    """Count a word with the rows of its alias, so that either leads to the store."""
    pairs = [(row["term"], row["synonym"]) for row in store.rows(WORDING.alias_pairs)]
    for term, synonym in pairs + [(synonym, term) for term, synonym in pairs]:
        asked, held = words.split_as_indexed([term, synonym])
        rows = min((stems[token.stem] for token in held), default=0)
        for token in asked if rows else ():
            stems[token.stem] = max(stems[token.stem], rows)
