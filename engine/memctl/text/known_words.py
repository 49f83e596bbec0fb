"""The words that another tier holds, as a tier that searches may ask for them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["NO_WORDS", "KnownWords", "WordsOfTier"]


class KnownWords(Protocol):
    """The words that another tier holds: none of them is misspelt, whoever else lacks it."""

    def holds(self, word: str, /) -> bool:
        """Return whether the tier holds a word."""


class _NoWords:
    def holds(self, _: str, /) -> bool:
        return False


# The words of a tier that is not asked.
NO_WORDS: KnownWords = _NoWords()


class WordsOfTier:
    """The words of a tier that is loaded when the first word is asked for."""

    def __init__(self, tier: Callable[[], KnownWords]) -> None:
        self._tier = tier

    def holds(self, word: str, /) -> bool:
        """Return whether the tier holds a word."""
        return self._tier().holds(word)
