"""Retention of turns and episodes: archiving marks, erasing removes the bytes everywhere."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING

from memctl.base import clock
from memctl.base.arguments import checked_class
from memctl.base.errors import NotFoundError, UsageError
from memctl.guard import door
from memctl.store import statements

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memctl.config.settings import Settings
    from memctl.store.store import Store

__all__ = ["Erased", "Retention"]

SQL = statements.load("store/episodic_retention")

_KINDS = ("turn", "episode")


@dataclass(frozen=True, slots=True)
class Erased:
    """The account of one erasure.

    Parameters
    ----------
    items
        Kind and id of each row, those that were made of it included.
    vectors, hits
        How many vectors and mentions in recalls went with them.
    names
        Participants that nobody has left.
    still_in
        Turns that hold what an erased episode was made from; they were not asked for.
    gone
        Whether the bytes have left the file; ``False`` while another process still reads
        an older version: then erase anything again, or `flush`, once it has finished.
    """

    items: tuple[tuple[str, int], ...]
    vectors: int
    hits: int
    names: tuple[str, ...]
    still_in: tuple[int, ...]
    gone: bool


@checked_class
class Retention:
    """Archives, restores and erases turns and episodes."""

    def __init__(self, store: Store, settings: Settings) -> None:
        self._store = store
        self._settings = settings

    @door.guarded("retention")
    def archive(self, kind: str, ids: Sequence[int], *, why: str) -> int:
        """Mark rows as archived: recall leaves them out, nothing is lost; return how many.

        Raises
        ------
        NotFoundError
            When one of them does not exist; nothing is archived.
        """
        statements = {"turn": SQL.archive_turns, "episode": SQL.archive_episodes}
        parameters = {"ids": json.dumps(list(ids)), "now": clock.now(), "why": why}
        with self._store.transaction():
            self._check(kind, ids, "archived")
            return self._store.execute(statements[kind], parameters)

    @door.guarded("retention")
    def archive_old(self, days: int | None = None) -> int:
        """Archive the turns that are older than so many days; return how many.

        Parameters
        ----------
        days
            1 or more; by default the setting ``log_archive_days``.

        Raises
        ------
        UsageError
            When nothing can be that old.
        """
        days = self._settings.integer("log_archive_days") if days is None else days
        now = datetime.fromisoformat(clock.now())
        if not 1 <= days <= (now.date() - date.min).days:
            raise UsageError(f'days "{days}" is not allowed', hint="it takes 1 or more")
        before = now - timedelta(days=days)
        parameters = {
            "before": before.isoformat(timespec="seconds").replace("+00:00", "Z"),
            "now": clock.now(),
            "why": f"older than {days} days",
        }
        with self._store.transaction():
            return self._store.execute(SQL.archive_turns_before, parameters)

    @door.guarded("retention")
    def restore(self, kind: str, ids: Sequence[int]) -> int:
        """Bring archived rows back; return how many. Restored turns are processed again.

        Raises
        ------
        NotFoundError
            When one of them does not exist; nothing is restored.
        """
        statements = {"turn": SQL.restore_turns, "episode": SQL.restore_episodes}
        with self._store.transaction():
            self._check(kind, ids, "restored")
            return self._store.execute(statements[kind], {"ids": json.dumps(list(ids))})

    @door.guarded("retention")
    def erase(
        self, kind: str, ids: Sequence[int], *, why: str = "asked for", sources: bool = False
    ) -> Erased:
        """Remove rows and all that was derived from them, so that no byte is left.

        Parameters
        ----------
        kind, ids
            Which rows. A turn takes the episodes along that were made from it.
        why
            Kept, with the ids, in the table ``erasure``; never a word of the rows.
        sources
            Whether an episode takes along the turns that it was made from.

        Raises
        ------
        NotFoundError
            When one of them does not exist; nothing is erased.
        """
        with self._store.transaction():
            self._check(kind, ids, "erased")
            turns, episodes = self._reach(kind, ids, sources=sources)
            erased = self._erase(turns, episodes, why)
        return replace(erased, gone=self.flush())

    def flush(self) -> bool:
        """Rewrite the file without what was deleted; ``False`` while somebody reads it."""
        self._store.connection().execute("vacuum")
        return self._store.flush_deleted()

    def _check(self, kind: str, ids: Sequence[int], done: str) -> None:
        """Refuse a kind that is none, and rows that do not exist."""
        if kind not in _KINDS:
            raise UsageError(f'"{kind}" is no kind of memory here', hint="it is turn or episode")
        existing = SQL.turns_that_exist if kind == "turn" else SQL.episodes_that_exist
        found = {row[0] for row in self._store.rows(existing, {"ids": json.dumps(list(ids))})}
        for missing in [number for number in ids if number not in found]:
            raise NotFoundError(f'there is no {kind} "{missing}"', hint=f"nothing was {done}")

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
        now, store = clock.now(), self._store
        items = [*(("turn", n) for n in turns), *(("episode", n) for n in episodes)]
        both = {"turns": json.dumps(turns), "episodes": json.dumps(episodes)}
        vectors = int(store.value(SQL.count_vectors_of, both))
        hits = int(store.value(SQL.count_hits_of, both))
        still_in = self._numbers(SQL.sources_of_episodes, set(episodes)) - set(turns)
        store.execute_many(
            SQL.record_erasure,
            [{"kind": k, "item_id": n, "erased_at": now, "why": why} for k, n in items],
        )
        store.execute(SQL.delete_turns, both)
        store.execute(SQL.delete_episodes, both)
        names = [row[0] for row in store.rows(SQL.names_without_rows)]
        store.execute_many(SQL.delete_name, [{"name": name} for name in names])
        # Deleted words stay in the segments of the index until they are merged.
        store.execute(SQL.optimize_index)
        return Erased(
            tuple(items), vectors, hits, tuple(names), tuple(sorted(still_in)), gone=False
        )

    def _numbers(self, sql: str, ids: set[int]) -> set[int]:
        return {row[0] for row in self._store.rows(sql, {"ids": json.dumps(sorted(ids))})}
