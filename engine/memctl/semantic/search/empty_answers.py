"""What is said of a query that found nothing, and which of its words may be repeated."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from memctl.text.cleaning import masked_question, note_on_no_words, words_outside_secrets

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memctl.semantic.search.fact_query import Sought
    from memctl.semantic.search.word_rows import WordRows
    from memctl.store.store import Store

__all__ = ["Reason", "tellable", "why_nothing_matches"]

# Words of a query that an answer without facts repeats.
_MAX_TOLD = 8


class Reason(NamedTuple):
    """Why nothing was found, and whether that is because what matches holds at another time."""

    note: str
    withheld: bool = False


def tellable(sought: Sequence[Sought], query: str, store: Store) -> list[Sought]:
    """Return what may be repeated: no word that only a secret in the query holds."""
    if not sought:
        return []
    masked = masked_question(store, query)
    told = frozenset(words_outside_secrets([one.word for one in sought], query, masked))
    return [one for one in sought if one.word in told]


def why_nothing_matches(
    query: str, sought: Sequence[Sought], rows: WordRows, store: Store
) -> Reason:
    """Return why no fact within the scope matches, and what to do; nothing of others' facts."""
    if any(rows.stands(form.match, filtered=False) for one in sought for form in one.forms):
        return Reason("no fact that matches passes the filters")
    if not sought:
        return Reason(note_on_no_words(query))
    kept = _holding_otherwise(sought, rows)
    told = [f'"{one.word}"' for one in tellable(kept or sought, query, store)[:_MAX_TOLD]]
    words = ", ".join(told) or "a word of it"
    if kept and rows.as_of:
        then = f"what holds {words} does not hold at {rows.as_of}: ask for another time"
        return Reason(then, withheld=True)
    if kept:
        now = f"what holds {words} does not hold now: it was replaced, has expired or waits"
        return Reason(now, withheld=True)
    return Reason(f"no fact holds {words}")


def _holding_otherwise(sought: Sequence[Sought], rows: WordRows) -> list[Sought]:
    """Return what some fact of the scope holds, be it at another time or before any filter."""
    if not rows.kept(" OR ".join(f"({form.match})" for one in sought for form in one.forms)):
        return []  # mostly, and at once
    return [one for one in sought if any(rows.kept(form.match) for form in one.forms)]
