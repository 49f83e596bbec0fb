"""Points for how little a word of a sentence looks like a word.

A password stands out of the sentence that tells it, whatever the sentence looks like: nobody
writes ``Winter6008``, ``k=zZT!WJQ`` or ``dragon_falcon_mango`` for anything but a name that a
program or a machine has, and such names can be told.
"""

from __future__ import annotations

import re

from memctl.guard.tables.rule_tables import patterns, words
from memctl.guard.value_judging import is_unmistakable, is_word_row
from memctl.guard.value_shapes import (
    is_code,
    is_dense,
    is_email,
    is_expression,
    is_hash,
    is_measure,
    is_placeholder,
    is_scrambled,
    is_sequence,
    letters_and_digits,
)

__all__ = ["MARKED", "ONE_DIGIT", "oddness"]

_SAYS = patterns("oddness")

MARKED = 40  # letters, digits and a mark, or what only a generator makes
_CLASSIC = 30  # a word and a number
_NUMBERED = 24  # a word and two digits, as machines and versions have as well
_ROW = 26  # plain words that are joined to one
ONE_DIGIT = 20
_CAMEL = 16
_CAPITALS = 8  # and digits: the code of a part, a ticket
_SHORTEST, _LONGEST = 5, 64
_MANY_MARKS = 3

_DISTINCT_MARKS = frozenset("!#$%^&*?~@")
_LETTERS_MEANT = str.maketrans("01345@$", "oleasas")


def oddness(word: str) -> int:
    """Return 0 to 40 points for a word: none for a word, a name, a measure or code."""
    core = word.rstrip(".,:;")
    if not _SHORTEST <= len(core) <= _LONGEST or not core.isascii() or core.isdigit():
        return 0
    if len(_DISTINCT_MARKS.intersection(core)) >= _MANY_MARKS and letters_and_digits(core):
        known = is_placeholder(core) or is_hash(core) or is_expression(core) or "://" in core
        return 0 if known else MARKED
    if _is_harmless(core.rstrip("!?") or core):
        return 0
    return max(_mixed(core), _joined(core.rstrip("!?")))


def _is_harmless(word: str) -> bool:
    return (
        is_measure(word)
        or is_placeholder(word)
        or is_hash(word)
        or is_email(word)
        or is_code(word)
        or is_sequence(word)
        or _SAYS.hexadecimal.match(word) is not None
        or _SAYS.place.search(word) is not None
        or _SAYS.pair.match(word) is not None
        or _SAYS.product.match(word) is not None
        or word.lower().translate(_LETTERS_MEANT).removesuffix("s") in words("stand-in")
    )


def _names_code(word: str) -> bool:
    """Tell whether one of the joined words is one that names in programs are joined from."""
    parts = re.findall(r"[a-z]{3,}", word.lower())
    return not words("code-word").isdisjoint(parts) or _SAYS.names_itself.search(word) is not None


def _mixed(word: str) -> int:
    """Judge a word with letters and digits, or letters around a mark."""
    bare = word.rstrip("!?")
    named = _SAYS.names_itself.search(word) is not None
    if not letters_and_digits(word):
        odd = is_scrambled(word) and "-" not in word
        return _CLASSIC if odd and not named else 0
    if is_unmistakable(word) or is_dense(bare):
        return _CLASSIC if named else MARKED
    if _SAYS.mark.search(word) is not None:
        return _NUMBERED if named else MARKED
    return 0 if named else _with_digits(bare)


def _with_digits(word: str) -> int:
    """Judge letters and digits without a mark."""
    digits = sum(map(str.isdigit, word))
    if word.upper() == word:
        return _CAPITALS
    if _SAYS.signed_number.match(word) and re.search(r"[_./-]", word):
        return 0 if _names_code(word) else _CLASSIC
    if _SAYS.camel_words.match(word.rstrip("0123456789")):
        return _CAMEL if _names_code(word) else _CLASSIC
    if _SAYS.word_number.match(word):
        return {1: ONE_DIGIT, 2: _NUMBERED}.get(digits, _CLASSIC)
    return _CLASSIC if digits > 1 else _CAMEL


def _joined(word: str) -> int:
    """Judge words that are joined to one, by capitals, hyphens or underscores."""
    if _SAYS.names_itself.search(word):
        return 0  # PasswordPolicy, tokenStore, preset-passphrase
    if _SAYS.camel_words.match(word):
        return _CAPITALS if _names_code(word) else _CAMEL
    return _ROW if is_word_row(word) else 0
