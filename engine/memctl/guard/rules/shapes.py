# ruff: noqa: RUF001 - other scripts and their punctuation are what is searched
"""What a value looks like: left to be filled in, random, a reference in code, a measure.

None of these alone makes a secret; a rule asks for them after a known prefix, a name or a
sentence has said that a secret should stand here.
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise
from math import log2

from memctl.base.pattern import Pattern
from memctl.guard.rules.words import words

__all__ = [
    "entropy",
    "is_code",
    "is_dense",
    "is_expression",
    "is_hash",
    "is_jumbled",
    "is_measure",
    "is_placeholder",
    "is_random",
    "is_scrambled",
    "is_selector",
    "is_sequence",
    "letters_and_digits",
]

_FEWEST_DISTINCT = 6  # a random text of eight has fewer once in ten thousand
_LEAST_ENTROPY = 2.6
_LONGEST_WORDLIKE = 3.2  # mean length of the pieces between changes of case; words have five
_SHORTEST_LETTERS = 16  # without digits, only a long row of letters tells itself from words
_FEW = 3
_FEWEST_TYPED, _LEAST_TYPED, _WORD = 4, 0.3, 5  # different ones; turns a character; letters
_SHORTEST_SCRAMBLED = 8  # letters
_FEWEST_PIECES = 4
_LONGEST_SCRAMBLED = 2.7  # mean length of the pieces; in random letters it is about two
_SHORTEST_VARIABLE = 10  # a dollar and what only a generator makes is no variable
_LEAST_CHANGES = 0.36
_LEAST_OF_A_KIND = 0.04

_TEMPLATE = Pattern(
    r"^(?:<[^<>]*>?|\[[^\[\]]*\]?|\{[^{}]*\}?|\$[{(]|\$(?:[A-Z_][A-Z0-9_]*|[a-z_]\w*|(?:[A-Z][a-z]+)+)(?:[.:\[/}\"')-]|$)|%\(|%[sdrq]$|%[A-Z_]{2,}%|@[A-Z_]+@|__\w+__$|ENC\[)"
    r"|\$\{|\{\{|\}\}|\$\(|<[A-Za-z_ -]{2,40}>|%\([a-z]|\{[A-Za-z_]{2,40}\}"
)
_MASKED = Pattern(r"\.{3}|…|\*{3}|[•●∙·]{3}|#{4}|_{5}|-{5}|(?i:x{4})|█|▒|░")
_REPEATED = Pattern(
    r"([1-9])\1{3,}$"
)  # as lazy people choose them; noughts are left to be filled in
_RUNS = ("0123456789", "abcdefghijklmnopqrstuvwxyz", "qwertyuiopasdfghjklzxcvbnm")

_CALL = Pattern(
    r"[@A-Za-z_$][\w.$:]{0,80}(?:\(.{0,120}\)|\($|\[.{0,80}\])|[A-Za-z_]\w*(?:\.\w+|_\w+)+\(|[a-z]{3,40}\([a-z_]{2,40}[.\[(]"
)
_CHAIN = Pattern(r"[@$:#]?(?:[A-Za-z_]+(?:\??\.|::|->))+[A-Za-z_]+;?$")
_REFERENCE = Pattern(
    r"(?i)(?:os\.|process\.|sys\.|self\.|this\.|env\.|secrets\.|vars?\.|config\.|settings\.|import\.meta"
    r"|getenv|environ|local\.|data\.|module\.|context\.|vault:|op://|arn:|ref\+|file:|!vault|!ref|!sub"
    r"|ssm:|sops:|gsm:|keyring:|pass:|env:)"
)
_CLASS_PATH = Pattern(r"(?:[a-z_]\w*\.){2,8}[A-Z]\w*$")
_HOST = Pattern(r"@(?:[\w-]{1,60}\.){1,4}[a-z]{2,12}(?:[:/]\S*)?$")  # user:password@host
_RULE = r"[a-z_]{2,20}(?::[\w,]{1,20})?"  # of a form: required|min:8
_SELECTOR = Pattern(rf"[#.][A-Za-z_-]+$|[@:][a-z_]+$|@/[\w./-]+$|(?:{_RULE}\|){{1,8}}{_RULE}$")
_EXPRESSION = Pattern(r"\.[*+]|\\[sSwWdD]|\[\^|\(\?|\(\\|\[[A-Za-z0-9]-[A-Za-z0-9]")
# What a run of tests names, features/login.feature:12
_SOURCE_LINE = Pattern(r"[\w-][\w.-]{0,40}(?:/[\w.-]{1,60}){1,8}\.[a-z]{1,10}(?::\d+){1,2}$")
_PATH = Pattern(r"(?:~|\.{1,2}|[A-Za-z]:)?[/\\][\w.@ -]+(?:[/\\][\w.@ -]*)*$")
_MEASURE = Pattern(
    r"(?i)[<>=~]{0,2}\d[\d.,_]*(?:[-–]?(?:\d+[-–])?(?:characters?|chars?|caracteres|zeichen|bits?|bytes?|min(?:utes?)?"
    r"|sec(?:onds?)?|days?|hours?|hrs?|months?|years?|weeks?|digits?|letters?|words?|symbols?|times?|tokens?|attempts?"
    r"|[smhdwkb]|ms|kb|mb|gb|tb|px|pt|em|rem|mm|cm|k|x|th|st|nd|rd|am|pm|fa|%|\+))?$"
    r"|[a-z]{2,12}-?\d{1,2}(?:\.\d{1,3}){1,3}$|[a-z]{3,20}:\d{1,2}(?:\.\d{1,2}){0,2}(?:-[a-z]{1,10})?$|\d{1,3}(?:\.\d{1,3}){0,3}-[a-z]{3,12}(?:\d{1,2}(?:\.\d{1,2}){0,2})?$|v\d+(?:\.\d+){0,3}(?:[-+.][a-z0-9.]{1,12})?$|\d{4}-\d\d(?:-\d\d)?(?:t[\d:.z+-]*)?$|\d{1,2}[./]\d{1,2}[./]\d{2,4}$|\d{1,2}:\d\d(?::\d\d)?$|\d{1,6}/\d{1,6}$"
)
_TECHNICAL = Pattern(
    r"(?i)(?:sha-?\d|md[245]|aes-?\d|rsa-?\d|wpa-?[23]|nist|fips|hmac\w{0,24}|base-?(?:16|32|58|62|64|85)|utf-?\d|pbkdf2\w{0,24}|argon2\w{0,2}|bcrypt|scrypt|oauth-?\d?|"
    r"x-?509|ipv[46]|http/?\d|tls-?v?1|ssl-?v?\d|k8s|i18n|l10n|s3|ec2|ed25519|pkcs|ntlm|sasl|(?:bug|issue|rhbz|lp|gh|bz|pkcs)[:#]{1,2}\d|2fa|mfa|1password|h264|mp[34]"
    r"|win32|x86|arm64|amd64|python|node|java|gpt|claude|llama|gemini|iso-?\d|rfc-?\d|cve-|issue-?\d|pr-?\d|step-?\d|"
    r"section-?\d|chapter-?\d|page-?\d|line-?\d|figure-?\d|table-?\d|room-?\d|utf8|gpio-?\d)[\d.]{0,8}[a-z]?(?:[-_.:/+][\w.:/+-]{0,24})?$"
)
_HASH = Pattern(
    r"\$(?:2[abxy]?|argon2\w*|5|6|1|y|apr1|pbkdf2[\w-]*|scrypt|7)\$|(?i:\{s?sha\d*\}|sha\d+[:-]|md5:|pbkdf2[_:]|bcrypt:|scrypt:|argon2)"
)
_NUMBERED = Pattern(r"[A-Za-z]+\d{1,4}|v\d{1,3}[a-z]{0,8}|\d+")
_CAMEL = Pattern(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")


def is_placeholder(value: str) -> bool:
    """Whether the value was left for somebody to fill in, or was blacked out."""
    low = value.lower()
    return (
        (len(set(low)) <= 1 and not _REPEATED.match(low))
        or low in words("stand-in")
        or (_TEMPLATE.search(value) is not None and not _is_random_behind_dollar(value))
        or _MASKED.search(value) is not None
        or any(word in low for word in words("filler"))
    )


def _is_random_behind_dollar(value: str) -> bool:
    """Whether ``$iFyUwgCGUQ32c``: a dollar by chance, not the name of a variable."""
    return (
        len(value) >= _SHORTEST_VARIABLE
        and re.fullmatch(r"\$[A-Za-z0-9]+[^{}()<>]*", value) is not None
        and is_scrambled(value[1:])
    )


def is_scrambled(word: str) -> bool:
    """Whether capitals stand among the letters as in no word or name: "KiA-QnNlDT"."""
    pieces = _CAMEL.findall(word)
    letters = sum(map(str.isalpha, word))
    return (
        letters >= _SHORTEST_SCRAMBLED
        and len(pieces) >= _FEWEST_PIECES
        and letters < _LONGEST_SCRAMBLED * len(pieces)
        and word.upper() != word != word.lower()
        and "/" not in word
    )


def is_sequence(value: str) -> bool:
    """Whether most of the value is a run along the digits, the alphabet or the keyboard."""
    low = re.sub(r"[^a-z0-9]", "", value.lower())
    pairs = list(pairwise(low))
    along = sum(
        1
        for a, b in pairs
        if any(a + b in run for run in _RUNS) or a + b in ("90", "9a", "f0", "01")
    )
    return bool(pairs) and (along >= 0.6 * len(pairs) or len(set(low)) <= _FEW)


def is_random(value: str, *, minimum: int) -> bool:
    """Whether the value can only have come from a generator.

    Parameters
    ----------
    value
        One word.
    minimum
        Fewest characters; a value shorter than this is never random.

    Notes
    -----
    A generated value mixes letters and digits inside one piece, or both cases without
    forming words; words joined by hyphens, versions and dates do not. Entropy (Shannon, bits
    a character) only rules out, it never decides: 2.6 is below all but one in a thousand of
    random hexadecimal strings of 16.
    """
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
    """Whether capitals, small letters and digits are mixed as only a generator mixes them.

    Notes
    -----
    Of two neighbours in random base 62, 62 % are of different kinds (1 - (26² + 26² + 10²) / 62²);
    in names joined from words, about 25 %. The limit of 36 % lets through one random text of
    thirty characters in a thousand.
    """
    kinds = ["d" if c.isdigit() else "u" if c.isupper() else "l" for c in value if c.isalnum()]
    changes = sum(a != b for a, b in pairwise(kinds))
    fewest = min(kinds.count(kind) for kind in "dul")
    words = len(kinds) / max(len(_CAMEL.findall(value)), 1)
    return (
        fewest >= _LEAST_OF_A_KIND * len(kinds)
        and changes >= _LEAST_CHANGES * (len(kinds) - 1)
        and words < _LONGEST_WORDLIKE
    )


def is_jumbled(value: str) -> bool:
    """Whether letters and digits take turns, though too few different ones for a generator.

    Somebody typed it up and down the keyboard: "8d3kf93kdk39dk3kd9".
    """
    return (
        re.fullmatch(r"[a-z0-9]+", value) is not None
        and len(set(value)) >= _FEWEST_TYPED
        and len(re.findall(r"[a-z](?=[0-9])|[0-9](?=[a-z])", value)) >= _LEAST_TYPED * len(value)
        and max(map(len, re.findall(r"[a-z]+", value))) < _WORD
    )


def entropy(value: str) -> float:
    """Return the Shannon entropy of the value's characters, in bits a character."""
    total = len(value)
    return -sum(n / total * log2(n / total) for n in Counter(value).values())


def letters_and_digits(value: str) -> bool:
    """Whether the value has both letters and digits."""
    return any(c.isalpha() for c in value) and any(c.isdigit() for c in value)


def is_code(value: str) -> bool:
    """Whether an unquoted value is an expression: a call, an attribute, a reference, a path."""
    return (
        _CALL.match(value) is not None
        or _CHAIN.match(value) is not None
        or _CLASS_PATH.match(value) is not None
        or _HOST.match(value) is not None
        or _REFERENCE.match(value) is not None
        or _PATH.match(value) is not None
        or _SOURCE_LINE.match(value) is not None
        or is_selector(value)
        or is_expression(value)
        or "://" in value
    )


def is_expression(value: str) -> bool:
    """Whether the value is a regular expression."""
    return _EXPRESSION.search(value) is not None


def is_selector(value: str) -> bool:
    """Whether the value names an element of a page, ``#password``, or what a form asks of it."""
    return _SELECTOR.match(value) is not None


def is_measure(value: str) -> bool:
    """Whether the value is a quantity, a date, a version or the name of a technique."""
    return _MEASURE.match(value) is not None or _TECHNICAL.match(value) is not None


def is_hash(value: str) -> bool:
    """Whether the value is marked as a one-way hash, which opens nothing by itself."""
    return _HASH.match(value) is not None


def _mixed_piece(piece: str, minimum: int) -> bool:
    if len(piece) < min(minimum, 8):
        return False
    digits = sum(c.isdigit() for c in piece)
    if digits and digits < len(piece) and not _NUMBERED.fullmatch(piece):
        return True
    letters = piece.rstrip("0123456789")
    return (
        len(piece) >= _SHORTEST_LETTERS
        and letters.upper() != letters
        and letters.lower() != letters
        and len(letters) / len(_CAMEL.findall(letters)) < _LONGEST_WORDLIKE
    )
