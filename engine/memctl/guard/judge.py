# ruff: noqa: PLR2004 - lengths are put into classes; other scripts are searched
"""Judges words of a text by weights: the same few marks tell a password in every sentence.

Every word, number or quoted run that could be a password is a candidate. Its shape, the marks
beside it, the words around it and the things that they speak of (``tables/concepts.txt``) each
have a weight in ``tables/weights.txt``; a candidate whose weights add up to enough is a secret.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from memctl.guard.assignments import is_assigned
from memctl.guard.decoding import SecretSpan
from memctl.guard.tables.rule_tables import rows, words
from memctl.guard.value_shapes import (
    entropy,
    is_code,
    is_email,
    is_hash,
    is_measure,
    is_sequence,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memctl.guard.decoding import TextView
from memctl.guard.secret_candidates import Candidate, Reading, candidates, reading, without_accents

__all__ = ["Candidate", "candidates", "features", "judged_spans", "reading"]

_RULE = "told-secret"
_LONG = 16  # characters from which a random word is rather a key than a password
_FAR = 70  # characters around a candidate in which things are looked for
_LEFT, _RIGHT = 6, 4  # words
_MOST_THINGS = 30
_RANDOM = 3.2  # bits a letter
_TOP = "com|org|net|io|de|dev|fr|es|it|co|uk|example|local|internal"
_ENDING = (
    "py|ts|tsx|js|json|ya?ml|md|txt|go|rs|c|h|java|pdf|png|jpg|csv|env|toml|sh|html|css|sql|log|xml"
    "|zip|docx|xlsx"
)
_SHAPES = tuple(
    (name, re.compile(source))
    for name, source in (
        ("url", rf".*://|www\.|[\w-]+(?:\.[\w-]+){{0,3}}\.(?:{_TOP})(?:[/:].*)?$"),
        ("path", rf"[~.]{{0,2}}/[\w.@-]+|[\w@-]+(?:/[\w.@-]+){{2,}}|[\w-]+\.(?:{_ENDING})$"),
        (
            "date",
            r"(?:19|20)\d\d[-/.]\d\d?(?:[-/.]\d\d?)?(?:T.*)?$|\d\d?[./-]\d\d?[./-](?:\d\d){1,2}$",
        ),
        ("time", r"\d\d?[:h.]\d\d(?::\d\d)?(?:am|pm|h)?$|\d\d?(?:am|pm|h)$|\d\d?-\d\d?$"),
        ("version", r"v?\d+(?:\.\d+){1,4}(?:[-+]?[a-z]\w*)?$|v\d+$"),
        (
            "price",
            r"[$€£¥]\d|\d[\d.,]*[$€£¥%°]$|\d{1,3}(?:[.,]\d{3})+$|\d+[.,]\d+$|[#№]\d{1,5}$",
        ),
        ("uuid", r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$"),
        ("hex", r"(?:0x)?(?=\D{0,60}\d)(?=[^a-f]{0,60}[a-f])[0-9a-f]{7,}$|[0-9A-F]{16,}$"),
        ("year", r"(?:19|20)\d\d$"),
        ("number", r"\d+$"),
        ("group", r"[#*]?\d+(?:[ -]\d+)+[#*]?$"),
        ("keyed", r"[#*]\d{3,8}[#*]?$|\d{3,8}[#*]$"),
        ("unit", r"\d+(?:[a-zA-Zµ]{1,3}|[a-z]{4,8})$"),
        ("ticket", r"[A-Z]{1,6}-\d{1,6}$|[A-Z]{1,3}\d{1,4}$"),
        ("code", r"(?=\D*\d)[A-Z0-9]{4,12}$|[A-Z0-9]{3,6}(?:-[A-Z0-9]{3,6})+$"),
        ("word", r"[^\W\d_]+$"),
        ("row", r"[a-z]+(?:[-_.][a-z]+)+\d{0,4}$"),
        ("phrase", r"[^\W\d_]+(?: [^\W\d_]+)+$"),
        ("text", r".*\s"),
        ("mixed", r"\w+$"),
    )
)
_SORTS = {
    **dict.fromkeys(("number", "group", "keyed", "year"), "N"),
    **dict.fromkeys(("mixed", "signs", "joined", "signed", "row", "code", "ticket", "unit"), "O"),
    **dict.fromkeys(("long", "hex", "uuid"), "L"),
    **dict.fromkeys(("word", "phrase", "text"), "W"),
}
_SECRET = frozenset(
    (
        "password",
        "pin",
        "code",
        "key",
        "secret",
        "token",
        "wifi",
        "lock",
        "unlock",
        "type",
        "answer",
    )
)
_STRONG = re.compile(r"[!#$%^&*?~@+]")
_INNER = re.compile(r"[!#$%^&*~@+]\w")
_CODE = re.compile(r"[(){}\[\]<>;]")
_CLASSES = tuple(
    (re.compile(f"{chars}+"), mark)
    for chars, mark in (("[A-Z]", "A"), ("[a-z]", "a"), (r"\d", "9"))
)


def judged_spans(view: TextView) -> Iterator[SecretSpan]:
    """Yield the candidates whose weights add up to a secret."""
    weights, least = _weights()
    weight = weights.get
    read = None
    for one in candidates(view.text):
        if not view.is_new("judge", one.start):
            continue
        read = read or reading(view.text)
        if sum(weight(feature, 0) for feature in features(read, one)) >= least:
            yield SecretSpan(_RULE, one.start, one.end)


def features(read: Reading, one: Candidate) -> set[str]:
    """Return the marks of a candidate that have weights."""
    text, start, end = read.text, one.start, one.end
    kind, sort, shape = _shape(one.text)
    found = {kind, sort, *shape}
    if sort == "W":
        low = one.text.lower()
        found.add("w " + without_accents(low[:8]))
        if not words("predicate").isdisjoint((low, low.split()[0])):
            found.add("predicate")
    before = _before(text[max(0, start - 6) : start])
    behind = _behind(text[end : end + 3])
    found.update((f"<{before}", f">{behind}", f"{sort}<{before}", f"{kind}<{before}"))
    found.add(f"{sort}>{behind}")
    if one.quoted:
        found.update(("q", sort + "q"))
    if one.named:
        found.update(("=", sort + "="))
    if is_assigned(read, one):
        found.update(("assigned", sort + "assigned", kind + "assigned"))
    found.update(_words_around(read, one, sort))
    found.update(_things_around(read, one, kind, sort))
    return found


def _words_around(read: Reading, one: Candidate, sort: str) -> Iterator[str]:
    at = bisect_left(read.starts, one.start)
    for number, stem in enumerate(reversed(read.stems[max(0, at - _LEFT) : at])):
        yield from (f"l {stem}", f"{sort}l {stem}")
        if number <= 1:
            yield from (f"l{number} {stem}", f"{sort}l{number} {stem}")
    after = bisect_left(read.starts, one.end)
    right = read.stems[after : after + _RIGHT]
    yield from (f"r {stem}" for stem in right)
    yield from (mark for stem in right[:1] for mark in (f"r0 {stem}", f"{sort}r0 {stem}"))


def _things_around(read: Reading, one: Candidate, kind: str, sort: str) -> Iterator[str]:
    text, start, end = read.text, one.start, one.end
    near = bisect_left(read.places, start - _FAR)
    last: dict[str, int] = {}
    first: dict[str, int] = {}
    for begin, stop, name in read.concepts[near : near + _MOST_THINGS]:
        if stop <= start + 1:
            last.pop(name, None)
            last[name] = stop
        elif end - 1 <= begin <= end + _FAR:
            first.setdefault(name, begin)
    names = sorted({*last, *first})
    secret = [name for name in names if name in _SECRET]
    yield f"{kind}@{len(secret[:3])}"
    for name in names:
        yield from (f"@{name}", f"{sort}@{name}", f"{kind}@{name}")
        for second in secret:
            if second != name:
                yield from (f"@{second}+{name}", f"{sort}@{second}+{name}")
    for number, (name, stop) in enumerate(reversed(last.items())):
        gap, far = _between(text[stop:start]), min((start - stop) // 8, 5)
        yield from (f"{sort}@{name}<{far}", f"@{name}<{far}", f"@{name}:{gap}")
        yield f"{sort}@{name}:{gap}"
        if not number:
            yield from (f"{sort}@{name}^", f"@{name}^", f":{gap}", f"{sort}:{gap}")
    for name, begin in first.items():
        gap, far = _between(text[end:begin]), min(max(begin - end, 0) // 8, 5)
        yield from (f"{sort}@{name}>{far}", f"@{name}>{far}", f"@{name};{gap}")


@lru_cache(maxsize=4096)
def _before(text: str) -> str:
    """Return the marks right before a candidate, a word as "a", the beginning as "^"."""
    return re.sub(r"\w+", "a", re.sub(r"\s+", " ", text.replace("\n", "¶")))[-3:] or "^"


@lru_cache(maxsize=4096)
def _behind(text: str) -> str:
    """Return the marks right behind a candidate, a word as "a", the end as "$"."""
    return re.sub(r"\w+", "a", re.sub(r"\s+", " ", text.replace("\n", "¶")))[:2] or "$"


@lru_cache(maxsize=4096)
def _between(text: str) -> str:
    """Return the marks between a thing and a candidate, words as "w"."""
    return re.sub(r"\s+", "", re.sub(r"[^\W_]+", "w", text))[-4:]


@lru_cache(maxsize=4096)
def _shape(word: str) -> tuple[str, str, tuple[str, ...]]:
    """Return the kind of a candidate and further marks of its shape."""
    marks = []
    if is_email(word):
        kind = "mail"
    else:
        kind = next((name for name, pattern in _SHAPES if pattern.match(word)), "signs")
    digits = sum(map(str.isdigit, word))
    letters = sum(map(str.isalpha, word))
    upper = sum(map(str.isupper, word))
    signs = len(word) - digits - letters
    if kind in {"mixed", "signs", "text", "row"}:
        bare = re.sub(r"[^A-Za-z0-9]", "", word)
        if len(bare) >= _LONG and digits > 1 and " " not in word and entropy(bare) > _RANDOM:
            kind = "long"
        elif kind == "mixed" and not digits:
            kind = "joined"
        elif kind == "signs" and not digits:
            kind = "signed"
    sort = _SORTS.get(kind, kind)
    marks = [
        f"len{len(word) if len(word) < 14 else 14 + len(word) // 8}",
        f"9{min(digits, 9)}",
        f"!{min(signs, 4)}",
    ]
    tests = {
        "9$": digits < len(word) and word[-1].isdigit(),
        "Aa": 0 < upper < letters,
        "AaA": 1 < upper < letters,
        "AA": letters > 0 and upper == letters,
        "A^": word[0].isupper(),
        "!!": _STRONG.search(word) is not None,
        "!a": _INNER.search(word) is not None,
        "()": _CODE.search(word) is not None,
        "measure": is_measure(word),
        "hash": is_hash(word),
        "code": is_code(word),
        "seq": is_sequence(word),
    }
    marks += [mark for mark, holds in tests.items() if holds]
    signature = word
    for pattern, mark in _CLASSES:
        signature = pattern.sub(mark, signature)
    if len(signature) < 6:
        marks.append(signature)
    classes = sum((digits > 0, letters > upper, upper > 0, signs > 0))
    if sort == "O":
        marks.append(f"O{classes}")
        sort = f"O{'+' if classes > 2 else '-'}"
    return kind, sort, (*marks, *(f"{kind}{mark}" for mark in marks))


@cache
def _weights() -> tuple[dict[str, int], int]:
    """Return the weight of each feature, and the sum from which a candidate is a secret."""
    listed = {
        feature.replace("\u2423", " "): int(weight)
        for weight, features in rows("weights.txt", 2)
        for feature in features.split("\u00b7")
    }
    return listed, listed.pop("least")
