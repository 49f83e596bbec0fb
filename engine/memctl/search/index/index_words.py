"""Words of the index over turns, episodes and facts: as they are, and as they were for a replay."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from memctl.search.index.index_rows import EPISODE, FACT, row_of
from memctl.search.index.unindexed import rows_with_unindexed
from memctl.store import statements
from memctl.text.splitting import Vocabulary, quoted

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Mapping

    from memctl.search.index.index_rows import Marks
    from memctl.store.store import Store

__all__ = ["IndexWords", "PastWords"]

SQL = statements.load("store/search_words")


class IndexWords(Vocabulary):
    """The words of the index, unindexed rows included."""

    _readers = SQL.make_postings, SQL.make_vocabulary

    def any_occurs(self, words: Iterable[str]) -> bool:
        """Return whether one of `words` stands in the index, asked all at once."""
        match = " OR ".join(map(quoted, words))
        return bool(match) and bool(rows_with_unindexed(self._store, SQL.any_row, {"match": match}))

    def occur_together(self, words: Iterable[str]) -> bool:
        """Return whether one row of the index holds all of `words`."""
        match = " AND ".join(map(quoted, words))
        return bool(match) and bool(rows_with_unindexed(self._store, SQL.any_row, {"match": match}))

    def _rows(self, sql: str, parameters: Mapping[str, Any]) -> list[sqlite3.Row]:
        return rows_with_unindexed(self._store, sql, parameters)


class PastWords(IndexWords):
    """The words of the index as an earlier search saw them: counted in the rows up to its marks.

    A repair takes the commonest of the words that are near, so that a word which came later, or
    came to be more common, would be taken instead.
    """

    def __init__(self, store: Store, marks: Marks) -> None:
        super().__init__(store)
        self._marks = {
            "turn": marks.turn,
            "episode": row_of(EPISODE, marks.episode),
            "fact": row_of(FACT, marks.fact),
        }

    def _rows(self, sql: str, parameters: Mapping[str, Any]) -> list[sqlite3.Row]:
        stems = [row["term"] for row in super()._rows(sql, parameters)]
        return self._store.rows(SQL.stems_then, {"stems": json.dumps(stems), **self._marks})
