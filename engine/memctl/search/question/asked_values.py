"""Kinds of values that questions ask for, and whether a text has one: a person, a time, an amount."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from memctl.base.pattern import Pattern
from memctl.text.calendar.said_dates import asks_when, tells_time
from memctl.text.closed_words import GENERAL_WORDS, STOP_WORDS

if TYPE_CHECKING:
    from collections.abc import Collection

AskedValue = Literal["", "person", "phone", "money", "clock", "time", "number"]

# The first that fits counts.
_ASKED: tuple[tuple[AskedValue, Pattern], ...] = (
    ("person", Pattern(r"\b(?:who|whose|whom|we[rmn]|wessen|quién(?:es)?|quien)\b|谁|誰|哪位")),
    (
        "phone",
        Pattern(r"\b(?:phone|telephone|mobile|fax) numbers?\b|telefonnummer|\bteléfono\b|电话"),
    ),
    (
        "money",
        Pattern(
            r"\b(?:how much (?:do|does|did|is|are|was|were|will|would)\b(?! .*\bweigh)|price|cost|costs|"
            r"fee|rent|salary|wage|earn|charge|pay for|was kostet|wie teuer|preis|cuánto (?:cuesta|cobra|"
            r"vale)|precio)\b|多少钱|价格"
        ),
    ),
    ("clock", Pattern(r"\b(?:what time|which hour|um wie viel uhr|a qué hora)\b|几点")),
    (
        "time",
        Pattern(
            r"\b(?:(?:which|what|by which|by what) (?:days?|dates?|months?|year|weekdays?|hours?)|"
            r"how (?:long|early|late|old)|deadline|birthday|cuándo|cuando|wann|wie (?:lange?|alt))\b|"
            r"什么时候|何时|多久"
        ),
    ),
    (
        "number",
        Pattern(
            r"\b(?:how (?:many|much|often|far|big|large|fast|high|heavy|warm|cold|hot)|version|port|pin|"
            r"wie (?:viele?|oft|hoch|weit|schwer|groß)|cuánt[oa]s?)\b|多少|几个|幾"
        ),
    ),
)
_MONTH = (
    r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|januar|februar|märz|mai|juni|juli|okt|dez|"
    r"ene|abr|ago|dic)\w*"
)
# What is a date or a time, and no amount.
_DATE = Pattern(
    rf"\b\d{{1,2}}(?:st|nd|rd|th|\.)?(?: of| de)? {_MONTH}(?: \d{{4}})?|\b{_MONTH} (?:\d{{1,2}}\b|\d{{4}})|"
    r"\b\d{1,2}:\d{2}\b|\b(?:19|20)\d\d\b|\b\d{1,2}(?:st|nd|rd|th)\b|\b(?:from|at|before|until|by) "
    r"\d{1,2}\b(?! (?:euros?|pounds?|dollars?))",
)
_CLOCK = Pattern(
    r"\b\d{1,2}[:.]\d\d\b|\b\d{1,2} ?(?:am|pm|uhr|h)\b|\b(?:noon|midnight|mittags?|mitternacht)\b|"
    r"\b(?:at|from|till|until|before|after|to|um|ab|bis) (?:\d{1,2}|one|two|three|four|five|six|seven|"
    r"eight|nine|ten|eleven|twelve)\b"
)
_MONEY = Pattern(
    r"[€$£¥₹]|\b(?:euros?|pounds?|quid|dollars?|usd|eur|gbp|chf|francs?|yen|cents?|pence|free|gratis|"
    r"kostenlos|percent)\b|[%元]"
)
_NUMERAL = Pattern(
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|hundred|thousand|"
    r"half|once|twice|no|none|every|ein(?:e[nmrs]?)?|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|"
    r"dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez)\b|[一二三四五六七八九十百千两]",
)
_PHONE = Pattern(r"\+?\d[\d /().-]{5,}\d")
_ALL = Pattern(
    r"\b(?:all|every|everything|everyone|list|both|each|alle[nrs]?|alles|jede[nrs]?|beide[nrs]?|"
    r"tod[oa]s?|ambos|cada)\b|\b(?:which|what|show|give)(?: \w+){0,2} \w+s\b|\bwhat do we know\b|"
    r"\bsabemos\b|\bwissen wir\b|所有|全部|哪些",
)
_FOCUS = Pattern(
    r"\b(?:which|what|welche[rsnm]?|qué|cuál)\s+(?:(?:kind|sort|type) of\s+)?([^\W\d_]+)"
)
_WORD = Pattern(r"[^\W_]+")
_CAPITAL = Pattern(r"\b[^\W\d_a-zà-ÿ][a-zà-ÿ]+\b")


def asked_value(question: str) -> AskedValue:
    """Return the kind of value that a question asks for; empty where it asks for none of these."""
    lowered = question.lower()
    for kind, asks in _ASKED:
        if asks.search(lowered):
            return kind
    return "time" if asks_when(question) else ""


def asks_for_all(question: str) -> bool:
    """Return whether a question asks for all of something: "list every", "both", "which rules are"."""
    return _ALL.search(question.lower()) is not None


def focus_of(question: str) -> str:
    """Return the noun that a question asks for, as "breed" of "what breed is it"; else nothing."""
    for found in _FOCUS.finditer(question.lower()):
        word = str(found[1])
        if word not in STOP_WORDS and word not in GENERAL_WORDS:
            return word
    return ""


def named_things(question: str) -> frozenset[str]:
    """Return the words, in lower case, that a question writes with a capital, the first left out."""
    words = _WORD.findall(question)[1:]
    if not any(word.islower() and word not in STOP_WORDS for word in words):
        return frozenset()  # a title, or a shout
    return frozenset(word.lower() for word in words if word[0].isupper() and len(word) > 1)


def has_value(kind: AskedValue, text: str, question_words: Collection[str]) -> bool:
    """Return whether a text has a value of a kind: an amount, somebody whom the question does not name.

    Parameters
    ----------
    question_words
        The words of the question, in lower case.
    """
    lowered = text.lower()
    match kind:
        case "person":
            known = STOP_WORDS | GENERAL_WORDS
            names = (word.lower() for word in _CAPITAL.findall(text))
            return any(name not in question_words and name not in known for name in names)
        case "phone":
            return _PHONE.search(text) is not None
        case "money":
            return _MONEY.search(lowered) is not None
        case "clock":
            return _CLOCK.search(lowered) is not None
        case "time":
            digit = any(map(str.isdigit, text))
            return digit or tells_time(text) or _CLOCK.search(lowered) is not None
        case _:
            return _NUMERAL.search(_DATE.sub(" ", lowered)) is not None
