"""Conflicts: how a text relates to the facts that are valid now, as `memctl.text.relation` has it.

Storing, promoting, approving, restoring and updating ask here, so that two facts of one property that cannot
hold together never do. Facts of the same property, or in the same words, are found by keys before a text is
written; all others by their words once it is (`memctl.semantic.deciding.near_facts`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from memctl.semantic.drafts import Draft
from memctl.store import statements
from memctl.text.closed_words import query_words
from memctl.text.properties import (
    PropertyStatement,
    property_of,
    reason_of,
    same_value,
    takes_its_place,
)

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Mapping, Sequence

    from memctl.store.store import Store

    Row = sqlite3.Row | Mapping[str, Any]

SQL = statements.load("store/fact")

Does = Literal["equal", "same", "adds", "replaces"]
# What needs no second fact: it is said already.
SAME = frozenset({"equal", "same"})
# Why a fact that holds is undecided begins so, where an older one cannot hold beside it.
CONTRADICTS = "contradicts"
# Why a fact is forgotten that a person declined begins so.
REJECTED = "rejected"
# Why a fact waits that a caller said to replace another begins so.
REPLACES = "replaces"
# Why one waits of which its caller said that it ends nothing begins so.
KEPT_BESIDE = "holds beside the others"


class RelatedFact(NamedTuple):
    """A fact, and what a text does to it."""

    row: sqlite3.Row
    relation: Does

    @property
    def same(self) -> bool:
        """Return whether the fact already has all of the text."""
        return self.relation in SAME


class RelatedFacts(NamedTuple):
    """The facts of one owner that a text repeats or replaces, the latest first."""

    current: tuple[RelatedFact, ...] = ()  # they hold now
    hidden: tuple[RelatedFact, ...] = ()  # they would, had they not expired or been archived
    waiting: tuple[RelatedFact, ...] = ()  # for a person
    rejected: tuple[RelatedFact, ...] = ()  # by a person

    @property
    def conflicts(self) -> list[RelatedFact]:
        """The valid facts that exclude the text."""
        return [fact for fact in self.current if not fact.same]

    def of_session(self, session_id: str) -> RelatedFacts:
        """Return those of one session; ``""`` is the long term."""
        return self._only(lambda fact: fact.row["session_id"] == session_id)

    def besides(self, fact_id: str) -> RelatedFacts:
        """Return all but one fact."""
        return self._only(lambda fact: fact.row["id"] != fact_id)

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
    """Return the facts of the same property, or words, that `draft` repeats or replaces.

    Parameters
    ----------
    owner
        ``user_id``, ``agent_id``, ``project``, ``session_id``; what is long-term is looked at too.
    open_session
        A session whose own facts are looked at as well.
    itself
        The fact that says `draft`, where it is no news: then it may be the others that replace it.
    """
    parts: dict[str, list[RelatedFact]] = {name: [] for name in RelatedFacts._fields}
    for row in store.rows(SQL.related, {**draft.keys, **owner, "open_session": open_session}):
        kind = relation(draft, row)
        if not kind and itself is not None:
            kind = relation(as_draft(row), itself)
        part = _part(row, now)
        if kind and part:
            parts[part].append(RelatedFact(row, kind))
    return RelatedFacts(*map(tuple, parts.values()))


def relation(new: Draft, old: Row) -> Does | None:
    """Return how a text relates to a fact of its keys; ``None`` where both may be valid."""
    stated, value = new.statement, old["value"] or ""
    if new.equal_key == old["equal_key"]:
        otherwise = bool(new.outright and stated and value) and not _says(stated, value)
        if not otherwise:
            return "equal"
    elif new.bare_key == old["equal_key"]:
        return "adds"
    if stated is None or _slot(new) != (old["subject_key"], old["attribute_key"]):
        return None
    if same_value(stated.value, value):
        return _of_same_value(new.text, old["text"])
    if new.outright or takes_its_place(stated.attribute, stated.value, value):
        return "replaces"
    return None


def relation_in_time(new: Draft, old: sqlite3.Row, moment: str) -> Does | None:
    """Return the same where a text is valid from a moment on: the later one may replace the other."""
    now = relation(new, old)
    if now or old["valid_from"] <= moment or new.statement is None:
        return now
    later = as_draft(old)
    if later.statement is None or _slot(later) != _slot(new):
        return None
    stated, value = later.statement, new.statement.value
    ended = later.outright or takes_its_place(stated.attribute, stated.value, value)
    return "replaces" if ended else None


def as_draft(row: Row) -> Draft:
    """Return a fact as a draft, to be compared with other facts as a new text is."""
    if not row["subject"]:
        return Draft.of(row["text"], None)
    stated = PropertyStatement(row["subject"], row["attribute"] or "", row["value"] or "")
    said = property_of(row["text"])
    given = said is None or said.slot != stated.slot or not _says(said, stated.value)
    return Draft.of(row["text"], stated, outright=given)


def _says(statement: PropertyStatement | None, value: str) -> bool:
    return statement is not None and same_value(statement.value, value)


def _slot(draft: Draft) -> tuple[str | None, str | None]:
    return draft.subject_key, draft.attribute_key


def _of_same_value(new: str, old: str) -> Does | None:
    """Return how a text relates to a fact of the same value: it may give a reason for it."""
    why, known_why = reason_of(new), reason_of(old)
    # Who "I" is, is no news.
    words, known = ({*query_words(text)} - {"user"} for text in (new, old))
    if words > known or (why and not known_why):
        return "adds"
    # The same for another reason: both stay.
    return None if why and why != known_why else "same"


def owner_of(row: sqlite3.Row) -> dict[str, str]:
    """Return whose a fact is, as `related_facts` takes it."""
    return {name: row[name] for name in ("user_id", "agent_id", "project", "session_id")}


def is_protected(row: Row) -> bool:
    """Return whether no change by itself ends a fact."""
    return bool(row["immutable"] or row["pinned"])


def is_hidden(row: Row, now: str) -> bool:
    """Return whether a fact expired or was archived; a category's lifetime ends nothing protected."""
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


def first_same(facts: Sequence[RelatedFact]) -> RelatedFact | None:
    """Return the fact of the same meaning, in the same words where there is one."""
    said = [fact for fact in facts if fact.same]
    return next((one for one in said if one.relation == "equal"), said[0] if said else None)
