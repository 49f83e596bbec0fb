"""Properties and their values: which have one value at a time, their names, and sorts of values.

A value of a property takes the place of another of its sort (a date, an amount of a unit, a name, a
quality); of another sort it may say something else about the same thing: a talk is 20 minutes long,
and it is on 5 May.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal, cast

from memctl.base.pattern import Pattern
from memctl.semantic.sentences.datum import MONTHS, UNITS, WEEKDAYS, either
from memctl.semantic.sentences.normal import name_key
from memctl.semantic.sentences.word_tables import named_lines_in, words_in

__all__ = [
    "SURE",
    "ValueKind",
    "attribute_key",
    "kind_of",
    "may_be_several",
    "measures",
    "same_amount",
    "sort_of",
]

ValueKind = Literal["sure", "person", "amount", "state", "tool"]

# One property under several names.
_SAME = {
    other: name
    for name, others in named_lines_in("other names of properties").items()
    for other in others.split(", ")
}
_SEVERAL = words_in("properties of several values")
_KIND_OF = {
    word: cast("ValueKind", kind)
    for kind, words in named_lines_in("properties of one value").items()
    for word in words.split()
}
_ONE_OF_ALL = words_in("one of all")


@lru_cache(maxsize=1024)
def attribute_key(name: str | None) -> str | None:
    """Return the form under which a property is looked up, whichever of its names is given."""
    key = name_key(name)
    return _SAME.get(key, key) if key else key


@lru_cache(maxsize=1024)
def kind_of(attribute: str) -> ValueKind | None:
    """Return the kind of values of a property that has one at a time; ``None`` for others."""
    words = (attribute_key(attribute) or "").split()
    if not words:
        return None
    return _KIND_OF.get(words[-1]) or ("state" if words[0] in _ONE_OF_ALL else None)


@lru_cache(maxsize=1024)
def may_be_several(attribute: str) -> bool:
    """Return whether one may have several of it, and a second says nothing against the first."""
    return attribute.casefold().split()[-1] in _SEVERAL


# Two of one of these cannot both be the value of a property that has one.
SURE = frozenset({"date", "clock", "name", "email"})

_HEAD = Pattern(r"[^,;(\uff0c\u3001\n]+")
_LEADING = Pattern(
    r"(?:(?:on|due|by|in|at|until|from|about|around|approximately|roughly|some|under|over|now|"
    r"at\s+least|at\s+most|up\s+to|the|an?|early|mid|late|end\s+of|next|this|every|am|um|den|el|le|~)"
    r"\s+|~)+",
    re.IGNORECASE,
)
# The kind of a time is the name of its group.
_TIMED = Pattern(
    r"(?P<date>\d{4}-\d{2}(?:-\d{2})?|\d{1,2}[./]\d{1,2}[./]\d{2,4}|\d{1,4}年|\d{1,2}月|q[1-4]\b|"
    rf"(?:\d{{1,2}}(?:st|nd|rd|th|\.)?\s+(?:of\s+|de\s+)?)?{either(MONTHS)}\b)|"
    rf"(?P<weekday>{either(WEEKDAYS)}\b|(?:星期|周)[一二三四五六日天]|[月火水木金土日]曜)|"
    r"(?P<clock>\d{1,2}:\d{2}\b|\d{1,2}(?:[:.]\d{2})?\s*(?:[ap]\.?m\b|uhr\b|o'clock\b|点|時))",
    re.IGNORECASE,
)
_AMOUNT = Pattern(
    r"(?P<sign>[$€£¥])?\s*[+-]?\d[\d.,\s()/-]*(?:(?:to|bis|or)\s+\d[\d.,]*)?"
    r"(?:(?<=\d)[km]\b)?\s*(?P<unit>[^\d\s].*)?\Z",
    re.IGNORECASE,
)
_ARTICLE = r"(?:(?i:the|an?|ein\w*|der|die|das|un[ae]?|el|la|le)\s+)"
_WORD = r"[^\W\d_a-zß-öø-ÿ][\w.'&/+@#-]*"
_SMALL = r"(?:am|an der|de|del|of|on|upon|and|&)"
# One word that is no word of a language is a name too: an address, a path, a version, eu-west-1.
_SHAPES = (
    ("email", Pattern(r"[^\s@]+@[^\s@]+\Z")),
    ("name", Pattern(rf"{_ARTICLE}?{_WORD}(?:\s+(?:{_SMALL}\s+)?(?:{_WORD}|\d[\w.]*)){{0,3}}\Z")),
    ("name", Pattern(r"(?=\S*[\d@/:_#+\\A-Z]|\S+\.\w)\S+\Z")),
    # "in progress", "on hold"
    ("state", Pattern(r"(?:in|on|under|out|at|to)\s+[^\W\d_]+(?:\s+[^\W\d_]+)?\Z")),
)
_WORDS = Pattern(rf"(?!{_ARTICLE})[^\W\d_]+(?:[ -][^\W\d_]+){{0,2}}\Z")
_CJK = Pattern("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
# An adjective ends, or begins, so in Chinese and Japanese.
_CJK_QUALITY = Pattern(r"[很非太挺更最不没在有].*|.*[的い]\Z")

# Amounts of time replace each other, whatever their unit.
_DURATIONS = frozenset({"ms", "second", "minute", "hour", "day", "week"})
_UNIT_ENDS = Pattern(r"\s+(?:old|long|in total|altogether|now|at most|at least)\Z")

_QUALITIES = words_in("qualities")
_QUALITY_ENDS = ("ed", "ing", "able", "ible", "ful", "less", "ous", "ive")


def sort_of(value: str, *, timed: bool = True) -> str | None:
    """Return the sort of a value; ``None`` stands for what is of none that is known.

    One of `SURE`, ``weekday``, ``amount:`` and its unit, ``word``, ``words``, ``quality`` (slow),
    ``state`` (in progress).

    Parameters
    ----------
    timed
        Whether it may be a date or a time: people are called May and Jan, too.
    """
    head = _HEAD.match(value.strip())
    if not head:
        return None
    text = head[0].strip()
    leading = _LEADING.match(text)
    bare = text[leading.end() :] if leading else text
    when = _TIMED.match(bare) if timed else None
    return when.lastgroup if when else _amount(bare) or _named(text)


def measures(sort: str | None) -> bool:
    """Return whether a sort is a time or an amount, which nothing of another sort can stand for."""
    return sort in {"date", "weekday", "clock"} or (sort or "").startswith("amount:")


def same_amount(one: str | None, other: str | None) -> bool:
    """Return whether two sorts are amounts of one unit, or one of them names none."""
    both = one and other and one.startswith("amount:") and other.startswith("amount:")
    return bool(both) and (one == other or "amount:" in {one, other})


def _amount(bare: str) -> str | None:
    found = _AMOUNT.match(bare)
    if not found:
        return None
    written = _UNIT_ENDS.sub("", (found["unit"] or found["sign"] or "").casefold().strip())
    unit = UNITS.get(written) or (written.removesuffix("s") if len(written) > 1 else written)
    return f"amount:{'duration' if unit in _DURATIONS else unit}"


def _named(text: str) -> str | None:
    if _CJK.match(text):
        return "quality" if _CJK_QUALITY.match(text) else "name"
    if text.casefold() in _QUALITIES:  # some have a capital
        return "quality"
    for sort, shape in _SHAPES:
        if shape.match(text):
            return sort
    if not _WORDS.match(text) or _LEADING.match(text):
        return None
    first, *others = text.casefold().split()
    if first in _QUALITIES or first.endswith(_QUALITY_ENDS):
        return "quality"
    return "words" if others else "word"
