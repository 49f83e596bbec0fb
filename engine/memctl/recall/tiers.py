"""Recall over the tiers: turns, episodes, facts and states in one list.

It stands one floor above the tiers, which do not know each other, and keeps what was asked.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from memctl.base.errors import NotFoundError
from memctl.episodic.recall_records import keep
from memctl.search.engine import search
from memctl.search.recall_results import Recalled
from memctl.store import statements

if TYPE_CHECKING:
    from collections.abc import Callable

    from memctl.config.settings import Settings
    from memctl.search.answer.explanation import WhyNot
    from memctl.search.fact_scope import FactScope
    from memctl.search.recall_request import RecallRequest
    from memctl.semantic.facts import Facts
    from memctl.store.store import Store

READ = statements.load("store/fact_read")
STATES = statements.load("store/state")


def recall_across(
    facts: Callable[[], Facts], store: Store, settings: Settings, request: RecallRequest
) -> Recalled:
    """Return the best rows of all tiers, best first, and the states of an app behind them.

    `facts` is called where the store holds one: a fact finder takes longer to load than a
    recall.
    """
    if set(request.kinds) == {"state"}:
        found = Recalled((), note="no screen holds these words")
    else:
        found = _searched(facts, store, settings, request)
        found = keep(store, request, found)
    if not (request.allows_states and store.exists and store.value(STATES.any_living)):
        return found
    from memctl.recall.state_recall import with_states

    return with_states(store, request, found)


def why_not_across(
    facts: Callable[[], Facts],
    store: Store,
    settings: Settings,
    request: RecallRequest,
    row: str,
) -> WhyNot:
    """Return where a row stands for a question; see `memctl.search.answer.explanation`."""
    from memctl.search.answer.explanation import why_not

    if not store.exists:
        raise NotFoundError(f'there is no row "{row:.40}"', hint="nothing was remembered yet")
    scope = _fact_scope(facts, store, request)
    answer = search(store, settings, request, scope)
    return why_not(store, settings, request, row, answer, scope)


def _fact_scope(
    facts: Callable[[], Facts], store: Store, request: RecallRequest
) -> FactScope | None:
    """Return whose facts a request reads; ``None`` where it asks for none, or there is none."""
    if not request.allows_facts or request.no_facts_note or not _holds_facts(store):
        return None
    return facts().reading(request.held_at)


def _searched(
    facts: Callable[[], Facts], store: Store, settings: Settings, request: RecallRequest
) -> Recalled:
    holds = request.allows_facts and _holds_facts(store)
    barred = request.no_facts_note if holds else ""
    scope = facts().reading(request.held_at) if holds and not barred else None
    if barred and not request.allows_turns_or_episodes:
        return Recalled((), note=barred)
    found = search(store, settings, request, scope)
    return replace(found, note=f"{found.note}; {barred}") if barred and not found else found


def _holds_facts(store: Store) -> bool:
    """Return whether the store has a fact at all, whoever's; one row is looked at."""
    return store.exists and store.row(READ.any_fact) is not None
