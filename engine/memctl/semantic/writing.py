"""The rules by which a fact becomes a row: known, changed, contradicted or new."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from memctl import queries
from memctl.semantic.claims import read_claim
from memctl.semantic.holding import Relatives, firm, first_same, is_hidden, relatives
from memctl.semantic.normal import folded, name_key, same_key
from memctl.semantic.records import Written

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Mapping, Sequence

    from memctl.semantic.holding import Relative
    from memctl.semantic.incoming import Draft
    from memctl.store import Store

__all__ = ["Writer", "derive_edited"]

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
    open_session
        The session that is going on; its own facts are compared with what is long-term.
    """

    def __init__(
        self,
        store: Store,
        owner: Mapping[str, str],
        shared: Mapping[str, Any],
        *,
        actor: str,
        now: str,
        open_session: str = "",
    ) -> None:
        self._store = store
        self._owner = owner
        self._session = owner["session_id"]
        self._beside = "" if self._session else open_session
        self._shared = shared
        self._actor = actor
        self._now = now
        self._row = {**_HOLDS, "now": now, **owner, **shared}  # what a new one begins with
        self._ids: set[str] = set()
        self._key = ""  # what no other store's ids are made of, nor another fact's

    def write(self, draft: Draft) -> Written:
        """Write one fact, or find out why it need not be written."""
        if not self._may_be_related(draft):
            return self._new(draft)
        found = relatives(self._store, draft, self._owner, now=self._now, beside=self._beside)
        written = self._among(draft, found.of_session(self._session))
        if self._session:
            return written or self._in_session(draft, found.of_session(""))
        written = written or self._new(draft)
        return (
            self._over_session(written, found.of_session(self._beside)) if self._beside else written
        )

    def _may_be_related(self, draft: Draft) -> bool:
        """Look out, at once, for all that an addition has to know; mostly that is nothing."""
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

    def _new(self, draft: Draft, why: str = "", other: str | None = None) -> Written:
        if self._confidence == "low":
            return self._wait(draft, "low confidence", None)
        return Written("ADD", draft.text, why, self._insert(draft, "ADD", why=why), other)

    def _among(self, draft: Draft, found: Relatives) -> Written | None:
        """Compare a fact with those of its own scope; return ``None`` where it is a new one."""
        if known := first_same(found.holding):
            return self._known(draft, known)
        if waiting := first_same(found.waiting):
            return self._known_waiting(draft, waiting.row, found.against)
        if declined := self._declined(draft, found):
            return declined
        if found.against:
            return self._opposed(draft, found.against)
        hidden = first_same(found.hidden)
        return self._renewed(draft, hidden.row) if hidden else None

    # -- known ---------------------------------------------------------------------------

    def _known(self, draft: Draft, known: Relative) -> Written:
        self._support(known.row)
        why = "known already" if known.relation == "equal" else "says the same in other words"
        return Written("SKIP", draft.text, why, known.row["id"])

    def _renewed(self, draft: Draft, row: sqlite3.Row) -> Written:
        self._support(row)
        self._store.execute(SQL.renew, {**self._of(row), **self._expiry})
        self._record(row["id"], "RENEW", row["text"], row["text"], "stated again")
        return Written("RENEW", draft.text, "known, and hidden until now", row["id"])

    def _known_waiting(
        self, draft: Draft, row: sqlite3.Row, against: Sequence[Relative]
    ) -> Written:
        """Let what waits hold if a second source says it too, or nothing contradicts it."""
        independent = self._support(row)
        others = [one.row for one in against]
        other = others[0]["id"] if others else row["conflicts_with"]
        sure = not others and self._confidence != "low"
        kept = any(firm(one) or one["id"] in self._ids for one in others)
        if kept or not (independent or sure):
            return Written("SKIP", draft.text, "waits already", row["id"], other)
        surer = _SURE[self._confidence] > _SURE[row["confidence"]]
        alone = "stated again, with confidence" if surer else "nothing contradicts it any more"
        why = "a second source says the same" if independent else alone
        for one in others:
            self._end(one, row["id"], why, at=self._now)
        confidence = max(self._confidence, row["confidence"], "medium", key=_SURE.__getitem__)
        self._store.execute(
            SQL.activate, {**self._of(row), "valid_from": self._now, "confidence": confidence}
        )
        if is_hidden(row, self._now):  # its lifetime ran out while it waited
            self._store.execute(SQL.renew, {**self._of(row), **self._expiry})
        self._record(row["id"], "PROMOTE", row["text"], row["text"], why)
        return Written("PROMOTE", draft.text, why, row["id"], other)

    def _declined(self, draft: Draft, found: Relatives) -> Written | None:
        """Leave a fact out that a person declined, unless it is now stated with high confidence."""
        declined = first_same(found.rejected)
        if declined is None:
            return None
        row = declined.row
        if _SURE[self._confidence] > max(_SURE[row["confidence"]], _SURE["medium"]):
            return None
        why = f"was {row['status_why']} on {row['updated_at'][:10]}; restore lets it hold"
        return Written("SKIP", draft.text, why, row["id"])

    def _support(self, row: sqlite3.Row) -> bool:
        """Note who else says so; return whether it is another source than the first."""
        source = self._shared["source"]
        if not source or not row["source"] or source == row["source"]:
            return False
        self._store.execute(SQL.support, {"fact_id": row["id"], "source": source, "now": self._now})
        return True

    # -- changed -------------------------------------------------------------------------

    def _opposed(self, draft: Draft, against: Sequence[Relative]) -> Written:
        """Replace what a fact changes, or says more than; wait where that takes a person."""
        for one in against:
            if one.relation == "says more" and firm(one.row) and draft.statement:
                return self._known(draft, one)  # a few more words are no news
            if why := self._why_wait(one):
                return self._wait(draft, why, one.row["id"])
            if one.relation in {"changes", "contradicts"} and self._is_earlier(one):
                return self._earlier(draft, one.row)
        fuller = all(one.relation == "says more" for one in against)
        ended = [one.row for one in against]
        return self._replaced(draft, ended, "says more" if fuller else "changed")

    def _why_wait(self, one: Relative) -> str:
        """Return why a fact waits for a person before it replaces another; empty where it need not."""
        if one.relation == "says more":
            firmly = "immutable" if one.row["immutable"] else "pinned"
            return f"says more than {one.row['id']}, which is {firmly}" if firm(one.row) else ""
        if why := self._contradiction(one.row):
            return why
        said_so = one.relation != "contradicts" or self._is_earlier(one)
        return "" if said_so else f"contradicts {one.row['id']}"

    def _is_earlier(self, one: Relative) -> bool:
        return self._valid_from < str(one.row["valid_from"])

    def _replaced(self, draft: Draft, ended: Sequence[sqlite3.Row], why: str) -> Written:
        first = ended[0]["id"]
        new = self._insert(draft, "ADD", why=f"replaces {first}")
        for old in ended:
            self._end(old, new, why)
        return Written("SUPERSEDE", draft.text, why, new, first)

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

    def _end(self, old: sqlite3.Row, new: str, why: str, *, at: str | None = None) -> None:
        self._store.execute(
            SQL.set_status,
            {
                **self._of(old),
                "status": "superseded",
                "status_why": why,
                "valid_to": max(at or self._valid_from, old["valid_from"]),
                "superseded_by": new,
            },
        )
        self._record(old["id"], "SUPERSEDE", old["text"], None, f"{why}: replaced by {new}")

    # -- a session beside what is long-term ------------------------------------------------

    def _in_session(self, draft: Draft, lasting: Relatives) -> Written:
        """Write a session's own fact: none where it is known, an override where it is changed."""
        if known := first_same(lasting.holding):
            return self._known(draft, known)
        if declined := self._declined(draft, lasting):
            return declined
        others = [one.row for one in lasting.against]
        for one in others:
            if firm(one):
                return self._wait(draft, self._contradiction(one), one["id"])
        if not others:
            return self._new(draft)
        return self._new(draft, f"overrides {others[0]['id']} within this session", others[0]["id"])

    def _over_session(self, written: Written, own: Relatives) -> Written:
        """Let a long-term fact that holds end what the open session says of the same."""
        if not (own.holding and self._store.value(SQL.active, {"id": written.id})):
            return written
        ended = [one.row for one in own.in_the_way if not self._stays(one)]
        for row in ended:
            self._end(row, str(written.id), "replaced for the long term")
        stays = [one.row["id"] for one in own.against if self._stays(one)]
        if stays:
            why = f"{stays[0]} overrides it within this session"
            written = replace(written, why=f"{written.why}; {why}" if written.why else why)
        if not ended or written.event not in {"ADD", "SKIP"}:
            return written
        why = written.why or "replaced for the long term"
        return replace(written, event="SUPERSEDE", why=why, other=ended[0]["id"])

    def _stays(self, one: Relative) -> bool:
        return firm(one.row) if one.same else bool(self._contradiction(one.row))

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
