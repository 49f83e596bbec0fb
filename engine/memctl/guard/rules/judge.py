# ruff: noqa: RUF001 - other scripts and their punctuation are what is searched
"""Decides whether a stated value is the secret itself or a remark about it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memctl.base.pattern import Pattern
from memctl.guard.rules.shapes import (
    is_code,
    is_hash,
    is_jumbled,
    is_measure,
    is_placeholder,
    is_random,
    is_scrambled,
    is_selector,
    is_sequence,
    letters_and_digits,
)
from memctl.guard.rules.values import Value
from memctl.guard.rules.words import words

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = [
    "is_camel",
    "is_code_secret",
    "is_irregular",
    "is_key",
    "is_licence",
    "is_pass_phrase",
    "is_password",
    "is_pin",
    "is_setting",
    "is_strong",
    "is_unmistakable",
    "is_word_row",
]

_SHORTEST_STRONG = 5
_SHORTEST_PASSWORD = 4
_SHORTEST_BELOW = 6  # on the line below its name, where a label of a form may stand
_SHORTEST_SETTING = 8
_CODE_LENGTH = 6  # what most services send
_PIN_LENGTHS = range(4, 13)
_PHRASE_LENGTHS = range(3, 11)  # words
_SHORTEST_WORD = 3
_SHORTEST_TYPED = 14  # characters of a key that a hand typed up and down the keyboard
_LAST_MARKS = ("!", "?", "%", "$", "&", "=", "#", "*", "+")

_SYMBOL = Pattern(r"[#*+@^~!€£§]|[$%&?=].*\d|\d.*[$%&?=:;,/]")
# Two marks among letters of both cases, none of them a bracket of code.
_MARKS = Pattern(r"(?=[^a-z]*[a-z])(?=[^A-Z]*[A-Z])(?:[A-Za-z]*[$%&?=]){2}[A-Za-z$%&?=]*$")
_EMAIL = Pattern(r"[\w.+-]{1,64}@[\w-]{1,60}\.[\w.-]{2,40}$")
_OWN_NAME = Pattern(
    r"(?i)(?<![a-z])pass|pass(?:w|code|phrase)|pwd|secret|token|(?:api|private|access|my)[_-]?key|(?<![a-z])key$|hash|crypt|field|input|string|manager|cred|auth|login|valid|policy|(?-i:(?<=[a-z])Pass(?![a-z]))"
)
_IDENTIFIER = Pattern(r"[A-Za-z]+(?:_[A-Za-z]+)+$")
_CAMEL = Pattern(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_INNER_CAPITAL = Pattern(r"[a-z]{2}[A-Z]")
_CAMEL_WORDS = Pattern(r"(?:[A-Z][a-z]{2,11}){2,6}$")
_ROW = Pattern(r"[A-Za-z]{3,12}(?:([-_])[A-Za-z]{3,12})(?:\1[A-Za-z]{3,12}){1,8}$")
_PASS_PHRASE = Pattern(r"[a-z]{2,12}(?:[-_.][a-z]{2,12}){2,8}$")
_PREDICATE_END = Pattern(
    r"(?i)(?:ed|ing|able|ible|ly|ful|less|ous|ive|ent|ant|adas?|ados?|idas?|idos?|ée?s?|ert|iert|tion|ción|ção|ment|ness|[aie]ente|[ai]nte|oso|osa"
    r"|ый|ий|ая|ое|ые|ть|тся|ите|ован|ана|ано|лен|лена)$"
)
_REMARK_END = Pattern(r"[a-z]{3}(?:ed|able|ible|ert)$")
_CODE_SHAPE = Pattern(r"(?=[A-Z0-9-]*\d|[A-Z]{3,8}-)[A-Z0-9]{2,8}(?:-[A-Z0-9]{2,8}){1,5}$")
_SMALL_CODE = Pattern(
    r"(?=[a-z-]*\d)(?=[\d-]*[a-z])[a-z0-9]{4,8}(?:-[a-z0-9]{2,8}){1,5}$|(?=[a-z]*\d)(?=\d*[a-z])[a-z0-9]{4,8}$"
)
_LICENCE = Pattern(r"(?=[A-Z-]*\d)[A-Z0-9]{4,8}(?:-[A-Z0-9]{4,8}){2,7}$")
# "X25519PublicKey", "com.example.i18n.curve_type"
_NAME_OF_KEY = Pattern(
    r"[a-z\d](?:Key|Token|Secret|Credential)s?$|(?:Private|Public)Key|^(?:[a-z][a-z0-9_-]{0,15}\.){2,8}[a-z][a-z0-9_-]{0,20}$"
)
_PUBLIC_ID = Pattern(r"0x(?:[0-9a-fA-F]{8}|[0-9a-fA-F]{16}|[0-9a-fA-F]{40})$")
_DIGIT_CODE = Pattern(r"[#*]?\d(?:[ -]?\d){3,15}[#*]?$")


def is_strong(value: Value) -> bool:
    """Whether the value is a password whatever the sentence around it says."""
    word = value.text
    if len(word) < _SHORTEST_STRONG or not _may_be_secret(value):
        return False
    inner = word.strip(".,:;!?'\"")
    if " " in inner:
        return _is_phrase(inner) and letters_and_digits(inner)
    if letters_and_digits(inner):
        return True
    if _SYMBOL.search(inner) is not None:
        return any(c.isalnum() for c in inner)
    odd = is_scrambled(inner) or _MARKS.match(inner) is not None
    return odd and _OWN_NAME.search(inner) is None


def is_unmistakable(word: str) -> bool:
    """Whether a word in a sentence about passwords can be nothing but one.

    It mixes cases and digits in one piece as no word does, or letters, digits and a mark.
    """
    plain = word.rstrip(".:!?)]}*").lstrip("([{*")
    value = Value(plain, 0, len(plain), quoted=False, ends_clause=True, run=plain)
    cased = plain.lower() != plain and plain.upper() != plain
    if (
        not plain.isascii()
        or not letters_and_digits(plain)
        or not _may_be_secret(value)
        or not cased
    ):
        return False
    marked = re.fullmatch(
        r"[A-Za-z0-9]+(?:[!#$%^&*+?@~_-][A-Za-z0-9]*){1,4}", plain.rstrip("!?") or plain
    )
    if re.search(r"[!#$%^&*?~@]", word.rstrip(".,")) and marked is not None:
        return not is_email(plain)
    return is_random(plain, minimum=10)


def is_irregular(word: str) -> bool:
    """Whether capitals stand in a word of letters as in no word or name: "WUzwhP"."""
    return (
        len(word) >= _SHORTEST_STRONG
        and re.search(r"[a-z][A-Z]", word) is not None
        and len(word) / len(_CAMEL.findall(word)) < _SHORTEST_WORD
    )


def is_word_row(word: str) -> bool:
    """Whether words joined by one sign, none of them a word of programs: "gravel_otter_saddle"."""
    if _ROW.match(word) is None:
        return False
    parts = re.split(r"[-_]", word.lower())
    return all(
        words(said).isdisjoint(parts) for said in ("code-word", "function-word", "predicate")
    )


def is_camel(word: str) -> bool:
    """Whether words without spaces, each with its capital: "GravelOtterLamp"."""
    return _CAMEL_WORDS.match(word) is not None


def is_email(word: str) -> bool:
    """Whether the word is a mail address."""
    return _EMAIL.match(word) is not None


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
    """Whether the value after "api key:" or "token is" is a key and not a word or a number."""
    word = value.text
    return (
        len(word) >= minimum
        and (
            is_random(word, minimum=minimum)
            or _LICENCE.match(word) is not None
            or (len(word) >= _SHORTEST_TYPED and is_jumbled(word))
        )
        and not is_sequence(word)
        and _NAME_OF_KEY.search(word) is None
        and _PUBLIC_ID.match(word) is None
        and _may_be_secret(value)
    )


def is_licence(word: str) -> bool:
    """Whether groups of capitals and digits, as programs are unlocked with."""
    return _LICENCE.match(word) is not None


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
        return sum(c.isdigit() for c in word) >= (4 if firm or value.ends_clause else 6)
    if _CODE_SHAPE.match(word):
        return sum(c.isalnum() for c in word) >= _CODE_LENGTH
    if _SMALL_CODE.match(word):
        return firm or ("-" in word and sum(map(str.isdigit, word)) > 1)
    return (
        word.isascii()
        and word.isalnum()
        and word.upper() == word
        and letters_and_digits(word)
        and len(word) >= (5 if firm else 6)
    )


def is_setting(value: Value) -> bool:
    """Whether the value of ``X_SECRET=`` in an environment file is a real one, random or not."""
    word = value.text
    return (
        len(word) >= _SHORTEST_SETTING
        and " " not in word
        and not word.replace(".", "").isdigit()
        and is_password(value, copula=False)
    )


def is_pin(value: Value) -> bool:
    """Whether the value after "PIN:" is a number that a person would have to remember."""
    return value.text.isdigit() and len(value.text) in _PIN_LENGTHS


def is_pass_phrase(parts: Sequence[str]) -> bool:
    """Whether the words are chosen to be odd together: nothing holds them in a sentence."""
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
        named = (_IDENTIFIER.match(word) is not None and not is_word_row(word)) or is_selector(word)
        return "://" not in word and (not named or is_scrambled(word))
    return not is_code(value.run) and not is_code(word)


def _is_bare_word(value: Value, *, copula: bool) -> bool:
    """Judge a word of letters only, in any script."""
    word = _without_last_mark(value.text)
    if _OWN_NAME.search(word) or word.lower() in words("predicate"):
        return False
    if _IDENTIFIER.match(word):
        return is_word_row(word)
    if _PASS_PHRASE.match(word):
        return not set(re.split(r"[-_.]", word)) & words("function-word")
    if value.quoted:
        return re.fullmatch(r"[^\W\d_]+(?:['’-][^\W\d_]+)?", word) is not None
    # Hardly anybody types an accent into a password; remarks have many.
    if not re.fullmatch(r"[A-Za-z]+(?:['’][A-Za-z]+)?", word) or not value.ends_clause:
        return False
    return (copula and word[:1].isupper()) or not _is_remark(word, copula=copula)


def _without_last_mark(word: str) -> str:
    """Return the word without the mark that people put behind one: "trellisComet%"."""
    return word[:-1] if word[-1:] in _LAST_MARKS else word


def _is_remark(word: str, *, copula: bool) -> bool:
    """Whether the word ends as words do that say something of another."""
    if _INNER_CAPITAL.search(word) or word.lower() in words("thing"):
        return False
    return (_PREDICATE_END if copula else _REMARK_END).search(word) is not None


def _is_phrase(text: str) -> bool:
    """Whether several words are a pass phrase: no word that holds a sentence together."""
    parts = text.lower().split()
    if any(
        letters_and_digits(part) and len(part) >= _CODE_LENGTH and not is_measure(part)
        for part in parts
    ):
        return len(parts) in range(1, 5)
    letters = [part for part in parts if not part.isdigit()]
    return all(part.isalpha() for part in letters) and is_pass_phrase(letters)
