"""Retention of turns and episodes: a mark hides them, erasing removes the bytes everywhere."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, TypeVar

from memctl.base import clock
from memctl.base.arguments import checked_class
from memctl.base.errors import NotFoundError
from memctl.guard import door
from memctl.store import statements
from memctl.store.collection import StoreCollection
from memctl.store.results import Result

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memctl.store.store import Store

SQL = statements.load("store/episodic_retention")

T = TypeVar("T")


def follow_turns(store: Store, now: str) -> None:
    """Archive the episodes whose last turn was archived at `now`; bring back those of living turns.

    In a transaction.
    """
    store.execute(SQL.archive_with_turns, {"now": now})
    store.execute(SQL.restore_with_turns)


@dataclass(frozen=True, slots=True)
class Erased(Result):
    """An erasure of turns and episodes, for ever."""

    items: tuple[tuple[str, int], ...]  # kind and id, also of rows that were made of others
    vectors: int  # that went with them
    hits: int  # mentions in recalls that went with them
    names: tuple[str, ...]  # participants without any row left
    still_in: tuple[int, ...]  # turns that an erased episode was made from, not asked for
    # Whether the bytes have left the file; not while another process still reads an older version:
    # then erase anything again once it has finished.
    gone: bool


@checked_class
class Retention(StoreCollection[T]):
    """Base class of the turns and the episodes of a store: marks, restores and erases them."""

    _store: Store
    _kind: ClassVar[str]

    @door.guarded("retention")
    def restore(self, ids: Iterable[int]) -> int:
        """Bring marked rows back; return how many. Restored turns are processed again.

        Raises NotFoundError when one of them does not exist; nothing is restored then.
        """
        statements = {"turn": SQL.restore_turns, "episode": SQL.restore_episodes}
        return self._mark(statements[self._kind], list(ids), "restored")

    @door.guarded("retention")
    def erase(self, ids: Iterable[int], *, why: str = "asked for", sources: bool = False) -> Erased:
        """Remove rows and all that was derived from them, so that no byte is left in the file.

        Parameters
        ----------
        ids
            The rows' ids. A turn takes the episodes along that were made from it.
        why
            Kept, with the ids, in the table ``erasure``; never a word of the rows.
        sources
            Whether an episode takes along the turns that it was made from.

        Raises
        ------
        NotFoundError
            When one of them does not exist; nothing is erased.
        """
        chosen = list(ids)
        with self._store.transaction():
            self._check(chosen, "erased")
            turns, episodes = self._reach(self._kind, chosen, sources=sources)
            erased = self._erase(turns, episodes, why)
        return replace(erased, gone=self._store.flush_deleted())

    def _mark(self, sql: str, ids: Sequence[int], done: str, *, why: str = "") -> int:
        """Change the mark of rows that exist; return how many changed."""
        parameters = {"ids": json.dumps(ids), "now": clock.now(), "why": why}
        with self._store.transaction():
            self._check(ids, done)
            changed = self._store.execute(sql, parameters)
            if self._kind == "turn":
                follow_turns(self._store, parameters["now"])
            return changed

    def _check(self, ids: Sequence[int], done: str) -> None:
        """Refuse ids of rows that do not exist."""
        existing = SQL.turns_that_exist if self._kind == "turn" else SQL.episodes_that_exist
        found = {row[0] for row in self._store.rows(existing, {"ids": json.dumps(ids)})}
        for missing in [number for number in ids if number not in found]:
            raise NotFoundError(f'there is no {self._kind} "{missing}"', hint=f"nothing was {done}")

    def _reach(
        self, kind: str, ids: Sequence[int], *, sources: bool
    ) -> tuple[list[int], list[int]]:
        turns = set(ids) if kind == "turn" else set()
        episodes = set(ids) if kind == "episode" else set()
        if sources:
            turns |= self._numbers(SQL.sources_of_episodes, episodes)
        episodes |= self._numbers(SQL.episodes_of_turns, turns)
        return sorted(turns), sorted(episodes)

    def _erase(self, turns: list[int], episodes: list[int], why: str) -> Erased:
        from memctl.search.erased_cells import erasing
        from memctl.store.erased_texts import note_erased

        now, store = clock.now(), self._store
        items = [*(("turn", n) for n in turns), *(("episode", n) for n in episodes)]
        both = {"turns": json.dumps(turns), "episodes": json.dumps(episodes)}
        still_in = self._numbers(SQL.sources_of_episodes, set(episodes)) - set(turns)
        store.execute_many(
            SQL.record_erasure,
            [{"kind": k, "item_id": n, "erased_at": now, "why": why} for k, n in items],
        )
        note_erased(store, "turn", store.rows(SQL.turns_to_erase, both))
        note_erased(store, "episode", store.rows(SQL.episodes_to_erase, both))
        with erasing(store) as going:
            store.execute(SQL.delete_turns, both)
            store.execute(SQL.delete_episodes, both)
            names = [row[0] for row in store.rows(SQL.names_without_rows)]
            store.execute_many(SQL.delete_name, [{"name": name} for name in names])
            vectors, hits = len(going.removed("embedding")), len(going.removed("recall_hit"))
        return Erased(
            tuple(items), vectors, hits, tuple(names), tuple(sorted(still_in)), gone=False
        )

    def _numbers(self, sql: str, ids: set[int]) -> set[int]:
        return {row[0] for row in self._store.rows(sql, {"ids": json.dumps(sorted(ids))})}
