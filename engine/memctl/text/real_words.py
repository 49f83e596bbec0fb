"""Real words of English, which are no misspellings, and words with two spellings."""

from __future__ import annotations

import gzip
from functools import cache, lru_cache
from importlib.util import find_spec
from pathlib import Path

__all__ = ["is_real_word", "spelling_variants"]

_LIST = "en.json.gz"
# Endings and groups of letters that one word is written with, or with the other, in longer words:
# imposter and impostor, colour and color, organise and organize, travelled and traveled.
_GROUPS = (
    ("er", "or"),
    ("our", "or"),
    ("ise", "ize"),
    ("isa", "iza"),
    ("isi", "izi"),
    ("yse", "yze"),
    ("tre", "ter"),
    ("bre", "ber"),
    ("nce", "nse"),
    ("ogue", "og"),
    ("lled", "led"),
    ("lling", "ling"),
    ("aem", "em"),
    ("aed", "ed"),
    ("grey", "gray"),
)
_SHORTEST = 8
_SHORT = ("our", "grey", "gray", "tre", "ter", "nce", "nse")


@lru_cache(maxsize=4096)
def is_real_word(word: str) -> bool:
    """Return whether a word, in lower case, stands in a list of 160,000 English words.

    The list is that of the package pyspellchecker, inflected forms included; of British spellings
    it has few.
    """
    return f'\n"{word}":'.encode() in _listed()


def spelling_variants(word: str) -> tuple[str, ...]:
    """Return how a word, in lower case, may be written otherwise: "imposter" for "impostor".

    Most of what is returned is no word: ask for what the store holds.
    """
    found = {
        word[:place] + other + word[place + len(one) :]
        for pair in _GROUPS
        for one, other in (pair, pair[::-1])
        if len(word) >= _SHORTEST or one in _SHORT
        for place in range(len(word) - len(one) + 1)
        if word.startswith(one, place)
    }
    return tuple(sorted(found - {word}))


@cache
def _listed() -> bytes:
    """Return the list as it is packed, a word a line: searching it beats reading it (19 for 150 ms)."""
    package = find_spec("spellchecker")  # which is not imported: that takes as long again
    if package is None or package.origin is None:
        return b""
    return gzip.decompress(Path(package.origin).with_name("resources").joinpath(_LIST).read_bytes())
