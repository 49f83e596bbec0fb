"""What was asked and found, kept as rows; and what of it helped."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memctl import clock, queries
from memctl.episodic.characters import cleaned
from memctl.errors import NotFoundError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memctl.episodic.results import Recalled
    from memctl.store import Store

__all__ = ["Feedback", "give_feedback", "record"]

SQL = queries.load("store/episodic_recording")

_OUTCOMES = ("ok", "failed")
_KINDS = ("turn", "episode", "fact")
# A question that is a page is remembered by its beginning.
_MAX_QUESTION = 2_000


@dataclass(frozen=True, slots=True)
class Feedback:
    """What somebody said of a recall: how many of its rows helped, and how it went."""

    recall: int
    used: int
    outcome: str | None


def record(store: Store, question: str, recalled: Recalled) -> int:
    """Keep one recall and its rows, in one transaction; return its id."""
    masked = _masked(question)
    # A word of a secret must not stay behind among those that were found nowhere.
    unknown = [word for word in recalled.unknown if word in masked.lower()]
    with store.transaction():
        recall = store.insert(
            SQL.record_recall,
            {
                "asked_at": clock.now(),
                "question": masked,
                "hits": len(recalled),
                "unknown_words": json.dumps(unknown, ensure_ascii=False),
                "fallback": recalled.fallback,
                "duration_ms": round(recalled.duration_ms, 3),
            },
        )
        hits = [
            [rank, row.kind, row.id, row.score, int(row.fallback)]
            for rank, row in enumerate(recalled, 1)
        ]
        store.execute(SQL.record_hits, {"recall_id": recall, "hits": json.dumps(hits)})
    return recall


def give_feedback(
    store: Store, recall: int, *, used: Iterable[int | str] = (), outcome: str | None = None
) -> Feedback:
    """Mark which rows of a recall helped, and how it went.

    Parameters
    ----------
    recall
        The recall's id.
    used
        Ids of its rows; ``"turn:3"`` where a turn and a fact have the same number.
    outcome
        ``"ok"`` or ``"failed"``.

    Raises
    ------
    NotFoundError
        When there is no such recall, or a row was not among its hits; nothing is marked.
    UsageError
        When the outcome is neither, or an id is none or means several rows.
    """
    if outcome is not None and outcome not in _OUTCOMES:
        raise UsageError(f'outcome "{outcome}" is unknown', hint="it is ok or failed")
    now = clock.now()
    with store.transaction():
        if store.row(SQL.recall, {"id": recall}) is None:
            raise NotFoundError(f'there is no recall "{recall}"', hint="recall prints its id")
        items = [str(item) for item in used]
        for item in items:
            _mark(store, recall, item, now)
        if outcome is not None:
            store.execute(SQL.set_outcome, {"id": recall, "outcome": outcome, "now": now})
    return Feedback(recall, len(items), outcome)


def _masked(text: str) -> str:
    """Return the beginning of a text as it may be kept: cleaned, secrets masked."""
    from memctl.secret_rules import mask_secrets

    return mask_secrets(cleaned(text[:_MAX_QUESTION], what="query"))


def _mark(store: Store, recall: int, item: str, now: str) -> None:
    kind, _, number = item.rpartition(":")
    if not number.isdecimal() or (kind and kind not in _KINDS):
        raise UsageError(f'"{item}" is no row', hint='write 12, or "turn:12"')
    parameters = {"recall_id": recall, "item_id": int(number), "kind": kind or None, "now": now}
    marked = store.execute(SQL.mark_used, parameters)
    if not marked:
        raise NotFoundError(
            f'recall "{recall}" did not bring "{item}"', hint="name rows that it brought"
        )
    if marked > 1:
        raise UsageError(f'"{item}" is several rows', hint=f'write "turn:{number}"')
