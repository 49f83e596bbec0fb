"""Decides whether a stated value is the secret itself or a remark about it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memctl.secret_rules.shapes import (
    is_code,
    is_hash,
    is_measure,
    is_placeholder,
    is_random,
    is_sequence,
    letters_and_digits,
)
from memctl.secret_rules.words import words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memctl.secret_rules.values import Value

__all__ = ["is_code_secret", "is_key", "is_pass_phrase", "is_password", "is_pin", "is_strong"]

_SYMBOL = re.compile(r"[^\w\s.,:;/'’\-–—\"()\[\]{}<>|\\=&?%]|[$%&?=].*\d|\d.*[$%&?=:;,/]")
_EMAIL = re.compile(r"[\w.+-]{1,64}@[\w-]{1,60}\.[\w.-]{2,40}$")
_OWN_NAME = re.compile(
    r"(?i)pass|pwd|secret|token|key|hash|crypt|field|input|string|manager|cred|auth|login|valid|policy"
)
_IDENTIFIER = re.compile(r"[A-Za-z]+(?:_[A-Za-z]+)+$")
_PASS_PHRASE = re.compile(r"[a-z]{2,12}(?:[-_.][a-z]{2,12}){2,8}$")
_PREDICATE_END = re.compile(
    r"(?i)(?:ed|ing|able|ible|ly|ful|less|ous|ive|ent|ant|adas?|ados?|idas?|idos?|ée?s?|ert|iert|tion|ción|ção|ment|ness"
    r"|ый|ий|ая|ое|ые|ть|тся|ите|ован|ана|ано|лен|лена)$"
)
_CODE_SHAPE = re.compile(r"(?=[A-Z0-9-]*\d|[A-Z]{3,8}-)[A-Z0-9]{2,8}(?:-[A-Z0-9]{2,8}){1,5}$")
_DIGIT_CODE = re.compile(r"[#*]?\d(?:[ -]?\d){3,11}[#*]?$")


def is_strong(value: Value) -> bool:
    """Whether the value is a password whatever the sentence around it says."""
    word = value.text
    if len(word) < 5 or not _may_be_secret(value):
        return False
    inner = word.strip(".,:;!?'\"")
    if letters_and_digits(inner):
        return True
    return _SYMBOL.search(inner) is not None and any(c.isalnum() for c in inner)


def is_password(value: Value, *, copula: bool) -> bool:
    """Whether the value after "password:" or "the password is" is a password.

    Parameters
    ----------
    value
        What stands there.
    copula
        Whether a verb led to it, so that an adjective is as likely as a password.
    """
    word = value.text
    if not _may_be_secret(value):
        return False
    if is_strong(value) or word.isdigit():
        return len(word) >= 4
    if " " in word.strip():
        return _is_phrase(word)
    return (
        len(word) >= 4
        and word.lower() not in words("predicate")
        and _is_bare_word(value, copula=copula)
    )


def is_key(value: Value, *, minimum: int) -> bool:
    """Whether the value after "api key:" or "token is" is a key and not a word or a number."""
    return (
        _may_be_secret(value)
        and not value.text.isdigit()
        and not is_sequence(value.text)
        and is_random(value.text, minimum=minimum)
    )


def is_code_secret(value: Value, *, firm: bool) -> bool:
    """Whether the value after "pairing code:" is a code that opens something.

    Parameters
    ----------
    value
        What stands there.
    firm
        Whether a colon, an equals sign or a verb led to it; six digits are asked for else.
    """
    word = value.text.rstrip("!")
    if is_placeholder(word) or re.match(r"\d{4}-\d\d-\d\d", word):
        return False
    if _DIGIT_CODE.match(word):
        return sum(c.isdigit() for c in word) >= (4 if firm else 6)
    if _CODE_SHAPE.match(word):
        return sum(c.isalnum() for c in word) >= 6
    return (
        firm
        and word.isascii()
        and word.isalnum()
        and word.upper() == word
        and letters_and_digits(word)
        and len(word) >= 5
    )


def is_pin(value: Value) -> bool:
    """Whether the value after "PIN:" is a number that a person would have to remember."""
    return value.text.isdigit() and 4 <= len(value.text) <= 12


def is_pass_phrase(parts: Sequence[str]) -> bool:
    """Whether the words are chosen to be odd together: nothing holds them in a sentence."""
    remarks = sum(part in words("predicate") for part in parts)
    return (
        3 <= len(parts) <= 10
        and all(len(part) >= 3 for part in parts)
        and not set(parts) & words("function-word")
        and 4 * remarks <= len(parts)
    )


def _may_be_secret(value: Value) -> bool:
    word = value.text
    measure = is_measure(word) and not word.isdigit()
    if measure or is_placeholder(word) or is_hash(word) or _EMAIL.match(word) is not None:
        return False
    if value.quoted:
        return "://" not in word and not _IDENTIFIER.match(word)
    return not is_code(value.run) and not is_code(word)


def _is_bare_word(value: Value, *, copula: bool) -> bool:
    """Judge a word of letters only, in any script."""
    word = value.text
    if _OWN_NAME.search(word) or _IDENTIFIER.match(word):
        return False
    if _PASS_PHRASE.match(word):
        return not set(re.split(r"[-_.]", word)) & words("function-word")
    if not re.fullmatch(r"[^\W\d_]+(?:['’-][^\W\d_]+)?", word):
        return False
    if value.quoted:
        return True
    if "-" in word or not value.ends_clause:
        return False
    return not copula or word[:1].isupper() or _PREDICATE_END.search(word) is None


def _is_phrase(text: str) -> bool:
    """Whether several words are a pass phrase: no word that holds a sentence together."""
    parts = text.lower().split()
    if any(letters_and_digits(part) and len(part) >= 6 and not is_measure(part) for part in parts):
        return len(parts) <= 4
    return all(part.isalpha() for part in parts) and is_pass_phrase(parts)
