"""Recall over the tiers: turns, episodes and facts in one list.

It stands one floor above the tiers, which do not know each other. Where a store holds no
facts, nothing of them is loaded; else `memctl.recall.merging` puts the rows of all tiers together.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from memctl.episodic.recall_results import Recalled
from memctl.recall.request import barred, of_episodic
from memctl.store import statements

if TYPE_CHECKING:
    from collections.abc import Callable

    from memctl.config.settings import Settings
    from memctl.episodic.episodic import Episodic
    from memctl.recall.request import Asked
    from memctl.semantic.fact_finder import FactFinder
    from memctl.store.store import Store

__all__ = ["recall_across"]

READ = statements.load("store/fact_read")


def recall_across(
    facts: Callable[[], FactFinder],
    episodic: Episodic,
    store: Store,
    settings: Settings,
    asked: Asked,
    *,
    record: bool = True,
) -> Recalled:
    """Return the best rows of all tiers, best first; of equals, facts before the rest.

    `max_tokens` is a hard cap on what all rows cost together, `limit` on how many there
    are. Rows that only vectors brought stand behind those that words did, and are looked
    for only where words of all tiers brought too few. `facts` is called where the store
    holds one: what finds them takes longer to load than a recall.
    """
    asks_facts = asked.of_facts and not asked.barring and _holds_facts(store)
    if asked.of_rows and not asks_facts:
        found = of_episodic(episodic, asked, record=record)
        return found or _with_barred(found, store, asked)
    if not store.exists:
        return Recalled((), note="nothing was remembered yet")
    from memctl.recall.merging import recall_merged

    return recall_merged(
        facts(), episodic, store, settings, asked, asks_facts=asks_facts, record=record
    )


def _with_barred(found: Recalled, store: Store, asked: Asked) -> Recalled:
    """Say of an empty answer which filter kept the facts from being asked, where there are any."""
    if not (asked.of_facts and asked.barring and _holds_facts(store)):
        return found
    return replace(found, note=f"{found.note}; {barred(asked.barring)}")


def _holds_facts(store: Store) -> bool:
    """Whether the store has a fact at all, whoever's; one row is looked at."""
    return store.exists and store.row(READ.any_fact) is not None
