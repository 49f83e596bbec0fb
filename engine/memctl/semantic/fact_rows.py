"""Rows of facts and of their history: found by id, and written for one call."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

from memctl.base.errors import NotFoundError
from memctl.semantic.times import moved_with
from memctl.store import statements

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Mapping

    from memctl.semantic.drafts import Draft
    from memctl.store.store import Store

__all__ = ["FactRows", "find_row", "record_change"]

SQL = statements.load("store/fact")
READ = statements.load("store/fact_read")

# A row that holds and has replaced nothing, as most do; "" stands for null.
_HOLDS = {
    "status": "active",
    "status_why": "",
    "valid_to": "",
    "superseded_by": "",
    "conflicts_with": "",
}


class FactRows:
    """Rows of one owner, written inside the caller's transaction.

    Parameters
    ----------
    owner
        ``user_id``, ``agent_id``, ``project``, ``session_id`` of what is written.
    shared
        The columns that all facts of the call share; ``""`` stands for null.
    actor, now
        Who changes the facts, for their history, and the time of the call.
    """

    def __init__(
        self,
        store: Store,
        owner: Mapping[str, str],
        shared: Mapping[str, Any],
        *,
        actor: str,
        now: str,
    ) -> None:
        self._store = store
        self._shared = shared
        self._actor = actor
        self._now = now
        self._row = {**_HOLDS, "now": now, **owner, **shared}  # what a new one begins with
        self.ids: set[str] = set()
        self.key = ""  # what no other store's ids are made of, nor another fact's

    def begin(self, since: str) -> None:
        """Say since when the next one holds; a category's lifetime begins no earlier."""
        self._row["valid_from"] = since
        if self._shared["expires_by"] == "category":
            ends = self._shared["expires_at"]
            self._row["expires_at"] = moved_with(ends, self._now, max(since, self._now))

    @property
    def expires_at(self) -> str:
        """When the next one will be hidden; empty for never."""
        return str(self._row["expires_at"])

    def insert(self, draft: Draft, event: str, *, why: str = "", **columns: str | None) -> str:
        """Add a row and return its id."""
        new = self._new_id(draft.text)
        self._store.insert(SQL.insert_fact, {**self._row, "id": new, **draft.columns, **columns})
        self.ids.add(new)
        self._record(new, event, "", draft.text, why)
        return new

    def end(self, old: sqlite3.Row, new: str, why: str, *, at: str) -> None:
        """Let a row hold until a moment, and another from then on."""
        self._store.execute(
            SQL.set_status,
            {
                **self._of(old),
                "status": "superseded",
                "status_why": why,
                "valid_to": max(at, old["valid_from"]),
                "superseded_by": new,
            },
        )
        self._record(old["id"], "SUPERSEDE", old["text"], None, f"{why}: replaced by {new}")

    def renew(self, row: sqlite3.Row, since: str) -> None:
        """Let a row that had expired or was archived hold again.

        While it was hidden it did not hold: what it said before is kept as a row of its own.
        """
        ended = row["expires_at"]
        if ended is not None and row["valid_from"] < ended <= since:
            self._divide(row, since, until=ended, why="expired")
        self.prolong(row)
        self._record(row["id"], "RENEW", row["text"], row["text"], "stated again")

    def widen(self, row: sqlite3.Row, since: str) -> None:
        """Let a row have held since an earlier moment."""
        self._store.execute(SQL.hold_since, {**self._of(row), "valid_from": since})
        self._record(
            row["id"],
            "RENEW",
            row["text"],
            row["text"],
            f"held since {self._store.zone.day(since)}",
        )

    def restate(self, row: sqlite3.Row, draft: Draft, since: str, *, divided: bool) -> None:
        """Let a row be stated again, of a later date.

        If `divided`, others could have held in between: what it said until then is kept as a row of its
        own. Else it holds since the earlier date.
        """
        if divided:
            self._divide(row, since, until=since, why="stated again")
        keeps = row["expires_by"] == "given" and self._row["expires_by"] != "given"
        expiry = {name: row[name] for name in self._expiry} if keeps else self._expiry
        same = row["equal_key"] == draft.equal_key and draft.since
        text = draft.text if same else row["text"]
        folded = draft.columns["folded"] or None if same else row["folded"]
        texts = {"text": text, "folded": folded}
        self._store.execute(SQL.redate, {**self._of(row), **texts, **expiry})
        self._record(row["id"], "RENEW", row["text"], text, "stated again")

    def support(self, row: sqlite3.Row) -> bool:
        """Note who else says so; return whether it is another source than the first."""
        source = self._shared["source"]
        if not source or not row["source"] or source == row["source"]:
            return False
        self._store.execute(SQL.support, {"fact_id": row["id"], "source": source, "now": self._now})
        return True

    def settle(self, row: sqlite3.Row) -> None:
        """Let a fact that was to be checked be sure again: it was said once more."""
        if row["doubt"] is not None:
            self._store.execute(SQL.settle_doubt, self._of(row))
            self._record(row["id"], "SETTLE", row["text"], row["text"], "stated again")

    def promote(self, row: sqlite3.Row, why: str, confidence: str) -> None:
        """Let a row that waited hold from now on."""
        now = {"valid_from": self._now, "confidence": confidence}
        self._store.execute(SQL.activate, {**self._of(row), **now})
        self._record(row["id"], "PROMOTE", row["text"], row["text"], why)

    def prolong(self, row: sqlite3.Row) -> None:
        """Give a row the lifetime of a new one."""
        self._store.execute(SQL.renew, {**self._of(row), **self._expiry})

    def _new_id(self, text: str) -> str:
        """Return an id that no other store gives to another fact, and that is no random one."""
        key = f"{self.key} {self._now} {text}"
        return "f_" + hashlib.sha256(key.encode()).hexdigest()[:12]

    def _divide(self, row: sqlite3.Row, since: str, *, until: str, why: str) -> None:
        """Let a row hold since a later moment, and keep what it said until then as another."""
        kept = {"kept": f"{row['id']}.{row['revision']}", "valid_to": until, "why": why}
        self._store.execute(SQL.keep_period, {**self._of(row), **kept})
        self._store.execute(SQL.hold_since, {**self._of(row), "valid_from": since})

    def _of(self, row: sqlite3.Row) -> dict[str, str]:
        return {"id": row["id"], "now": self._now}

    @property
    def _expiry(self) -> dict[str, str | None]:
        return {name: self._row[name] or None for name in ("expires_at", "expires_by")}

    def _record(self, fact_id: str, event: str, old: str, new: str | None, why: str) -> None:
        record_change(self._store, fact_id, event, old, new, why, self._actor, self._now)


def record_change(
    store: Store,
    fact_id: str,
    event: str,
    old: str | None,
    new: str | None,
    why: str,
    actor: str,
    now: str,
) -> None:
    """Write a line of a fact's history; `old` and `new` are its texts, `actor` who changed it."""
    change = {"fact_id": fact_id, "event": event, "old_text": old, "new_text": new, "why": why}
    store.execute(SQL.record_change, {**change, "actor": actor, "now": now})


def find_row(store: Store, scope: Mapping[str, str | None], fact_id: str) -> sqlite3.Row:
    """Return a fact's row within a scope.

    Raises
    ------
    NotFoundError
        When there is none: unknown, erased, another owner's or another store's.
    """
    if store.exists:
        row = store.row(READ.by_id, {**scope, "id": fact_id})
        if row is not None:
            return row
        unbound = all(value is None for name, value in scope.items() if name != "scope_reach")
        if unbound and store.value(READ.erased, {"id": fact_id}):
            raise NotFoundError(f'fact "{fact_id}" was erased')
    raise NotFoundError(
        f'there is no fact "{str(fact_id)[:40]}" in "{store.address}"',
        hint="list the facts; an id of another store means nothing here",
    )
