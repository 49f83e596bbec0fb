"""How facts that are handed in become rows: known, changed, contradicted or new."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

from memctl.base.categories import UNSORTED_IMPORTANCE
from memctl.semantic.changing import change_text, rewrite
from memctl.semantic.conflicts import (
    CONTRADICTS,
    KEPT_BESIDE,
    REPLACES,
    RelatedFact,
    RelatedFacts,
    first_same,
    is_hidden,
    is_protected,
    related_facts,
    relation_in_time,
)
from memctl.semantic.deciding.near_facts import near_facts
from memctl.semantic.fact_rows import FactRows, NewRows
from memctl.semantic.finding import FactReading
from memctl.semantic.policies import moved_with
from memctl.semantic.records import Written
from memctl.store import statements
from memctl.text.normal import read_opening

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Sequence

    from memctl.base.scope import Scope
    from memctl.semantic.deciding.near_facts import NearFacts
    from memctl.semantic.drafts import Draft
    from memctl.semantic.fact_input import Prepared
    from memctl.semantic.records import Fact
    from memctl.store.store import Store

SQL = statements.load("store/fact")
READ = statements.load("store/fact_read")

_SURE = {"low": 0, "medium": 1, "high": 2}
# Events after which a text holds or waits that did not before.
_NEWS = frozenset({"ADD", "SUPERSEDE", "PENDING", "PROMOTE"})
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
    now
        The time of the call.
    open_session
        The session that is going on; its own facts are compared with what is long-term.
    """

    def __init__(self, store: Store, now: str, *, open_session: str = "") -> None:
        self._store = store
        self._now = now
        self._going_on = open_session
        self._scope: Scope | None = None
        self._ids: set[str] = set()  # of this call

    def write_all(
        self,
        batch: Sequence[Prepared],
        *,
        replaces: Sequence[sqlite3.Row],
        keep_both: bool,
        related: int,
    ) -> list[Written]:
        """Write the facts of a batch, then compare each new one with what it may replace.

        Parameters
        ----------
        related
            Most of the nearest facts that are named with each.
        """
        self._new_rows = NewRows(self._store, [fact.draft for fact in batch if not fact.noise])
        written = [self._write(fact, replaces=replaces, keep_both=keep_both) for fact in batch]
        self._new_rows.write()
        for place, (fact, made) in enumerate(zip(batch, list(written), strict=True)):
            decided = keep_both or bool(replaces) or bool(fact.columns["about"])
            if made.event not in _NEWS or (decided and not related):
                continue
            # Of one batch, the texts behind this one are newer.
            besides = {str(other.id) for other in written[place:]}
            self._begin(fact)
            reading = FactReading(self._store, fact.scope.reading(), now=self._now)
            near = near_facts(
                reading, fact.draft, fact.owner, since=self._since, besides=besides, most=related
            )
            written[place] = self._near_to(made, near, decided=decided)
        return written

    def _begin(self, prepared: Prepared) -> None:
        """Take the next fact in hand; a category's lifetime begins no earlier than the fact."""
        if prepared.scope is not self._scope:
            self._scope = prepared.scope
            self._rows = FactRows(
                self._store, prepared.scope.reading(), actor=prepared.scope.actor, now=self._now
            )
        self._owner, self._columns, self._given = prepared.owner, prepared.columns, prepared.given
        self._session = prepared.owner["session_id"]
        self._open_session = "" if self._session else self._going_on
        self._slot = str(prepared.columns["about"])
        self._confidence = str(prepared.columns["confidence"])
        since = str(prepared.columns["valid_from"]) or prepared.draft.since
        self._since = since or self._now  # when it began to hold, or will
        self._at = self._since  # the same, to compare with what is known
        self._dated = bool(since)  # whether somebody said so
        ends, by = prepared.columns["expires_at"] or "", prepared.columns["expires_by"] or ""
        if by == "category":
            ends = moved_with(ends, self._now, max(self._since, self._now))
        self._expires_at = ends
        self._row = {**_HOLDS, "now": self._now, **prepared.owner, **prepared.columns}
        self._row |= {"valid_from": self._since, "expires_at": ends, "expires_by": by}

    def _write(
        self, prepared: Prepared, *, replaces: Sequence[sqlite3.Row], keep_both: bool
    ) -> Written:
        """Write one fact, or return why it is not written.

        Parameters
        ----------
        replaces
            Rows that it replaces, as the caller decided.
        keep_both
            Whether it stands beside what it would change or contradict.
        """
        if prepared.noise:
            return Written("NOISE", prepared.draft.text, prepared.noise)
        self._begin(prepared)
        written = self._written(prepared.draft, prepared.doubt, replaces, keep_both=keep_both)
        if self._given and written.event in {"SKIP", "RENEW", "PROMOTE"}:
            return self._told_anew(written, keep=keep_both)
        return written

    def _written(
        self, draft: Draft, doubt: str, replaces: Sequence[sqlite3.Row], *, keep_both: bool
    ) -> Written:
        related = self._new_rows.are_related(draft)
        firm = related or doubt or self._slot or replaces or self._confidence == "low"
        if not firm:
            return self._new(draft, waits=True)
        self._new_rows.write()  # what follows reads the rows
        if doubt:
            return self._wait(draft, doubt, None)
        if self._slot and not replaces:
            return self._into_slot(draft)
        kept = next((row for row in replaces if is_protected(row)), None)
        if kept is not None:
            why = f"{REPLACES} {kept['id']}, which is {_firmly(kept)}"
            return self._wait(draft, why, kept["id"])
        if keep_both and self._confidence == "low":
            return self._wait(draft, f"{KEPT_BESIDE}; low confidence", None)
        written = self._compared(draft, keep_both=keep_both) if related else self._new(draft)
        return self._replacing(written, replaces) if replaces else written

    def _told_anew(self, written: Written, *, keep: bool) -> Written:
        """Give a known fact its caller's values beside the text, and return what was left as it is.

        With `keep`, only what was not known yet is added. Nothing of an immutable fact changes, nor of
        one that does not hold; a category is given once.
        """
        row = self._rows.find(str(written.id))
        given = {name: self._row[name] for name in self._given}
        if "metadata" in given:
            known, new = json.loads(row["metadata"]), json.loads(given["metadata"])
            merged = {**new, **known} if keep else {**known, **new}
            given["metadata"] = json.dumps(merged, ensure_ascii=False, sort_keys=True)
        differ = {name: new or None for name, new in given.items() if (row[name] or "") != new}
        firm = row["immutable"] or row["status"] not in {"active", "pending"}
        once = {"category", "about", "source"} | ({"importance", "expires_at"} if keep else set())
        left = {name for name in differ if firm or (name in once and row[name] not in (None, ""))}
        support = {"source"} & left if self._supports(row) else set()
        changes = {name: new for name, new in differ.items() if name not in left}
        if "expires_at" in changes:
            changes["expires_by"] = self._row["expires_by"] or None
        if "category" in changes and row["importance"] == UNSORTED_IMPORTANCE:
            changes.setdefault("importance", self._row["importance"])
        if changes:
            rewrite(self._rows, row, changes, change_text(row, changes))
        renewed = (
            {"expires_at"} & given.keys() - differ.keys() if written.event == "RENEW" else set()
        )
        updated = (changes.keys() & given.keys()) | support | renewed
        return replace(written, updated=tuple(sorted(updated)), left=tuple(sorted(left - support)))

    def _supports(self, row: sqlite3.Row) -> bool:
        """Return whether the source of the fact at hand is noted as another source of a row."""
        source = self._columns["source"]
        return bool(source and row["source"] and source != row["source"]) and row["status"] in {
            "active",
            "pending",
        }

    # -- rows ----------------------------------------------------------------------------

    def _insert(
        self, draft: Draft, event: str, *, why: str = "", waits: bool = False, **columns: str | None
    ) -> str:
        """Add a row and return its id: at once, or with those behind it where it `waits`."""
        row = {**self._row, **draft.columns, **columns, "event": event, "why": why}
        new = self._new_rows.add(self._rows, draft, row)
        if not waits:
            self._new_rows.write()
        self._ids.add(new)
        return new

    @property
    def _expiry(self) -> dict[str, str | None]:
        return {name: self._row[name] or None for name in ("expires_at", "expires_by")}

    def _support(self, row: sqlite3.Row) -> bool:
        """Note another source of a row; return whether it is another one than the first."""
        if not self._supports(row):
            return False
        support = {"fact_id": row["id"], "source": self._columns["source"], "now": self._now}
        self._store.execute(SQL.support, support)
        return True

    def _promote(self, row: sqlite3.Row, why: str) -> None:
        """Make a waiting row valid from now on."""
        surest = max(self._confidence, row["confidence"], "medium", key=_SURE.__getitem__)
        self._rows.activate(row, surest)
        self._rows.same(row, "PROMOTE", why)

    def _restate(self, row: sqlite3.Row, draft: Draft, *, divided: bool) -> None:
        """Let a row be stated again, of a later date.

        If `divided`, others could have held in between: what it said until then is kept as a row of its
        own. Else it holds since the earlier date.
        """
        if divided:
            self._rows.divide(row, self._since, until=self._since, why="stated again")
        keeps = row["expires_by"] == "given" and self._row["expires_by"] != "given"
        lasting = {name: row[name] for name in self._expiry} if keeps else self._expiry
        same = row["equal_key"] == draft.equal_key and draft.since
        text = draft.text if same else row["text"]
        letters = draft.columns["folded"] or None if same else row["folded"]
        self._rows.change(SQL.redate, row["id"], text=text, folded=letters, **lasting)
        self._rows.record(row["id"], "RENEW", row["text"], text, "stated again")

    # -- near ----------------------------------------------------------------------------

    def _near_to(self, written: Written, near: NearFacts, *, decided: bool) -> Written:
        """Let a new fact end those that it replaces for sure, and mark the one that it may replace.

        Both hold on where it is not sure: recall gives the newer one above the older, and `undecided`
        lists them. A fact that is pinned, immutable or surer, or of the same batch, is not ended.
        """
        idle = decided or self._ends_before_now or self._confidence == "low"
        if idle or written.event != "ADD":
            return replace(written, related=near.near)
        new = str(written.id)
        ended: list[Fact] = []
        kept: list[Fact] = []
        for fact in near.ended:
            firm = fact.immutable or fact.pinned or fact.id in self._ids
            surer = _SURE[self._confidence] < _SURE[fact.confidence]
            (kept if firm or surer else ended).append(fact)
        for fact in ended:
            row = self._rows.find(fact.id)
            self._rows.end(row, new, "changed", at=max(self._now, fact.valid_from))
        older = kept[0].id if kept else near.older.id if near.older else None
        if older and not written.other:
            self._rows.may_replace(new, older)
        if near.newer is not None and near.newer.may_replace is None:
            self._rows.may_replace(near.newer.id, new)
        gone = {fact.id for fact in ended}
        named = tuple(one for one in near.near if one.id not in gone)
        if ended:
            return replace(
                written, event="SUPERSEDE", why="changed", other=ended[0].id, related=named
            )
        return replace(written, related=named)

    def _compared(self, draft: Draft, *, keep_both: bool) -> Written:
        """Write one fact among those that are related to it."""
        related = related_facts(
            self._store, draft, self._owner, now=self._now, open_session=self._open_session
        )
        if keep_both:
            known = first_same(related.current)
            return (
                self._known_again(draft, known.row, _known_as(known)) if known else self._new(draft)
            )
        written = self._among(draft, related.of_session(self._session))
        if self._session:
            return written or self._in_session(draft, related.of_session(""))
        written = written or self._new(draft)
        if self._open_session:
            return self._over_session(written, related.of_session(self._open_session))
        return written

    def _replacing(self, written: Written, named: Sequence[sqlite3.Row]) -> Written:
        """End the facts that the caller named, where the new one is valid."""
        new = str(written.id)
        holds_on = replace(written, why=f"{written.why}; {named[0]['id']} holds on")
        if not self._rows.holds(new):
            waits = self._store.execute(SQL.wait_for, {"id": new, "other": named[0]["id"]})
            return written if waits or written.event == "PENDING" else holds_on
        # What only a session says, ends nothing that is long-term.
        named = [row for row in named if row["id"] != new]
        if not named:
            return written  # it says what it is to replace
        if self._is_hidden_from_the_start or self._ends_before_now:
            return holds_on
        ended = [row for row in named if self._session in {"", row["session_id"]}]
        for old in ended:
            if self._rows.holds(old["id"]):
                self._rows.end(old, new, "the caller decided", at=self._since)
        if not ended:
            why = f"overrides {named[0]['id']} within this session"
            return replace(written, why=why, other=named[0]["id"])
        return replace(
            written, event="SUPERSEDE", why=self._remark("replaces"), other=ended[0]["id"]
        )

    def _into_slot(self, draft: Draft) -> Written:
        """Write a fact into the caller's slot, in its place in time; the newer replaces the older."""
        rows = self._store.rows(SQL.slot, {**self._owner, "about": self._slot})
        current, following = _place_at(rows, self._at)
        same = next((row for row in current if row["equal_key"] == draft.equal_key), None)
        if same is not None and following is None:
            return self._known_again(draft, same, "known already")
        if self._confidence == "low":
            return self._wait(draft, "low confidence", None)
        if not current and following is None:  # who says the same already is put into it
            related = related_facts(self._store, draft, self._owner, now=self._now)
            known = related.of_session(self._session).current
            same = next((fact.row for fact in known if fact.relation == "equal"), None)
            return self._known_again(draft, same, "known already") if same else self._new(draft)
        return self._put(draft, current, following, f"the newer one about {self._slot}")

    def _new(
        self, draft: Draft, why: str = "", other: str | None = None, *, waits: bool = False
    ) -> Written:
        if self._confidence == "low":
            return self._wait(draft, "low confidence", None)
        new = self._insert(draft, "ADD", why=why, waits=waits)
        return Written("ADD", draft.text, self._remark(why), new, other)

    def _among(self, draft: Draft, facts: RelatedFacts) -> Written | None:
        """Compare a fact with those of its own scope; return ``None`` where it is a new one."""
        if not self._dated:  # what was written under a clock that is ahead is no news of tomorrow
            rows = (fact.row for fact in facts.current)
            begun = (row["valid_from"] for row in rows if row["valid_from"] <= row["created_at"])
            self._at = max([self._at, *begun])
        if known_so := self._equal(draft, facts):
            return known_so
        in_time = self._in_time(draft, facts)
        if known_so := self._repeated(draft, in_time):
            return known_so
        if waiting := first_same(facts.waiting):
            return self._known_waiting(draft, waiting.row, facts.conflicts)
        if declined := self._declined(draft, facts):
            return declined
        if self._is_hidden_from_the_start:
            return None
        return self._placed(draft, in_time)

    # -- known ---------------------------------------------------------------------------

    def _equal(self, draft: Draft, facts: RelatedFacts) -> Written | None:
        """Compare a fact with the one of the same words."""
        known = next((fact.row for fact in facts.current if fact.relation == "equal"), None)
        if known is None and not any(not fact.same for fact in facts.current):
            known = next((fact.row for fact in facts.hidden if fact.relation == "equal"), None)
        if known is None:
            return None
        to_come = _may_change(draft) and self._is_to_come(known)
        if known["valid_from"] <= self._at and not to_come:
            return self._known_again(draft, known, "known already")
        if _may_change(draft):
            return None  # others may hold in between
        self._rows.widen(known, self._since)
        why = f"known already, and held since {self._store.zone.day(self._since)}"
        return Written("RENEW", draft.text, why, known["id"])

    def _known_again(self, draft: Draft, row: sqlite3.Row, why: str) -> Written:
        independent = self._support(row)
        self._rows.settle(row, "stated again")
        if row["shared_as"] and row["kept_at"] is None:
            self._rows.same(row, "KEEP", "stated here, too")
        if decided := self._decided(draft, row, independent=independent):
            return decided
        if self._is_hidden(row):
            if self._ends_before_now:
                return Written("SKIP", draft.text, f"{why}, and stays hidden", row["id"])
            self._rows.renew(row, self._since, self._expiry)
            return Written("RENEW", draft.text, "known, and hidden until now", row["id"])
        known_since = read_opening(row["text"]).since
        redated = bool(draft.since and known_since and draft.since > known_since)
        divided = _may_change(draft) and self._is_later(row)
        if row["immutable"] or not (redated or divided):
            return Written("SKIP", draft.text, why, row["id"])
        self._restate(row, draft, divided=divided)
        return Written("RENEW", draft.text, f"{why}; now of the later date", row["id"])

    def _decided(self, draft: Draft, row: sqlite3.Row, *, independent: bool) -> Written | None:
        """End the older fact where a second source, or the same with confidence, repeats the newer one."""
        surer = _SURE[self._confidence] > _SURE[row["confidence"]]
        if not row["may_replace"] or not row["status_why"].startswith(CONTRADICTS):
            return None
        (older,) = self._store.rows(READ.by_ids, {"ids": json.dumps([row["may_replace"]])}) or (
            None,
        )
        if older is None or older["status"] != "active" or is_protected(older):
            return None
        if not (independent or surer) or older["id"] in self._ids:
            return None
        why = "a second source says the same" if independent else "stated again, with confidence"
        self._rows.end(older, row["id"], why, at=max(self._now, row["valid_from"]))
        self._promote(row, why)
        self._rows.may_replace(row["id"], None)
        return Written("PROMOTE", draft.text, why, row["id"], older["id"])

    def _repeated(self, draft: Draft, in_time: Sequence[RelatedFact]) -> Written | None:
        """Compare a fact with one of the same meaning that is valid when it begins."""
        said = {fact.row["id"]: fact.same for fact in in_time}
        current, following = _place_at((fact.row for fact in in_time), self._at)
        same = next((row for row in current if said[row["id"]]), None)
        if same is None or (self._is_hidden(same) and not all(said[row["id"]] for row in current)):
            return None
        if self._is_to_come(same) or (self._is_later(same) and same["status"] == "superseded"):
            return self._put(draft, [same], following, "stated again")
        return self._known_again(draft, same, "says the same in other words")

    def _known_waiting(
        self, draft: Draft, row: sqlite3.Row, against: Sequence[RelatedFact]
    ) -> Written:
        """Make a waiting fact valid if a second source repeats it, or nothing contradicts it."""
        independent = self._support(row)
        others = [one.row for one in against]
        other = others[0]["id"] if others else row["conflicts_with"]
        sure = not others and self._confidence != "low"
        if row["status_why"].startswith(REPLACES):  # which fact ends by it, a person decides
            return Written("SKIP", draft.text, "waits already", row["id"], row["conflicts_with"])
        kept = any(is_protected(one) or one["id"] in self._ids for one in others)
        if kept or not (independent or sure):
            return Written("SKIP", draft.text, "waits already", row["id"], other)
        surer = _SURE[self._confidence] > _SURE[row["confidence"]]
        alone = "stated again, with confidence" if surer else "nothing contradicts it any more"
        why = "a second source says the same" if independent else alone
        for one in others:
            self._rows.end(one, row["id"], why, at=max(self._now, row["valid_from"]))
        self._promote(row, why)
        if self._is_hidden(row):  # its lifetime ran out while it waited
            self._rows.change(SQL.renew, row["id"], **self._expiry)
        return Written("PROMOTE", draft.text, why, row["id"], other)

    def _declined(self, draft: Draft, facts: RelatedFacts) -> Written | None:
        """Leave a fact out that a person declined, unless it is now stated with high confidence."""
        declined = first_same(facts.rejected)
        return self._declined_as(draft, declined.row) if declined else None

    def _declined_as(
        self, draft: Draft, row: sqlite3.Row, other: str | None = None
    ) -> Written | None:
        if _SURE[self._confidence] > max(_SURE[row["confidence"]], _SURE["medium"]):
            return None
        why = f"was {row['status_why']} on {self._store.zone.day(row['updated_at'])}; restore lets it hold"
        return Written("SKIP", draft.text, why, row["id"], other)

    # -- changed -------------------------------------------------------------------------

    def _in_time(self, draft: Draft, facts: RelatedFacts) -> list[RelatedFact]:
        """Return the facts that a draft may conflict with, ended ones too where it is no news."""
        known = [*facts.current, *facts.hidden]
        if not _may_change(draft):
            return [fact for fact in known if fact.relation == "adds"]
        late = any(fact.row["valid_from"] > self._at for fact in known)
        if not late and (known or self._since >= self._now):
            return known
        rows = self._store.rows(SQL.timeline, {**draft.keys, **self._owner})
        related = ((row, relation_in_time(draft, row, self._at)) for row in rows)
        return [RelatedFact(row, how) for row, how in related if how]

    def _placed(self, draft: Draft, in_time: Sequence[RelatedFact]) -> Written | None:
        """Put a fact into its place in time, among those that exclude it."""
        against = {fact.row["id"]: fact for fact in in_time}
        current, following = _place_at((fact.row for fact in in_time), self._at)
        replaced = [against[row["id"]] for row in current]
        for fact in replaced:
            if self._is_hidden(fact.row) or fact.same:
                continue
            if fact.relation == "adds" and is_protected(fact.row) and draft.statement:
                return self._known_again(draft, fact.row, "says the same in other words")
            if why := self._why_wait(fact):
                if fact.relation == "adds" or self._confidence == "low":
                    return self._wait(draft, why, fact.row["id"])
                return self._undecided(draft, why, fact.row["id"])
        if following is None and not replaced:
            return None
        if self._confidence == "low":
            return self._wait(draft, "low confidence", None)
        more = all(fact.relation == "adds" for fact in replaced)
        rows = [fact.row for fact in replaced]
        return self._put(draft, rows, following, "says more" if more else "changed")

    def _why_wait(self, fact: RelatedFact) -> str:
        """Return why a fact waits before it replaces another; empty where it need not."""
        if fact.relation != "adds":
            return self._contradiction(fact.row)
        if not is_protected(fact.row):
            return ""
        return f"says more than {fact.row['id']}, which is {_firmly(fact.row)}"

    def _contradiction(self, old: sqlite3.Row) -> str:
        """Return why a changed value has to wait for a person; empty where it need not."""
        why = ""
        if is_protected(old):
            why = f", which is {_firmly(old)}"
        elif old["id"] in self._ids and old["valid_from"] == self._at:
            why = " of the same batch"
        elif self._confidence == "low":
            return f"low confidence, and contradicts {old['id']}"
        elif _SURE[self._confidence] < _SURE[old["confidence"]]:
            why = ", which is surer"
        return f"contradicts {old['id']}{why}" if why else ""

    def _put(
        self, draft: Draft, replaced: Sequence[sqlite3.Row], following: sqlite3.Row | None, why: str
    ) -> Written:
        """Write a fact that is valid until the next one, and end those before it."""
        other = replaced[0]["id"] if replaced else ""
        columns: dict[str, str | None] = {}
        if following is not None:
            columns = {"status": "superseded", "valid_to": following["valid_from"]}
            columns["superseded_by"] = following["id"]
        told = f"replaces {other}" if replaced else f"held before {columns['superseded_by']}"
        new = self._insert(draft, "ADD", why=told, waits=False, **columns)
        for old in replaced:
            self._rows.end(old, new, why, at=self._since)
        if following is None or (replaced and following["valid_from"] > self._now):
            return Written("SUPERSEDE", draft.text, self._remark(why), new, other)
        until = f"held until {self._store.zone.day(following['valid_from'])}"
        return Written("ADD", draft.text, until, new, following["id"])

    def _undecided(self, draft: Draft, why: str, older: str) -> Written:
        """Write a fact that is valid at once beside an older one that it may replace."""
        new = self._insert(draft, "ADD", why=why, status_why=why)
        self._rows.may_replace(new, older)
        return Written("ADD", draft.text, self._remark(why), new, older)

    def _wait(self, draft: Draft, why: str, other: str | None) -> Written:
        for row in self._store.rows(SQL.not_held, {"equal_key": draft.equal_key, **self._owner}):
            if row["status"] == "pending":
                return Written("SKIP", draft.text, "waits already", row["id"], other)
            if declined := self._declined_as(draft, row, other):
                return declined
        waiting = {"status": "pending", "status_why": why, "conflicts_with": other}
        new = self._insert(draft, "PENDING", why=why, waits=False, **waiting)
        return Written("PENDING", draft.text, why, new, other)

    # -- a session beside what is long-term ------------------------------------------------

    def _in_session(self, draft: Draft, lasting: RelatedFacts) -> Written:
        """Write a session's own fact: none where it is known, an override where it is changed."""
        if known := first_same(lasting.current):
            return self._known_again(draft, known.row, _known_as(known))
        if declined := self._declined(draft, lasting):
            return declined
        others = [conflict.row for conflict in lasting.conflicts]
        for other in others:
            if is_protected(other):
                return self._wait(draft, self._contradiction(other), other["id"])
        if not others:
            return self._new(draft)
        return self._new(draft, f"overrides {others[0]['id']} within this session", others[0]["id"])

    def _over_session(self, written: Written, own: RelatedFacts) -> Written:
        """Let a valid long-term fact end what the open session has of the same."""
        if not (own.current and self._rows.holds(written.id)):
            return written
        ended = [fact.row for fact in own.current if not self._stays(fact)]
        for row in ended:
            self._rows.end(row, str(written.id), "replaced for the long term", at=self._since)
        stays = [conflict.row["id"] for conflict in own.conflicts if self._stays(conflict)]
        if stays:
            why = f"{stays[0]} overrides it within this session"
            written = replace(written, why=f"{written.why}; {why}" if written.why else why)
        if not ended or written.event not in {"ADD", "SKIP"}:
            return written
        why = written.why or "replaced for the long term"
        return replace(written, event="SUPERSEDE", why=why, other=ended[0]["id"])

    def _stays(self, fact: RelatedFact) -> bool:
        return is_protected(fact.row) if fact.same else bool(self._contradiction(fact.row))

    # -- when ----------------------------------------------------------------------------

    def _is_later(self, row: sqlite3.Row) -> bool:
        """Return whether the new fact has a given beginning, and the known one began before."""
        return self._dated and row["valid_from"] < self._since

    def _is_to_come(self, row: sqlite3.Row) -> bool:
        """Return whether the new fact is of a later day, and the known one is of today."""
        return self._is_later(row) and self._since > self._now

    def _is_hidden(self, row: sqlite3.Row) -> bool:
        return is_hidden(row, self._now)

    @property
    def _ends_before_now(self) -> bool:
        return "" < self._expires_at <= self._now

    @property
    def _is_hidden_from_the_start(self) -> bool:
        return "" < self._expires_at <= self._since

    def _remark(self, why: str = "") -> str:
        """Return why, and a remark on the time in which a fact is valid."""
        if self._ends_before_now:
            remark = (
                f"hidden from the start: expired since {self._store.zone.day(self._expires_at)}"
            )
        elif self._since > self._now:
            remark = f"holds from {self._store.zone.day(self._since)}"
        else:
            return why
        return f"{why}; {remark}" if why else remark


def _may_change(draft: Draft) -> bool:
    """Return whether other facts could contradict a draft."""
    return draft.statement is not None


def _firmly(row: sqlite3.Row) -> str:
    return "immutable" if row["immutable"] else "pinned"


def _known_as(fact: RelatedFact) -> str:
    return "known already" if fact.relation == "equal" else "says the same in other words"


# -- rows in time ----------------------------------------------------------------------


def _place_at(
    rows: Iterable[sqlite3.Row], moment: str
) -> tuple[list[sqlite3.Row], sqlite3.Row | None]:
    """Return the rows that are valid at a moment, the latest to begin first, and the one that begins next.

    A row that ended when it began holds at no moment.
    """
    held = [row for row in rows if row["valid_to"] is None or row["valid_to"] > row["valid_from"]]
    begun = [row for row in held if row["valid_from"] <= moment]
    current = [row for row in begun if row["valid_to"] is None or row["valid_to"] > moment]
    later = [row for row in held if row["valid_from"] > moment]
    return (
        sorted(current, key=_order, reverse=True),
        min(later, key=lambda row: (row["valid_from"], -row["number"])) if later else None,
    )


def _order(row: sqlite3.Row) -> tuple[str, int]:
    return (row["valid_from"], row["number"])
