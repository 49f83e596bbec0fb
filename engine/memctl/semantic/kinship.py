"""What a new fact is to one that is known: the same, more of it, what ends it, or nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from memctl.semantic.claims import read_claim, relation_of
from memctl.semantic.statements import read_statement, reason_of, replaces, same_value
from memctl.semantic.words import query_words

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable

    from memctl.semantic.incoming import Draft

__all__ = ["Kinship", "Related", "by_claim", "by_property", "firm"]

# "adds" says the same for another reason: both stay.
Kinship = Literal["repeats", "says more", "adds", "ends", "contradicts"]


class Related(NamedTuple):
    """A known fact and what the new one is to it."""

    row: sqlite3.Row
    kinship: Kinship


def by_property(draft: Draft, rows: Iterable[sqlite3.Row], since: str) -> list[Related]:
    """Return what a statement is to known ones about the same property of the same thing.

    Parameters
    ----------
    since
        When the new one began to hold: of two, the later one says whether it replaces the other.
    """
    related = ((row, _of_property(draft, row, since)) for row in rows)
    return [Related(row, kinship) for row, kinship in related if kinship]


def by_claim(
    draft: Draft, rows: Iterable[sqlite3.Row], since: str, *, dated: bool
) -> list[Related]:
    """Return what a plain sentence is to known ones that claim something of the same.

    Parameters
    ----------
    dated
        Whether somebody said since when it holds: what contradicts an earlier one says then
        that it changed.
    """
    found: list[Related] = []
    if draft.claim is None:
        return found
    keys = set(draft.claim.keys.values()) - {None}
    for row in rows:
        if row["claim_key"] not in keys and row["ended_key"] != draft.claim.key:
            continue
        kinship: Kinship | None = relation_of(draft.claim, read_claim(row["text"]))
        if kinship == "contradicts" and dated and row["valid_from"] < since:
            kinship = "ends"
        if kinship and not (kinship == "says more" and firm(row)):
            found.append(Related(row, kinship))
    return found


def firm(row: sqlite3.Row) -> bool:
    """Whether no other fact replaces this one by itself."""
    return bool(row["immutable"] or row["pinned"])


def _of_property(draft: Draft, row: sqlite3.Row, since: str) -> Kinship | None:
    statement, known = draft.statement, row["value"] or ""
    keys = (row["subject_key"], row["attribute_key"])
    if statement is None or keys != (draft.subject_key, draft.attribute_key):
        return None
    if same_value(statement.value, known):
        return _of_same_value(draft.text, row)
    if draft.outright or replaces(statement, known):
        return "ends"
    if row["valid_from"] <= since:
        return None
    later = read_statement(row["text"])
    return "ends" if later is None or replaces(later, statement.value) else None


def _of_same_value(text: str, row: sqlite3.Row) -> Kinship:
    if firm(row):
        return "repeats"
    why, known_why = reason_of(text), reason_of(row["text"])
    if _says_more(text, row["text"]) or (why and not known_why):
        return "says more"
    return "adds" if why and why != known_why else "repeats"


def _says_more(new: str, old: str) -> bool:
    # Who "I" is, is no news.
    return set(query_words(new)) - {"user"} > set(query_words(old)) - {"user"}
