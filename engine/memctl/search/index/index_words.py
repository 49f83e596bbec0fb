"""Words of the index over turns, episodes and facts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memctl.search.index.unindexed import rows_with_unindexed
from memctl.store import statements
from memctl.text.splitting import Vocabulary, quoted

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Mapping


SQL = statements.load("store/search_words")


class IndexWords(Vocabulary):
    """The words of the index, unindexed rows included."""

    _readers = SQL.make_postings, SQL.make_vocabulary

    def any_occurs(self, words: Iterable[str]) -> bool:
        """Return whether one of `words` is in the index, asked all at once."""
        return self.any_matches(" OR ".join(map(quoted, words)))

    def any_matches(self, match: str) -> bool:
        """Return whether a row of the index, whoever's, matches an FTS5 expression; none an empty one."""
        return bool(match) and bool(rows_with_unindexed(self._store, SQL.any_row, {"match": match}))

    def _rows(self, sql: str, parameters: Mapping[str, Any]) -> list[sqlite3.Row]:
        return rows_with_unindexed(self._store, sql, parameters)
