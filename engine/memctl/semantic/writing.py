"""The rules by which a fact becomes a row: known, changed, contradicted or new."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memctl import queries
from memctl.semantic.claims import NO_KEYS
from memctl.semantic.fact_rows import FactRows
from memctl.semantic.incoming import claim_of
from memctl.semantic.kinship import by_claim, by_property, firm
from memctl.semantic.normal import folded, name_key, same_key
from memctl.semantic.openings import read_opening, without_opening
from memctl.semantic.properties import attribute_key
from memctl.semantic.records import Written
from memctl.semantic.statements import same_value
from memctl.semantic.timeline import is_late, place_at

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Mapping, Sequence

    from memctl.semantic.incoming import Draft
    from memctl.semantic.kinship import Related
    from memctl.store import Store

__all__ = ["Writer", "derive_edited"]

SQL = queries.load("store/fact")

_SURE = {"low": 0, "medium": 1, "high": 2}


class Writer:
    """Writes the facts of one call, inside the caller's transaction.

    Parameters
    ----------
    store
        Open in a transaction.
    owner
        ``user_id``, ``agent_id``, ``session_id`` of what is written.
    shared
        The columns that all facts of the call share; ``""`` stands for null, and in
        ``valid_from`` for what a fact says itself, or now.
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
        self._given_since = str(shared["valid_from"])
        self._confidence = str(shared["confidence"])
        self._now = now
        self._since = now  # when the fact at hand began to hold, or will
        self._at = now  # the same, to compare with what is known
        self._dated = False  # whether somebody said so
        self._rows = FactRows(store, owner, shared, actor=actor, now=now)

    def write(self, draft: Draft) -> Written:
        """Write one fact, or find out why it need not be written."""
        since = self._given_since or draft.since
        self._since = self._at = since or self._now
        self._dated = bool(since)
        self._rows.begin(self._since)
        if self._may_be_related(draft) and (written := self._of_related(draft)):
            return written
        if self._confidence == "low":
            return self._wait(draft, "low confidence", None)
        return Written("ADD", draft.text, self._remark(), id=self._rows.insert(draft, "ADD"))

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
        self._rows.key = f"{store_key} {next_number}"
        claim = draft.claim
        return bool(
            related or (claim is not None and self._store.value(SQL.claim_outlook, claim.keys))
        )

    def _of_related(self, draft: Draft) -> Written | None:
        related = self._store.rows(SQL.related, {**self._keys(draft), **self._owner})
        if not related:
            return self._placed(draft, self._related_to(draft, []))

        def rows(how: str) -> list[sqlite3.Row]:
            return [row for row in related if row["how"] == how]

        if not self._dated:  # what was written under a clock that is ahead is no news of tomorrow
            begun = (row["valid_from"] for row in related if row["valid_from"] <= row["created_at"])
            self._at = max([self._at, *begun])
        known = self._known(draft, _newest(rows("equal")))
        if known or self._is_hidden_from_the_start:
            return known
        others = {row["id"]: row for row in (*rows("slot"), *rows("claim"))}
        return self._placed(draft, self._related_to(draft, list(others.values())))

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
                if _says_otherwise(draft, row):
                    continue
                to_come = _may_change(draft) and self._is_to_come(row)
                if row["valid_from"] <= self._at and not to_come:
                    return self._known_again(draft, row, "known already")
                if not _may_change(draft):
                    self._rows.widen(row, self._since)
                    why = f"known already, and held since {self._since[:10]}"
                    return Written("RENEW", draft.text, why, row["id"])
                continue  # others may hold in between
            if row["status"] == "pending":
                return self._known_waiting(draft, row)
            if row["status_why"].startswith("rejected") and self._confidence == "low":
                why = f"was {row['status_why']} on {row['updated_at'][:10]}"
                return Written("SKIP", draft.text, why, row["id"])
        return None

    def _known_again(self, draft: Draft, row: sqlite3.Row, why: str) -> Written:
        self._rows.support(row)
        if self._is_hidden(row):
            if self._ends_before_now:
                return Written("SKIP", draft.text, f"{why}, and stays hidden", row["id"])
            self._rows.renew(row, self._since)
            return Written("RENEW", draft.text, "known, and hidden until now", row["id"])
        known_since = read_opening(row["text"]).since
        redated = bool(draft.since and known_since and draft.since > known_since)
        divided = _may_change(draft) and self._is_later(row)
        if row["immutable"] or not (redated or divided):
            return Written("SKIP", draft.text, why, row["id"])
        self._rows.restate(row, draft, self._since, divided=divided)
        return Written("RENEW", draft.text, f"{why}; now of the later date", row["id"])

    def _known_waiting(self, draft: Draft, row: sqlite3.Row) -> Written:
        independent = self._rows.support(row)
        opponent = self._opponent(row)
        surer = _SURE[self._confidence] > _SURE[row["confidence"]] and opponent is None
        if not (independent or surer) or (opponent is not None and firm(opponent)):
            return Written("SKIP", draft.text, "waits already", row["id"], row["conflicts_with"])
        why = "a second source says the same" if independent else "stated again, with confidence"
        if opponent is not None:
            self._rows.end(opponent, row["id"], why, at=max(self._now, row["valid_from"]))
        confidence = max(self._confidence, row["confidence"], "medium", key=_SURE.__getitem__)
        self._rows.promote(row, why, confidence)
        return Written("PROMOTE", draft.text, why, row["id"], row["conflicts_with"])

    def _opponent(self, row: sqlite3.Row) -> sqlite3.Row | None:
        if row["conflicts_with"] is None:
            return None
        slot = {"subject_key": row["subject_key"], "attribute_key": row["attribute_key"]}
        found = self._store.rows(SQL.slot, {**slot, **self._owner})
        return found[0] if found else self._store.row(SQL.active, {"id": row["conflicts_with"]})

    # -- changed -------------------------------------------------------------------------

    def _with_former(self, draft: Draft, rows: list[sqlite3.Row]) -> list[sqlite3.Row]:
        """Return what may be related, with what ended already where the new one is no news."""
        if is_late(rows, self._at) or (not rows and self._since < self._now):
            return self._store.rows(SQL.timeline, {**self._keys(draft), **self._owner})
        return rows

    def _related_to(self, draft: Draft, rows: list[sqlite3.Row]) -> list[Related]:
        known = self._with_former(draft, rows)
        of_property = by_property(draft, known, self._at)
        found = {one.row["id"] for one in of_property}
        claimed = by_claim(draft, known, self._at, dated=self._dated)
        return of_property + [one for one in claimed if one.row["id"] not in found]

    def _placed(self, draft: Draft, related: Sequence[Related]) -> Written | None:
        """Put a fact into its place in time, among those that it cannot hold beside."""
        kinship = {one.row["id"]: one.kinship for one in related}
        holding, following = place_at((one.row for one in related), self._at)
        for old in holding:
            if kinship[old["id"]] == "repeats":
                if not self._is_to_come(old) and not (self._is_later(old) and _is_over(old)):
                    return self._known_again(draft, old, "says the same in other words")
                return self._put(draft, [old], following, "stated again")
        replaced = [old for old in holding if kinship[old["id"]] != "adds"]
        for old in replaced:
            if why := self._contradiction(old, kinship[old["id"]]):
                return self._wait(draft, why, old["id"])
        if not replaced and following is None:
            return None
        if self._confidence == "low":
            return self._wait(draft, "low confidence", None)
        more = all(kinship[old["id"]] == "says more" for old in replaced)
        return self._put(draft, replaced, following, "says more" if more else "changed")

    def _contradiction(self, old: sqlite3.Row, kinship: str) -> str:
        """Return why a changed value has to wait for a person; empty where it need not."""
        if kinship == "says more":
            return ""
        why = ""
        if old["immutable"] or old["pinned"]:
            why = f", which is {'immutable' if old['immutable'] else 'pinned'}"
        elif old["id"] in self._rows.ids and old["valid_from"] == self._at:
            why = " of the same batch"
        elif self._confidence == "low":
            return f"low confidence, and contradicts {old['id']}"
        elif _SURE[self._confidence] < _SURE[old["confidence"]]:
            why = ", which is surer"
        return f"contradicts {old['id']}{why}" if why or kinship == "contradicts" else ""

    def _put(
        self,
        draft: Draft,
        replaced: Sequence[sqlite3.Row],
        following: sqlite3.Row | None,
        why: str,
    ) -> Written:
        """Write a fact that holds until the next one, and end those that held until it."""
        other = replaced[0]["id"] if replaced else ""
        columns: dict[str, str | None] = {}
        if following is not None:
            columns = {"status": "superseded", "valid_to": following["valid_from"]}
            columns["superseded_by"] = following["id"]
        told = f"replaces {other}" if replaced else f"held before {columns['superseded_by']}"
        new = self._rows.insert(draft, "ADD", why=told, **columns)
        for old in replaced:
            self._rows.end(old, new, why, at=self._since)
        if following is None or (replaced and following["valid_from"] > self._now):
            return Written("SUPERSEDE", draft.text, self._remark(why), new, other)
        until = f"held until {following['valid_from'][:10]}"
        return Written("ADD", draft.text, until, new, following["id"])

    def _wait(self, draft: Draft, why: str, other: str | None) -> Written:
        waiting = {"status": "pending", "status_why": why, "conflicts_with": other}
        new = self._rows.insert(draft, "PENDING", why=why, **waiting)
        return Written("PENDING", draft.text, why, new, other)

    # -- when ----------------------------------------------------------------------------

    def _is_later(self, row: sqlite3.Row) -> bool:
        """Whether somebody said since when the new one holds, and the known one began before."""
        return self._dated and row["valid_from"] < self._since

    def _is_to_come(self, row: sqlite3.Row) -> bool:
        """Whether the new one says of a later day what the known one says of today."""
        return self._is_later(row) and self._since > self._now

    def _is_hidden(self, row: sqlite3.Row) -> bool:
        spared = row["expires_by"] == "category" and firm(row)
        expired = row["expires_at"] is not None and row["expires_at"] <= self._now
        return row["archived_at"] is not None or (expired and not spared)

    @property
    def _ends_before_now(self) -> bool:
        return "" < self._rows.expires_at <= self._now

    @property
    def _is_hidden_from_the_start(self) -> bool:
        return "" < self._rows.expires_at <= self._since

    def _remark(self, why: str = "") -> str:
        """Return why, and what the caller may not expect of the time in which a fact holds."""
        if self._ends_before_now:
            remark = f"hidden from the start: expired since {self._rows.expires_at[:10]}"
        elif self._since > self._now:
            remark = f"holds from {self._since[:10]}"
        else:
            return why
        return f"{why}; {remark}" if why else remark


def derive_edited(store: Store) -> None:
    """Fill in what is derived from a fact's text where somebody edited it by hand."""
    for row in store.rows(SQL.underived):
        claim = claim_of(row["text"], row["subject"])
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
                "equal_key": same_key(without_opening(row["text"])),
                "subject_key": name_key(row["subject"]),
                "attribute_key": attribute_key(row["attribute"]),
                "folded": folded(row["text"]),
            },
        )


def _says_otherwise(draft: Draft, row: sqlite3.Row) -> bool:
    """Whether a text that is known was given for another value, outright."""
    if not draft.outright or draft.statement is None or not row["value"]:
        return False
    return not same_value(draft.statement.value, row["value"])


def _may_change(draft: Draft) -> bool:
    """Whether it says what others could say otherwise."""
    return draft.statement is not None or draft.claim is not None


def _is_over(row: sqlite3.Row) -> bool:
    return bool(row["status"] == "superseded")


def _newest(rows: list[sqlite3.Row]) -> list[sqlite3.Row]:
    return sorted(rows, key=lambda row: row["number"], reverse=True)
