"""What was seen, what was missed, and what is forgotten for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memctl.store import statements
from memctl.visual.match_results import Forgotten

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memctl.config.settings import Settings
    from memctl.store.store import Store
    from memctl.visual.learning.looking import Look

__all__ = ["count_misses", "count_seen", "forget_missed"]

SQL = statements.load("store/component")
STATES = statements.load("store/state")
STORE = statements.load("store/store")


def count_seen(store: Store, look: Look, seen_at: str) -> None:
    """Note that components were seen, and where. In a transaction."""
    places = {key: look.at_scale_one(hit.box) for key, hit in look.hits.items()}
    store.execute_many(
        SQL.seen,
        [
            {"id": key, "seen_at": seen_at, "x": place.x, "y": place.y}
            for key, place in places.items()
        ],
    )


def count_misses(store: Store, missed: Iterable[int]) -> None:
    """Note that components were looked for in vain. In a transaction."""
    store.execute_many(SQL.missed, [{"id": key} for key in missed])


def forget_missed(store: Store, settings: Settings, learns: int, at: str) -> list[Forgotten]:
    """Mark as forgotten what was missed too often. In a transaction.

    A component is forgotten when it was missed ``forget_threshold`` times in a row and the
    store has learned more screenshots than that; a pinned one never is. States that nothing
    living defines any more are marked with it, and with them their transitions leave the
    graph.
    """
    threshold = settings.integer("forget_threshold")
    if learns <= threshold:
        return []
    forgotten = [
        Forgotten(row["id"], row["name"], f"missed {row['consecutive_misses']} times in a row")
        for row in store.rows(SQL.due_to_be_forgotten, {"threshold": threshold})
    ]
    for one in forgotten:
        store.execute(SQL.forget, {"id": one.component_id, "forgotten_at": at, "why": one.why})
    if forgotten:
        store.execute(STATES.forget_empty, {"forgotten_at": at})
    return forgotten
