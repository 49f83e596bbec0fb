"""The words of languages that name days: the sections of ``day_words.txt``."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import TYPE_CHECKING, NamedTuple

from memctl.base.packaged import text_in
from memctl.base.pattern import Pattern

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["LEADS", "UNITS", "WORD", "DayLanguage", "DayMeaning", "languages"]

WORD = Pattern(r"[^\W\d_]+")
UNITS = {
    "a": "day",
    "w": "week",
    "k": "weekend",
    "h": "month",
    "q": "quarter",
    "y": "year",
}
_UNIT_KINDS = {unit: kind for kind, unit in UNITS.items()}
# A word's kind is a letter: `day_rules` are patterns over these letters.
_KINDS = {
    "of": "f",
    "lead": "i",
    "months": "M",
    "weekdays": "D",
    "seasons": "S",
    "numbers": "N",
    "ordinals": "O",
    "days": "R",
    "which": "P",
    "which beside": "p",
    "which in week": "Q",
    "trailing": "J",
    "ago": "A",
    "its time ago": "v",
    "from now": "n",
    "before": "B",
    "after": "F",
    "since": "G",
    "within": "I",
    "between": "W",
    "to": "t",
    "and": "&",
    "habit": "*",
    "skip": "",
    "nothing": "#",
}
_FIRST_PLACE = {"days": -2, "which": -1, "which beside": -1, "which in week": -1, "weekdays": 0}
# The place of "this week" among its three.
_THIS = 2
# Kinds of which one stands in every text that names days in words.
_TELLING = frozenset("MDSHR" + "".join(UNITS))
# Kinds that a date stands behind.
LEADS = "iIfGWBFV"


class DayMeaning(NamedTuple):
    """What a word or some words say of days.

    Of "last week" in one word (先週), `unit` is the kind of its second half.
    """

    words: tuple[str, ...]
    kind: str
    value: int | str = 0
    weak: bool = False
    shortened: bool = False
    shared: bool = False
    unit: str = ""


@dataclass(eq=False)
class DayLanguage:
    """The words of one language, by the first of each phrase, longest phrases first."""

    name: str
    signs: frozenset[str] = frozenset()
    unspaced: bool = False
    marks_days: bool = False
    phrases: dict[str, list[DayMeaning]] = field(default_factory=dict)

    def meanings(self) -> Iterator[DayMeaning]:
        """Yield all meanings of the language's words."""
        for found in self.phrases.values():
            yield from found

    def telling(self) -> Iterator[DayMeaning]:
        """Yield the meanings of which one stands in every text that names days in words."""
        yield from (one for one in self.meanings() if one.kind in _TELLING or one.unit)

    @cached_property
    def words(self) -> frozenset[str]:
        """The words by which the language is known."""
        return self.signs | self.phrases.keys()

    @cached_property
    def unspaced_words(self) -> str:
        """A regular expression of all words, the longest first."""
        words = {" ".join(one.words) for one in self.meanings()}
        return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))


@cache
def languages() -> dict[str, DayLanguage]:
    """Return the languages by name."""
    found: dict[str, DayLanguage] = {}
    text = text_in("memctl.text.calendar", "day_words.txt").replace("\n  ", " ")
    for line in text.split("\n"):
        if line.startswith("["):
            language = found.setdefault(name := line.strip("[]"), DayLanguage(name))
        elif line and not line.startswith("#"):
            key, _, words = line.partition(": ")
            _add(language, key, words)
    for language in found.values():
        for phrases in language.phrases.values():
            if len(phrases) > 1:
                phrases.sort(key=lambda one: -len(one.words))
    return found


def _add(language: DayLanguage, key: str, words: str) -> None:
    if key == "signs":
        language.signs = frozenset(words.split(", "))
    elif key == "unspaced":
        language.unspaced = True
    elif key == "ago" and language.unspaced:
        _add(language, "its time ago", words)
    elif key == "day mark":
        language.marks_days = True
    else:
        unit = _UNIT_KINDS.get(key, "")
        for place, names in enumerate(words.split("|"), _FIRST_PLACE.get(key, 1)):
            kind, value = _kind_of(key, place)
            for name in filter(None, names.strip().split(", ")):
                _add_meaning(language, _meaning(name.strip(), kind, value, unit))


def _add_meaning(language: DayLanguage, meaning: DayMeaning) -> None:
    phrases = language.phrases.setdefault(meaning.words[0], [])
    for i, other in enumerate(phrases):
        if other.words == meaning.words:
            # "vor" is both: "vor zwei Wochen", "vor Weihnachten".
            both = {other.kind, meaning.kind} == {"A", "B"}
            phrases[i] = DayMeaning(meaning.words, "V") if both else meaning
            return
    phrases.append(meaning)


def _meaning(name: str, kind: str, value: int | str, unit: str) -> DayMeaning:
    words, mark = tuple(WORD.findall(name.lower())), name[-1]
    return DayMeaning(words, kind, value, mark in "?.", mark == ".", mark == "~", unit)


def _kind_of(key: str, place: int) -> tuple[str, int | str]:
    if key.startswith("holiday "):
        return "H", key.removeprefix("holiday ")
    if key == "units":
        return list(UNITS)[place - 1], 0
    if key in _UNIT_KINDS:
        key, place = "which", place - _THIS
    return "T" if key == "which" and not place else _KINDS[key], place
