"""Words of the index over turns, episodes and facts."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Any

from memctl.search.index.unindexed import rows_with_unindexed
from memctl.store import statements
from memctl.text.splitting import Vocabulary, quoted

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

SQL = statements.load("store/search_words")
WORDING = statements.load("store/wording")


class IndexWords(Vocabulary):
    """The words of the index, unindexed rows included."""

    def prepare(self) -> None:
        """Make the temporary tables, those that read the index too."""
        connection = self._store.connection()
        if not connection.execute(WORDING.has_table, {"name": "memctl_vocabulary"}).fetchone():
            super().prepare()
            for statement in (SQL.make_postings, SQL.make_vocabulary):
                connection.execute(statement)

    def counts(self, stems: Collection[str]) -> dict[str, int]:
        """Return those of `stems` that are in the index, with their rows."""
        return self._counted(SQL.stem_counts, {"stems": json.dumps(sorted(stems))})

    def between(self, low: str, high: str, *, shortest: int, longest: int) -> dict[str, int]:
        """Return the stems from `low` up to and without `high` of some lengths, with their rows."""
        bounds = {"low": low, "high": high, "shortest": shortest, "longest": longest}
        return self._counted(SQL.stems_between, bounds)

    def every_stem(self) -> dict[str, int]:
        """Return every stem of the index with its rows."""
        return self._counted(SQL.every_stem)

    def any_occurs(self, words: Iterable[str]) -> bool:
        """Return whether one of `words` is in the index, asked all at once."""
        return self.any_matches(" OR ".join(map(quoted, words)))

    def any_matches(self, match: str) -> bool:
        """Return whether a row of the index, whoever's, matches an FTS5 expression; none an empty one."""
        return bool(match) and bool(rows_with_unindexed(self._store, SQL.any_row, {"match": match}))

    def _counted(self, sql: str, parameters: Mapping[str, Any] | None = None) -> dict[str, int]:
        counts: Counter[str] = Counter()
        for stem, rows_with_it in rows_with_unindexed(self._store, sql, parameters):
            counts[stem] += rows_with_it
        return counts
