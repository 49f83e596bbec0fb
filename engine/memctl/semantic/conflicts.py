"""Conflicts of a text with the facts that hold now: it repeats, changes or contradicts them.

Storing, promoting, approving, restoring and updating ask here first, so that two facts that
cannot hold together never do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from memctl.semantic.drafts import Draft, claim_of
from memctl.semantic.sentences.claim import relation_of
from memctl.semantic.sentences.plain_statements import (
    PropertyStatement,
    read_statement,
    reason_of,
    replaces,
    same_value,
)
from memctl.semantic.sentences.properties import kind_of
from memctl.store import statements
from memctl.text.content_words import query_words

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Mapping, Sequence

    from memctl.store.store import Store

    Row = sqlite3.Row | Mapping[str, Any]

__all__ = [
    "CONTRADICTS",
    "KEPT_BESIDE",
    "REJECTED",
    "REPLACES",
    "SAME",
    "RelatedFact",
    "RelatedFacts",
    "as_draft",
    "first_same",
    "is_hidden",
    "is_protected",
    "owner_of",
    "related_facts",
    "relation",
    "relation_in_time",
]

SQL = statements.load("store/fact")

Relation = Literal["equal", "repeats", "says more", "changes", "ends", "contradicts"]
# What needs no second fact: it is said already.
SAME = frozenset({"equal", "repeats"})
# Why a fact that holds is undecided begins so, where an older one cannot hold beside it.
CONTRADICTS = "contradicts"
# Why a fact is forgotten that a person declined begins so.
REJECTED = "rejected"
# Why a fact waits that a caller said to replace another begins so.
REPLACES = "replaces"
# Why one waits of which its caller said that it ends nothing begins so.
KEPT_BESIDE = "holds beside the others"


class RelatedFact(NamedTuple):
    """A fact, and the relation of a text to it."""

    row: sqlite3.Row
    relation: Relation

    @property
    def same(self) -> bool:
        """Return whether the fact says already what the text says."""
        return self.relation in SAME


class RelatedFacts(NamedTuple):
    """The facts of one owner that a text says again, changes or contradicts, the latest first."""

    current: tuple[RelatedFact, ...] = ()  # they hold now
    hidden: tuple[RelatedFact, ...] = ()  # they would, had they not expired or been archived
    waiting: tuple[RelatedFact, ...] = ()  # for a person
    rejected: tuple[RelatedFact, ...] = ()  # by a person

    @property
    def conflicts(self) -> list[RelatedFact]:
        """The facts that hold now and exclude the text."""
        return [one for one in self.current if not one.same]

    def of_session(self, session_id: str) -> RelatedFacts:
        """Return those of one session; ``""`` stands for the long term."""
        return self._only(lambda one: one.row["session_id"] == session_id)

    def besides(self, fact_id: str) -> RelatedFacts:
        """Return all but one fact."""
        return self._only(lambda one: one.row["id"] != fact_id)

    def _only(self, keep: Callable[[RelatedFact], bool]) -> RelatedFacts:
        return RelatedFacts(*(tuple(filter(keep, part)) for part in self))


def related_facts(
    store: Store,
    draft: Draft,
    owner: Mapping[str, str],
    *,
    now: str,
    open_session: str = "",
    itself: sqlite3.Row | None = None,
) -> RelatedFacts:
    """Return the facts that `draft` says again, changes or contradicts.

    Parameters
    ----------
    owner
        ``user_id``, ``agent_id``, ``project``, ``session_id``; what is long-term is looked at too.
    open_session
        A session whose own facts are looked at as well.
    itself
        The fact that says `draft`, where it is no news: then it may be the others that
        change or contradict it.
    """
    parts: dict[str, list[RelatedFact]] = {name: [] for name in RelatedFacts._fields}
    for row in store.rows(SQL.related, {**draft.keys, **owner, "open_session": open_session}):
        found = relation(draft, row)
        if not found and itself is not None:
            found = relation(as_draft(row), itself)
        part = _part(row, now)
        if found and part:
            parts[part].append(RelatedFact(row, found))
    return RelatedFacts(*map(tuple, parts.values()))


def relation(new: Draft, old: sqlite3.Row) -> Relation | None:
    """Return the relation of a text to a fact of its keys; ``None`` where both may hold."""
    if new.equal_key == old["equal_key"] and not _says_otherwise(new, old):
        return "equal"
    slot = (new.subject_key, new.attribute_key)
    found: Relation | None = None
    if new.statement is not None and slot == (old["subject_key"], old["attribute_key"]):
        found = _of_property(new, old)
    return found or _of_claim(new, old)


def relation_in_time(new: Draft, old: sqlite3.Row, moment: str) -> Relation | None:
    """Return the same where a text holds from a moment on: the later one may replace the other."""
    found = relation(new, old)
    if found or old["valid_from"] <= moment or new.statement is None:
        return found
    later = as_draft(old)
    slot = (new.subject_key, new.attribute_key)
    if later.statement is None or slot != (later.subject_key, later.attribute_key):
        return None
    ended = later.outright or replaces(later.statement, new.statement.value)
    return "changes" if ended else None


def as_draft(row: Row) -> Draft:
    """Return a fact as a draft, to be compared with other facts as a new text is."""
    if not row["subject"]:
        return Draft.of(row["text"], None)
    told = PropertyStatement(row["subject"], row["attribute"] or "", row["value"] or "")
    # Of people no property is read out of a text: there it was given outright.
    several = row["category"] == "relationship" and not kind_of(told.attribute)
    read = None if several else read_statement(row["text"])
    if read is not None and read[:2] == told[:2] and same_value(read.value, told.value):
        return Draft.of(row["text"], read)
    return Draft.of(row["text"], told, outright=True)


def owner_of(row: sqlite3.Row) -> dict[str, str]:
    """Return whose a fact is, as `related_facts` takes it."""
    return {name: row[name] for name in ("user_id", "agent_id", "project", "session_id")}


def is_protected(row: Row) -> bool:
    """Return whether no change by itself ends a fact."""
    return bool(row["immutable"] or row["pinned"])


def is_hidden(row: Row, now: str) -> bool:
    """Return whether a fact expired or was archived; a category's lifetime ends nothing is_protected."""
    if row["archived_at"] is not None:
        return True
    over = row["expires_at"] is not None and row["expires_at"] <= now
    return over and not (row["expires_by"] == "category" and is_protected(row))


def _part(row: sqlite3.Row, now: str) -> str | None:
    if row["status"] == "active":
        return "hidden" if is_hidden(row, now) else "current"
    if row["status"] == "pending":
        return "waiting"
    return "rejected" if row["status_why"].startswith(REJECTED) else None


def _of_property(new: Draft, old: sqlite3.Row) -> Relation | None:
    statement, value = new.statement, old["value"] or ""
    if statement is None:
        return None
    if not same_value(statement.value, value):
        return "changes" if new.outright or replaces(statement, value) else None
    why, known_why = reason_of(new.text), reason_of(old["text"])
    if _says_more(new.text, old["text"]) or (why and not known_why):
        return "says more"
    # The same for another reason: both stay.
    return None if why and why != known_why else "repeats"


def _of_claim(new: Draft, old: sqlite3.Row) -> Relation | None:
    if new.claim is None:
        return None
    keys = set(new.claim.keys.values()) - {None}
    if old["claim_key"] not in keys and old["ended_key"] != new.claim.key:
        return None
    return relation_of(new.claim, claim_of(old["text"], old["subject"]))


def _says_otherwise(new: Draft, old: sqlite3.Row) -> bool:
    """Return whether a text that is known was given for another value, outright."""
    if not new.outright or new.statement is None or not old["value"]:
        return False
    return not same_value(new.statement.value, old["value"])


def _says_more(new: str, old: str) -> bool:
    # Who "I" is, is no news.
    return set(query_words(new)) - {"user"} > set(query_words(old)) - {"user"}


def first_same(found: Sequence[RelatedFact]) -> RelatedFact | None:
    """Return the fact that says the same, in the same words where there is one."""
    said = [one for one in found if one.same]
    return next((one for one in said if one.relation == "equal"), said[0] if said else None)
