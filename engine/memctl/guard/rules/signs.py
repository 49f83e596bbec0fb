"""Which of the rules' signs stand in a text, found by looking its words up.

Every rule begins with one of some pieces of text: hundreds in all, and to search a line for each
costs more than all else that is done with it. But talk is made of words that come again and again,
and hardly a sign has a blank in it. So what stands in a word is found once, and kept.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, NamedTuple, Self

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["SHORTEST_KEY", "Signs", "has_long_word", "is_harmless", "lowered", "signs_in"]

# Characters; no key is shorter than this, and little ordinary prose has words as long.
SHORTEST_KEY = 15
_MOST_KNOWN = 20_000  # words, some megabytes; those of a language that anybody uses are fewer
_LONGEST_KNOWN = 40  # characters
_LONGEST_READ = 2_000  # characters; a longer text is searched as fast as it is read word by word
_HEAD = 2  # characters
# Of words with numbers there are too many to be kept: they are looked up with each digit a nought.
_NOUGHTS = str.maketrans("123456789", "000000000")
_NOUGHT_BYTES = bytes.maketrans(b"123456789", b"000000000")


class Signs(frozenset[str]):
    """Pieces of text, in lower case, one of which a text must hold for a rule to be asked."""

    def __new__(cls, signs: Iterable[str]) -> Self:
        """Let `signs_in` find these, from now on."""
        made = super().__new__(cls, signs)
        _every.add(made)
        return made


def lowered(text: str) -> str:
    """Return a text in lower case, of the same length: one character grows when lowered."""
    return text.replace("\u0130", "I").lower()


def signs_in(low: str) -> set[str]:
    """Return those of all `Signs` that stand in a text.

    Parameters
    ----------
    low
        The text in lower case, of any length.
    """
    return _every.index().read(low.replace("\t", " ")).signs


def has_long_word(low: str) -> bool:
    """Whether a word of a text, as blanks part them, is as long as a key."""
    return _every.index().read(low.replace("\t", " ")).has_long_word


def is_harmless(low: str) -> bool:
    """Whether a line is made of known words alone that no rule would look at twice.

    Parameters
    ----------
    low
        A line in lower case. True of no text with a sign of two characters or more, a digit or a
        word as long as a key; False is said of others too.
    """
    return _every.index().knows_as_harmless(low.replace("\t", " "))


class _Reading(NamedTuple):
    """A text in lower case, the signs in it, and whether a word of it is as long as a key."""

    low: str
    signs: set[str]
    has_long_word: bool


class _Index:
    """Finds some signs in a text by its words.

    Parameters
    ----------
    signs
        What is looked for; of several words, the longest is looked for first.
    """

    def __init__(self, signs: Iterable[str]) -> None:
        self._signs = sorted(signs)
        self._meant: dict[str, list[str]] = {}
        anywhere = []
        for sign in self._signs:
            piece = max(sign.translate(_NOUGHTS).split(), key=len)
            if len(piece) < _HEAD:
                anywhere.append(sign)
            else:
                self._meant.setdefault(piece, []).append(sign)
        self._by_head: dict[str, list[str]] = {}
        for piece in self._meant:
            self._by_head.setdefault(piece[:_HEAD], []).append(piece)
        self._anywhere = tuple(anywhere)
        self._apart = tuple(sign for sign in anywhere if len(sign) > 1)  # "stop a spy": "p a s"
        self._anywhere_in_ascii = tuple(filter(str.isascii, anywhere))
        self._known: dict[str, list[str]] = {}
        self._plain: set[str] = set()  # known to hold nothing, and too short, as nearly all are
        self._harmless: set[str] = set()  # those of them without digits
        self._last = _Reading("", set(), has_long_word=False)  # the gate asks, then the rules

    def read(self, low: str) -> _Reading:
        """Return what stands in a text in lower case, without tabs."""
        last = self._last
        if last.low != low:
            self._last = last = (
                self._by_words(low) if len(low) <= _LONGEST_READ else self._whole(low)
            )
        return last

    def knows_as_harmless(self, low: str) -> bool:
        """Whether each word of a line is known to hold nothing, no digit, and is no key."""
        return (
            self._harmless.issuperset(low.split())
            and "\n" not in low
            and not any(sign in low for sign in self._apart)
        )

    def _whole(self, low: str) -> _Reading:
        signs = {sign for sign in self._signs if sign in low}
        return _Reading(low, signs, any(map(_is_long, low.split())))

    def _by_words(self, low: str) -> _Reading:
        words = _with_noughts(low).split()
        found: set[str] = set()
        has_long_word = False
        if not self._plain.issuperset(words):
            further = set(words) - self._plain
            has_long_word = any(map(_is_long, further))
            pieces = [piece for word in further for piece in self._pieces(word)]
            found = {sign for piece in pieces for sign in self._meant[piece] if sign in low}
        for sign in self._anywhere_in_ascii if low.isascii() else self._anywhere:
            if sign in low:
                found.add(sign)
        return _Reading(low, found, has_long_word)

    def _pieces(self, word: str) -> list[str]:
        known = self._known.get(word)
        return self._look_at(word) if known is None else known

    def _look_at(self, word: str) -> list[str]:
        """Return the pieces that begin in a word, its digits noughts."""
        held = []
        for at in range(len(word) - 1):
            pieces = self._by_head.get(word[at : at + _HEAD])
            if pieces is not None:  # hardly ever
                held += [piece for piece in pieces if word.startswith(piece, at)]
        if len(self._known) + len(self._plain) < _MOST_KNOWN and len(word) <= _LONGEST_KNOWN:
            if held or _is_long(word):
                self._known[word] = held
            else:
                self._plain.add(word)
                # A sign of another script may be a single character, which no word is asked for.
                if word.isascii() and not any(map(str.isdigit, word)):
                    self._harmless.add(word)
        return held


def _with_noughts(low: str) -> str:
    """Return a text with each digit a nought; through bytes, which is eight times as fast."""
    if low.isascii():
        return low.encode().translate(_NOUGHT_BYTES).decode()
    return low.translate(_NOUGHTS)


def _is_long(word: str) -> bool:
    return len(word) >= SHORTEST_KEY


class _Every:
    """All signs, and the index of those that there are by now: rules are imported late."""

    def __init__(self) -> None:
        self._signs: set[str] = set()
        self._index: _Index | None = None
        self._lock = threading.Lock()

    def add(self, signs: Iterable[str]) -> None:
        with self._lock:
            self._signs.update(signs)
            self._index = None

    def index(self) -> _Index:
        if (made := self._index) is not None:
            return made
        with self._lock:
            self._index = made = self._index or _Index(self._signs)
            return made


_every = _Every()
