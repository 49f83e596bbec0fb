"""The words of turns and episodes: texts split as their index does, and what stands in it."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING

from memctl import queries
from memctl.episodic.waiting import rows_of_both
from memctl.wording.splitting import Splitter, quoted

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Collection, Iterable

    from memctl.wording.splitting import Token

__all__ = ["Words"]

SQL = queries.load("store/episodic_words")


class Words(Splitter):
    """Splits texts, and says which words stand in the index: a `memctl.wording.typos.Vocabulary`."""

    def prepare(self) -> None:
        """Make the temporary tables, those that read the index too."""
        super().prepare()
        connection = self._store.connection()
        if not connection.execute(SQL.has_vocabulary).fetchone():
            connection.execute(SQL.make_postings)
            connection.execute(SQL.make_vocabulary)

    def any_occurs(self, words: Iterable[str]) -> bool:
        """Return whether one of `words` stands in the index, asked all at once."""
        match = " OR ".join(map(quoted, words))
        return bool(match) and bool(rows_of_both(self._store, SQL.any_row, {"match": match}))

    def pieces(self, text: str) -> list[Token]:
        """Return the tokens of `text` as an indexed text's: characters and pairs included."""
        return self.split([self._store.value(SQL.pieces, {"text": text})])[0]

    def counts(self, stems: Collection[str]) -> dict[str, int]:
        """Return those of `stems` that stand in the index, with their rows."""
        wanted = {"stems": json.dumps(sorted(stems))}
        return _counts(rows_of_both(self._store, SQL.stem_counts, wanted))

    def between(self, low: str, high: str, *, shortest: int, longest: int) -> dict[str, int]:
        """Return the stems from `low` up to and without `high` of some lengths, with their rows."""
        asked = {"low": low, "high": high, "shortest": shortest, "longest": longest}
        return _counts(rows_of_both(self._store, SQL.stems_between, asked))


def _counts(rows: Iterable[sqlite3.Row]) -> dict[str, int]:
    counts: Counter[str] = Counter()
    for stem, rows_with_it in rows:
        counts[stem] += rows_with_it
    return counts
