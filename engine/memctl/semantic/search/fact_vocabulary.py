"""Which words stand among the facts, whoever's: in their index, and in the newest beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memctl.semantic.search.unindexed_facts import Tail
from memctl.store import statements
from memctl.text.splitting import Vocabulary

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Mapping

    from memctl.store.store import Store

__all__ = ["FactVocabulary"]

SQL = statements.load("store/fact_tail")


class FactVocabulary(Vocabulary):
    """The words of all facts of a store; who may not read a fact may not be told its words."""

    _readers = (SQL.make_vocabulary,)

    def __init__(self, store: Store, tail: Tail | None = None) -> None:
        super().__init__(store)
        self._tail = tail or Tail(None)

    def _rows(self, sql: str, parameters: Mapping[str, Any]) -> list[sqlite3.Row]:
        of_facts = sql.replace("memctl_vocabulary", "memctl_fact_vocabulary")
        return [*self._store.rows(of_facts, parameters), *self._tail.words(of_facts, parameters)]
