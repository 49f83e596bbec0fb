"""The rules by which a fact becomes a row: known, changed, contradicted or new."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

from memctl import queries
from memctl.semantic.claims import NO_KEYS, read_claim, relation_of
from memctl.semantic.normal import folded, former_keys, name_key, same_key
from memctl.semantic.records import Written
from memctl.semantic.statements import replaces
from memctl.semantic.words import query_words

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Mapping

    from memctl.semantic.claims import Relation
    from memctl.semantic.incoming import Draft
    from memctl.store import Store

__all__ = ["Writer", "derive_edited", "derive_former"]

SQL = queries.load("store/fact")

_SURE = {"low": 0, "medium": 1, "high": 2}
# A row that holds and has replaced nothing, as most do; "" stands for null.
_HOLDS = {
    "status": "active",
    "status_why": "",
    "valid_to": "",
    "superseded_by": "",
    "conflicts_with": "",
}


class Writer:
    """Writes the facts of one call, inside the caller's transaction.

    Parameters
    ----------
    store
        Open in a transaction.
    owner
        ``user_id``, ``agent_id``, ``session_id`` of what is written.
    shared
        The columns that all facts of the call share; ``""`` stands for null.
    actor
        Who history says it was.
    now
        The time of the call.
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
        self._owner = owner
        self._shared = shared
        self._actor = actor
        self._now = now
        self._row = {**_HOLDS, "now": now, **owner, **shared}  # what a new one begins with
        self._ids: set[str] = set()
        self._key = ""  # what no other store's ids are made of, nor another fact's

    def write(self, draft: Draft) -> Written:
        """Write one fact, or find out why it need not be written."""
        if self._may_be_related(draft) and (written := self._of_related(draft)):
            return written
        if self._confidence == "low":
            return self._wait(draft, "low confidence", None)
        return Written("ADD", draft.text, id=self._insert(draft, "ADD"))

    def _may_be_related(self, draft: Draft) -> bool:
        """Look out, at once, for all that an addition has to know; mostly that is nothing."""
        derive_former(self._store, draft.text)
        keys = {
            "equal_key": draft.equal_key,
            "subject_key": draft.subject_key or "",
            "attribute_key": draft.attribute_key or "",
        }
        (found,) = self._store.rows(SQL.outlook, keys)
        underived, related, store_key, next_number = found
        if underived:
            derive_edited(self._store)
            ((_, related, _, _),) = self._store.rows(SQL.outlook, keys)
        self._key = f"{store_key} {next_number}"
        claim = draft.claim
        return bool(
            related or (claim is not None and self._store.value(SQL.claim_outlook, claim.keys))
        )

    def _of_related(self, draft: Draft) -> Written | None:
        related = self._store.rows(SQL.related, {**self._keys(draft), **self._owner})

        def rows(how: str) -> list[sqlite3.Row]:
            return [row for row in related if row["how"] == how]

        return (
            self._known(draft, _newest(rows("equal")))
            or self._slot_taken(draft, _latest(rows("slot")))
            or self._claimed(draft, _latest(rows("claim")))
        )

    def _keys(self, draft: Draft) -> dict[str, str | None]:
        """Return what a draft's relatives are found by, as SQL has it."""
        return {
            "equal_key": draft.equal_key,
            "subject_key": draft.subject_key,
            "attribute_key": draft.attribute_key,
            "now": self._now,
            **(draft.claim.keys if draft.claim else NO_KEYS),
        }

    # -- known ---------------------------------------------------------------------------

    def _known(self, draft: Draft, rows: list[sqlite3.Row]) -> Written | None:
        for row in rows:
            if row["status"] == "active":
                return self._known_active(draft, row)
            if row["status"] == "pending":
                return self._known_waiting(draft, row)
            if row["status_why"].startswith("rejected") and self._confidence == "low":
                why = f"was {row['status_why']} on {row['updated_at'][:10]}"
                return Written("SKIP", draft.text, why, row["id"])
        return None

    def _known_active(self, draft: Draft, row: sqlite3.Row) -> Written:
        self._support(row)
        expired = row["expires_at"] is not None and row["expires_at"] <= self._now
        if expired or row["archived_at"] is not None:
            self._store.execute(SQL.renew, {**self._of(row), **self._expiry})
            self._record(row["id"], "RENEW", row["text"], row["text"], "stated again")
            return Written("RENEW", draft.text, "known, and hidden until now", row["id"])
        return Written("SKIP", draft.text, "known already", row["id"])

    def _known_waiting(self, draft: Draft, row: sqlite3.Row) -> Written:
        independent = self._support(row)
        opponent = self._opponent(row)
        surer = _SURE[self._confidence] > _SURE[row["confidence"]] and opponent is None
        if not (independent or surer) or (opponent is not None and _firm(opponent)):
            return Written("SKIP", draft.text, "waits already", row["id"], row["conflicts_with"])
        why = "a second source says the same" if independent else "stated again, with confidence"
        if opponent is not None:
            self._end(opponent, row["id"], why)
        confidence = max(self._confidence, row["confidence"], "medium", key=_SURE.__getitem__)
        self._store.execute(
            SQL.activate, {**self._of(row), "valid_from": self._now, "confidence": confidence}
        )
        self._record(row["id"], "PROMOTE", row["text"], row["text"], why)
        return Written("PROMOTE", draft.text, why, row["id"], row["conflicts_with"])

    def _support(self, row: sqlite3.Row) -> bool:
        """Note who else says so; return whether it is another source than the first."""
        source = self._shared["source"]
        if not source or not row["source"] or source == row["source"]:
            return False
        self._store.execute(SQL.support, {"fact_id": row["id"], "source": source, "now": self._now})
        return True

    def _opponent(self, row: sqlite3.Row) -> sqlite3.Row | None:
        if row["conflicts_with"] is None:
            return None
        slot = {"subject_key": row["subject_key"], "attribute_key": row["attribute_key"]}
        found = self._store.rows(SQL.slot, {**slot, **self._owner})
        return found[0] if found else self._store.row(SQL.active, {"id": row["conflicts_with"]})

    # -- changed -------------------------------------------------------------------------

    def _slot_taken(self, draft: Draft, rows: list[sqlite3.Row]) -> Written | None:
        for old in rows:
            statement = draft.statement
            if draft.outright or (statement and replaces(statement, old["value"] or "")):
                return self._changed(draft, old)
        return None

    def _claimed(self, draft: Draft, rows: list[sqlite3.Row]) -> Written | None:
        """Compare a plain sentence with those that it could repeat or contradict.

        What it says itself to have ended is replaced; any other contradiction waits.
        """
        ended = []
        for old in rows:
            relation = relation_of(draft.claim, read_claim(old["text"]))
            if relation == "ends":
                ended.append(old)
            elif relation and not (relation == "says more" and _firm(old)):
                return self._answer(draft, old, relation)
        whys = [(why, old["id"]) for old in ended if (why := self._contradiction(old))]
        if whys:
            return self._wait(draft, *whys[0])
        return self._replaced(draft, ended, "changed") if ended else None

    def _answer(self, draft: Draft, old: sqlite3.Row, relation: Relation) -> Written:
        if relation == "repeats":
            self._support(old)
            return Written("SKIP", draft.text, "says the same in other words", old["id"])
        if relation == "says more":
            return self._replaced(draft, [old], relation)
        if self._valid_from < old["valid_from"]:
            return self._earlier(draft, old)
        return self._wait(draft, f"contradicts {old['id']}", old["id"])

    def _replaced(self, draft: Draft, ended: list[sqlite3.Row], why: str) -> Written:
        first = ended[0]["id"]
        new = self._insert(draft, "ADD", why=f"replaces {first}")
        for old in ended:
            self._end(old, new, why)
        return Written("SUPERSEDE", draft.text, why, new, first)

    def _changed(self, draft: Draft, old: sqlite3.Row) -> Written:
        same = draft.statement and name_key(draft.statement.value) == name_key(old["value"])
        if same and (_firm(old) or not _says_more(draft.text, old["text"])):
            self._support(old)
            return Written("SKIP", draft.text, "says the same in other words", old["id"])
        why = "" if same else self._contradiction(old)
        if why:
            return self._wait(draft, why, old["id"])
        if self._valid_from < old["valid_from"]:
            return self._earlier(draft, old)
        new = self._insert(draft, "ADD", why=f"replaces {old['id']}")
        self._end(old, new, "says more" if same else "changed")
        return Written("SUPERSEDE", draft.text, "says more" if same else "changed", new, old["id"])

    def _contradiction(self, old: sqlite3.Row) -> str:
        """Return why a changed value has to wait for a person; empty where it need not."""
        if old["immutable"]:
            return f"contradicts {old['id']}, which is immutable"
        if old["pinned"]:
            return f"contradicts {old['id']}, which is pinned"
        if old["id"] in self._ids:
            return f"contradicts {old['id']} of the same batch"
        if self._confidence == "low":
            return f"low confidence, and contradicts {old['id']}"
        if _SURE[self._confidence] < _SURE[old["confidence"]]:
            return f"contradicts {old['id']}, which is surer"
        return ""

    def _earlier(self, draft: Draft, old: sqlite3.Row) -> Written:
        """Write what held before the known fact began to hold."""
        ended = {"status": "superseded", "valid_to": old["valid_from"], "superseded_by": old["id"]}
        new = self._insert(draft, "ADD", why=f"held before {old['id']}", **ended)
        return Written("ADD", draft.text, f"held until {old['valid_from'][:10]}", new, old["id"])

    def _end(self, old: sqlite3.Row, new: str, why: str) -> None:
        self._store.execute(
            SQL.set_status,
            {
                **self._of(old),
                "status": "superseded",
                "status_why": why,
                "valid_to": max(self._valid_from, old["valid_from"]),
                "superseded_by": new,
            },
        )
        self._record(old["id"], "SUPERSEDE", old["text"], None, f"{why}: replaced by {new}")

    # -- rows ----------------------------------------------------------------------------

    def _wait(self, draft: Draft, why: str, other: str | None) -> Written:
        waiting = {"status": "pending", "status_why": why, "conflicts_with": other}
        return Written(
            "PENDING", draft.text, why, self._insert(draft, "PENDING", why=why, **waiting), other
        )

    def _insert(self, draft: Draft, event: str, *, why: str = "", **columns: str | None) -> str:
        new = self._new_id(draft.text)
        row = {**self._row, "id": new, **draft.columns, **columns}
        self._store.insert(SQL.insert_fact, row)
        self._ids.add(new)
        self._record(new, event, "", draft.text, why)
        return new

    def _new_id(self, text: str) -> str:
        """Return an id that no other store gives to another fact, and that is no random one."""
        key = f"{self._key} {self._now} {text}"
        return "f_" + hashlib.sha256(key.encode()).hexdigest()[:12]

    def _record(self, fact_id: str, event: str, old: str | None, new: str | None, why: str) -> None:
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

    def _of(self, row: sqlite3.Row) -> dict[str, str]:
        return {"id": row["id"], "now": self._now}

    @property
    def _confidence(self) -> str:
        return str(self._shared["confidence"])

    @property
    def _valid_from(self) -> str:
        return str(self._shared["valid_from"])

    @property
    def _expiry(self) -> dict[str, str | None]:
        return {name: self._shared[name] or None for name in ("expires_at", "expires_by")}


def derive_edited(store: Store) -> None:
    """Fill in what is derived from a fact's text where somebody edited it by hand."""
    for row in store.rows(SQL.underived):
        claim = None if row["subject"] else read_claim(row["text"])
        derived = {
            "number": row["number"],
            "claim_key": claim.key if claim else None,
            "ended_key": claim.ended_key if claim else None,
        }
        if row["equal_key"] is not None:
            store.execute(SQL.derive_claim, derived)  # an older memctl derived the rest
            continue
        store.execute(
            SQL.derive,
            {
                **derived,
                "equal_key": same_key(row["text"]),
                "subject_key": name_key(row["subject"]),
                "attribute_key": name_key(row["attribute"]),
                "folded": folded(row["text"]),
            },
        )


def derive_former(store: Store, text: str) -> None:
    """Let facts that say the same as `text` have its key, where an older memctl gave them another."""
    keys = former_keys(text)
    if keys and store.execute(SQL.renew_former, {"keys": json.dumps(keys)}):
        derive_edited(store)


def _newest(rows: list[sqlite3.Row]) -> list[sqlite3.Row]:
    return sorted(rows, key=lambda row: row["number"], reverse=True)


def _latest(rows: list[sqlite3.Row]) -> list[sqlite3.Row]:
    return sorted(rows, key=lambda row: (row["valid_from"], row["number"]), reverse=True)


def _says_more(new: str, old: str) -> bool:
    # Who "I" is, is no news.
    return set(query_words(new)) - {"user"} > set(query_words(old)) - {"user"}


def _firm(row: sqlite3.Row) -> bool:
    return bool(row["immutable"] or row["pinned"])
