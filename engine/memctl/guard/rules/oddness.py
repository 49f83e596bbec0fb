"""How little a word of a sentence looks like a word, in points.

A password stands out of the sentence that gives it, whatever the sentence looks like: nobody
writes ``Winter6008``, ``k=zZT!WJQ`` or ``dragon_falcon_mango`` for anything but a name that a program
or a machine has, and such names can be told.
"""

from __future__ import annotations

import re

from memctl.base.pattern import Pattern
from memctl.guard.rules.judge import is_email, is_unmistakable, is_word_row
from memctl.guard.rules.shapes import (
    is_code,
    is_dense,
    is_expression,
    is_hash,
    is_measure,
    is_placeholder,
    is_scrambled,
    is_sequence,
    letters_and_digits,
)
from memctl.guard.rules.words import words

__all__ = ["JOINED_TO_NUMBER", "MARKED", "ROW", "SHORT_NUMBER", "is_product", "oddness"]

_GENERATED = 40
MARKED = 40
_CLASSIC = 30  # a word and a number
SHORT_NUMBER = 24  # a word and two digits, as machines and versions have as well
_WORD_MARKED = 4
_ONE_DIGIT = 20
_CAMEL_MARKED = 30
ROW = 26  # plain words that are joined to one
JOINED_TO_NUMBER = 34  # by a sign that is no hyphen
_CAMEL = 16
_CAPITALS = 8  # and digits: the code of a part, a ticket

_KNOWN = ("code-word", "predicate", "stand-in")
_SHORTEST = 5
_LONGEST = 64
_SHORTEST_PART = 4  # YouTube, LinkedIn, JavaScript
_MANY_MARKS = 3

_MARK = Pattern(r"[!#$%^&*?~@+=€£§]")
_JOINED_NUMBER = Pattern(r"[A-Za-z]{3,}(?:[_.-][A-Za-z]{3,})+[_.-]?\d{1,4}$")
# "Otter_Lamp4", "otter.58", "Otter/Lamp/58": words of no program, and a number
_SIGNED_NUMBER = Pattern(
    r"[A-Za-z]{3,}(?:[_./][A-Za-z]{2,})*(?:[_./]\d{1,4}|(?<=[_./][A-Za-z]{3})[a-z]*\d{1,4}|(?<=[_./][A-Za-z]{2})\d{1,4})$"
)
_BY_SLASHES = Pattern(r"[A-Z][a-z]{2,}(?:/[A-Z][a-z]{1,})*/?\d{1,4}$")
_TITLES = Pattern(r"[A-Z][a-z]{1,11}(?:-[A-Z][a-z]{1,11}){2,4}$")
_MANY_DIGITS = Pattern(r"\d{4,8}[a-z]{2,4}$")
_DISTINCT_MARKS = frozenset("!#$%^&*?~@")
_WORD_NUMBER = Pattern(
    r"[A-Za-z]{3,}(?:[A-Z_.-]?[a-z]{2,})*[_.-]?\d{1,6}[A-Za-z]?$|\d{2,6}[A-Za-z]{4,}$"
)
_LAST_MARK = Pattern(r"[A-Za-z]{4,20}[!?$%&*#]$")
_INNER_MARK = Pattern(r"[a-z][@$!^&*#~][a-z]")
_LETTERS_MEANT = str.maketrans("01345@$", "oleasas")
_LEET = Pattern(r"(?=[A-Za-z]*[a-z])[A-Za-z]+[013457@$][A-Za-z]*[013457@$a-z]*[A-Za-z]\d{0,4}$")
_CAMEL_WORDS = Pattern(r"[A-Z]?[a-z]{2,11}(?:[A-Z][a-z]{2,11}){1,5}$")
_NAMES_ITSELF = Pattern(
    r"(?i)(?<!com)(?<!tres)(?<!sur)(?<!by)pass(?!ion|age|port|enger|over|iv)|pwd|secret|token|login|auth|cred|user|field|input|button|form|hash|crypt|wi-?fi|wlan|version|config|test"
)
_LONG_NAMES = (
    "password",
    "passwd",
    "secret",
    "token",
    "login",
    "field",
    "input",
    "button",
    "version",
    "config",
)
_HEXADECIMAL = Pattern(r"(?=[a-f]*\d)[0-9a-f]{7,64}$|(?:[0-9a-f]{4,12}-){2,7}[0-9a-f]{4,12}$")
_PLACE = Pattern(
    r"^~/|^[./\\]|\w/\w|\\|::|\.[a-z]{2,4}(?::\d+)*$|^--?[a-z]|\w\(|\w\[|^@[\w-]+$|^#[A-Za-z_-]+\d?$|^#\d+$|[<>{}|;]"
)
_PAIR = Pattern(
    r"[a-z_.]{2,24}\d{0,3}=|[A-Z_.]{2,24}=(?!\S*[!#$%&*]\S*[!#$%&*])|[a-z]=\d+$|\w+,[a-z]+="
)
_TICKET = Pattern(r"[A-Z]{2,10}[-_#]?\d+[A-Z]?$")
_PRODUCT = Pattern(
    r"(?i)(?:[a-z]{2,8}-)?(?:windows|android|ios|ipados|macos|iphone|ipad|pixel|galaxy|ubuntu|debian|fedora|python|node|postgres\w*|mysql|php|java|chrome|firefox"
    r"|keepass(?:xc?|dx)?|bitwarden|dashlane|lastpass|1password|enpass|yubikey|nitrokey|titan|eero|fritz|tp-link|netgear|orbi|asus|firefox|edge|safari|fido|web|server|host|node|db|vm|pc|srv|nas|router|printer|rtx|gtx|covid|wi-?fi|office|outlook|word|excel|powerpoint|onenote|teams|photoshop|acrobat|autocad|office|exchange|sharepoint|vs|gpt|claude|llama|nordpass|protonpass"
    r"|room|raum|build|issue|ticket|step|page|line|test|sprint|q|fy|log4j|argon|scrypt|base|utf|sha|md|aes|rsa|wpa|ipv|oauth|http|x|mp|h|k)[-_ ]?\d{1,4}[a-z.]{0,4}$|pass@\d+$|v?\d+\.\d+(?:\.\d+)*[-+][a-z]{1,6}\.?\d*$|\d{1,2}h\d\d$|head[~^]\d+$"
)


def oddness(word: str) -> int:
    """Return how odd a word is, 0 for what is a word, a name, a measure or code.

    Parameters
    ----------
    word
        The word without quotes and brackets around it.

    Returns
    -------
    int
        0 to 40 points, on the scale of `suspects`.
    """
    core = word.rstrip(".,:;")
    if not _SHORTEST <= len(core) <= _LONGEST or not core.isascii() or core.isdigit():
        return 0
    if len(_DISTINCT_MARKS.intersection(core)) >= _MANY_MARKS and letters_and_digits(core):
        known = is_placeholder(core) or is_hash(core) or is_expression(core) or "://" in core
        return 0 if known else _GENERATED
    if _BY_SLASHES.match(core) and "/" in core:
        return 0 if _names_code(core) else JOINED_TO_NUMBER
    if _MANY_DIGITS.match(core) and not is_measure(core):
        return SHORT_NUMBER
    if _is_harmless(core):
        return 0
    bare = core.rstrip("!?")
    return max(_mixed(core), _joined(bare, marked=bare != core or _MARK.search(core) is not None))


def is_product(word: str) -> bool:
    """Whether a program, a machine or a method with its number: "FIDO2", "Windows11", "web03"."""
    return _PRODUCT.match(word) is not None


def _is_harmless(word: str) -> bool:
    bare = word.rstrip("!?") or word
    return (
        is_measure(bare)
        or is_placeholder(bare)
        or is_hash(bare)
        or is_email(bare)
        or is_code(bare)
        or is_sequence(bare)
        or _HEXADECIMAL.match(bare) is not None
        or _PLACE.search(bare) is not None
        or _PAIR.match(bare) is not None
        or is_product(bare)
        or bare.lower().translate(_LETTERS_MEANT).removesuffix("s") in words("stand-in")
    )


def _names_code(word: str) -> bool:
    """Whether one of the joined words is one that names in programs are joined from."""
    parts = re.findall(r"[a-z]{3,}", word.lower())
    return not words("code-word").isdisjoint(parts) or _NAMES_ITSELF.search(word) is not None


def _mixed(word: str) -> int:
    """Judge a word with letters and digits, or letters around a mark."""
    if not letters_and_digits(word):
        if _is_odd_row_of_letters(word):
            return _CLASSIC
        return _WORD_MARKED if _LAST_MARK.match(word) else 0
    bare = word.rstrip("!?")
    if is_unmistakable(word) or is_dense(bare):
        named = any(name in word.lower() for name in _LONG_NAMES)
        return _CLASSIC if named else _GENERATED
    named = _NAMES_ITSELF.search(word) is not None
    if _MARK.search(word) is not None:
        return SHORT_NUMBER if named or _TICKET.match(bare) else MARKED
    return 0 if named else _with_digits(bare)


def _is_odd_row_of_letters(word: str) -> bool:
    """Whether a mark stands between letters, or capitals stand as in no name ("LaTeX-BibTeX")."""
    return _NAMES_ITSELF.search(word) is None and (
        _INNER_MARK.search(word) is not None or (is_scrambled(word) and "-" not in word)
    )


def _with_digits(word: str) -> int:
    """Judge letters and digits without a mark."""
    digits = sum(map(str.isdigit, word))
    by_digits = {1: _ONE_DIGIT, 2: SHORT_NUMBER}.get(digits, _CLASSIC)
    if word.upper() == word or _TICKET.match(word):
        return _CAPITALS
    if _SIGNED_NUMBER.match(word) and not _names_code(word):
        return JOINED_TO_NUMBER
    letters = word.rstrip("0123456789")
    several = word[-1:].isdigit() and _CAMEL_WORDS.match(letters)
    if several and words("code-word").issuperset(_parted(letters)):
        return _CAMEL  # VaultClient3
    if several or _JOINED_NUMBER.match(word):
        return _CLASSIC
    if _WORD_NUMBER.match(word):
        return by_digits
    return _CLASSIC if digits > 1 or _LEET.match(word) else _CAMEL


def _parted(word: str) -> list[str]:
    """Return the words that capitals part, in lower case."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", word).lower().split()


def _joined(word: str, *, marked: bool) -> int:
    """Judge words that are joined to one, by capitals, hyphens or underscores."""
    if not marked and _NAMES_ITSELF.search(word):
        return 0  # PasswordPolicy, tokenStore, preset-passphrase
    if _CAMEL_WORDS.match(word):
        parts = [part.lower() for part in re.findall(r"[A-Z]?[a-z]+", word)]
        known = any(part in words(section) for section in _KNOWN for part in parts)
        if known or min(map(len, parts)) < _SHORTEST_PART:
            return _CAPITALS
        return _CAMEL_MARKED if marked else _CAMEL
    titled = _TITLES.match(word) is not None and not _names_code(word)
    if titled:
        return _CLASSIC
    return ROW if is_word_row(word) else 0
