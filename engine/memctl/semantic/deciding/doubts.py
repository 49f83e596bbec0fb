"""Doubts: facts that rest on one that was replaced, changed or forgotten are marked as to be checked."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from memctl.semantic.deciding.dependents import ChangedFact, why_doubtful
from memctl.semantic.fact_rows import record_change
from memctl.store import statements

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Iterator, Sequence

    from memctl.semantic.finding import FactReading
    from memctl.store.store import Store

__all__ = ["changes_since", "ended_by", "last_change", "mark_doubtful", "raise_doubts"]

SQL = statements.load("store/fact")
# Share of the words looked for that a fact holds from where on it is compared.
_LEAST = 0.2


def last_change(store: Store) -> int:
    """Return the number of the last line of the facts' history; 0 where there is none."""
    return int(store.value(SQL.last_change)) if store.exists else 0


def changes_since(store: Store, line: int) -> list[sqlite3.Row]:
    """Return what was replaced, changed or forgotten behind a line of the history."""
    return store.rows(SQL.ended_since, {"since": line})


def ended_by(store: Store, new: Sequence[str]) -> list[sqlite3.Row]:
    """Return what some new facts have replaced."""
    return store.rows(SQL.ended_by, {"ids": json.dumps(new)})


def raise_doubts(
    store: Store, reading: FactReading, changes: Iterable[sqlite3.Row], *, actor: str, now: str
) -> int:
    """Mark the facts that rest on what has changed; return how many.

    Each change costs a bounded number of looks (`memctl.semantic.finding`).
    """
    found = list(_doubtful(reading, changes))
    if found:
        with store.transaction():
            for fact_id, text, why, by in found:
                mark_doubtful(store, fact_id, text, why, by, actor=actor, now=now)
    return len(found)


def mark_doubtful(
    store: Store, fact_id: str, text: str, why: str, by: str, *, actor: str, now: str
) -> bool:
    """Mark a fact as to be checked, in the caller's transaction; return whether it was not before.

    `by` is the fact or turn that raises the doubt, `text` what the fact says.
    """
    raised = {"id": fact_id, "why": why, "by": by, "now": now}
    if not store.execute(SQL.raise_doubt, raised):
        return False
    record_change(store, fact_id, "DOUBT", text, text, why, actor, now)
    return True


def _doubtful(
    reading: FactReading, changes: Iterable[sqlite3.Row]
) -> Iterator[tuple[str, str, str, str]]:
    for row in changes:
        if row["old_text"] == row["new_text"]:
            continue
        changed = ChangedFact(
            row["fact_id"],
            row["old_text"],
            row["new_text"],
            row["subject"],
            row["attribute"],
            row["value"],
        )
        besides = {row["fact_id"], row["superseded_by"]}
        words = f"{row['old_text']} {row['subject'] or ''} {row['attribute'] or ''}"
        for fact, _ in reading.nearest(words, least=_LEAST):
            owner = (fact.user_id, fact.agent_id, fact.project)
            if fact.id in besides or owner != (row["user_id"], row["agent_id"], row["project"]):
                continue
            if why := why_doubtful(fact.text, fact.subject, changed):
                yield fact.id, fact.text, why, row["fact_id"]
