"""Words that were looked at before: talk is made of words that come again and again.

Hardly a sign of a secret has a blank in it, and no key has. So a line of words that are known to
hold neither holds neither, and most lines are judged by looking their words up.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = ["PlainWords"]

# Some megabytes; the words of a language that anybody uses are fewer.
_MOST_KNOWN = 20_000


class PlainWords:
    """The words of lines in ASCII that hold no sign and are no key.

    Parameters
    ----------
    signs
        What is looked for, in lower case, of two characters or more.
    is_key
        Whether a word, as it was written, may be a key.
    """

    def __init__(self, signs: Sequence[str], is_key: Callable[[str], bool]) -> None:
        self._is_key = is_key
        self._known: set[str] = set()
        self._by_head: dict[str, tuple[str, ...]] = {}
        between = set()
        for sign in signs:
            if " " in sign:  # the flags of commands are alike in their beginning
                between.add(" -" if " -" in sign else sign)
            else:
                self._by_head[sign[:2]] = (*self._by_head.get(sign[:2], ()), sign)
        self._between = tuple(between)

    def has_number(self, line: str) -> bool | None:
        """Whether there is a digit in a line without signs and keys; ``None``: it may have some.

        Parameters
        ----------
        line
            ASCII, without line breaks.
        """
        low = line.lower()
        for sign in self._between:
            if sign in low:
                return None
        known = self._known
        new = [word for word in line.split() if word not in known]
        numbers = 0
        for word in new:
            if self._holds_sign(word.lower()) or self._is_key(word):
                return None
            if any(map(str.isdigit, word)):
                numbers += 1
            elif len(known) < _MOST_KNOWN:
                known.add(word)
        return numbers > 0

    def _holds_sign(self, word: str) -> bool:
        for at in range(len(word) - 1):
            signs = self._by_head.get(word[at : at + 2])
            if signs is not None and word.startswith(signs, at):
                return True
        return False
