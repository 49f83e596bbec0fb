"""The words of languages that name days, the sections of ``day_words.txt``; and whose words a text has."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import TYPE_CHECKING, NamedTuple

from memctl.base.packaged import table_in
from memctl.base.pattern import Pattern

if TYPE_CHECKING:
    from collections.abc import Iterator

# Tokens of units of time, by the unit.
UNITS = {f"{unit}s": unit for unit in ("day", "week", "weekend", "month", "quarter", "year")}
# The kind of token that a line of the file makes, where it has not the line's own name.
_KINDS = {
    "months": "month",
    "weekdays": "weekday",
    "seasons": "season",
    "numbers": "number",
    "ordinals": "ordinal",
    "days": "near_day",
    "which beside": "which_behind",
    "which in week": "which_week",
    "trailing": "past",
    "its time ago": "time_ago",
    "from now": "from_now",
    "habit": "every",
    "skip": "",
    "nothing": "other",
}
_FIRST_PLACE = {"days": -2, "which": -1, "which beside": -1, "which in week": -1, "weekdays": 0}
# The place of "this week" among its three.
_THIS = 2
# Kinds of which one stands in every text that names days in words.
_TELLING = frozenset({"month", "weekday", "season", "holiday", "near_day", *UNITS})

_LETTERS = Pattern(r"[^\W\d_]+")
_WORDS = Pattern(r"\w+")
# Figures that may be a date by themselves.
_FIGURES = Pattern(r"\d(?:\d\d\d|\d?[./-]\d)")
_KANA = Pattern("[\u3041-\u30ff]")
_HAN = Pattern("[\u4e00-\u9fff]")
_HANGUL = Pattern("[\uac00-\ud7a3]")


class DayMeaning(NamedTuple):
    """The meaning of a word or some words for days.

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
        for phrase in self.phrases.values():
            yield from phrase

    @cached_property
    def words(self) -> frozenset[str]:
        """The words by which the language is known."""
        return self.signs | self.phrases.keys()

    @cached_property
    def unspaced_words(self) -> str:
        """A regular expression of all words, the longest first."""
        words = {" ".join(meaning.words) for meaning in self.meanings()}
        return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))

    def add(self, key: str, words: str) -> None:
        """Add a line of the file."""
        if key == "signs":
            self.signs = frozenset(words.split(", "))
        elif key == "unspaced":
            self.unspaced = True
        elif key == "ago" and self.unspaced:
            self.add("its time ago", words)
        elif key == "day mark":
            self.marks_days = True
        else:
            unit = f"{key}s" if f"{key}s" in UNITS else ""
            for place, names in enumerate(words.split("|"), _FIRST_PLACE.get(key, 1)):
                kind, value = _kind_of(key, place)
                for name in filter(None, map(str.strip, names.strip().split(", "))):
                    parts, mark = tuple(_LETTERS.findall(name.lower())), name[-1]
                    weak, cut, shared = mark in "?.", mark == ".", mark == "~"
                    self._add_meaning(DayMeaning(parts, kind, value, weak, cut, shared, unit))

    def _add_meaning(self, meaning: DayMeaning) -> None:
        phrases = self.phrases.setdefault(meaning.words[0], [])
        for i, other in enumerate(phrases):
            if other.words == meaning.words:
                # "vor" is both: "vor zwei Wochen", "vor Weihnachten".
                both = {other.kind, meaning.kind} == {"ago", "before"}
                phrases[i] = DayMeaning(meaning.words, "ago_or_before") if both else meaning
                return
        phrases.append(meaning)


def _kind_of(key: str, place: int) -> tuple[str, int | str]:
    if key.startswith("holiday "):
        return "holiday", key.removeprefix("holiday ")
    if key == "units":
        return list(UNITS)[place - 1], 0
    if f"{key}s" in UNITS:
        key, place = "which", place - _THIS
    return "this" if key == "which" and not place else _KINDS.get(key, key), place


@cache
def languages() -> dict[str, DayLanguage]:
    """Return the languages by name."""
    result: dict[str, DayLanguage] = {}
    for name, lines in table_in("memctl.text.calendar", "day_words.txt").items():
        language = result[name] = DayLanguage(name)
        for key, words in lines.items():
            language.add(key, words)
        for phrases in language.phrases.values():
            phrases.sort(key=lambda phrase: -len(phrase.words))
    del result[""]
    return result


@cache
def _telling_words() -> dict[str, dict[str, bool]]:
    """Return the words for days: their languages, and whether another has them, too."""
    result: dict[str, dict[str, bool]] = {}
    for language in _spaced():
        telling = [one for one in language.meanings() if one.kind in _TELLING or one.unit]
        for meaning in sorted(telling, key=lambda meaning: len(meaning.words)):
            if not any(language.name in result.get(word, {}) for word in meaning.words):
                of = result.setdefault(max(meaning.words, key=len), {})
                of[language.name] = meaning.shared
    return {
        word: {name: shared or len(of) > 1 for name, shared in of.items()}
        for word, of in result.items()
    }


@cache
def _spaced() -> list[DayLanguage]:
    return [language for language in languages().values() if not language.unspaced]


def languages_of(text: str) -> list[DayLanguage]:
    """Return the languages in which a text may name days.

    These are the ones of which it holds a word that no other has, and, for shared words and
    figures, the one that has most of its words; English before others.
    """
    words = frozenset(_WORDS.findall(text.lower()))
    shared_by: dict[str, bool] = {}
    for word in _telling_words().keys() & words:
        for name, shared in _telling_words()[word].items():
            shared_by[name] = shared_by.get(name, True) and shared
    names = {name for name, shared in shared_by.items() if not shared}
    figures = not names and _FIGURES.search(text)
    if figures or len(names) < len(shared_by):
        likeliest = max(_spaced(), key=lambda one: len(words & one.words)).name
        if figures or likeliest in shared_by:
            names.add(likeliest)
    if not text.isascii():
        if _KANA.search(text):
            names.add("ja")
        else:
            names.update(("zh", "ja") if _HAN.search(text) else ())
            names.update(("ko",) if _HANGUL.search(text) else ())
    return [language for name, language in languages().items() if name in names] if names else []
