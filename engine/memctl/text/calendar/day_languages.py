"""The languages in which a text may name days."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from memctl.base.pattern import Pattern
from memctl.text.calendar.day_vocabulary import languages

if TYPE_CHECKING:
    from memctl.text.calendar.day_vocabulary import DayLanguage

__all__ = ["languages_of"]

_WORDS = Pattern(r"\w+")
# Figures that may be a date by themselves.
_FIGURES = Pattern(r"\d(?:\d\d\d|\d?[./-]\d)")
_KANA = Pattern("[\u3041-\u30ff]")
_HAN = Pattern("[\u4e00-\u9fff]")
_HANGUL = Pattern("[\uac00-\ud7a3]")


@cache
def _telling_words() -> dict[str, dict[str, bool]]:
    """Return the words that tell of days: their languages, and whether another has them, too."""
    found: dict[str, dict[str, bool]] = {}
    for language in _spaced():
        for meaning in sorted(language.telling(), key=lambda meaning: len(meaning.words)):
            if not any(language.name in found.get(word, {}) for word in meaning.words):
                of = found.setdefault(max(meaning.words, key=len), {})
                of[language.name] = meaning.shared
    return {
        word: {name: shared or len(of) > 1 for name, shared in of.items()}
        for word, of in found.items()
    }


@cache
def _spaced() -> list[DayLanguage]:
    return [language for language in languages().values() if not language.unspaced]


def languages_of(text: str) -> list[DayLanguage]:
    """Return the languages in which a text may name days.

    These are the ones of which it holds a word that no other has, and, for shared words and
    figures, the one that has most of its words; English before others.
    """
    telling = _telling_words()
    words = _WORDS.findall(text.lower())
    found: dict[str, bool] = {}
    if not telling.keys().isdisjoint(words):
        for word in telling.keys() & words:
            for name, shared in telling[word].items():
                found[name] = found.get(name, True) and shared
    names = {name for name, shared in found.items() if not shared}
    figures = not names and _FIGURES.search(text)
    if figures or len(names) < len(found):
        known = frozenset(words)
        likeliest = max(_spaced(), key=lambda one: len(known & one.words)).name
        if figures or likeliest in found:
            names.add(likeliest)
    if not text.isascii():
        names.update(_scripts_of(text))
    return [language for name, language in languages().items() if name in names] if names else []


def _scripts_of(text: str) -> list[str]:
    if _KANA.search(text):
        return ["ja"]
    han = ["zh", "ja"] if _HAN.search(text) else []
    return [*han, "ko"] if _HANGUL.search(text) else han
