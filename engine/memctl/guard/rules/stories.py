"""Passwords of films and books: told of, and the password of nobody."""

from __future__ import annotations

from memctl.base.pattern import Pattern
from memctl.guard.rules.sayings import Saying

__all__ = ["is_of_story"]

_AROUND = 64  # characters
_STORY = Saying(r"<fiction>")
_OWNED = Pattern(r"(?i)\b(?:my|our|your|mein\w{0,2}|unser\w{0,2}|mi|mon|ma|notre)\b|我|私の|俺の")


def is_of_story(text: str, name: int, start: int, end: int) -> bool:
    """Whether a word is the password of a story: no digit in it, and nobody's.

    Parameters
    ----------
    text
        The text that is searched.
    name
        Where the name of a password begins.
    start, end
        Span of the word.
    """
    if any(map(str.isdigit, text[start:end])):
        return False
    first, last = min(name, start), max(name, end)
    begin = max(text.rfind("\n", 0, first) + 1, first - _AROUND)
    around = text[begin : last + _AROUND].split("\n", maxsplit=1)[0]
    return _STORY.search(around) is not None and _OWNED.search(around) is None
