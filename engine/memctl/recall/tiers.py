"""Recall over the tiers: turns, episodes and facts in one list.

It stands one floor above the tiers, which do not know each other. Where a store holds no
facts, nothing of them is loaded; else `memctl.recall.merging` puts the rows of all tiers together.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from memctl.episodic.recall_results import Recalled
from memctl.episodic.search.recall import recall_turns
from memctl.store import statements

if TYPE_CHECKING:
    from collections.abc import Callable

    from memctl.config.settings import Settings
    from memctl.episodic.recall_request import RecallRequest
    from memctl.semantic.fact_finder import FactFinder
    from memctl.store.store import Store

__all__ = ["recall_across"]

READ = statements.load("store/fact_read")
STATES = statements.load("store/state")


def recall_across(
    facts: Callable[[], FactFinder], store: Store, settings: Settings, request: RecallRequest
) -> Recalled:
    """Return the best rows of all tiers, best first, and the states of an app among them."""
    found = _recall_texts(facts, store, settings, request)
    if not (request.allows_states and store.exists and store.value(STATES.any_living)):
        return found
    from memctl.recall.state_recall import with_states

    return with_states(store, request, found)


def _recall_texts(
    facts: Callable[[], FactFinder], store: Store, settings: Settings, request: RecallRequest
) -> Recalled:
    """Return the best rows of turns, episodes and facts; of equals, facts before the rest.

    `max_tokens` is a hard cap on the cost of all rows together, `limit` on their number. Rows
    that only vectors brought stand behind those that words did, and are looked for only where
    words of all tiers brought too few. `facts` is called where the store holds one: a fact
    finder takes longer to load than a recall.
    """
    barred = request.no_facts_note
    asks_facts = request.allows_facts and not barred and _holds_facts(store)
    if request.allows_turns_or_episodes and not asks_facts:
        found = recall_turns(store, settings, request)
        if found or not (request.allows_facts and barred and _holds_facts(store)):
            return found
        return replace(found, note=f"{found.note}; {barred}")
    if set(request.kinds) == {"state"}:
        return Recalled((), note="no screen holds these words")
    if not store.exists:
        return Recalled((), note="nothing was remembered yet")
    from memctl.recall.merging import recall_merged

    return recall_merged(facts(), store, settings, request, asks_facts=asks_facts)


def _holds_facts(store: Store) -> bool:
    """Return whether the store has a fact at all, whoever's; one row is looked at."""
    return store.exists and store.row(READ.any_fact) is not None
