"""Changes of facts that are there: update, forget, erase, restore, pin, approve, reject."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memctl.base.errors import ImmutableFactError, RefusedError
from memctl.semantic.conflicts import (
    CONTRADICTS,
    KEPT_BESIDE,
    REJECTED,
    REPLACES,
    as_draft,
    first_same,
    is_hidden,
    is_protected,
    owner_of,
    related_facts,
)
from memctl.semantic.drafts import derive_edited
from memctl.semantic.fact_rows import find_row, record_change
from memctl.store import statements
from memctl.store.erased_texts import note_erased

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Mapping

    from memctl.semantic.conflicts import RelatedFacts
    from memctl.semantic.drafts import Draft
    from memctl.store.store import Store

__all__ = ["Changer"]

SQL = statements.load("store/fact")
READ = statements.load("store/fact_read")

# The columns that a kept older version takes from the row as it was.
_VERSION_COLUMNS = """text subject attribute value category importance confidence source user_id agent_id project
    session_id metadata immutable valid_from expires_at expires_by equal_key subject_key attribute_key
    folded about""".split()  # noqa: SIM905  (a list of words reads best as words)


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
        """Return a fact's row within the scope; see `find_row`."""
        return find_row(self._store, self._scope, fact_id)

    def update(
        self,
        fact_id: str,
        draft: Draft | None,
        columns: Mapping[str, Any],
        *,
        event: str = "UPDATE",
    ) -> None:
        """Give a fact another text or other properties; its id stays, the old text is kept."""
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
            self._store.execute(SQL.forget_pairs, {"id": fact_id})
            self._store.execute(SQL.settle_doubt, {"id": fact_id, "now": self._now})
        elif self._would_show(row, columns):
            self._check_place(row)
        names = (*_VERSION_COLUMNS, "id")
        self._store.execute(
            SQL.rewrite, {**{n: row[n] for n in names}, **changes, "now": self._now}
        )
        self._record(
            row, event, new=changes.get("text", row["text"]), why=_change_text(row, columns)
        )

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

    def erase(self, fact_id: str) -> None:
        """Remove a fact, its older versions and their texts from the store."""
        row = self._store.row(READ.by_id, {**self._scope, "id": fact_id})
        older = [found["id"] for found in self._store.rows(SQL.versions, {"id": fact_id})]
        if row is not None and self._reopens(row):
            older = []
        for gone in [fact_id, *older]:
            rows = self._store.rows(SQL.to_erase, {"id": gone})
            note_erased(self._store, "fact", rows)
            self._store.execute(SQL.forget_pairs, {"id": gone})
            if self._store.execute(SQL.erase, {"id": gone}):
                self._store.execute(SQL.erase_by_hand, {"fact_id": gone})
                self._store.execute(SQL.erase_history, {"fact_id": gone})
                for was in rows:
                    replaced = {
                        "fact_id": gone.split(".")[0],
                        "superseded_by": was["superseded_by"],
                    }
                    self._store.execute(SQL.erase_from_history, {**replaced, "text": was["text"]})
                record_change(
                    self._store, gone, "DELETE", None, None, "erased", self._actor, self._now
                )

    def restore(self, fact_id: str) -> None:
        """Let a forgotten, archived or expired fact hold again, unless another took its place."""
        row = self.row(fact_id)
        self._check_not_replaced(row)
        if row["status"] == "pending":
            raise RefusedError(f'fact "{fact_id}" waits', hint="approve it, or reject it")
        self._check_place(row)
        keep = row["expires_at"] is None or row["expires_at"] > self._now
        expiry = {name: row[name] if keep else None for name in ("expires_at", "expires_by")}
        self._store.execute(SQL.renew, {"id": fact_id, "now": self._now, **expiry})
        self._activate(row, row["confidence"])
        for older in self._older(row):
            if older["status_why"] == f"with {fact_id}":
                self._status(older, "superseded", "restored")
        self._record(row, "RESTORE", new=row["text"])

    def pin(self, fact_id: str, *, pinned: bool) -> None:
        """Pin a fact, so that neither its category's lifetime nor a change by itself ends it."""
        row = self.row(fact_id)
        if pinned and self._would_show(row, {"pinned": 1}):
            self._check_place(row)
        self._store.execute(SQL.pin, {"id": fact_id, "pinned": pinned, "now": self._now})
        self._record(row, "PIN" if pinned else "UNPIN", new=row["text"])

    def approve(self, fact_id: str, expiry: Mapping[str, str | None]) -> None:
        """Let a waiting fact hold from now on; the facts that it contradicts are superseded.

        Where another fact says the same by then, it is a duplicate of that one, which holds. `expiry`
        is its lifetime by its category, counted from now.
        """
        row = self._waiting(fact_id)
        lasting = self._lasting(row, expiry)
        session = "" if row["session_id"] else self._scope["scope_session"] or ""
        found = self._related(row, as_draft(row), open_session=session)
        own = found.of_session(row["session_id"])
        if known := first_same(own.current):
            self._duplicate(row, known.row)
            return
        of_session = found.of_session(session).current if session else ()
        kept = row["status_why"].startswith(KEPT_BESIDE)
        against = () if kept else (*own.conflicts, *of_session)
        ended = {one.row["id"]: one.row for one in against}
        if row["status_why"].startswith(REPLACES):
            named = self.row(row["conflicts_with"])
            ended |= {named["id"]: named} if named["status"] == "active" else {}
        for old in ended.values():
            why = "a person approved another"
            until = max(self._now, old["valid_from"], row["valid_from"])
            self._status(old, "superseded", why, valid_to=until, by=fact_id)
            self._record(old, "SUPERSEDE", why=f"approved: replaced by {fact_id}")
        self._activate(row, "high")
        if lasting:
            self._store.execute(SQL.renew, {"id": fact_id, "now": self._now, **lasting})
        self._record(row, "APPROVE", new=row["text"], why=_change_text(row, lasting))

    def decide(self, fact_id: str, *, replaces: bool, why: str = "") -> bool:
        """Decide of a fact that may replace another; return whether there was such a decision.

        Declined, it holds beside the older one; where the two cannot both hold, it is forgotten.

        Raises
        ------
        ImmutableFactError
            When the older one is immutable.
        """
        row = self.row(fact_id)
        if row["status"] != "active" or row["may_replace"] is None:
            return False
        older = self._store.row(READ.by_id, {**self._scope, "id": row["may_replace"]})
        if older is None or older["status"] != "active":
            return False  # it has ended since: there is nothing to decide
        if replaces:
            if is_hidden(row, self._now):
                raise RefusedError(
                    f'fact "{fact_id}" has expired: "{older["id"]}" holds on',
                    hint="reject it, or update it with a later expires_at first",
                )
            if is_protected(older) and not row["status_why"].startswith(CONTRADICTS):
                firmly = "immutable" if older["immutable"] else "pinned"
                raise ImmutableFactError(
                    f'fact "{older["id"]}" is {firmly}', hint="forget it, or unpin it, first"
                )
            if row["status_why"].startswith(CONTRADICTS):
                self._activate(row, "high")
            until = max(self._now, older["valid_from"], row["valid_from"])
            self._status(older, "superseded", "a newer one", valid_to=until, by=fact_id)
            self._record(older, "SUPERSEDE", why=f"decided: replaced by {fact_id}")
        self._store.execute(SQL.set_may_replace, {"id": fact_id, "older": None})
        if not replaces and row["status_why"].startswith(CONTRADICTS):
            self.forget(row, f"{REJECTED}: {why}" if why else REJECTED, event="REJECT")
            return True
        said = "replaces" if replaces else "holds beside"
        self._record(row, "DECIDE", new=row["text"], why=f"{said} {older['id']}")
        return True

    def settle(self, fact_id: str) -> bool:
        """Let a fact that was to be checked be sure again; return whether it was to be."""
        row = self.row(fact_id)
        if row["status"] != "active" or row["doubt"] is None:
            return False
        self._store.execute(SQL.settle_doubt, {"id": fact_id, "now": self._now})
        self._record(row, "SETTLE", new=row["text"], why="somebody said that it holds")
        return True

    def reject(self, fact_id: str, why: str) -> None:
        """Decline a waiting fact; it is kept as forgotten, so that it is not offered again."""
        row = self._waiting(fact_id)
        self.forget(row, f"{REJECTED}: {why}" if why else REJECTED, event="REJECT")

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
        others = self._related(row, draft).of_session(row["session_id"]).current
        if others and row["status"] == "active":
            other = others[0].row
            raise RefusedError(
                f'fact "{other["id"]}" is about the same: "{other["text"]:.60}"',
                hint=f"update {other['id']}, and forget {row['id']}",
            )

    def _check_place(self, row: sqlite3.Row) -> None:
        """Refuse a hidden fact whose place another took, which says the same or excludes it."""
        found = self._related(row, as_draft(row), itself=row)
        others = found.of_session(row["session_id"]).current
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
        open_session: str = "",
        itself: sqlite3.Row | None = None,
    ) -> RelatedFacts:
        """Return the other facts of a fact's owner that are related to a text of it."""
        return related_facts(
            self._store,
            draft,
            owner_of(row),
            now=self._now,
            open_session=open_session,
            itself=itself,
        ).besides(row["id"])

    def _would_show(self, row: sqlite3.Row, columns: Mapping[str, Any]) -> bool:
        """Return whether a hidden fact would be seen again with other properties."""
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
            {"id": row["id"], "valid_from": self._now, "confidence": confidence, "now": self._now},
        )

    def _status(
        self, row: sqlite3.Row, status: str, why: str, *, valid_to: str | None = None, by: str = ""
    ) -> None:
        """Give a fact another status; `by` is the fact that supersedes it."""
        columns = {
            "status": status,
            "status_why": why,
            "valid_to": valid_to or row["valid_to"],
            "superseded_by": by or row["superseded_by"],
        }
        self._store.execute(SQL.set_status, {"id": row["id"], "now": self._now, **columns})

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
        record_change(self._store, row["id"], event, row["text"], new, why, self._actor, self._now)

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
        self._status(row, "superseded", why, valid_to=row["valid_from"], by=known["id"])
        self._record(row, "APPROVE", new=row["text"], why=why)


def _change_text(row: sqlite3.Row, columns: Mapping[str, Any]) -> str:
    """Return the changes of some properties in words: ``name: old -> new``."""
    changes = [(name, row[name], new) for name, new in columns.items() if name != "expires_by"]
    return "; ".join(
        f"{name}: {_told(name, was)} -> {_told(name, new)}"
        for name, was, new in changes
        if was != new
    )


def _told(name: str, value: Any) -> Any:
    none = "none" if name == "category" else "never"
    return none if value is None else value
