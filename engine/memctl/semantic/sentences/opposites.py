"""Words that exclude each other, words of denial, figures and names: what tells like texts apart."""

from __future__ import annotations

import re

from memctl.base.pattern import Pattern
from memctl.semantic.sentences.word_tables import lines_in, words_in

__all__ = ["denies", "ends_in_state", "exclude_each_other", "figures_in", "names_in", "state_class"]


def _sides_in(section: str) -> dict[str, tuple[str, int]]:
    """Return each word of a section with the first of its line, and the number of its side of it."""
    found: dict[str, tuple[str, int]] = {}
    for line in lines_in(section):
        sides = [side.split() for side in line.split("|")]
        for number, side in enumerate(sides):
            found = dict.fromkeys(side, (sides[0][0], number)) | found
    return found


_STATES = _sides_in("states")


def state_class(state: str) -> str:
    """Return the class of a state, which those of its line share; without a line, the state."""
    return f"<{_STATES[state][0]}>" if state in _STATES else state


def ends_in_state(text: str) -> bool:
    """Return whether the last word of `text` is a state that excludes others."""
    return text[text.rfind(" ") + 1 :].lower() in _STATES


def exclude_each_other(one: str, other: str) -> bool:
    """Return whether two states of one line cannot both hold: who is divorced may be called single."""
    return _STATES.get(one) != _STATES.get(other)


_WORD = Pattern(r"[^\W_]+(?:['\u2019][^\W_]+)?")
_DENIALS = words_in("denials")
# What one used to do; not what one is used to, nor what something is used to do.
_USED_TO = Pattern(
    r"(?<!\b(?:am|is|be)\s)(?<!\b(?:are|was|get|got)\s)(?<!\b(?:were|been|gets)\s)(?<!'[ms]\s)(?<!'re\s)\bused\s+to\b",
    re.IGNORECASE,
)
# Parts of words, where those are not written apart.
_DENIALS_APART = Pattern(
    "[\u4e0d\u6ca1\u6c92\u7121]|\u8ba8\u538c|\u8a0e\u53ad|\u306a\u3044|"
    "\u306a\u304b\u3063\u305f|\u307e\u305b\u3093|\u5acc\u3044|\uc54a|\uc5c6|\uc544\ub2c8|\uc2eb\uc5b4"
)


def denies(text: str) -> bool:
    """Return whether `text` holds a word that turns what it says round: not, never, hates, used to."""
    words = _WORD.findall(text.casefold().replace("\u2019", "'"))
    if any(word in _DENIALS or word.endswith("n't") for word in words) or _USED_TO.search(text):
        return True
    return not text.isascii() and _DENIALS_APART.search(text) is not None


_FIGURES = Pattern(r"\d[\d.,:-]*\d|\d")
_NUMBER_WORDS = words_in("number words")


def figures_in(text: str) -> frozenset[str]:
    """Return the figures of `text`: numbers, dates, times and versions, as written, and number words."""
    words = _WORD.findall(text.casefold())
    return frozenset(_FIGURES.findall(text)) | _NUMBER_WORDS.intersection(words)


_NAMES = Pattern(r"(?<=[\w,;:)\"] )[A-Z][\w-]*[a-z\d][\w-]*")
_NO_NAMES = frozenset(["User", "Assistant"])


def names_in(text: str) -> frozenset[str]:
    """Return the words of `text` with a capital inside a sentence: names, weekdays, products."""
    return frozenset(_NAMES.findall(text)) - _NO_NAMES
