"""Whether something stands near a place: a word that could be a password, the name of a secret."""

from __future__ import annotations

from memctl.base.pattern import Pattern

__all__ = ["Ahead", "odd_words"]

# The fewest characters of what `judge.is_strong` accepts, one of them a digit or a mark; or two
# words in one, as people answer when they are asked for one; or three that are joined.
_ODD = Pattern(
    r"(?=\S{0,4}[\d#*+@^~!€£§])\S{5}|[A-Z][a-z]+[A-Z][a-z]|[a-zA-Z]{2}([-_])[a-zA-Z]{3,12}\1[a-zA-Z]{3}"
)


class Ahead:
    """Answers for places in ascending order, reading the text once.

    Parameters
    ----------
    text
        The text that rules search.
    what
        What is looked for.
    """

    def __init__(self, text: str, what: Pattern) -> None:
        self._text, self._what = text, what
        self._next = -1

    def is_near(self, start: int, end: int) -> bool:
        """Whether it begins between two places; `start` never goes back."""
        if self._next < start:
            found = self._what.search(self._text, max(start, 0))
            self._next = found.start() if found else len(self._text)
        return self._next < end


def odd_words(text: str) -> Ahead:
    """Return where words stand that could be a password for a digit, a mark or a capital alone."""
    return Ahead(text, _ODD)
