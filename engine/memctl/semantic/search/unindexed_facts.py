"""The newest facts, which the word index does not hold yet, and the words of all facts.

A fact is added without touching `fact_fts`, whose segments cost more to merge than all
else that an addition writes; at most 63 short ones stay unindexed, and reach it together. A
search reads them in an index of their own, cut into words by the same tokenizer.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Any

from memctl.semantic.search.fact_words import index_words
from memctl.store import statements
from memctl.text.splitting import Vocabulary

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from memctl.store.store import Store

__all__ = ["FactVocabulary", "UnindexedFacts", "read_unindexed"]

SQL = statements.load("store/fact_unindexed")


class UnindexedFacts:
    """The newest facts in a word index of their own; none where `index` is ``None``."""

    def __init__(self, index: sqlite3.Connection | None) -> None:
        self._index = index

    def numbers(self, wanted: str) -> frozenset[int]:
        """Return the facts that match an FTS5 expression; OperationalError for no single word."""
        if self._index is None:
            return frozenset()
        return frozenset(row[0] for row in self._index.execute(SQL.matching, {"word": wanted}))

    def words(self, sql: str, parameters: Mapping[str, Any]) -> list[sqlite3.Row]:
        """Return the rows of a query of the vocabulary of the newest facts."""
        if self._index is None:
            return []
        self._index.execute(SQL.make_unindexed_vocabulary)
        return self._index.execute(sql, parameters).fetchall()


@contextmanager
def read_unindexed(store: Store) -> Iterator[UnindexedFacts]:
    """Read the newest facts of a store, at the moment that the caller's snapshot sees."""
    rows = store.rows(SQL.unindexed)
    if not rows:
        yield UnindexedFacts(None)
        return
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as index:
        index.execute(SQL.make)
        index.execute("begin")
        index.executemany(
            SQL.fill, [{"number": row[0], "words": index_words(row[1])} for row in rows]
        )
        yield UnindexedFacts(index)


class FactVocabulary(Vocabulary):
    """The words of all facts of a store; who may not read a fact may not be told its words."""

    _readers = (SQL.make_vocabulary,)

    def __init__(self, store: Store, unindexed: UnindexedFacts | None = None) -> None:
        super().__init__(store)
        self._unindexed = unindexed or UnindexedFacts(None)

    def _rows(self, sql: str, parameters: Mapping[str, Any]) -> list[sqlite3.Row]:
        of_facts = sql.replace("memctl_vocabulary", "memctl_fact_vocabulary")
        return [
            *self._store.rows(of_facts, parameters),
            *self._unindexed.words(of_facts, parameters),
        ]
