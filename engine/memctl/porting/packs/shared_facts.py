"""Facts in packs: which may leave, as a person approves each, and how those that arrive become rows."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from typing import TYPE_CHECKING

from memctl.base.categories import KINDS, check_category
from memctl.base.clock import now
from memctl.base.errors import RefusedError
from memctl.base.scope import Scope
from memctl.guard import door
from memctl.porting.packs.app_memory import SHARED, OfferedFact, key_of, travelling
from memctl.porting.packs.impersonal import PersonalFacts
from memctl.porting.packs.text_merging import merge_facts
from memctl.porting.restored_rows import fact_row
from memctl.semantic.conflicts import CONTRADICTS
from memctl.semantic.fact_filters import compile_filter
from memctl.semantic.fact_rows import find_row
from memctl.semantic.finding import listed
from memctl.semantic.policies import Policy
from memctl.store import schema_text, statements
from memctl.text.fences import looks_recalled

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence

    from memctl.config.settings import Settings
    from memctl.porting.packs.app_memory import AppMemory, Entry, MergeReport
    from memctl.semantic.records import Fact
    from memctl.store.store import Store

SQL = statements.load("store/sharing")
TEXTS = statements.load("store/text_sharing")

# What leaves of a fact: no source, owner, slot or metadata, which quote turns or name people.
_LEAVES = (
    "id", "text", "subject", "attribute", "value", "category", "project", "valid_from", "expires_at",
    "created_at",
)  # fmt: skip


def offered_facts(
    store: Store, categories: Sequence[str], project: str | None
) -> tuple[list[Fact], list[OfferedFact]]:
    """Return the facts of some categories that may leave, and those that stay out, each with why.

    Raises
    ------
    UsageError
        When there is no such category.
    RefusedError
        When facts of a category never leave.
    """
    for category in categories:
        check_category(category)
        if category not in SHARED:
            raise RefusedError(
                f'facts of the category "{category}" do not leave: {KINDS[category].covers}',
                hint=f"those that may: {', '.join(SHARED)}",
            )
    chosen = compile_filter({"category": {"in": [*categories]}}, store.zone)
    judge = PersonalFacts(store)
    may: list[Fact] = []
    stay: list[OfferedFact] = []
    for fact in listed(store, Scope(project=project), "all", chosen):
        why = judge.reason(fact)
        if why:
            stay.append(replace(as_offered(fact), text=door.masked(store, fact.text), why=why))
        else:
            may.append(fact)
    return may, stay


def as_offered(fact: Fact) -> OfferedFact:
    """Return a fact as it is shown to who approves it."""
    return OfferedFact(fact.id, fact.text, str(fact.category), fact.project)


def approved_facts(
    store: Store, may: Sequence[Fact], stay: Sequence[OfferedFact], approved: Sequence[str]
) -> list[Entry]:
    """Return the facts that a person approved, as a pack has them.

    Raises
    ------
    NotFoundError
        When there is no fact of an id.
    RefusedError
        When one does not hold, is of another category, or stays out.
    """
    known = {fact.id: fact for fact in may}
    kept = {fact.id: fact.why for fact in stay}
    for id_ in approved:
        if id_ in known:
            continue
        row = find_row(store, Scope().reading(), id_)
        if row["status"] != "active":
            why = f"is {row['status']}"
        elif row["category"] in SHARED:
            why = kept.get(id_, "is not offered")
        else:
            why = f"is of the category {row['category'] or '-'}, which is not named"
        raise RefusedError(
            f'fact "{id_}" does not leave: it {why}', hint="memctl export pack --facts ... --list"
        )
    entries = [{name: getattr(known[id_], name) for name in _LEAVES} for id_ in {*approved}]
    return sorted(entries, key=lambda entry: str(entry["id"]))


def merge_shared(
    store: Store, settings: Settings, memory: AppMemory, pack: str, report: MergeReport
) -> None:
    """Merge the facts of a pack, marked as shared, and withdraw those that it no longer carries."""
    facts = memory.facts or []
    origins = {row["id"]: row for row in store.rows(SQL.origins)}
    here = origins.get(memory.origin)
    if here is not None and here["own"]:  # a pack that this store made
        report.united["fact"] += len(facts)
        return
    if here is not None and (here["shared_at"] or "") > memory.shared_at:
        report.refused["facts: a later pack of that store was taken in already"] += len(facts)
        return
    share = {"id": memory.origin, "address": memory.address, "shared_at": memory.shared_at}
    store.execute(SQL.share_origin, {**share, "now": now()})
    arriving = _ArrivingFacts(store, settings, memory, pack, report)
    rows = [row for entry in facts if (row := arriving.row(entry)) is not None]
    merge_facts(store, rows, arriving.changes, report)


class _ArrivingFacts:
    """The facts of a pack, as rows of the store that takes them in."""

    def __init__(
        self, store: Store, settings: Settings, memory: AppMemory, pack: str, report: MergeReport
    ) -> None:
        self._store, self._settings, self._report = store, settings, report
        self._origin, self._made = memory.origin, memory.shared_at
        self._pack = "".join(filter(str.isprintable, pack))
        self.changes: list[Entry] = []
        self._rows = {row["id"]: row for row in store.rows(TEXTS.facts)}
        self._decided = {row["shared_as"]: row for row in self._rows.values() if row["kept_at"]}
        self._own = {
            (row["equal_key"], row["project"]): row
            for row in self._rows.values()
            if (not row["shared_as"] or row["kept_at"]) and row["status"] != "superseded"
        }

    def row(self, entry: Entry) -> Entry | None:
        """Return a fact as its row; ``None`` where it stays out, or is known without it."""
        if why := self._refused(entry):
            self._report.refused[f"fact {entry['id']} ({why})"] += 1
            return None
        key = key_of(self._origin, entry["id"])
        new = "f_" + hashlib.sha256(f"{key} {entry['text']}".encode()).hexdigest()[:12]
        known = self._rows.get(new)
        if known is not None and known["kept_at"] is None:
            return self._carried(known)
        row = self._made_of(entry, new, key)
        said = known or self._own.get((row["equal_key"], row["project"]))
        if said is not None:
            if said["status"] == "forgotten":
                self._report.refused["facts that were forgotten here"] += 1
            else:
                self._report.united["fact"] += 1
            return None
        if (decided := self._decided.get(key)) is not None:
            here = (
                "was forgotten here"
                if decided["status"] == "forgotten"
                else "is this store's own by now"
            )
            why = f"{CONTRADICTS} {decided['id']}, which {here}"
            row |= {"status": "pending", "status_why": why, "conflicts_with": decided["id"]}
        shared = {"fact_id": new, "event": "SHARE", "old_text": None, "new_text": entry["text"]}
        why = f"{self._pack} of {self._made}, {key}"
        self.changes.append({**shared, "changed_at": now(), "actor": "pack", "why": why})
        return row

    def _refused(self, entry: Entry) -> str:
        text, slot = entry["text"], f"{entry['attribute']}: {entry['value']}"
        whole = "\n".join(filter(None, (text, entry["subject"], slot, entry["project"])))
        if (rule := door.find_rule(self._store, whole)) is not None:
            return door.reason(rule)
        if not text.strip():
            return "it is empty"
        if len(text) > Policy.of(self._settings, entry["category"]).max_fact:
            return "it is too long"
        return "it has a block of recalled memory" if looks_recalled(text) else ""

    def _carried(self, known: sqlite3.Row) -> Entry:
        row = travelling(known, "fact", "store")
        if known["shared_at"] < self._made:
            row |= {"shared_at": self._made, "shared_in": self._pack}
        return row

    def _made_of(self, entry: Entry, new: str, key: str) -> Entry:
        policy = Policy.of(self._settings, entry["category"])
        row = fact_row(
            {
                **entry,
                "id": new,
                "importance": policy.importance,
                "source": f"shared: {self._pack}",
                "expires_by": "given" if entry["expires_at"] else None,
                "updated_at": entry["created_at"],
                "shared_as": key,
                "shared_in": self._pack,
                "shared_at": self._made,
            }
        )
        return {name: row[name] for name in schema_text.travelling("fact", "store")}
