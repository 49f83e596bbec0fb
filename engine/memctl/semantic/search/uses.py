"""Uses of facts: that they were served is noted by the way, so that decay leaves them alone."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import TYPE_CHECKING

from memctl.base import clock
from memctl.base.errors import MemctlError
from memctl.store import statements

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memctl.semantic.records import Fact
    from memctl.store.store import Store

__all__ = ["note_served", "note_uses"]

SQL = statements.load("store/fact_read")


def note_uses(store: Store, facts: Sequence[Fact]) -> None:
    """Note that facts were served: at most one write a day for each, and none that anybody waits for.

    It is left out where the store is read-only, another process writes, the disk is full, or the
    caller is inside a transaction.
    """
    note_served(store, [fact.id for fact in facts])


def note_served(store: Store, ids: Sequence[str]) -> None:
    """Note that the facts of these ids were served, as `note_uses` does."""
    if not ids or store.readonly or store.connection().in_transaction:
        return
    now = clock.now()
    asked = {
        "ids": json.dumps(list(ids)),
        "now": now,
        "today": store.zone.begin(now),
    }
    with suppress(MemctlError):
        if store.value(SQL.any_unnoted, asked):
            with store.at_once(), store.transaction(activity=True):
                store.execute(SQL.note_uses, asked)
