"""Recalls that were kept: list them, show their rows, forget them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from memctl.base import clock
from memctl.base.arguments import checked_class
from memctl.base.errors import NotFoundError, UsageError
from memctl.guard import door
from memctl.recall.kept_recalls import KeptHit, KeptRecall
from memctl.store import statements
from memctl.store.collection import StoreCollection
from memctl.store.pages import ListPage, read_page

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Sequence

    from memctl.semantic.facts import Facts
    from memctl.store.store import Store

SQL = statements.load("store/episodic_recording")


@checked_class
class Recalls(StoreCollection[KeptRecall]):
    """The recalls that a store has kept, each known by its id.

    Parameters
    ----------
    store
        The open store.
    facts
        The facts within the scope of whoever asks.
    """

    def __init__(self, store: Store, facts: Callable[[], Facts]) -> None:
        self._store = store
        self._facts = facts

    def list(
        self, *, forgotten: bool = False, empty: bool = False, limit: int | None = None
    ) -> ListPage[KeptRecall]:
        """Return the recalls, the newest first.

        Parameters
        ----------
        forgotten
            The forgotten ones instead.
        empty
            Only those that brought nothing.
        limit
            Most recalls; ``None`` or -1 for all.
        """
        if not self._store.exists:
            return ListPage()
        parameters = {"forgotten": int(forgotten), "empty": int(empty)}
        return read_page(self._store, SQL.recalls, parameters, _recall, limit)

    def get(self, recall: int) -> KeptRecall:
        """Return one recall. Raises NotFoundError when there is none of this id."""
        row = self._store.row(SQL.recall, {"id": recall})
        if row is None:
            raise NotFoundError(f'there is no recall "{recall}"', hint="memctl recalls list")
        return _recall(row)

    def hits(self, recall: int) -> Sequence[KeptHit]:
        """Return the rows that a recall brought, the best first; erased ones are not among them.

        Raises
        ------
        NotFoundError
            When there is no such recall.
        """
        kept = self.get(recall)
        rows = self._store.rows(SQL.hits_of, {"recall_id": kept.id})
        facts = self._facts() if any(row["kind"] == "fact" for row in rows) else None
        return [_hit(row, facts) for row in rows]

    @door.guarded("recall")
    def forget(self, recall: int) -> KeptRecall:
        """Mark a recall as forgotten: `list` leaves it out; `restore` undoes it.

        Raises
        ------
        NotFoundError
            When there is no such recall.
        """
        return self._mark(recall, clock.now())

    @door.guarded("recall")
    def restore(self, recall: int) -> KeptRecall:
        """Bring a forgotten recall back.

        Raises
        ------
        NotFoundError
            When there is no such recall.
        UsageError
            When it is not forgotten.
        """
        if self.get(recall).forgotten_at is None:
            raise UsageError(f'the recall "{recall}" is not forgotten')
        return self._mark(recall, None)

    def _mark(self, recall: int, forgotten_at: str | None) -> KeptRecall:
        with self._store.transaction():
            kept = self.get(recall)
            self._store.execute(SQL.mark_forgotten, {"id": kept.id, "forgotten_at": forgotten_at})
            return self.get(recall)

    def _members(self) -> Sequence[KeptRecall]:
        return self.list(limit=-1)

    def _size(self) -> int:
        return int(self._store.value(SQL.count_recalls))


def _recall(row: sqlite3.Row) -> KeptRecall:
    fields = dict(row)
    unknown = json.loads(fields.pop("unknown_words"))
    return KeptRecall(**fields, unknown=tuple(map(str, unknown)))


def _hit(row: sqlite3.Row, facts: Facts | None) -> KeptHit:
    fields: dict[str, Any] = dict(row)
    if facts is not None and row["kind"] == "fact":
        try:
            fields["text"] = facts.get(row["id"]).text
        except NotFoundError:  # another user's or agent's
            fields["text"] = None
    return KeptHit(**{**fields, "fallback": bool(row["fallback"])})
