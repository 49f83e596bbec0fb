"""What of a question may be kept and shown: it is clean, and no secret in it is repeated."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memctl.guard.door import masked
from memctl.text.characters import cleaned_question

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memctl.store.store import Store

__all__ = ["speakable", "tellable_words"]

# A question that is a page is remembered by its beginning.
_MAX_QUESTION = 2_000


def speakable(store: Store, question: str) -> str:
    """Return the beginning of a question as it may be kept and shown: clean, secrets masked."""
    return masked(store, cleaned_question(question, most=_MAX_QUESTION))


def tellable_words(words: Iterable[str], text: str, spoken: str) -> tuple[str, ...]:
    """Return those of some words of a question that do not stand in a secret of it alone."""
    if len(text) <= _MAX_QUESTION and cleaned_question(text) == spoken:
        return tuple(words)
    plain = spoken.lower()
    return tuple(word for word in words if word in plain)
