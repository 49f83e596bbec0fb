"""Facts that hold a word, in the index or not yet, in a scope or anywhere.

Work is bounded: of a word, the newest facts that hold it are read, up to a budget; all of
them only where those are others', or filtered out.
"""

from __future__ import annotations

import json
import sqlite3
from typing import TYPE_CHECKING, Any, TypeVar

from memctl.semantic.search.fact_filters import Condition
from memctl.semantic.search.fact_words import signs
from memctl.store import statements

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from memctl.semantic.search.unindexed_facts import UnindexedFacts
    from memctl.store.store import Store

__all__ = ["BUDGET", "CHUNK", "WordRows"]

Answer = TypeVar("Answer")

SQL = statements.load("store/fact_read")

# Rows that one word may bring, the newest.
BUDGET = 1_000
# Rows that are looked at together, to see whether they hold.
CHUNK = 100


class WordRows:
    """Looks words up for one search, each once.

    Parameters
    ----------
    parameters
        The scope's, the filter's and the time's.
    condition
        The compiled filter.
    unindexed
        The newest facts.
    """

    def __init__(
        self,
        store: Store,
        parameters: Mapping[str, Any],
        condition: Condition,
        unindexed: UnindexedFacts,
    ) -> None:
        self._store = store
        self._parameters = parameters
        self._condition = condition
        self._unindexed = unindexed
        self._found: dict[tuple[str, bool], frozenset[int]] = {}
        self._held: dict[tuple[str, str], frozenset[int]] = {}
        self._counted: dict[str, int] = {}
        self._signs: dict[str, frozenset[int]] = {}

    def numbers(self, wanted: str, *, within: bool = False) -> frozenset[int]:
        """Return the newest facts that match an FTS5 expression, whoever's they are.

        With `within`, of those that the index holds, only facts of this scope and filter.
        """
        key = (wanted, within)
        if key not in self._found:
            indexed = self._within(wanted, self._condition) if within else self._any(wanted)
            self._found[key] = indexed | self._in_unindexed(wanted)
        return self._found[key]

    def count(self, wanted: str) -> int:
        """Return how many facts match, whoever's they are."""
        if wanted not in self._counted:
            indexed = _single(lambda: self._store.value(SQL.word_count, {"word": wanted})) or 0
            self._counted[wanted] = int(indexed) + len(self._in_unindexed(wanted))
        return self._counted[wanted]

    def valid(
        self, numbers: Sequence[int], condition: Condition | None = None
    ) -> list[sqlite3.Row]:
        """Return, of some facts, those that hold within the scope and pass the filter, or `condition`."""
        wanted = {**self._parameters, "numbers": json.dumps(numbers)}
        return self._store.rows((condition or self._condition).bound(SQL.valid), wanted)

    def stands(self, wanted: str, *, filtered: bool) -> bool:
        """Return whether a fact that holds, within the scope, matches; `filtered`: and passes the filter."""
        condition = self._condition if filtered else Condition()
        newest = sorted(self.numbers(wanted), reverse=True)
        if self.valid(newest[:CHUNK], condition):
            return True
        if len(newest) < BUDGET:
            return bool(self.valid(newest[CHUNK:], condition))
        newest_unindexed = sorted(self._in_unindexed(wanted))
        return bool(self._within(wanted, condition) or self.valid(newest_unindexed, condition))

    @property
    def as_of(self) -> str | None:
        """The time at which a fact must hold; ``None`` for now."""
        at: str | None = self._parameters["as_of"]
        return at

    def kept(self, wanted: str) -> bool:
        """Return whether a fact of the scope matches at whatever time, the forgotten left out."""
        unindexed = json.dumps(sorted(self._in_unindexed(wanted)))
        asked = {**self._parameters, "word": wanted, "unindexed": unindexed}
        return bool(_single(lambda: self._store.value(SQL.kept, asked)))

    def texts(self, wanted: str, *, most: int) -> list[str]:
        """Return the texts of the newest facts that hold an expression, within the scope and filter.

        Of a common expression, the newest BUDGET facts are looked at, whoever's they are; where
        they are all others', those of the scope.
        """
        for within in (False, True):
            newest = sorted(self.numbers(wanted, within=within), reverse=True)
            held = [row[0] for row in self.valid(newest)]
            if held or len(newest) < BUDGET:
                break
        wanted_rows = {"numbers": json.dumps(sorted(held, reverse=True)[:most])}
        return [_written(row) for row in self._store.rows(SQL.by_number, wanted_rows)]

    def _any(self, wanted: str) -> frozenset[int]:
        return self._listed(SQL.word_rows, {"word": wanted, "cap": BUDGET})

    def _in_unindexed(self, wanted: str) -> frozenset[int]:
        """Return the facts that no index holds: the newest, and those with a picture."""
        newest = _single(lambda: self._unindexed.numbers(wanted)) or frozenset()
        return newest.union(*(self._pictured(sign) for sign in signs(wanted)))

    def _pictured(self, sign: str) -> frozenset[int]:
        if sign not in self._signs:
            self._signs[sign] = self._listed(SQL.sign_rows, {"sign": sign, "cap": BUDGET})
        return self._signs[sign]

    def _within(self, wanted: str, condition: Condition) -> frozenset[int]:
        key = (wanted, condition.sql)
        if key not in self._held:
            parameters = {**self._parameters, "word": wanted, "cap": BUDGET}
            self._held[key] = self._listed(condition.bound(SQL.word_rows_within), parameters)
        return self._held[key]

    def _listed(self, statement: str, parameters: Mapping[str, Any]) -> frozenset[int]:
        found = _single(lambda: self._store.value(statement, parameters))
        return frozenset(json.loads(found or "[]"))


def _written(row: sqlite3.Row) -> str:
    """Return the words of a fact's row, as the index has them."""
    parts = (row["folded"] or row["text"], row["subject"], row["attribute"], row["value"])
    return " ".join(part for part in parts if part)


def _single(look_up: Callable[[], Answer]) -> Answer | None:
    """Return an answer of the index, or ``None`` where it finds no single word to look up.

    That is a rare sign that the index cuts and Python does not.
    """
    try:
        return look_up()
    except sqlite3.OperationalError as error:
        if "phrase" in str(error):
            return None
        raise
