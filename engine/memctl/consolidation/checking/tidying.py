"""Tidying: Mem0's phases of a dream on facts that are there, as proposals that a person applies.

The order is Mem0's: purge (secrets, noise), merge (into the fullest), rewrite (dates, voice,
category), expire. Pinned and immutable facts are left alone.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from memctl.base.pattern import Pattern
from memctl.guard import door
from memctl.semantic.noise import noise
from memctl.store import statements
from memctl.text.calendar.dated_text import with_days
from memctl.text.content_words import content_words
from memctl.text.relation import relation

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator, Sequence

    from memctl.base.user_zone import UserZone
    from memctl.store.store import Store

__all__ = ["TidyProposal", "tidy_proposals"]

SQL = statements.load("store/tidying")
_WORDS = 50  # of a merged fact: Mem0's most
_FIRST_PERSON = Pattern(r"\b(?:I|I'm|I've|[Mm]y|[Mm]e|[Mm]ine|[Ww]e|[Oo]ur)\b")

Phase = Literal["purge", "merge", "rewrite", "expire"]
_ORDER: tuple[Phase, ...] = ("purge", "merge", "rewrite", "expire")


@dataclass(frozen=True, slots=True)
class TidyProposal:
    """A change of a fact that a person may want.

    Parameters
    ----------
    phase
        ``purge``, ``merge``, ``rewrite`` or ``expire``.
    fact_id, text
        The fact; a secret in its text is masked.
    why
        The reason.
    suggestion
        The command of ``memctl`` that does it; nothing is done by itself.
    """

    phase: Phase
    fact_id: str
    text: str
    why: str
    suggestion: str


def tidy_proposals(store: Store, as_of: str) -> tuple[TidyProposal, ...]:
    """Return what could be tidied at a moment, in the order of the phases; reads only."""
    rows, zone = store.rows(SQL.facts) if store.exists else [], store.zone
    purged = list(_purged(store, rows))
    gone = {one.fact_id for one in purged}
    kept = [row for row in rows if row["id"] not in gone]
    found = [*purged, *_merged(kept), *_rewritten(kept, zone), *_expired(kept, as_of, zone)]
    return tuple(sorted(found, key=lambda one: _ORDER.index(one.phase)))


def _purged(store: Store, rows: Sequence[sqlite3.Row]) -> Iterator[TidyProposal]:
    for row in rows:
        rule = door.find_rule(store, row["text"])
        if rule:
            text = door.masked(store, row["text"])
            yield TidyProposal(
                "purge", row["id"], text, f"holds a secret ({rule})", f"memory forget {row['id']}"
            )
        elif why := noise(row["text"]):
            yield _forgotten("purge", row, why)


def _merged(rows: Sequence[sqlite3.Row]) -> Iterator[TidyProposal]:
    """Yield the facts whose words a fuller one has; their rarest word finds it."""
    words = [frozenset(content_words(row["text"])) for row in rows]
    often = Counter(word for held in words for word in held)
    holders: dict[str, list[int]] = defaultdict(list)
    for at, held in enumerate(words):
        for word in held:
            holders[word].append(at)
    for at, held in enumerate(words):
        rarest = min(held, key=lambda word: (often[word], word), default="")
        fuller = (i for i in holders[rarest] if i != at and _says_as_much(rows[i], rows[at]))
        best = max(fuller, key=lambda i: (len(words[i]), -i), default=at)
        # Of two with the same words the first stays.
        if (len(words[best]), -best) > (len(held), -at):
            yield _forgotten("merge", rows[at], f"{rows[best]['id']} says as much")


def _says_as_much(row: sqlite3.Row, other: sqlite3.Row) -> bool:
    """Return whether a fact says all that another of the same person says."""
    return (
        len(row["text"].split()) <= _WORDS
        and all(row[column] == other[column] for column in ("user_id", "agent_id", "project"))
        and relation(row["text"], other["text"]).kind in {"same", "adds"}
    )


def _rewritten(rows: Sequence[sqlite3.Row], zone: UserZone) -> Iterator[TidyProposal]:
    for row in rows:
        fact_id, text = row["id"], row["text"]
        dated = with_days(text, zone.local(row["valid_from"]))
        if not dated.why_not and dated.text != text:
            why = f"said on {zone.day(row['valid_from'])}: {dated.text}"
            yield TidyProposal("rewrite", fact_id, text, why, f"memory update {fact_id}")
        if _FIRST_PERSON.search(text):
            why = "speaks in the first person"
            yield TidyProposal("rewrite", fact_id, text, why, f"memory update {fact_id}")
        if row["category"] is None:
            why = "has no category"
            yield TidyProposal("rewrite", fact_id, text, why, "classify --apply")


def _expired(rows: Sequence[sqlite3.Row], as_of: str, zone: UserZone) -> Iterator[TidyProposal]:
    for row in rows:
        if row["expires_at"] and row["expires_at"] <= as_of:
            yield _forgotten("expire", row, f"expired on {zone.day(row['expires_at'])}")


def _forgotten(phase: Phase, row: sqlite3.Row, why: str) -> TidyProposal:
    return TidyProposal(phase, row["id"], row["text"], why, f"memory forget {row['id']}")
