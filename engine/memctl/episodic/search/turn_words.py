"""The words of turns and episodes: texts split as their index does, and what stands in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memctl.episodic.unindexed import rows_of_both
from memctl.store import statements
from memctl.text.splitting import quoted
from memctl.text.word_lists import Vocabulary

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Mapping

    from memctl.text.splitting import Token

__all__ = ["Words"]

SQL = statements.load("store/episodic_words")


class Words(Vocabulary):
    """The words of turns and episodes, those that wait for the index included."""

    _readers = SQL.make_postings, SQL.make_vocabulary

    def any_occurs(self, words: Iterable[str]) -> bool:
        """Return whether one of `words` stands in the index, asked all at once."""
        match = " OR ".join(map(quoted, words))
        return bool(match) and bool(rows_of_both(self._store, SQL.any_row, {"match": match}))

    def pieces(self, text: str) -> list[Token]:
        """Return the tokens of `text` as an indexed text's: characters and pairs included."""
        return self.split([self._store.value(SQL.pieces, {"text": text})])[0]

    def _rows(self, sql: str, parameters: Mapping[str, Any]) -> list[sqlite3.Row]:
        return rows_of_both(self._store, sql, parameters)
