"""Recall over the tiers: turns, episodes, facts and states in one list.

It stands one floor above the tiers, which do not know each other, and keeps what was asked.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from memctl.base.errors import NotFoundError
from memctl.recall.recalls import keep
from memctl.search.engine import search
from memctl.search.recall_results import Recalled, Row, ScoreTerm, within_limits
from memctl.store import statements
from memctl.text.cleaning import text_of
from memctl.text.closed_words import query_words
from memctl.text.splitting import Splitter

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from memctl.config.settings import Settings
    from memctl.search.answer.explanation import WhyNot
    from memctl.search.fact_scope import FactScope
    from memctl.search.recall_request import RecallRequest
    from memctl.semantic.facts import Facts
    from memctl.store.store import Store

READ = statements.load("store/fact_read")
STATES = statements.load("store/state")

_LEAST = 0.3  # share of the question's weight: below, a screen has a word in common by chance
_DIGITS = 4


def recall_across(
    facts: Callable[[], Facts], store: Store, settings: Settings, request: RecallRequest
) -> Recalled:
    """Find the best rows of all tiers, best first, and the states of an app behind them.

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
    return _with_states(store, request, found)


def why_not_across(
    facts: Callable[[], Facts], store: Store, settings: Settings, request: RecallRequest, row: str
) -> WhyNot:
    """Explain the rank of a row for a question; see `memctl.search.answer.explanation`."""
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


# -- screens -------------------------------------------------------------------------------


def _with_states(store: Store, request: RecallRequest, recalled: Recalled) -> Recalled:
    """Add the states whose description has words of the question to an answer.

    A word weighs by its idf among the states; the score is the share of the question's weight
    that a description has, 0 to 1. They come behind turns, episodes and facts: a screen has many
    words, and some of any question. They are not kept among the hits.
    """
    states = sorted(_rows(store, text_of(request.query)), key=lambda row: -row.score)
    taken = within_limits(
        [*recalled, *states], max(request.most, len(recalled)), request.max_tokens
    )
    held = {word for row in taken for word in row.matched}
    unknown = tuple(word for word in recalled.unknown if word not in held)
    return replace(
        recalled, rows=taken, unknown=unknown, note=recalled.note if recalled or not taken else ""
    )


def _rows(store: Store, question: str) -> Sequence[Row]:
    asked = query_words(question)
    states = store.rows(STATES.descriptions) if asked else ()
    if not states:
        return ()
    texts = [" ".join(filter(None, (row["name"], row["description"]))) for row in states]
    words, *held = Splitter(store).split([" ".join(asked), *texts])
    surfaces = {token.stem: token.surface for token in words}
    stems = [surfaces.keys() & {token.stem for token in tokens} for tokens in held]
    weights = {
        stem: math.log1p(len(states) / max(sum(stem in one for one in stems), 1))
        for stem in surfaces
    }
    total = sum(weights.values())
    result = []
    for row, text, own in zip(states, texts, stems, strict=True):
        terms = tuple(
            ScoreTerm(
                f"word:{surfaces[stem]}", round(weights[stem] / total, _DIGITS), "on the screen"
            )
            for stem in surfaces
            if stem in own
        )
        score = round(sum(term.value for term in terms), _DIGITS)
        if score >= _LEAST:
            matched = tuple(surfaces[stem] for stem in surfaces if stem in own)
            result.append(
                Row("state", row["id"], text, row["last_seen_at"], score, matched, explain=terms)
            )
    return result
