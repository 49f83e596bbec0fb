"""What is said of a query that found nothing, and which of its words may be repeated."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memctl.wording.blank import why_nothing_is_asked
from memctl.wording.telling import speakable, tellable_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memctl.semantic.sought import Sought
    from memctl.semantic.word_rows import WordRows
    from memctl.store import Store

__all__ = ["tellable", "why_nothing_matches"]

# Words of a query that an answer without facts repeats.
_MAX_TOLD = 8


def tellable(sought: Sequence[Sought], query: str, store: Store) -> list[Sought]:
    """Return what may be repeated: no word that only a secret in the query holds."""
    if not sought:
        return []
    spoken = speakable(store, query)
    told = frozenset(tellable_words([one.word for one in sought], query, spoken))
    return [one for one in sought if one.word in told]


def why_nothing_matches(query: str, sought: Sequence[Sought], rows: WordRows, store: Store) -> str:
    """Return why no fact within the scope matches, and what to do; nothing of others' facts."""
    if any(rows.stands(form.match, filtered=False) for one in sought for form in one.forms):
        return "no fact that matches passes the filters"
    if sought:
        told = [f'"{one.word}"' for one in tellable(sought, query, store)[:_MAX_TOLD]]
        return f"no fact holds {', '.join(told) or 'a word of it'}"
    return why_nothing_is_asked(query)
