"""Snapshots of a journal: kept per session, restored without losing what was there."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memctl.base import clock
from memctl.base.errors import NotFoundError
from memctl.store import statements
from memctl.store.pages import ListPage, read_page
from memctl.working.entries import JournalEntry

if TYPE_CHECKING:
    import sqlite3

    from memctl.working.entry_rows import EntryRows

SQL = statements.load("store/working")


@dataclass(frozen=True, slots=True)
class JournalSnapshot:
    """A journal as it was: its number, when and why it was taken, and how many entries it has."""

    id: int
    taken_at: str
    why: str
    size: int


def _snapshot(row: sqlite3.Row) -> JournalSnapshot:
    return JournalSnapshot(**dict(row))


class Snapshots:
    """The snapshots of one journal.

    Parameters
    ----------
    rows
        The journal.
    most
        How many a journal keeps; the oldest go.
    """

    def __init__(self, rows: EntryRows, most: int) -> None:
        self._rows = rows
        self._most = most

    def take(self, why: str) -> JournalSnapshot:
        """Keep the present state, inside of a write; return the snapshot."""
        return self._take(why, spared=0)

    def list(self, limit: int | None = None) -> ListPage[JournalSnapshot]:
        """Return the snapshots, the newest first; all where there is no `limit`."""
        if not self._rows.store.exists:
            return ListPage()
        return read_page(self._rows.store, SQL.snapshots, self._rows.key, _snapshot, limit)

    def restore(self, number: int | None) -> JournalSnapshot:
        """Make a snapshot the present state, inside of a write; the newest where none is named.

        The present state is kept first, as a snapshot; the one that is restored stays, too.

        Raises
        ------
        NotFoundError
            When there is none, or it is of another session.
        """
        listed = self.list()
        chosen = next((one for one in listed if number in {None, one.id}), None)
        if chosen is None:
            raise NotFoundError(
                f'there is no snapshot "{number}" of the session "{self._rows.session}"'
                if number is not None
                else f'the session "{self._rows.session}" has no snapshot',
                hint="memctl wal snapshots lists them",
            )
        row = self._rows.store.rows(SQL.snapshot, {"id": chosen.id})[0]
        self._take(f"before restore of {chosen.id}", spared=chosen.id)
        self._rows.end()
        for entry in json.loads(row["entries"]):
            self._rows.add(JournalEntry(**entry))
        return chosen

    def _take(self, why: str, *, spared: int) -> JournalSnapshot:
        entries = [entry.as_kept() for entry in self._rows.present().entries]
        now = clock.now()
        kept = {
            **self._rows.key,
            "now": now,
            "why": why,
            "entries": json.dumps(entries, ensure_ascii=False),
        }
        number = self._rows.store.insert(SQL.add_snapshot, kept)
        limits = {**self._rows.key, "spared": spared, "most": self._most}
        self._rows.store.execute(SQL.drop_snapshots, limits)
        return JournalSnapshot(number, now, why, len(entries))
