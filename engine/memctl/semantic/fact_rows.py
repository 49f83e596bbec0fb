"""Rows of facts and of their history, as one call reads and changes them."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

from memctl.base.errors import NotFoundError
from memctl.semantic.drafts import derive_edited
from memctl.store import statements

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Mapping, Sequence

    from memctl.semantic.drafts import Draft
    from memctl.store.store import Store

SQL = statements.load("store/fact")
READ = statements.load("store/fact_read")


class FactRows:
    """The rows of facts, changed inside the caller's transaction, each change with its history.

    Parameters
    ----------
    scope
        The scope's parameters: rows outside of it are not found.
    actor, now
        Who changes the facts, and the time of the call.
    """

    def __init__(
        self, store: Store, scope: Mapping[str, str | None], *, actor: str, now: str
    ) -> None:
        self.store = store
        self.scope = scope
        self.actor = actor
        self.now = now

    def find(self, fact_id: str) -> sqlite3.Row:
        """Return a fact's row within the scope; see `find_row`."""
        return find_row(self.store, self.scope, fact_id)

    def holds(self, fact_id: str | None) -> bool:
        """Return whether a fact is valid: neither waiting nor over."""
        return bool(self.store.value(SQL.active, {"id": fact_id}))

    def change(self, sql: str, fact_id: str, **columns: Any) -> int:
        """Run a statement that changes one fact; return how many rows it changed."""
        return self.store.execute(sql, {"id": fact_id, "now": self.now, **columns})

    def insert(self, rows: Sequence[Mapping[str, Any]]) -> None:
        """Add rows; the event and the reason of each are for its history."""
        said = {"actor": self.actor, "old_text": ""}
        lines = [{**row, **said, "fact_id": row["id"], "new_text": row["text"]} for row in rows]
        self.store.execute_many(SQL.insert_fact, rows)
        self.store.execute_many(SQL.record_change, lines)

    def record(self, fact_id: str, event: str, old: str, new: str | None, why: str = "") -> None:
        """Write a line of a fact's history: its text before and behind the change, and why."""
        record_change(self.store, fact_id, event, old, new, why, self.actor, self.now)

    def same(self, row: sqlite3.Row, event: str, why: str = "") -> None:
        """Write a line of the history of a fact whose text stays."""
        self.record(row["id"], event, row["text"], row["text"], why)

    # -- status --------------------------------------------------------------------------

    def status(
        self, row: sqlite3.Row, status: str, why: str, *, valid_to: str | None = None, by: str = ""
    ) -> None:
        """Give a fact another status; `by` is the fact that supersedes it."""
        self.change(
            SQL.set_status,
            row["id"],
            status=status,
            status_why=why,
            valid_to=valid_to or row["valid_to"],
            superseded_by=by or row["superseded_by"],
        )

    def end(
        self,
        old: sqlite3.Row,
        new: str,
        why: str,
        *,
        at: str,
        told: str = "{why}: replaced by {new}",
    ) -> None:
        """End a row at the moment where another begins, with a line of history."""
        self.status(old, "superseded", why, valid_to=max(at, old["valid_from"]), by=new)
        self.record(old["id"], "SUPERSEDE", old["text"], None, told.format(why=why, new=new))

    def activate(self, row: sqlite3.Row, confidence: str) -> None:
        """Make a row valid; one that never was begins now."""
        self.change(SQL.activate, row["id"], valid_from=self.now, confidence=confidence)

    def may_replace(self, newer: str, older: str | None) -> None:
        """Mark which older fact a newer one may replace; ``None`` where somebody decided."""
        self.store.execute(SQL.set_may_replace, {"id": newer, "older": older})

    def settle(self, row: sqlite3.Row, why: str) -> bool:
        """Let a fact that was to be checked be sure again; return whether it was to be."""
        if row["doubt"] is None:
            return False
        self.change(SQL.settle_doubt, row["id"])
        self.same(row, "SETTLE", why)
        return True

    # -- time ----------------------------------------------------------------------------

    def keep_period(self, row: sqlite3.Row, *, until: str, why: str) -> None:
        """Keep a fact's text until a moment as a row of its own, for questions as of then."""
        kept = f"{row['id']}.{row['revision']}"
        self.change(SQL.keep_period, row["id"], kept=kept, valid_to=until, why=why)

    def divide(self, row: sqlite3.Row, since: str, *, until: str, why: str) -> None:
        """Let a row begin at a later moment, and keep its text until then as another."""
        self.keep_period(row, until=until, why=why)
        self.change(SQL.hold_since, row["id"], valid_from=since)

    def widen(self, row: sqlite3.Row, since: str) -> None:
        """Let a row begin at an earlier moment."""
        self.change(SQL.hold_since, row["id"], valid_from=since)
        self.same(row, "RENEW", f"held since {self.store.zone.day(since)}")

    def renew(self, row: sqlite3.Row, since: str, expiry: Mapping[str, str | None]) -> None:
        """Make an expired or archived row valid again.

        While it was hidden it did not hold: what it said before is kept as a row of its own.
        """
        ended = row["expires_at"]
        if ended is not None and row["valid_from"] < ended <= since:
            self.divide(row, since, until=ended, why="expired")
        self.change(SQL.renew, row["id"], **expiry)
        self.same(row, "RENEW", "stated again")


class NewRows:
    """New rows of a batch of drafts: they are written together until the next is to be compared."""

    def __init__(self, store: Store, drafts: Sequence[Draft]) -> None:
        self._store = store
        self._waiting: list[Mapping[str, Any]] = []
        self._rows: FactRows | None = None  # that writes those that wait
        self._number = 0  # of the next row; 0: to be read
        keys: set[Any] = set().union(*map(_keys_of, drafts))
        asked = {
            "keys": json.dumps([key for key in keys if isinstance(key, str)]),
            "slots": json.dumps([key for key in keys if not isinstance(key, str)]),
        }
        (outlook,) = store.rows(SQL.outlook, asked)
        if outlook["underived"]:
            derive_edited(store)
            (outlook,) = store.rows(SQL.outlook, asked)
        slots = map(tuple, json.loads(outlook["filled"]))
        self._held: set[Any] = {*json.loads(outlook["known"]), *slots}
        self._store_key = outlook["store_key"]

    def are_related(self, draft: Draft) -> bool:
        """Return whether there are rows to compare a draft with; mostly there are none."""
        return not self._held.isdisjoint(_keys_of(draft))

    def add(self, rows: FactRows, draft: Draft, columns: Mapping[str, Any]) -> str:
        """Take a row to write and return its id: one that no other store gives to another fact."""
        if rows is not self._rows:
            self.write()
            self._rows = rows
        self._number = self._number or int(self._store.value(SQL.next_number))
        key = f"{self._store_key} {self._number} {rows.now} {draft.text}"
        new = "f_" + hashlib.sha256(key.encode()).hexdigest()[:12]
        self._number += 1
        self._waiting.append({**columns, "id": new})
        self._held |= {draft.equal_key, (draft.subject_key, draft.attribute_key)}
        return new

    def write(self) -> None:
        """Write the rows that wait."""
        if self._waiting and self._rows is not None:
            self._rows.insert(self._waiting)
            self._waiting = []
        self._number = 0


def _keys_of(draft: Draft) -> set[Any]:
    """Return the keys by which rows are related to a draft: equal, without its reason, its slot."""
    slot = (draft.subject_key, draft.attribute_key)
    return {draft.equal_key, draft.bare_key, *([slot] if all(slot) else ())}


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
