"""The known words that a mistyped one may mean: of commands, settings, components, choices."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

# A longer word is prose in the place of a name: comparing it is of no use.
_LONGEST = 100
_MOST = 3
_NEAR = 0.65  # of difflib: twice the letters that both have, by the letters of both


def near_words(word: object, known: Iterable[str], most: int = _MOST) -> list[str]:
    """Find the known words that are near a mistyped one, the nearest first, at most so many.

    Capitals, blanks, "-" and "_" do not matter.
    """
    from difflib import get_close_matches

    spellings: dict[str, str] = {}
    for one in known:
        whole = _folded(one)
        spellings[whole] = one
        spellings.setdefault(whole.partition(" ")[0], one)  # "claude" may mean "claude-code"
    typed = str(word)
    if len(typed) > _LONGEST:
        return []
    found = get_close_matches(_folded(typed), spellings, 2 * most, _NEAR)
    return list(dict.fromkeys(spellings[one] for one in found))[:most]


def meant(word: object, known: Iterable[str], otherwise: str = "") -> str:
    """Return the hint that names what may be meant: ``did you mean "Delete"?``.

    `otherwise` is the hint where nothing is near.
    """
    near = " or ".join(f'"{near_word}"' for near_word in near_words(word, known))
    return f"did you mean {near}?" if near else otherwise


def one_of(word: object, known: Iterable[str]) -> str:
    """Return the hint of a closed choice: what may be meant, and all that there is."""
    words = list(known)
    return " ".join(filter(None, [meant(word, words), f"one of {', '.join(words)}"]))


def _folded(word: str) -> str:
    return " ".join(word.casefold().replace("_", " ").replace("-", " ").split())
