"""Kinds of values that questions ask for, and whether a text has one: a person, a time, a number."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from memctl.base.pattern import Pattern
from memctl.text.calendar.said_dates import asks_when, tells_time
from memctl.text.closed_words import GENERAL_WORDS, STOP_WORDS

if TYPE_CHECKING:
    from collections.abc import Collection

AskedValue = Literal["", "person", "time", "number"]

_WHO = Pattern(r"\b(?:who|whose|whom|wer|wem|wen|wessen|quién|quien|quiénes)\b|谁|誰|哪位")
_TIME = Pattern(
    r"\b(?:(?:which|what|by which|by what) (?:day|date|month|year|weekdays?|hours?|time)|"
    r"how (?:long|early|late|old)|deadline|birthday|cuándo|cuando|wann|bis wann)\b|几点|什么时候|何时",
)
_NUMBER = Pattern(
    r"\b(?:how (?:many|much|often|far|big|large|fast|high)|phone number|price|version|fee|port|pin|"
    r"wie (?:viele?|oft|hoch|teuer|weit)|cuánt[oa]s?|cuant[oa]s?)\b|多少|几个|幾",
)
_NUMERAL = Pattern(
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|hundred|thousand|"
    r"half|once|twice|ein(?:e[nmrs]?)?|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|un[oa]?|dos|"
    r"tres|cuatro|cinco|seis|siete|ocho|nueve|diez|free|gratis)\b|[一二三四五六七八九十百千两]",
)
_ALL = Pattern(
    r"\b(?:all|every|everything|everyone|list|both|each|alle[nrs]?|alles|jede[nrs]?|beide[nrs]?|"
    r"tod[oa]s?|ambos|cada)\b|\b(?:which|what) (?:\w+ )?\w+s (?:are|do|did|have|were|will|can)\b|"
    r"所有|全部|哪些",
)
_WORD = Pattern(r"[^\W_]+")
_CAPITAL = Pattern(r"\b[^\W\d_a-zà-ÿ][a-zà-ÿ]+\b")


def asked_value(question: str) -> AskedValue:
    """Return the kind of value that a question asks for; empty where it asks for none of these."""
    lowered = question.lower()
    if _WHO.search(lowered):
        return "person"
    if asks_when(question) or _TIME.search(lowered):
        return "time"
    return "number" if _NUMBER.search(lowered) else ""


def asks_for_all(question: str) -> bool:
    """Return whether a question asks for all of something: "list every", "both", "which rules are"."""
    return _ALL.search(question.lower()) is not None


def named_things(question: str) -> frozenset[str]:
    """Return the words, in lower case, that a question writes with a capital, the first left out."""
    words = _WORD.findall(question)[1:]
    if not any(word.islower() and word not in STOP_WORDS for word in words):
        return frozenset()  # a title, or a shout
    return frozenset(word.lower() for word in words if word[0].isupper() and len(word) > 1)


def has_value(kind: AskedValue, text: str, question_words: Collection[str]) -> bool:
    """Return whether a text has a value of a kind: somebody whom the question does not name, a number.

    Parameters
    ----------
    question_words
        The words of the question, in lower case.
    """
    if kind == "person":
        known = STOP_WORDS | GENERAL_WORDS
        names = (word.lower() for word in _CAPITAL.findall(text))
        return any(name not in question_words and name not in known for name in names)
    if kind == "time":
        return tells_time(text) or any(letter.isdigit() for letter in text)
    return _NUMERAL.search(text.lower()) is not None
