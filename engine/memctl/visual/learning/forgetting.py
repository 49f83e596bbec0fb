"""Forgetting: a component is marked as forgotten when it is missed too often in a row."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memctl.store import statements
from memctl.visual.match_results import ForgottenComponent

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memctl.config.settings import Settings
    from memctl.store.store import Store

COMPONENTS = statements.load("store/component")
STATES = statements.load("store/state")


def forget_missed(
    store: Store, settings: Settings, missed: Iterable[int], at: str
) -> list[ForgottenComponent]:
    """Count misses, and mark as forgotten what was missed too often. In a transaction.

    A component is forgotten when it was missed ``forget_threshold`` times in a row (so the store
    has looked at more screenshots than that); a pinned one never is. States that nothing living
    defines any more are marked with it, and with them their transitions leave the graph.

    Parameters
    ----------
    missed
        The components that were looked for in vain where they are expected.
    """
    store.execute_many(COMPONENTS.missed, [{"id": key} for key in missed])
    threshold = settings.integer("forget_threshold")
    forgotten = [
        ForgottenComponent(
            row["id"], row["name"], f"missed {row['consecutive_misses']} times in a row"
        )
        for row in store.rows(COMPONENTS.due_to_be_forgotten, {"threshold": threshold})
    ]
    for one in forgotten:
        store.execute(
            COMPONENTS.forget, {"id": one.component_id, "forgotten_at": at, "why": one.why}
        )
    if forgotten:
        store.execute(STATES.forget_empty, {"forgotten_at": at})
    return forgotten


def may_forget(store: Store, settings: Settings) -> bool:
    """Return True if one more miss could make a component forgotten."""
    threshold = settings.integer("forget_threshold") - 1
    return bool(store.rows(COMPONENTS.due_to_be_forgotten, {"threshold": threshold}))
