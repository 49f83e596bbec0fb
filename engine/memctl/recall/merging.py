"""Recall where there are facts: their rows and those of the episodic tier in one list.

Both rank by shares of the question's weight, so their scores are of one scale: 1 is a row
that covers it all. A turn gains from its surroundings (its thread, who said it, the turn
before); a fact has none, and gains in proportion to what it covers instead.
"""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

from memctl.base.tokens import estimate_tokens
from memctl.episodic.recall_records import keep
from memctl.episodic.recall_results import Recalled, Row, ScoreTerm, within_limits
from memctl.episodic.search.recall import recall_turns
from memctl.semantic.records import Hits
from memctl.semantic.search.fact_words import query_words
from memctl.text.cleaning import (
    cleaned,
    masked_question,
    note_on_no_words,
    words_outside_secrets,
)
from memctl.text.messages import text_of
from memctl.text.splitting import NO_WORDS

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from memctl.config.settings import Settings
    from memctl.episodic.recall_request import RecallRequest
    from memctl.semantic.fact_finder import FactFinder
    from memctl.semantic.records import Hit
    from memctl.store.store import Store

__all__ = ["recall_merged"]

# Facts that a budget chooses among, for each row that may come back.
_POOL = 4
# What a fact gains, as a multiple of what it covers. On LoCoMo with its observations stored
# as facts (fitted on conversations 26 and 42, looked at on 30, 41 and 43) one is the most that
# lifts the first place and costs nothing among the first five or ten.
_STANDS_ALONE = 1.0
# Unknown words that facts are asked for.
_MAX_UNKNOWN = 32
_DIGITS = 4


class _FactWords:
    """The words of facts as `KnownWords`."""

    def __init__(self, facts: FactFinder, as_of: str | None) -> None:
        self._facts = facts
        self._as_of = as_of

    def holds(self, word: str) -> bool:
        return bool(self._facts.knows([word], as_of=self._as_of))


def recall_merged(
    facts: FactFinder,
    store: Store,
    settings: Settings,
    request: RecallRequest,
    *,
    asks_facts: bool,
) -> Recalled:
    """Return the best rows of all tiers; see `memctl.recall.tiers.recall_across`."""
    started = time.perf_counter()
    text = cleaned(text_of(request.query), what="query")
    masked = masked_question(store, text)
    hits = _hits(facts, text, request) if asks_facts else Hits()
    rows = [_row(hit) for hit in hits]
    found = Recalled(())
    words = words_outside_secrets(query_words(text), text, masked)
    unheld: Sequence[str] = words
    if request.allows_turns_or_episodes:
        covering = settings.number("primary_coverage")
        found = recall_turns(
            store,
            settings,
            replace(request, record=False),
            primary=sum(hit.score >= covering for hit in hits),
            known_words=_FactWords(facts, request.as_of) if asks_facts else NO_WORDS,
        )
        rows += [_weighed(row, found) for row in found] if rows else list(found)
        unheld = found.unknown
    taken = _taken(rows, request)
    corrected = hits.corrected | found.corrected
    held = {word for row in rows for word in row.matched} | corrected.keys()
    unknown = _unknown(facts, unheld, held, request)
    merged = replace(
        found,
        rows=taken,
        unknown=unknown,
        corrected=corrected,
        aliases=hits.aliases | found.aliases,
        note="" if taken else _note(text, rows, words, unknown, request, hits),
        duration_ms=(time.perf_counter() - started) * 1000,
    )
    # A blank question asks nothing: there is nothing to keep of it.
    if request.record and text.strip() and not store.readonly:
        return keep(store, masked, merged)
    return merged


def _hits(facts: FactFinder, text: str, request: RecallRequest) -> Hits:
    pool = request.limit if request.max_tokens is None else request.limit * _POOL
    return facts.search(text, limit=pool, as_of=request.as_of)


def _row(hit: Hit) -> Row:
    words = set(hit.matched)
    terms = [
        ScoreTerm(f"word:{one.term}" if one.term in words else one.term, one.value, one.why)
        for one in hit.explain
    ]
    covered = sum(one.value for one in hit.explain if one.term in words)
    gain = round(_STANDS_ALONE * covered, _DIGITS)
    terms.append(
        ScoreTerm("fact", gain, f"it stands for itself: once more the {covered:.0%} that it covers")
    )
    return Row(
        kind="fact",
        id=hit.fact.id,
        text=hit.fact.text,
        happened_at=hit.fact.valid_from,
        score=_sum(terms),
        matched=hit.matched,
        explain=tuple(terms),
        tokens=estimate_tokens(hit.fact.text),
    )


def _weighed(row: Row, found: Recalled) -> Row:
    """Return a turn or episode, weighed by the whole question, as facts are.

    By itself it is weighed by the words that turns and episodes hold: where a fact holds
    another one too, half an answer would look like a whole one.
    """
    if row.fallback or not found.unknown:
        return row
    words = ", ".join(f'"{word}"' for word in found.unknown)
    why = f"no turn or episode holds {words}: {1 - found.held:.0%} of the question's weight"
    lost = ScoreTerm("unheld", -round(row.score * (1 - found.held), _DIGITS), why)
    terms = (*row.explain, lost)
    return replace(row, explain=terms, score=_sum(terms))


def _sum(terms: Iterable[ScoreTerm]) -> float:
    return round(sum(term.value for term in terms), _DIGITS)


def _taken(rows: Iterable[Row], request: RecallRequest) -> tuple[Row, ...]:
    """Return the best rows that fit."""
    # Rows that no word brought stand behind those that a word did, whatever their score.
    ranked = sorted(rows, key=lambda row: (row.fallback, -row.score))
    return within_limits(ranked, request.limit, request.max_tokens)


def _unknown(
    facts: FactFinder, words: Sequence[str], held: Collection[str], request: RecallRequest
) -> tuple[str, ...]:
    """Return those of `words` that no row of any tier holds, whether it is shown or not."""
    left = [word for word in words if word not in held][:_MAX_UNKNOWN]
    known = facts.knows(left, as_of=request.as_of, ever=True) if left else frozenset()
    return tuple(word for word in left if word not in known)


def _note(
    text: str,
    rows: Sequence[Row],
    words: Sequence[str],
    unknown: Sequence[str],
    request: RecallRequest,
    hits: Hits,
) -> str:
    """Return the note of an empty answer: the reason for it."""
    if request.no_facts_note and not request.allows_turns_or_episodes:
        return request.no_facts_note
    if not words:
        return hits.note or note_on_no_words(text)
    if rows:
        least = min(row.tokens for row in rows)
        return f"what matches does not fit: the shortest row takes {least} tokens"
    if len(unknown) >= len(words):
        return "no row holds " + ", ".join(f'"{word}"' for word in unknown)
    if hits.withheld:
        return hits.note
    room = f" within {request.max_tokens} tokens" if request.max_tokens is not None else ""
    return f"no row passes the filters{room}"
