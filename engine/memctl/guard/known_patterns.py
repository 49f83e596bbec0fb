"""Secrets that their own form gives away, or what carries them: vendors' keys, addresses, commands.

Each row of ``tables/vendor_formats.txt`` and ``tables/carriers.txt`` is a pattern with the place
of a secret, the letters without which it need not be tried, and in ``carriers.txt`` the name of
the judge below that tells a real value from a variable, a file or a word.
"""

from __future__ import annotations

import re
from base64 import b64decode
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from memctl.base.pattern import Pattern
from memctl.guard.decoding import SecretSpan
from memctl.guard.tables import rows, words
from memctl.guard.values import (
    Kind,
    is_code,
    is_dense,
    is_placeholder,
    is_sequence,
    is_something,
    kind_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from memctl.guard.decoding import TextView

_FEWEST_DISTINCT = 6
_SHORTEST_KEY = 15  # characters
_LONG_WORD = Pattern(rf"[\w.+/=~:$-]{{{_SHORTEST_KEY},}}", re.ASCII)
_NEEDLES = Pattern(r"^\+|(?<=\))\+(?=\[1-9A)")
_WORDY = Pattern(r"[a-z]+(?:[-_./][a-z]+)*[-_]?\d{0,4}|[A-Z]+(?:[-_.][A-Z]+)*|\d+")
_AWS = Pattern(r"A[KS]IA.{16}")  # of these ids in base 32, one in thirty has no digit
# A prefix that nobody listed may name a thing that opens nothing: digests, publishable keys, ids.
_PUBLIC = Pattern(
    r"(?i)sha\d|md5|hash|digest|integrity|^h1|^pk|publi|anon|blake|crc|etag|file|img|image|asset"
    r"|chunk|bundle|build|commit|index|main|app|css|ids?$|chatcmpl|msg|run|thread|asst"
)
_SHORTEST_BARE = 4  # where the place alone does not say that a secret must stand there
_SHORTEST_NUMBER = 8  # a port or a count of tokens has fewer digits
_PARTS = {
    "VALUE": r"[\"']?([^\s\"'|;]{4,128})",
    "LINE": r"[^\n]{0,160}?",
    "USER": r"[^\s:\"'/%]{1,80}",
    "HEADER": r"(?:authorization|proxy-authorization)[\"'\s]{0,3}[:=,][\"'\s]{0,4}",
}


class KnownPattern(NamedTuple):
    """One row of a table: its rule, its judge, the letters that announce it, its expression."""

    rule: str
    judge: str
    needles: tuple[str, ...]
    pattern: Pattern


def format_spans(view: TextView) -> Iterator[SecretSpan]:
    """Yield the keys and tokens whose form is known."""
    text = view.text
    if max(map(len, text.split()), default=0) < _SHORTEST_KEY:
        return
    long = [word for word in _LONG_WORD.findall(text) if not word.isalpha() or not word.islower()]
    words = " ".join(long)
    present = [needle for needle in _by_needle() if needle in words]
    for known in dict.fromkeys(known for needle in present for known in _by_needle()[needle]):
        for match in known.pattern.finditer(text):
            if _is_filled_in(match.group(), known.needles) and (
                known.rule != "prefixed-key" or _is_prefixed_key(text, match)
            ):
                yield SecretSpan(known.rule, *match.span())


def carried_spans(view: TextView) -> Iterator[SecretSpan]:
    """Yield secrets that their surroundings give away."""
    lowered = view.lowered
    present = {needle for needle in _announcing() if needle in lowered}
    for known in _carriers() if present else ():
        if not present.isdisjoint(known.needles):
            for match in known.pattern.finditer(view.text):
                if _JUDGES[known.judge](match[1]):
                    yield SecretSpan(known.rule, *match.span(1))


@cache
def _by_needle() -> dict[str, list[KnownPattern]]:
    result: dict[str, list[KnownPattern]] = {}
    for rule, listed, source in rows("vendor_formats.txt", 3):
        needles = tuple(listed.split(","))
        any_of = f"(?:{'|'.join(map(re.escape, needles))})"
        pattern = _NEEDLES.sub(lambda _, any_of=any_of: any_of, source, count=1)
        known = KnownPattern(rule, "", needles, Pattern(rf"(?<![A-Za-z0-9]){pattern}", re.ASCII))
        for needle in needles:
            result.setdefault(needle, []).append(known)
    return result


@cache
def _announcing() -> tuple[str, ...]:
    return tuple({needle for known in _carriers() for needle in known.needles})


@cache
def _carriers() -> tuple[KnownPattern, ...]:
    result = []
    for rule, judge, needles, source in rows("carriers.txt", 4):
        for part, meaning in _PARTS.items():
            source = source.replace(part, meaning)  # noqa: PLW2901
        pattern = Pattern(source, 0 if judge == "flag" else re.IGNORECASE)
        result.append(
            KnownPattern(rule, judge, tuple(needles.replace("~", " ").split(",")), pattern)
        )
    return tuple(result)


def _is_filled_in(token: str, needles: tuple[str, ...]) -> bool:
    """Return whether a key follows the prefix, not words, dots or a counting row."""
    body = token.removeprefix(next(filter(token.startswith, needles), ""))
    worded = _WORDY.fullmatch(body) and not _AWS.fullmatch(token)
    return len(set(body)) >= _FEWEST_DISTINCT and not worded and not is_placeholder(body)


def _is_prefixed_key(text: str, match: re.Match[str]) -> bool:
    """Return whether a key follows a prefix that nobody listed: no digest, no id in an address."""
    prefix, body = re.split(r"[_-]", match.group(), maxsplit=1)
    word = re.split(r"[\s\"'`(]", text[max(0, match.start() - 200) : match.start()])[-1]
    return (
        is_dense(body)
        and _PUBLIC.search(prefix) is None
        and "://" not in word
        and not word.endswith(("/", "&", "?", "-", "_", "."))
    )


# --- judges of what a carrier holds


def _given(value: str) -> bool:
    """Return whether a person wrote a real value here, however weak."""
    real = len(value) > 1 and value.lower() not in words("no-value")
    return real and not is_placeholder(value)


def _password(value: str) -> bool:
    """Return whether a value is a password and no word, no name of a program, no number."""
    return (
        _given(value)
        and len(value) >= _SHORTEST_BARE
        and not (is_code(value) or is_something(value) or value.isdigit())
        and (any(map(str.isdigit, value)) or not value.isalnum())
    )


def _word(value: str) -> bool:
    return _given(value) and value.lower() not in words("predicate") | words("stand-in")


def _opaque(value: str) -> bool:
    """Return whether a value is a key by its own look: long enough, mixed, no words."""
    kind = kind_of(value.strip("="), quoted=True)
    return bool(kind & (Kind.RANDOM | Kind.STRONG | Kind.HEX)) and not is_sequence(value)


def _path(value: str) -> bool:
    """Return whether the end of an address is an id nobody could guess, in one or more pieces."""
    packed = re.sub(r"[^A-Za-z0-9]", "", value)
    return not is_placeholder(value) and (_opaque(packed) or len(packed) > _SHORTEST_KEY)


def _basic(value: str) -> bool:
    """Return whether a value is base64 of ``user:password``."""
    try:
        decoded = b64decode(value + "=" * (-len(value) % 4), validate=True).decode()
    except ValueError:
        return False
    return ":" in decoded.strip(":") and decoded.isprintable()


def _flag(value: str) -> bool:
    """Return whether a real value follows a flag: no variable, no file, no other flag."""
    word = value.rstrip(".,`)]}’”")  # noqa: RUF001 - as documents quote
    return (
        len(word) >= _SHORTEST_BARE
        and not word.startswith(("-", "/", "~/", "./", "@", "`", "<", "("))
        and not is_code(word)
        and (not is_something(word) or (word.isdigit() and len(word) >= _SHORTEST_NUMBER))
        and _word(word)
        and word.lower() not in words("of-flags")
    )


_JUDGES: dict[str, Callable[[str], bool]] = {
    judge.__name__[1:]: judge for judge in (_given, _password, _word, _opaque, _path, _basic, _flag)
}


# --- private keys with their header, whole or cut off, and seed phrases

# A header survives copying in many forms: spaces lost or doubled, dashes cut, quoted, escaped.
_HEADER = Pattern(
    r"(?i)(?:-{1,6}\s?)?BEGIN[\s_]{0,4}(?:[A-Z0-9]{2,12}[\s_]{0,4}){0,3}?PRIVATE[\s_]{0,4}KEY(?:[\s_]{0,4}BLOCK)?["
    r"-\s]{0,10}"
)
_FIELD = Pattern(
    r"(?:\[?\.{3}\]?|…|[A-Z][A-Za-z-]{2,24}:[^\n\\]{0,120}(?:\n|\\r|\\n)?|\s|\\[rn]|[>|#\"'+,]){0,24}"
)
_MATERIAL = Pattern(r"(?:[A-Za-z0-9+/=]|\s|\\[rn]|[>|\"',+#]){1,16384}")
_FOOTER = Pattern(r"-{0,6}END[^\n-]{0,60}-{0,6}")
# Small words in a row, numbered or not: a phrase has twelve or more, asked first as it costs least
_ROW = Pattern(r"(?:[a-z]{3,8}[\s,]{1,3}(?:\d{1,2}[.)]\s?)?){11}[a-z]{3}")
_PHRASE = Pattern(
    r"(?i)(?:phrase|words?|wörter|palabras|mots|parole|seed|mnemonic|phrase\s(?:secrète|de\srécupéra"
    r"tion)|frase(?:\s(?:secreta|segreta|semilla|mnemonica|seed|di\srecupero|de\srecuper\w{3,5}))?|助"
    r"记词|助記詞|フレーズ|니모닉|시드|фраза)\s{0,2}(?:\([^()\n]{0,40}\)\s?|(?:for|of|to|from|für|vom|zum|de|del|d"
    r"u|pour|para)\s[^\n:.]{1,30}?(?=:|\s(?:is|are|ist|sind|lauten|es|son|est|sont)\s))?(?:\s?(?:is|"
    r"are|es|son|ist|sind|lauten|est|sont|è|é)(?=\s)|是|は|[^\w\s]{0,2})[\s\"'`]{0,6}((?:(?:\d{1,2}[.)]"
    r"\s?)?(?-i:[a-z]{3,8})[\s,]{1,3}){11,23}(?:\d{1,2}[.)]\s?)?(?-i:[a-z]{3,8}))(?!\w)"
)

_PHRASE_LENGTH, _FEWEST_WORDS = 12, 9  # words, and different ones of them
_JUDGED_BODY = 400  # characters
_FEWEST_BODY = 12  # characters of key material that must follow a header


def private_key_spans(view: TextView) -> Iterator[SecretSpan]:
    """Yield private keys and what restores one: seed phrases, service account files."""
    text = view.text
    if "private" in view.lowered:
        yield from _headed(text)
    if _ROW.search(text) is not None:
        yield from (
            SecretSpan("seed-phrase", *match.span(1))
            for match in _PHRASE.finditer(text)
            if _odd_words(match[1])
        )


def _headed(text: str) -> Iterator[SecretSpan]:
    for header in _HEADER.finditer(text):
        start = _FIELD.match(text, header.end())
        at = start.end() if start else header.end()
        # A header is judged by what follows it at once: only a key is read to its end.
        begun = _MATERIAL.match(text, at, at + _JUDGED_BODY)
        if begun is None or not _is_material(begun.group()):
            continue
        body = _MATERIAL.match(text, at)
        if body is None:
            continue
        footer = _FOOTER.match(text, body.end())
        yield SecretSpan("private-key", header.start(), footer.end() if footer else body.end())


def _is_material(body: str) -> bool:
    """Return whether base64 follows the header, not a sentence about headers."""
    packed = re.sub(r"\\[rn]|[^A-Za-z0-9+/=]", "", body)
    spaced = len(re.findall(r"[A-Za-z]+ [a-z]+ ", body[:200]))
    distinct = len(set(packed[:64]))
    mixed = packed[:64].lower() != packed[:64] and packed[:64].upper() != packed[:64]
    return len(packed) >= _FEWEST_BODY and distinct >= _FEWEST_DISTINCT and mixed and spaced <= 1


def _odd_words(text: str) -> bool:
    """Return whether twelve words follow each other without a function word among them."""
    held = words("function-word") - words("of-wallets")
    listed = re.findall(r"[a-z]+", text.lower())
    rows = (listed[at : at + _PHRASE_LENGTH] for at in range(len(listed) - _PHRASE_LENGTH + 1))
    return any(held.isdisjoint(row) and len(set(row)) >= _FEWEST_WORDS for row in rows)


# --- cards and personal numbers

_NEAR, _LED, _BEHIND = 80, 48, 16  # characters around a number in which its name stands
_SSN = r"\d{3}-\d\d-\d{4}|\d{3} \d\d \d{4}|\d{9}"
_CARD = Pattern(r"(?<![A-Za-z0-9_.,/+-])(?=[2-6])\d(?:[ -]?\d){12,18}(?![A-Za-z0-9_]|[.,]\d|-\d)")
_CARD_LENGTHS = {"2": (16, 19), "3": (14, 16), "4": (13, 19), "5": (16, 16), "6": (16, 19)}
_OF_CARDS = Pattern(
    r"(?i)\bcards?\b|\bcard[_-]?n|\bcc[-_ ]?n|credit|debit|visa|master-?card|\bamex\b|american express|maestro|karte\b"
    r"|kartennummer|tarjeta|\bcarte\b|\bcarta\b|карт|卡|カード|카드|\bcvv|\bcvc|\bcsc|expir|\bexp\b|exp\.|valid|gültig|caduca"
    r"|\b(?:0?[1-9]|1[0-2])\s?[/-]\s?(?:20)?[2-4]\d\b"
)
# Each of these numbers has as many digits, a sign between two at most.
_DIGITS = Pattern(r"\d(?:[ .-]?\d){6}")
_NO_CARD = Pattern(
    r"(?i)\b(?:imei|isbn|ean|gtin|barcode|tracking|order|invoice|serial|test[\s-]?(?:card|number)s?)\b[^\n]{0,12}$"
)


def identity_spans(view: TextView) -> Iterator[SecretSpan]:
    """Yield the numbers of cards and of persons."""
    text = view.text
    if _DIGITS.search(text) is None:
        return
    for number_match in _CARD.finditer(text):
        before = text[max(0, number_match.start() - _NEAR) : number_match.start()]
        named = _OF_CARDS.search(
            f"{before}|{text[number_match.end() : number_match.end() + _NEAR]}"
        )
        if (
            named
            and not _NO_CARD.search(before)
            and _is_card(re.sub(r"\D", "", number_match.group()))
        ):
            yield SecretSpan("card-number", *number_match.span())
    for number, name, is_right in _PERSONS:
        for match in number.finditer(text):
            named = name.search(text, max(0, match.start() - _LED), match.end() + _BEHIND)
            if named and is_right(re.sub(r"[\s.-]", "", match.group())):
                rule = "social-security" if is_right is _is_ssn else "personal-id"
                yield SecretSpan(rule, *match.span())


def _is_card(digits: str) -> bool:
    least, most = _CARD_LENGTHS[digits[0]]
    doubled = [int(digit) for digit in digits[::-1]]
    doubled[1::2] = [2 * digit - 9 * (digit > 4) for digit in doubled[1::2]]  # noqa: PLR2004
    return least <= len(digits) <= most and sum(doubled) % 10 == 0 and len(set(digits)) > 1


def _is_ssn(digits: str) -> bool:
    return digits[:3] not in {"000", "666"} and digits[0] != "9" and int(digits[3:5]) > 0


def _is_tax_id(digits: str) -> bool:
    """Return whether the last of eleven digits is right (ISO 7064, mod 11, 10)."""
    product = 10
    for digit in digits[:-1]:
        product = ((int(digit) + product) % 10 or 10) * 2 % 11
    return (11 - product) % 10 == int(digits[-1])


def _is_chinese_id(digits: str) -> bool:
    total = sum(int(digit) * 2 ** (17 - at) for at, digit in enumerate(digits[:-1]))
    return "10X98765432"[total % 11] == digits[-1].upper()


def _is_spanish_id(number: str) -> bool:
    digits = number[:-1].upper().translate(str.maketrans("XYZ", "012"))
    return "TRWAGMYFPDXBNJZSQVHLCKE"[int(digits) % 23] == number[-1].upper()


def _is_snils(digits: str) -> bool:
    total = sum(int(digit) * (9 - at) for at, digit in enumerate(digits[:9]))
    return total % 101 % 100 == int(digits[9:])


# What the number of a person looks like, the words before it, and its check
_PERSONS = tuple(
    (Pattern(rf"(?<![A-Za-z0-9_-])(?:{number})(?![A-Za-z0-9_-])"), Pattern(f"(?i){name}"), is_right)
    for is_right, number, name in (
        (_is_ssn, _SSN, r"\bssn|_ssn|social[\s_-]?security|sozialversicherung|seguro social"),
        (_is_tax_id, r"\d{2} ?(?:\d{3} ?){3}", r"steuer-?(?:id|num)|tax[\s-]?id"),
        (_is_chinese_id, r"\d{17}[\dXx]", ""),
        (_is_spanish_id, r"[XYZxyz\d]\d{7}-?[A-Za-z]", r"\bdni|\bni[ef]\b"),
        (_is_snils, r"\d{3}-\d{3}-\d{3} \d\d|\d{11}", "\u0441\u043d\u0438\u043b\u0441"),
    )
)
