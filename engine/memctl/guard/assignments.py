"""Secrets that a sign sets beside their name: in a setting, a declaration, a call, a command.

The name is any word that speaks of a password, a key or a token, alone or as a part of an
identifier. Punctuation, a type, an option or the name of a call may stand before the value. A
password must be no word of programs, a key or token must look random.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import TYPE_CHECKING

from memctl.guard.tables.rule_tables import words
from memctl.guard.value_shapes import (
    is_code,
    is_dense,
    is_email,
    is_hash,
    is_measure,
    is_random,
    is_sequence,
    letters_and_digits,
)

if TYPE_CHECKING:
    from memctl.guard.secret_candidates import Candidate, Reading

__all__ = ["is_assigned"]

_FAR = 40  # characters from a name to its value
_SHORTEST_PASSWORD, _SHORTEST_KEY = 5, 12
_SHORTEST_LONE = 20  # characters of a key that only a blank parts from its name
_PASSWORDS = {"password", "answer"}
_KEYS = {"key", "secret", "token"}
# The rest of an identifier, closing quotes, a type or an option, then a sign and opening quotes
_SIGN = re.compile(
    r"\w{0,16}(?:\s(?:de|of|for|für|del?|du|para|per|to)\s[\w .-]{1,20})?[\"'`*\])}>]{0,3}"
    r"(?:\s?\([^()\n]{1,20}\))?"
    r"(?:\s{0,2}(?::=|=>|->|→|[:=(,|>]|==)\s{0,2}(?:(?:[\w.]{1,16}\s?=|[A-Z][\w.<>?]{1,14}|str(?:ing)?|const|value"
    r"|\[\]byte|b|f|r)(?=[\s\"'(=]))?\s{0,2}(?:=|\()?\s{0,2}){1,2}[\"'`«“「『(\[<{*]{0,3}$"
)
_BLANK = re.compile(
    r"\w{0,8}[\"'`]?\s(?:is\s|is:\s|ist\s|lautet\s|es\s|est\s|è\s|é\s|to\s)?[\"'`«“「(]{0,2}$"
)
_CJK = re.compile(r"(?:是|为|為|は|を|는|은|이|가|改成|改为|設定|:)\s?[\"'「『“(]{0,2}$")
_LATIN_WORD = re.compile(r"[^\W\d_]+$")
_NAME = re.compile(
    r"[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)+\(?|[a-z]+(?:_[a-z]+)+\d?$|[a-z]+(?:[A-Z][a-z]+)+$|[A-Z]+(?:_[A-Z]+)+$"
)
_PUBLIC = re.compile(
    r"(?i)public|publish|fingerprint|sha-?\d|md5|digest|checksum|\bhash|\bids?\b|_id\b|commit|etag|nonce"
    r"|integrity|cache|primary|foreign|example|\bkid\b|film|movie|novel|uuid|vault|arn:"
)


def is_assigned(read: Reading, one: Candidate) -> bool:
    """Return whether the name of a secret leads to a candidate that looks like one."""
    first = bisect_left(read.places, one.start - _FAR - 12)
    near = [
        thing
        for thing in read.concepts[first : bisect_left(read.places, one.start)]
        if thing[1] <= one.start and thing[2] in _PASSWORDS | _KEYS
    ]
    if not near:
        return False
    _, end, name = near[-1]
    between = read.text[end : one.start]
    sign = _SIGN.match(between) is not None
    if not (sign or _BLANK.match(between) or _CJK.match(between)) or _unusable(read, one):
        return False
    if name in _PASSWORDS:
        return _is_password(one, sign=sign)
    least = _SHORTEST_KEY if sign else _SHORTEST_LONE
    return is_random(one.text, minimum=least) and (
        sign or is_dense(one.text) or len(one.text) > 2 * least - 9
    )


def _unusable(read: Reading, one: Candidate) -> bool:
    word = one.text
    line = max(read.text.rfind("\n", 0, one.start) + 1, one.start - 70)
    return (
        is_hash(word)
        or is_email(word)
        or is_sequence(word)
        or (is_measure(word) and not word.isdigit())
        or (not one.quoted and is_code(word))
        or "://" in word
        or _NAME.match(word) is not None
        or _PUBLIC.search(read.text, line, one.start) is not None
    )


def _is_password(one: Candidate, *, sign: bool) -> bool:
    word = one.text
    if len(word) < _SHORTEST_PASSWORD or " " in word or word.lower() in words("predicate"):
        return False
    if letters_and_digits(word):
        return sum(map(str.isalpha, word)) > 1
    marked = re.search(r"\w[!#$%^&*~@]\w|[!#$%^&*~]$", word) is not None and any(
        map(str.isalpha, word)
    )
    return sign and (
        marked
        or (
            one.quoted and _LATIN_WORD.match(word) is not None and word.isascii() and word.islower()
        )
    )
