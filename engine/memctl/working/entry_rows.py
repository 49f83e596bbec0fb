"""Rows of one session's journal: read, added, ended."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memctl.base import clock
from memctl.base.errors import OutOfScopeError
from memctl.store import statements
from memctl.working.entries import JournalEntry, JournalState

if TYPE_CHECKING:
    from memctl.store.store import Store

SQL = statements.load("store/working")


class EntryRows:
    """The rows of one session's journal in one channel."""

    def __init__(self, store: Store, session: str, channel: str) -> None:
        self.store = store
        self.session = session
        self.channel = channel

    @property
    def key(self) -> dict[str, Any]:
        """The parameters that tell this journal from others."""
        return {"session": self.session, "channel": self.channel}

    def present(self) -> JournalState:
        """Return the present state; empty where nothing was written."""
        found = self.store.rows(SQL.entries, self.key) if self.store.exists else []
        return JournalState(self.session, self.channel, tuple(map(JournalEntry.of_row, found)))

    def show_life(self) -> None:
        """Note a sign of life of the session, inside of a transaction.

        Raises
        ------
        OutOfScopeError
            When the session is somebody else's.
        """
        self.store.execute(SQL.session_alive, {**self.key, **self.store.owner, "now": clock.now()})
        if self.store.scope.narrows and not self.store.rows(SQL.session, {"id": self.session}):
            raise OutOfScopeError(
                f"the session \"{self.session:.40}\" is another user's, agent's or project's",
                hint="name another session, or leave it out",
            )

    def add(self, entry: JournalEntry) -> JournalEntry:
        """Add an entry, inside of a transaction; return it with its number."""
        kept = {**self.key, **entry.as_kept()}
        kept["written_at"] = entry.written_at or clock.now()
        number = self.store.insert(SQL.write_entry, kept)
        return JournalEntry(
            entry.kind, entry.text, entry.name, kept["written_at"], entry.done_at, number
        )

    def end(self, kind: str | None = None, name: str | None = None) -> int:
        """End the present entries of a kind and name, or all, inside of a transaction; return how many."""
        asked = {**self.key, "kind": kind, "name": name, "now": clock.now()}
        return self.store.execute(SQL.end_entries, asked)
