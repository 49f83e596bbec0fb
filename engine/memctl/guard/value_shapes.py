"""The shapes of values: left to be filled in, random, a reference in code, a measure.

None of these alone makes a secret; a rule asks for them after a known prefix, a name or a
sentence has said that a secret should stand here.
"""

from __future__ import annotations

import re
from collections import Counter
from enum import Flag, auto
from itertools import pairwise
from math import log2

from memctl.base.pattern import Pattern
from memctl.guard.tables.rule_tables import patterns, words

__all__ = [
    "Kind",
    "entropy",
    "is_code",
    "is_dense",
    "is_email",
    "is_expression",
    "is_hash",
    "is_measure",
    "is_placeholder",
    "is_random",
    "is_scrambled",
    "is_selector",
    "is_sequence",
    "letters_and_digits",
]

_SAYS = patterns("value_shapes")

_FEWEST_DISTINCT = 6  # a random text of eight has fewer once in ten thousand
_LEAST_ENTROPY = 2.6
_LONGEST_WORDLIKE = 3.2  # mean length of the pieces between changes of case; words have five
_SHORTEST_LETTERS = 16  # without digits, only a long row of letters tells itself from words
_FEW = 3
_SHORTEST_SCRAMBLED = 8  # letters
_FEWEST_PIECES = 4
_LONGEST_SCRAMBLED = 2.7  # mean length of the pieces; in random letters it is about two
_SHORTEST_VARIABLE = 10  # a dollar and what only a generator makes is no variable
_LEAST_CHANGES = 0.36
_LEAST_OF_A_KIND = 0.04

_RUNS = ("0123456789", "abcdefghijklmnopqrstuvwxyz", "qwertyuiopasdfghjklzxcvbnm")

_RULE = r"[a-z_]{2,20}(?::[\w,]{1,20})?"  # of a form: required|min:8
_SELECTOR = Pattern(rf"[#.][A-Za-z_-]+$|[@:][a-z_]+$|@/[\w./-]+$|(?:{_RULE}\|){{1,8}}{_RULE}$")


def is_placeholder(value: str) -> bool:
    """Return whether the value was left for somebody to fill in, or was blacked out."""
    low = value.lower()
    return (
        (len(set(low)) <= 1 and not _SAYS.repeated.match(low))
        or low in words("stand-in")
        or (_SAYS.template.search(value) is not None and not _is_random_behind_dollar(value))
        or _SAYS.masked.search(value) is not None
        or any(word in low for word in words("filler"))
    )


def _is_random_behind_dollar(value: str) -> bool:
    """Return whether ``$iFyUwgCGUQ32c``: a dollar by chance, not the name of a variable."""
    return (
        len(value) >= _SHORTEST_VARIABLE
        and re.fullmatch(r"\$[A-Za-z0-9]+[^{}()<>]*", value) is not None
        and is_scrambled(value[1:])
    )


def is_scrambled(word: str) -> bool:
    """Return whether capitals stand among the letters as in no word or name: "KiA-QnNlDT"."""
    pieces = _SAYS.camel.findall(word)
    letters = sum(map(str.isalpha, word))
    return (
        letters >= _SHORTEST_SCRAMBLED
        and len(pieces) >= _FEWEST_PIECES
        and letters < _LONGEST_SCRAMBLED * len(pieces)
        and word.upper() != word != word.lower()
        and "/" not in word
    )


def is_sequence(value: str) -> bool:
    """Return whether most of the value is a run along the digits, the alphabet or the keyboard."""
    low = re.sub(r"[^a-z0-9]", "", value.lower())
    pairs = list(pairwise(low))
    along = sum(
        1
        for a, b in pairs
        if any(a + b in run for run in _RUNS) or a + b in ("90", "9a", "f0", "01")
    )
    return bool(pairs) and (along >= 0.6 * len(pairs) or len(set(low)) <= _FEW)


def is_random(value: str, *, minimum: int) -> bool:
    """Return whether the value can only have come from a generator."""
    return (
        len(value) >= minimum
        and len(set(value)) >= _FEWEST_DISTINCT
        and (
            any(_mixed_piece(piece, minimum) for piece in re.split(r"[^A-Za-z0-9]", value))
            or (len(value) >= _SHORTEST_LETTERS and is_scrambled(value))
        )
        and entropy(value) >= _LEAST_ENTROPY
    )


def is_dense(value: str) -> bool:
    """Return whether capitals, small letters and digits are mixed as only a generator mixes them."""
    kinds = ["d" if c.isdigit() else "u" if c.isupper() else "l" for c in value if c.isalnum()]
    changes = sum(a != b for a, b in pairwise(kinds))
    fewest = min(kinds.count(kind) for kind in "dul")
    words = len(kinds) / max(len(_SAYS.camel.findall(value)), 1)
    return (
        fewest >= _LEAST_OF_A_KIND * len(kinds)
        and changes >= _LEAST_CHANGES * (len(kinds) - 1)
        and words < _LONGEST_WORDLIKE
    )


def entropy(value: str) -> float:
    """Return the Shannon entropy of the value's characters, in bits a character."""
    total = len(value)
    return -sum(n / total * log2(n / total) for n in Counter(value).values())


def letters_and_digits(value: str) -> bool:
    """Return whether the value has both letters and digits."""
    return any(c.isalpha() for c in value) and any(c.isdigit() for c in value)


def is_code(value: str) -> bool:
    """Return whether an unquoted value is an expression: a call, an attribute, a reference, a path."""
    return (
        _SAYS.call.match(value) is not None
        or _SAYS.chain.match(value) is not None
        or _SAYS.reference.match(value) is not None
        or _SAYS.path.match(value) is not None
        or _SAYS.file.match(value) is not None
        or _is_code_name(value)
        or is_selector(value)
        or is_expression(value)
        or "://" in value
    )


def _is_code_name(value: str) -> bool:
    """Return whether words of programs are joined to one, and a version: "passwd_hash_v7"."""
    if re.fullmatch(r"[a-z]+(?:[_-][a-z]+){1,5}(?:[_-]?v?\d{1,3})?", value) is None:
        return False
    parts = set(re.findall(r"[a-z]{2,}", value))
    return parts <= words("code-word") | {"passwd", "password", "pass", "pwd", "token", "secret"}


def is_expression(value: str) -> bool:
    """Return whether the value is a regular expression."""
    return _SAYS.expression.search(value) is not None


def is_selector(value: str) -> bool:
    """Return whether the value names an element of a page, ``#password``, or what a form asks of it."""
    return _SELECTOR.match(value) is not None


def is_measure(value: str) -> bool:
    """Return whether the value is a quantity, a date, a version or the name of a technique."""
    return _SAYS.measure.match(value) is not None or _SAYS.technical.match(value) is not None


def is_email(word: str) -> bool:
    """Return whether the word is a mail address."""
    return _SAYS.email.match(word) is not None


def is_hash(value: str) -> bool:
    """Return whether the value is marked as a one-way hash, which opens nothing by itself."""
    return _SAYS.hash.match(value) is not None or _SAYS.fingerprint.match(value) is not None


def _mixed_piece(piece: str, minimum: int) -> bool:
    if len(piece) < min(minimum, 8):
        return False
    digits = sum(c.isdigit() for c in piece)
    if digits and digits < len(piece) and not _SAYS.numbered.fullmatch(piece):
        return True
    letters = piece.rstrip("0123456789")
    return (
        len(piece) >= _SHORTEST_LETTERS
        and letters.upper() != letters
        and letters.lower() != letters
        and len(letters) / len(_SAYS.camel.findall(letters)) < _LONGEST_WORDLIKE
    )


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
