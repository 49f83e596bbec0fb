"""Changes facts that are there: update, forget, erase, restore, pin."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memctl.base.errors import ImmutableFactError, NotFoundError, RefusedError
from memctl.semantic.conflicts import (
    as_draft,
    is_hidden,
    owner_of,
    relatives,
)
from memctl.semantic.deriving import derive_edited
from memctl.store import statements

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Mapping

    from memctl.semantic.conflicts import Relatives
    from memctl.semantic.incoming import Draft
    from memctl.store.store import Store

__all__ = ["Changer", "find", "told"]

SQL = statements.load("store/fact")
READ = statements.load("store/fact_read")

# The columns that a kept older version takes from the row as it was.
_VERSION_COLUMNS = [
    "text",
    "subject",
    "attribute",
    "value",
    "category",
    "importance",
    "confidence",
    "source",
    "user_id",
    "agent_id",
    "session_id",
    "metadata",
    "immutable",
    "valid_from",
    "expires_at",
    "expires_by",
    "equal_key",
    "subject_key",
    "attribute_key",
    "claim_key",
    "ended_key",
    "folded",
]


_EXPIRY = ("expires_at", "expires_by")


class Changer:
    """Changes facts within one scope, inside the caller's transaction."""

    def __init__(
        self, store: Store, scope: Mapping[str, str | None], *, actor: str, now: str
    ) -> None:
        self._store = store
        self._scope = scope
        self._actor = actor
        self._now = now
        derive_edited(store)

    def row(self, fact_id: str) -> sqlite3.Row:
        """Return a fact's row within the scope.

        Raises
        ------
        NotFoundError
            When there is none: unknown, erased, another owner's or another store's.
        """
        return find(self._store, self._scope, fact_id)

    def update(
        self,
        fact_id: str,
        draft: Draft | None,
        columns: Mapping[str, Any],
        *,
        event: str = "UPDATE",
    ) -> None:
        """Give a fact another text or other properties; its id stays, the old text is kept.

        Raises
        ------
        ImmutableFactError
            When the fact refuses to be changed.
        """
        row = self.row(fact_id)
        if row["immutable"] and event == "UPDATE":
            raise ImmutableFactError(
                f'fact "{fact_id}" is immutable ({row["category"] or "no category"})',
                hint="forget it and store the new one, or store it and approve the change",
            )
        changes = {**(draft.columns if draft else {}), **columns}
        if draft and draft.text != row["text"]:
            self._check_current(row)
            self._check_free(row, draft)
            if row["status"] == "active":
                self._keep_version(row)
                changes["valid_from"] = self._now
        elif self._would_show(row, columns):
            self._check_place(row)
        names = (*_VERSION_COLUMNS, "id")
        self._store.execute(
            SQL.rewrite, {**{n: row[n] for n in names}, **changes, "now": self._now}
        )
        self._record(row, event, new=changes.get("text", row["text"]), why=told(row, columns))

    def forget(self, row: sqlite3.Row, why: str, *, event: str = "DELETE") -> None:
        """Mark a fact as forgotten, with what it said before; `restore` brings both back."""
        self._status(row, "forgotten", why)
        if self._reopens(row):
            self._record(row, event, why=why)
            return
        for older in self._older(row):
            if older["status"] == "superseded":
                self._status(older, "forgotten", f"with {row['id']}")
        self._record(row, event, why=why)

    def erase(self, fact_id: str) -> list[str]:
        """Remove a fact, its older versions and every text of theirs from the store.

        Returns
        -------
        list of str
            These texts.
        """
        texts: list[str] = []
        row = self._store.row(READ.by_id, {**self._scope, "id": fact_id})
        older = [found["id"] for found in self._store.rows(SQL.versions, {"id": fact_id})]
        if row is not None and self._reopens(row):
            older = []
        for gone in [fact_id, *older]:
            texts += [row[0] for row in self._store.rows(SQL.texts, {"id": gone})]
            self._store.execute(SQL.erase_hits, {"id": gone})
            if self._store.execute(SQL.erase, {"id": gone}):
                self._store.execute(SQL.erase_by_hand, {"fact_id": gone})
                self._store.execute(SQL.erase_history, {"fact_id": gone})
                self._note(gone, "DELETE", old=None, new=None, why="erased")
        return texts

    def merge_words(self) -> None:
        """Leave no erased word in the segments of the index."""
        self._store.execute(SQL.merge_words)

    def restore(self, fact_id: str) -> None:
        """Let a forgotten, archived or expired fact hold again.

        Raises
        ------
        RefusedError
            When another fact took its place, or it waits for a person.
        """
        row = self.row(fact_id)
        self._check_not_replaced(row)
        if row["status"] == "pending":
            raise RefusedError(f'fact "{fact_id}" waits', hint="approve it, or reject it")
        self._check_place(row)
        keep = row["expires_at"] is None or row["expires_at"] > self._now
        expiry = {name: row[name] if keep else None for name in _EXPIRY}
        self._store.execute(SQL.renew, {"id": fact_id, "now": self._now, **expiry})
        self._activate(row, row["confidence"])
        for older in self._older(row):
            if older["status_why"] == f"with {fact_id}":
                self._status(older, "superseded", "restored")
        self._record(row, "RESTORE", new=row["text"])

    def pin(self, fact_id: str, *, pinned: bool) -> None:
        """Pin a fact, so that neither its category's lifetime nor a change by itself ends it.

        Raises
        ------
        RefusedError
            When its lifetime has run out and another fact took its place.
        """
        row = self.row(fact_id)
        if pinned and self._would_show(row, {"pinned": 1}):
            self._check_place(row)
        self._store.execute(SQL.pin, {"id": fact_id, "pinned": pinned, "now": self._now})
        self._record(row, "PIN" if pinned else "UNPIN", new=row["text"])

    def _check_not_replaced(self, row: sqlite3.Row) -> None:
        if row["status"] == "superseded":
            raise RefusedError(
                f'fact "{row["id"]}" was replaced by "{row["superseded_by"]}"',
                hint="update that one, or forget it and store this text anew",
            )

    def _check_current(self, row: sqlite3.Row) -> None:
        """Refuse another text for what is past: what a fact said then stays as it was said."""
        self._check_not_replaced(row)
        if row["status"] == "forgotten":
            raise RefusedError(
                f'fact "{row["id"]}" is {row["status_why"] or "forgotten"}',
                hint="restore it first, or store the new text as a fact of its own",
            )

    def _check_free(self, row: sqlite3.Row, draft: Draft) -> None:
        """Refuse a text that another fact that holds says already, or says otherwise."""
        others = self._related(row, draft).of_session(row["session_id"]).in_the_way
        if others and row["status"] == "active":
            other = others[0].row
            raise RefusedError(
                f'fact "{other["id"]}" is about the same: "{other["text"]:.60}"',
                hint=f"update {other['id']}, and forget {row['id']}",
            )

    def _check_place(self, row: sqlite3.Row) -> None:
        """Refuse a hidden fact whose place another took, which says the same or excludes it."""
        found = self._related(row, as_draft(row), itself=row)
        others = found.of_session(row["session_id"]).in_the_way
        if others and (row["status"] != "active" or is_hidden(row, self._now)):
            other, says = others[0].row, "says the same" if others[0].same else "excludes it"
            raise RefusedError(
                f'fact "{other["id"]}" took the place of "{row["id"]}", and {says}: '
                f'"{other["text"]:.60}"',
                hint=f"forget {other['id']} first, or leave {row['id']} as it is",
            )

    def _related(
        self,
        row: sqlite3.Row,
        draft: Draft,
        *,
        beside: str = "",
        itself: sqlite3.Row | None = None,
    ) -> Relatives:
        """Return what a text of a fact's owner is to the owner's other facts."""
        found = relatives(
            self._store, draft, owner_of(row), now=self._now, beside=beside, itself=itself
        )
        return found.besides(row["id"])

    def _would_show(self, row: sqlite3.Row, columns: Mapping[str, Any]) -> bool:
        """Whether a hidden fact would be seen again with other properties."""
        return is_hidden(row, self._now) and not is_hidden({**dict(row), **columns}, self._now)

    def _reopens(self, row: sqlite3.Row) -> bool:
        """Let go on what a fact that is still to come would have ended; return whether it is one.

        What holds until then is no older version of it.
        """
        if row["status"] not in {"active", "forgotten"}:
            return False
        if row["valid_from"] <= max(self._now, row["created_at"]):
            return False
        for older in self._older(row):
            if (older["superseded_by"], older["valid_to"]) == (row["id"], row["valid_from"]):
                self._activate(older, older["confidence"])
                self._record(older, "RESTORE", new=older["text"], why=f"{row['id']} does not come")
        return True

    def _older(self, row: sqlite3.Row) -> list[sqlite3.Row]:
        """Return the rows that ended in a fact: what it, or its forerunners, said before."""
        found = self._store.rows(SQL.versions, {"id": row["id"]})
        return [self.row(one["id"]) for one in found]

    def _activate(self, row: sqlite3.Row, confidence: str) -> None:
        self._store.execute(
            SQL.activate,
            {
                "id": row["id"],
                "valid_from": self._now,
                "confidence": confidence,
                "now": self._now,
            },
        )

    def _status(
        self,
        row: sqlite3.Row,
        status: str,
        why: str,
        *,
        by: str | None = None,
        at: str = "",
    ) -> None:
        ended = max(self._now, row["valid_from"], at) if by else row["valid_to"]
        self._store.execute(
            SQL.set_status,
            {
                "id": row["id"],
                "status": status,
                "status_why": why,
                "valid_to": ended,
                "superseded_by": by or row["superseded_by"],
                "now": self._now,
            },
        )

    def _keep_version(self, row: sqlite3.Row) -> None:
        """Keep what a fact said until now as a superseded row, for questions as of then."""
        if row["valid_from"] >= self._now:
            return  # it held for no time that a question could name
        self._store.insert(
            SQL.insert_fact,
            {
                **{name: row[name] for name in _VERSION_COLUMNS},
                "id": f"{row['id']}.{row['revision']}",
                "status": "superseded",
                "status_why": "updated",
                "valid_to": self._now,
                "superseded_by": row["id"],
                "conflicts_with": None,
                "now": self._now,
            },
        )

    def _record(
        self, row: sqlite3.Row, event: str, *, new: str | None = None, why: str = ""
    ) -> None:
        self._note(row["id"], event, old=row["text"], new=new, why=why)

    def _note(
        self, fact_id: str, event: str, *, old: str | None, new: str | None, why: str
    ) -> None:
        self._store.execute(
            SQL.record_change,
            {
                "fact_id": fact_id,
                "event": event,
                "old_text": old,
                "new_text": new,
                "now": self._now,
                "actor": self._actor,
                "why": why,
            },
        )


def told(row: sqlite3.Row, columns: Mapping[str, Any]) -> str:
    """Return which of some properties changed, from what to what."""
    changes = [(name, row[name], new) for name, new in columns.items() if name != "expires_by"]
    return "; ".join(
        f"{name}: {'never' if was is None else was} -> {'never' if new is None else new}"
        for name, was, new in changes
        if was != new
    )


def find(store: Store, scope: Mapping[str, str | None], fact_id: str) -> sqlite3.Row:
    """Return a fact's row within a scope, or raise NotFoundError."""
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
