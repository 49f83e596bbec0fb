"""What a person decides of facts that wait: approve, reject."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memctl.base.errors import RefusedError
from memctl.semantic.changing import Changer, told
from memctl.semantic.conflicts import REJECTED, as_draft, first_same, is_hidden
from memctl.store import statements

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Mapping

__all__ = ["Decider"]

SQL = statements.load("store/fact")


class Decider(Changer):
    """Decides of facts that wait within one scope, inside the caller's transaction."""

    def approve(self, fact_id: str, expiry: Mapping[str, str | None]) -> None:
        """Let a waiting fact hold from now on; what it contradicts by then is superseded.

        Where another fact says the same by then, it is a duplicate of that one, which holds.

        Parameters
        ----------
        expiry
            ``expires_at`` and ``expires_by`` by its category's lifetime, counted from now.

        Raises
        ------
        RefusedError
            When it does not wait, or the date that was given for it has passed.
        """
        row = self._waiting(fact_id)
        lasting = self._lasting(row, expiry)
        session = "" if row["session_id"] else self._scope["scope_session"] or ""
        found = self._related(row, as_draft(row), beside=session)
        own = found.of_session(row["session_id"])
        if known := first_same(own.holding):
            self._duplicate(row, known.row)
            return
        of_session = found.of_session(session).in_the_way if session else []
        for old in (one.row for one in (*own.against, *of_session)):
            why = "a person approved another"
            self._status(old, "superseded", why, by=fact_id, at=row["valid_from"])
            self._record(old, "SUPERSEDE", why=f"approved: replaced by {fact_id}")
        self._activate(row, "high")
        if lasting:
            self._store.execute(SQL.renew, {"id": fact_id, "now": self._now, **lasting})
        self._record(row, "APPROVE", new=row["text"], why=told(row, lasting))

    def reject(self, fact_id: str, why: str) -> None:
        """Decline a waiting fact; it is kept as forgotten, so that it is not offered again."""
        row = self._waiting(fact_id)
        self.forget(row, f"{REJECTED}: {why}" if why else REJECTED, event="REJECT")

    def _waiting(self, fact_id: str) -> sqlite3.Row:
        row = self.row(fact_id)
        if row["status"] != "pending":
            raise RefusedError(
                f'fact "{fact_id}" does not wait: it is {row["status"]}',
                hint="pending lists those that do",
            )
        return row

    def _lasting(
        self, row: sqlite3.Row, expiry: Mapping[str, str | None]
    ) -> Mapping[str, str | None]:
        """Return the lifetime of a fact that is approved, where it is another than before."""
        if row["expires_by"] == "category":
            return expiry
        if is_hidden(row, self._now):
            raise RefusedError(
                f'fact "{row["id"]}" would be hidden: its date, {row["expires_at"]}, has passed',
                hint="update it with a later expires_at, or never, and approve it then",
            )
        return {}

    def _duplicate(self, row: sqlite3.Row, known: sqlite3.Row) -> None:
        """File a waiting fact under the one that says the same."""
        why = f"says the same as {known['id']}"
        columns = {"status_why": why, "valid_to": row["valid_from"], "superseded_by": known["id"]}
        self._store.execute(
            SQL.set_status, {"id": row["id"], "status": "superseded", "now": self._now, **columns}
        )
        self._record(row, "APPROVE", new=row["text"], why=why)
