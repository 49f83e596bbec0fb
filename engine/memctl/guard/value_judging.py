# ruff: noqa: RUF001 - other scripts and their punctuation are what is searched
"""Decides whether a value beside the name of a secret is the secret or a remark about it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memctl.guard.tables.rule_tables import patterns, words
from memctl.guard.value_reading import Value
from memctl.guard.value_shapes import (
    is_code,
    is_email,
    is_hash,
    is_measure,
    is_placeholder,
    is_random,
    is_scrambled,
    is_selector,
    is_sequence,
    letters_and_digits,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = [
    "is_code_secret",
    "is_key",
    "is_licence",
    "is_pass_phrase",
    "is_password",
    "is_strong",
    "is_unmistakable",
    "is_word_row",
]

_SAYS = patterns("value_judging")

_SHORTEST_STRONG = 5
_SHORTEST_PASSWORD = 4
_SHORTEST_BELOW = 6  # on the line below its name, where a label of a form may stand
_CODE_LENGTH = 6  # characters, in most services
_PHRASE_LENGTHS = range(3, 11)  # words
_SHORTEST_WORD = 3
_LONGEST_REMARK = 15
_LAST_MARKS = ("!", "?", "%", "$", "&", "=", "#", "*", "+")


def is_strong(value: Value) -> bool:
    """Tell whether a value is a password whatever the sentence around it says."""
    word = value.text
    if len(word) < _SHORTEST_STRONG or not _may_be_secret(value):
        return False
    inner = word.strip(".,:;!?'\"")
    if " " in inner:
        return _is_phrase(inner) and letters_and_digits(inner)
    if letters_and_digits(inner):
        return True
    if _SAYS.symbol.search(inner) is not None:
        return any(c.isalnum() for c in inner)
    odd = is_scrambled(inner)
    return odd and _SAYS.own_name.search(inner) is None


def is_unmistakable(word: str) -> bool:
    """Tell whether a word can be nothing but a password in a sentence about passwords.

    A password mixes cases and digits in one piece as no word does, or letters, digits and a mark.
    """
    plain = word.rstrip(".:!?)]}*").lstrip("([{*")
    value = Value(plain, 0, len(plain), quoted=False, ends_clause=True, run=plain)
    cased = plain.lower() != plain != plain.upper()
    if not (plain.isascii() and letters_and_digits(plain) and cased and _may_be_secret(value)):
        return False
    marked = re.fullmatch(
        r"[A-Za-z0-9]+(?:[!#$%^&*+?@~_-][A-Za-z0-9]*){1,4}", plain.rstrip("!?") or plain
    )
    if marked is not None and re.search(r"[!#$%^&*?~@]", word.rstrip(".,")):
        return not is_email(plain)
    return is_random(plain, minimum=10)


def is_word_row(word: str) -> bool:
    """Tell whether words are joined by one sign, none a word of programs: "gravel_otter_lamp"."""
    if _SAYS.row.match(word) is None:
        return False
    parts = re.split(r"[-_]", word.lower())
    return all(
        words(section).isdisjoint(parts) for section in ("code-word", "function-word", "predicate")
    )


def is_password(value: Value, *, copula: bool) -> bool:
    """Tell whether a value after "password:" or "the password is" is a password."""
    word = value.text
    if not _may_be_secret(value):
        return False
    if is_strong(value) or word.replace("-", "").isdigit():
        return len(word) >= (_SHORTEST_BELOW if value.on_next_line else _SHORTEST_PASSWORD)
    if value.on_next_line:
        return False
    if " " in word.strip():
        return _is_phrase(word)
    return (
        len(word) >= _SHORTEST_PASSWORD
        and word.lower() not in words("predicate")
        and _is_bare_word(value, copula=copula)
    )


def is_key(value: Value, *, minimum: int) -> bool:
    """Tell whether a value after "api key:" or "token is" is a key, not a word or a number."""
    word = value.text
    return (
        len(word) >= minimum
        and (is_random(word, minimum=minimum) or is_licence(word))
        and not is_sequence(word)
        and _may_be_secret(value)
    )


def is_licence(word: str) -> bool:
    """Tell whether a word is groups of capitals and digits, as programs are unlocked with."""
    return _SAYS.licence.match(word) is not None


def is_code_secret(value: Value, *, firm: bool) -> bool:
    """Tell whether a value after "pairing code:" is a code that opens something."""
    word = value.text.rstrip("!")
    if is_placeholder(word) or re.match(r"\d{4}-\d\d-\d\d", word):
        return False
    if _SAYS.digit_code.match(word):
        return sum(c.isdigit() for c in word) >= (4 if firm or value.ends_clause else 6)
    if _SAYS.code_shape.match(word):
        return sum(c.isalnum() for c in word) >= _CODE_LENGTH
    if _SAYS.small_code.match(word):
        return firm or ("-" in word and sum(map(str.isdigit, word)) > 1)
    return (
        word.isascii()
        and word.isalnum()
        and word.upper() == word
        and letters_and_digits(word)
        and len(word) >= (5 if firm else 6)
    )


def is_pass_phrase(parts: Sequence[str]) -> bool:
    """Tell whether words are chosen to be odd together: nothing holds them in a sentence."""
    remarks = sum(part in words("predicate") for part in parts)
    return (
        len(parts) in _PHRASE_LENGTHS
        and all(len(part) >= _SHORTEST_WORD for part in parts)
        and words("function-word").isdisjoint(parts)
        and words("stand-in").isdisjoint(parts)
        and 4 * remarks <= len(parts)
    )


def _may_be_secret(value: Value) -> bool:
    word = value.text
    measure = is_measure(word) and not word.isdigit()
    if measure or is_placeholder(word) or is_hash(word) or is_email(word):
        return False
    if value.quoted:
        named = (_SAYS.identifier.match(word) is not None and not is_word_row(word)) or is_selector(
            word
        )
        return "://" not in word and (not named or is_scrambled(word))
    return not is_code(value.run) and not is_code(word)


def _is_bare_word(value: Value, *, copula: bool) -> bool:
    """Judge a word of letters only, in any script."""
    word = value.text[:-1] if value.text[-1:] in _LAST_MARKS else value.text
    identifier = _SAYS.identifier.match(word)
    if identifier or _SAYS.own_name.search(word) or word.lower() in words("predicate"):
        return identifier is not None and is_word_row(word)
    if _SAYS.dashed_phrase.match(word):
        return not set(re.split(r"[-_.]", word)) & words("function-word")
    if value.quoted:
        return re.fullmatch(r"[^\W\d_]+(?:['’-][^\W\d_]+)?", word) is not None
    # Hardly anybody types an accent into a password; remarks have many.
    if not re.fullmatch(r"[A-Za-z]+(?:['’][A-Za-z]+)?", word) or not value.ends_clause:
        return False
    if copula and word[:1].isupper():
        return True
    return len(word) > _LONGEST_REMARK or _SAYS.remark_end.search(word) is None


def _is_phrase(text: str) -> bool:
    """Tell whether several words are a pass phrase: none of them holds a sentence together."""
    parts = text.lower().split()
    if any(
        letters_and_digits(part) and len(part) >= _CODE_LENGTH and not is_measure(part)
        for part in parts
    ):
        return len(parts) in range(1, 5)
    letters = [part for part in parts if not part.isdigit()]
    return all(part.isalpha() for part in letters) and is_pass_phrase(letters)
