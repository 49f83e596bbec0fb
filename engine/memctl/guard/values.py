"""Values that could be a secret: where one begins and ends, and of what kind it is."""

from __future__ import annotations

import re
from enum import Flag, auto
from functools import lru_cache
from typing import NamedTuple

from memctl.base.pattern import Pattern
from memctl.guard.tables.rule_tables import words
from memctl.guard.value_shapes import (
    is_code,
    is_dense,
    is_placeholder,
    is_scrambled,
    is_something,
)

__all__ = ["Kind", "Value", "judged", "kind_of", "value_at"]

_LONGEST = 2_000  # characters
_SHORTEST, _SHORTEST_WORD = 3, 4
_SHORTEST_KEY = 12
_SHORTEST_HEX = 20
_SHORTEST_CODE = 6
_LONG_WORD = 18  # letters, as two words or three have
_DIGITS = range(3, 13)
_MASK = "[secret:"
_CLOSERS, _OPENERS = ".,:;)]}>\\", {")": "(", "]": "[", "}": "{", ">": "<"}

_CJK = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_QUOTES = "\"'`“”„«»‘’「」『』《》"  # noqa: RUF001
_OPENING = Pattern(rf"[ \t*_(\[|]{{0,3}}?(?P<quote>[{_QUOTES}]?)[ \u00a0\u202f]?(?=[^\s{_QUOTES}])")
_QUOTED = Pattern(rf"[^{_QUOTES}\n]{{3,80}}(?=[{_QUOTES}])")
_NUMBER = Pattern(r"[#*]?\d{1,8}(?:[ -]\d{1,6}){0,5}[#*]?(?![\w:/%]|[.,]\d)")
_RUN = Pattern(rf"[^\s\"`“”„«»「」『』《》、。{_CJK}]{{3,{_LONGEST}}}")
_NEXT_PART = Pattern(r"[;&,]\s?[\w.-]{1,24}=|</|['\"]|\\n|\|")
_PHRASE = Pattern(r"[^\W\d_]{1,14}(?: [^\W\d_]{1,14}){3,11}(?=[.,;!?)\"'\n]|$)")

_COUNT = Pattern(r"[#*]?\d+(?:[ -]\d+)*[#*]?$")
_DATE = Pattern(
    r"(?:19|20)\d\d-\d\d?(?:-\d\d?)?$|\d{1,2}[.:h]\d\d|(?:19|20)\d\d(?:-(?:19|20)\d\d)?$|0\d{2,4} \d{4,}"
)
_CODE = Pattern(
    r"(?=[A-Z-]*\d)[A-Z0-9]{4,12}$|G-\d{6}$|[A-Z]{4}-[A-Z]{4}$|(?=.*\d)[A-Za-z0-9]{3,6}(?:-[A-Za-z0-9]{3,6})+$"
)
_HEX = Pattern(r"(?:0x)?[0-9a-f]{7,}$|[0-9A-F]{16,}$")
_MARK = Pattern(r"[^\W_][^\s]*[!#$%^&*?~@+][^\s]*\w|\w[!#$%*?]{1,2}$|^[!#$%*]\w")
_INNER = Pattern(r"\w\S*[!#$%^&*?~@+]\S*\w")
_LETTERS = Pattern(r"[^\W\d_]+$")
_ROW = Pattern(r"[^\W\d_]+(?:[-_.][^\W\d_]+)+$")
_NAMED = Pattern(r"[a-z]+(?:[A-Z][a-z]+)+$|(?:[A-Z][a-z]+){2,}$|[A-Z]+(?:_[A-Z]+)+$")


class Kind(Flag):
    """What a value looks like; a value may be of several kinds."""

    NOTHING = 0
    NUMBER = auto()  # 4821, 14-33-7, 3884#
    CODE = auto()  # KX7M2PQR, az1nr-pxg7l
    WORD = auto()  # sunflower
    NAME = auto()  # velvetPickaxe, as programs name things
    JOINED = auto()  # copper_lizard_monday
    LONG = auto()  # mysupersecuresigning
    PHRASE = auto()  # four grey cats asleep
    HEX = auto()  # 28d41ee8884900fab41fccc072f87ed8
    WEAK = auto()  # sunflower42
    STRONG = auto()  # Rain1951!
    RANDOM = auto()  # x7pZSV8YsOGftkgM4UyG


class Value(NamedTuple):
    """What stands where a secret would stand."""

    start: int
    end: int
    text: str
    kind: Kind
    quoted: bool


def value_at(text: str, at: int) -> Value | None:
    """Return the value that begins here, behind quotes or brackets or not; None without one."""
    opening = _OPENING.match(text, at)
    if opening is None:
        return None
    start = opening.end()
    if opening["quote"] and (inside := _QUOTED.match(text, start)):
        return judged(text, *inside.span(), quoted=True)
    for pattern in (_NUMBER, _PHRASE, _RUN):
        found = pattern.match(text, start)
        value = judged(text, *found.span(), quoted=False) if found else None
        if value is not None:
            return value
    return None


def judged(text: str, start: int, end: int, *, quoted: bool) -> Value | None:
    """Return a piece of a text as a value, without the punctuation behind it."""
    if quoted:
        end -= len(text[start:end]) - len(text[start:end].rstrip())
    else:
        part = _NEXT_PART.search(text, start + 1, end)
        end = part.start() if part and "://" not in text[start:end] else end
        start += text[start] in "(["
        while end > start and text[end - 1] in _CLOSERS:
            if _OPENERS.get(text[end - 1], "\n") in text[start:end]:
                break
            end -= 1
    if _MASK in text[max(0, start - 16) : end]:
        return None
    word = text[start:end]
    core = word.rstrip("!?")
    kind = kind_of(core, quoted) if not quoted and core != word else kind_of(word, quoted)
    if core != word and kind & Kind.WEAK and any(map(str.isupper, core)):
        kind = kind_of(word, quoted)  # "Rain1951!", no "mira88!" at a sentence's end
    return Value(start, end, word, kind, quoted) if kind else None


@lru_cache(maxsize=4096)
def kind_of(word: str, quoted: bool) -> Kind:  # noqa: FBT001 - the cache wants it by place
    """Return the kind of a value; nothing for what was left to be filled in, or is no secret."""
    if not _SHORTEST <= len(word) <= _LONGEST or not any(map(str.isalnum, word)):
        return Kind.NOTHING
    if _COUNT.match(word):
        digits = sum(map(str.isdigit, word))
        return Kind.NUMBER if digits in _DIGITS and not _DATE.match(word) else Kind.NOTHING
    if is_placeholder(word) or is_something(word) or (not quoted and is_code(word)):
        return Kind.NOTHING
    if " " in word:
        return Kind.PHRASE if _is_phrase(word, quoted) else Kind.NOTHING
    if any(map(str.isdigit, word)) or _CODE.match(word):
        return _with_digits(word)
    if _LETTERS.match(word) is None:
        return _with_marks(word)
    if is_scrambled(word) and len(word) > _SHORTEST_KEY:
        return Kind.RANDOM
    if not quoted and _NAMED.match(word):
        return Kind.NAME
    if word.isupper():
        rare = quoted and sum(char in "AEIOU" for char in word) <= len(word) // 4
        return Kind.CODE if rare and len(word) >= _SHORTEST_CODE else Kind.NOTHING
    long = Kind.LONG if len(word) >= _LONG_WORD and word.isascii() else Kind.NOTHING
    return Kind.WORD | long if _is_word(word) else long


def _with_digits(word: str) -> Kind:
    if _HEX.match(word):
        return Kind.HEX if len(word) >= _SHORTEST_HEX else Kind.WEAK
    dense = len(word) >= _SHORTEST_KEY and (is_dense(word) or is_scrambled(word))
    kind = Kind.CODE if _CODE.match(word) else Kind.NOTHING
    if _MARK.search(word):
        return kind | Kind.STRONG | (Kind.RANDOM if len(word) >= _SHORTEST_KEY else Kind.NOTHING)
    if dense:
        return kind | Kind.STRONG | Kind.RANDOM
    if len(word) >= 2 * _SHORTEST_KEY - 4 and _is_long(word):
        return kind | Kind.RANDOM
    return kind if kind and word.isupper() else kind | Kind.WEAK


def _is_long(word: str) -> bool:
    """Return whether letters and digits are mixed over a long stretch: a key in small letters."""
    return any(
        len(piece) >= _SHORTEST_KEY and len(re.findall(r"\d+", piece)) > 1
        for piece in re.split(r"[^A-Za-z0-9]", word)
    )


def _with_marks(word: str) -> Kind:
    if _ROW.match(word):
        pieces = re.split(r"[-_.]", word)
        named = _NAMED.match(word) is not None or set(map(str.lower, pieces)) & words("predicate")
        return Kind.NOTHING if named or len(word) < _SHORTEST_KEY else Kind.JOINED
    return Kind.STRONG if _INNER.search(word) and len(word) > _SHORTEST_WORD + 2 else Kind.NOTHING


def _is_word(word: str) -> bool:
    low = word.lower()
    return (
        len(word) >= _SHORTEST_WORD
        and low not in words("predicate") | words("function-word") | words("stand-in")
        and _ABOUT.search(low) is None
    )


# Endings of words that say how a password is, and what is done with it.
_ABOUT = Pattern(
    r"(?:[^aeiou]ed|ing|able|ible|ous|ful|less|ive|ical|ently|ally|tive|iert|lich|isch|bar|ad[oa]|id[oa]|ный|ная|тся|ть|ен|ена)$"
)


def _is_phrase(text: str, quoted: bool) -> bool:
    """Return whether words in a row are a pass phrase, no sentence about one."""
    if not quoted and not text.islower():
        return False
    parts = re.findall(r"[^\W\d_]+", text.lower())
    if len(parts) < (3 if quoted else 4) or len(parts) > 24:
        return False
    small = sum(part in words("function-word") for part in parts)
    about = sum(part in words("predicate") or _ABOUT.search(part) is not None for part in parts)
    return about <= 1 and small <= len(parts) // (3 if quoted else 6)
