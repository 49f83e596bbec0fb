"""Which words stand in a word index, and in how many rows."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections import Counter
from typing import TYPE_CHECKING, Any

from memctl.store import statements
from memctl.text.splitting import Splitter

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Collection, Iterable, Mapping

__all__ = ["Vocabulary"]

SQL = statements.load("store/wording")


class Vocabulary(Splitter, ABC):
    """The words of one index: how it splits and stems them, and which stand in it."""

    # What makes the temporary tables that read the index, where they are not there yet.
    _readers: tuple[str, ...]

    def prepare(self) -> None:
        """Make the temporary tables, those that read the index too."""
        super().prepare()
        connection = self._store.connection()
        for statement in self._readers:
            connection.execute(statement)

    @abstractmethod
    def _rows(self, sql: str, parameters: Mapping[str, Any]) -> Iterable[sqlite3.Row]:
        """Return the rows of a query of the vocabulary table."""

    def counts(self, stems: Collection[str]) -> dict[str, int]:
        """Return those of `stems` that stand in the index, with their rows."""
        return self._counted(SQL.stem_counts, {"stems": json.dumps(sorted(stems))})

    def between(self, low: str, high: str, *, shortest: int, longest: int) -> dict[str, int]:
        """Return the stems from `low` up to and without `high` of some lengths, with their rows."""
        asked = {"low": low, "high": high, "shortest": shortest, "longest": longest}
        return self._counted(SQL.stems_between, asked)

    def _counted(self, sql: str, parameters: Mapping[str, Any]) -> dict[str, int]:
        counts: Counter[str] = Counter()
        for stem, rows_with_it in self._rows(sql, parameters):
            counts[stem] += rows_with_it
        return counts
