"""Real words, which are no misspellings, and words with two spellings.

The lists are those of the package pyspellchecker. They are read as data: importing the package
takes longer than reading its list of English. Theirs is a frequency list of subtitles with most
misspellings taken out; it has few British spellings, so a word is real, too, if another spelling
of it is listed.
"""

from __future__ import annotations

import unicodedata
import zlib
from bisect import bisect_left
from functools import cache, lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from memctl.base.pattern import Pattern
from memctl.text.closed_words import FORMS

if TYPE_CHECKING:
    from collections.abc import Collection

_GZIP = 31  # zlib's number for that wrapping
# Languages that are asked where the words of a question are not English: reading all of them
# takes a quarter of a second, once.
_OTHER_LANGUAGES = ("es", "fr", "de")
# The share of a question's other words that are listed in an English question, at least.
_ENGLISH_SHARE = 0.8

# Places where one word is written with the one or with the other. Shorter beginnings are
# those of other words: "four" is not "for", "better" no "bettor", "filled" not "filed".
_SPELLINGS = (
    (Pattern("(?<=[a-z]{2})(our|or)"), "our", "or"),  # colour, color
    (Pattern("(?<=[a-z]{2}[iy])([sz])(?=[aei])"), "s", "z"),  # organise, organize
    (Pattern("(?<=[a-z]{5})(er|or)(?=s?$)"), "er", "or"),  # imposter, impostor
    (Pattern("(?<=[a-z][aeionst][bcghptv])(re|er)(?=s?$)"), "re", "er"),  # centre, center
    (Pattern("(?<=[nt][tr])(red|ered)$"), "red", "ered"),  # centred, centered
    (Pattern("(?<=[a-z]{3}[aeiou])(ll?)(?=s?$|ed|ing|er|or|ous|able)"), "ll", "l"),  # travelled
    (Pattern("(?<=[a-z][aeiou])(ll?)(?=ful|ment)"), "ll", "l"),  # skilful, skillful
    (Pattern("(?<=[a-z]{3}[aeiou])(ss?)(?=e[ds]$|ing$)"), "ss", "s"),  # focussed, focused
    (Pattern("(?<=[a-z]{2}[nt][ei]|[a-z]{3}n)([cs])(?=[ei])"), "c", "s"),  # defence, defense
    (Pattern("(?<=[a-z]{4})(ogue|og)(?=s?$)"), "ogue", "og"),  # dialogue, dialog
    (Pattern("(ae|e)(?=[a-z]{3})"), "ae", "e"),  # archaeology, archeology
    (Pattern("(oe|e)(?=[a-z]{3})"), "oe", "e"),  # foetus, fetus
    (Pattern("(?<=g)(e?)(?=ment)"), "e", ""),  # judgement, judgment
    (Pattern("(?<=[a-z]{3})(e?)(?=able)"), "e", ""),  # likeable, likable
    (Pattern("^(gr[ae]y)(?=$|s$|e[dr]|ing|ish|er$)"), "grey", "gray"),
    (Pattern("(mou?ld)"), "mould", "mold"),
    (Pattern("(plough|plow)"), "plough", "plow"),
    (Pattern("^(s[ck]eptic)"), "sceptic", "skeptic"),
    (Pattern("^(alumini?um)"), "aluminium", "aluminum"),
    (Pattern("^(p[ya]jama)"), "pyjama", "pajama"),
    (Pattern("^(yogh?urt)"), "yoghurt", "yogurt"),
    (Pattern("^(jewelle?ry)$"), "jewellery", "jewelry"),
    (Pattern("^(programme|program)(?=s?$)"), "programme", "program"),
    (Pattern("^(artefact|artifact)"), "artefact", "artifact"),
    (Pattern("^(sul(?:ph|f)(?=[aiu]))"), "sulph", "sulf"),
    (Pattern("^(maths?)$"), "maths", "math"),
)

_GERMAN_ENDINGS = ("", "e", "en", "er", "es", "n", "s")
_SHORTEST_STEM = 4


def is_real_word(word: str, *, beside: Collection[str] = ()) -> bool:
    """Return whether a word, in lower case and ASCII, or another spelling of it is listed.

    Where the words `beside` it in a question are not English, those of grammar included, the lists of
    Spanish, French and German count as well.
    """
    if not word.isascii():
        return False
    if _is_english(word):
        return True
    english = sum(map(_is_english, beside)) >= _ENGLISH_SHARE * len(beside)
    return not english and any(
        f'\n"{word}":'.encode() in _folded_list_of(language) for language in _OTHER_LANGUAGES
    )


@lru_cache(maxsize=4096)
def spelling_variants(word: str) -> tuple[str, ...]:
    """Return how a word, in lower case, may be written otherwise: "imposter" for "impostor".

    Most of what is returned is no word: ask for what the store holds.
    """
    result = {
        word[: place.start(1)] + other + word[place.end(1) :]
        for pattern, *spellings in _SPELLINGS
        for place in pattern.finditer(word)
        for other in spellings
    }
    return tuple(sorted(result - {word}))


def german_forms(word: str) -> tuple[str, ...]:
    """Return how a word, in lower case, may end in German: "frist" for "fristen".

    Most of what is returned is no word: ask for what the store holds.
    """
    stems = {word.removesuffix(ending) for ending in _GERMAN_ENDINGS}
    result = {
        stem + ending for stem in stems if len(stem) >= _SHORTEST_STEM for ending in _GERMAN_ENDINGS
    }
    return tuple(sorted(result - {word}))


@lru_cache(maxsize=4096)
def _is_english(word: str) -> bool:
    spellings = (word, *spelling_variants(word))
    return word in FORMS or any(_stands_sorted(_list_of("en"), spelling) for spelling in spellings)


def _stands_sorted(listed: bytes, word: str) -> bool:
    """Return whether a word is in a list that is sorted, by halving it."""
    wanted = word.encode()

    def word_at(place: int) -> bytes:
        start = listed.rfind(b'\n"', 0, place + 2) + 2
        return listed[start : listed.find(b'"', start)]

    place = bisect_left(range(len(listed)), wanted, key=word_at)
    return place < len(listed) and bool(wanted) and word_at(place) == wanted


@cache
def _list_of(language: str) -> bytes:
    """Return a language's list: lines of a word in quotation marks, a colon, and its number."""
    spec = find_spec("spellchecker")
    if spec is None or spec.origin is None:
        return b""
    packed = Path(spec.origin).parent / "resources" / f"{language}.json.gz"
    return zlib.decompress(packed.read_bytes(), wbits=_GZIP)


@cache
def _folded_list_of(language: str) -> bytes:
    """Return a language's list with its letters folded to ASCII, and so no longer sorted."""
    text = _list_of.__wrapped__(language).decode().replace("ß", "ss").replace("œ", "oe")
    return unicodedata.normalize("NFD", text).encode("ascii", "ignore")
