"""Notes on a query that found nothing, and the words of a query that an answer may repeat."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from memctl.text.cleaning import masked_question, note_on_no_words, words_outside_secrets

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memctl.semantic.search.fact_query import QueryTerm
    from memctl.semantic.search.word_rows import WordRows
    from memctl.store.store import Store

__all__ = ["Reason", "repeatable_terms", "why_nothing_matches"]

# Words of a query that an answer without facts repeats.
_MAX_TOLD = 8


class Reason(NamedTuple):
    """Why nothing was found, and whether that is because what matches holds at another time."""

    note: str
    withheld: bool = False


def repeatable_terms(terms: Sequence[QueryTerm], query: str, store: Store) -> list[QueryTerm]:
    """Return the terms that an answer may repeat: no word that only a secret in the query holds."""
    if not terms:
        return []
    spoken = masked_question(store, query)
    told = frozenset(words_outside_secrets([one.word for one in terms], query, spoken))
    return [one for one in terms if one.word in told]


def why_nothing_matches(
    query: str, terms: Sequence[QueryTerm], rows: WordRows, store: Store
) -> Reason:
    """Return why no fact within the scope matches, and what to do; nothing of others' facts."""
    if any(rows.stands(variant.match, filtered=False) for one in terms for variant in one.variants):
        return Reason("no fact that matches passes the filters")
    if not terms:
        return Reason(note_on_no_words(query))
    kept = _held_at_other_times(terms, rows)
    told = [f'"{one.word}"' for one in repeatable_terms(kept or terms, query, store)[:_MAX_TOLD]]
    words = ", ".join(told) or "a word of it"
    if kept and rows.as_of:
        then = f"what holds {words} does not hold at {rows.as_of}: ask for another time"
        return Reason(then, withheld=True)
    if kept:
        now = f"what holds {words} does not hold now: it was replaced, has expired or waits"
        return Reason(now, withheld=True)
    return Reason(f"no fact holds {words}")


def _held_at_other_times(terms: Sequence[QueryTerm], rows: WordRows) -> list[QueryTerm]:
    """Return the terms that some fact of the scope holds, at another time or before any filter."""
    if not rows.kept(
        " OR ".join(f"({variant.match})" for one in terms for variant in one.variants)
    ):
        return []  # mostly, and at once
    return [one for one in terms if any(rows.kept(variant.match) for variant in one.variants)]
