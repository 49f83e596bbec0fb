"""Secrets that their own form gives away, or what carries them: vendors' keys, addresses, commands.

Each row of ``tables/vendor_formats.txt`` and ``tables/carriers.txt`` is a pattern with the place
of a secret, the letters without which it need not be tried, and in ``carriers.txt`` the name of
the judge below that tells a real value from a variable, a file or a word.
"""

from __future__ import annotations

import re
from base64 import b64decode
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING

from memctl.base.pattern import Pattern
from memctl.guard.decoding import SecretSpan
from memctl.guard.tables.rule_tables import rows, words
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

__all__ = ["carried_spans", "format_spans"]

_FEWEST_DISTINCT = 6
_SHORTEST_KEY = 15  # characters
_LONG_WORD = Pattern(rf"[\w.+/=~:$-]{{{_SHORTEST_KEY},}}", re.ASCII)
_NEEDLES = Pattern(r"^\+|(?<=\))\+(?=\[1-9A)")
_WORDY = Pattern(r"[a-z]+(?:[-_./][a-z]+)*[-_]?\d{0,4}|[A-Z]+(?:[-_.][A-Z]+)*|\d+")
_AWS = ("AKIA", "ASIA", 20)  # of these ids in base 32, one in thirty has no digit
# A prefix that nobody listed may name a thing that opens nothing: digests, publishable keys, ids.
_PREFIXED = "prefixed-key"
_PUBLIC = Pattern(
    r"(?i)sha\d|md5|hash|digest|integrity|^h1|^pk|publi|anon|blake|crc|etag|file|img|image|asset"
    r"|chunk|bundle|build|commit|index|main|app|css|ids?$|chatcmpl|msg|run|thread|asst"
)
_SHORTEST_GIVEN = 2
_SHORTEST_BARE = 4  # where the place alone does not say that a secret must stand there
_SHORTEST_NUMBER = 8  # a port or a count of tokens has fewer digits
_LONG_PATH = 20
_WEAK_WORDS = {"password", "passwd", "pass", "pwd", "pw", "secret", "token", "port", "n"}
_OF_FLAGS = {
    *("option", "options", "flag", "flags", "argument", "arguments", "parameter", "parameters"),
    "cannot",
}
_PARTS = {
    "VALUE": r"[\"']?(?P<value>[^\s\"'|;]{4,128})",
    "LINE": r"[^\n]{0,160}?",
    "USER": r"[^\s:\"'/%]{1,80}",
    "HEADER": r"(?:authorization|proxy-authorization)[\"'\s]{0,3}[:=,][\"'\s]{0,4}",
}


@dataclass(frozen=True)
class Known:
    """One row of a table: its rule, its judge, the letters that announce it, its expression."""

    rule: str
    judge: str
    needles: tuple[str, ...]
    source: str

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """The pattern, compiled when a needle was first seen."""
        if not self.judge:
            needles = "|".join(map(re.escape, self.needles))
            source = _NEEDLES.sub(lambda _: f"(?:{needles})", self.source, count=1)
            return re.compile(rf"(?<![A-Za-z0-9]){source}", re.ASCII)
        source = self.source
        for part, meaning in _PARTS.items():
            source = source.replace(part, meaning)
        return re.compile(source, 0 if self.judge == "flag" else re.IGNORECASE)


def format_spans(view: TextView) -> Iterator[SecretSpan]:
    """Yield the keys and tokens whose form is known."""
    text = view.text
    if max(map(len, text.split()), default=0) < _SHORTEST_KEY:
        return
    long = [word for word in _LONG_WORD.findall(text) if not word.isalpha() or not word.islower()]
    words = " ".join(long)
    present = [needle for needle in _by_needle() if needle in words]
    for known in dict.fromkeys(known for needle in present for known in _by_needle()[needle]):
        for found in known.pattern.finditer(text):
            if _is_filled_in(found.group(), known.needles) and (
                known.rule != _PREFIXED or _is_prefixed_key(text, found)
            ):
                yield SecretSpan(known.rule, *found.span())


def carried_spans(view: TextView) -> Iterator[SecretSpan]:
    """Yield secrets that their surroundings give away."""
    for known in _carriers():
        if any(needle in view.lowered for needle in known.needles):
            group = "value" if "value" in known.pattern.groupindex else 1
            for found in known.pattern.finditer(view.text):
                if _JUDGES[known.judge](found[group]):
                    yield SecretSpan(known.rule, *found.span(group))


@cache
def _by_needle() -> dict[str, list[Known]]:
    found: dict[str, list[Known]] = {}
    for rule, needles, source in rows("vendor_formats.txt", 3):
        known = Known(rule, "", tuple(needles.split(",")), source)
        for needle in known.needles:
            found.setdefault(needle, []).append(known)
    return found


@cache
def _carriers() -> tuple[Known, ...]:
    return tuple(
        Known(rule, judge, tuple(needles.replace("~", " ").split(",")), source)
        for rule, judge, needles, source in rows("carriers.txt", 4)
    )


def _is_filled_in(token: str, needles: tuple[str, ...]) -> bool:
    """Return whether a key follows the prefix, not words, dots or a counting row."""
    body = token.removeprefix(next(filter(token.startswith, needles), ""))
    worded = _WORDY.fullmatch(body) is not None
    aws = token.startswith(_AWS[:2]) and len(token) == _AWS[2]
    return len(set(body)) >= _FEWEST_DISTINCT and (aws or not worded) and not is_placeholder(body)


def _is_prefixed_key(text: str, found: re.Match[str]) -> bool:
    """Return whether a prefix that nobody listed stands before a key: no digest, no id in an address."""
    prefix, body = re.split(r"[_-]", found.group(), maxsplit=1)
    word = re.split(r"[\s\"'`(]", text[max(0, found.start() - 200) : found.start()])[-1]
    return (
        is_dense(body)
        and _PUBLIC.search(prefix) is None
        and "://" not in word
        and not word.endswith(("/", "&", "?", "-", "_", "."))
    )


# --- judges of what a carrier holds


def _given(value: str) -> bool:
    """Return whether a person wrote a real value here, however weak."""
    real = len(value) >= _SHORTEST_GIVEN and value.lower() not in _WEAK_WORDS
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


def _mixed(value: str) -> bool:
    """Return whether only a generator mixes capitals, small letters and digits like that."""
    return _opaque(value) and is_dense(value.replace("/", "").replace("+", ""))


def _path(value: str) -> bool:
    """Return whether the end of an address is an id nobody could guess, in one or more pieces."""
    packed = re.sub(r"[^A-Za-z0-9]", "", value)
    return not is_placeholder(value) and (_opaque(packed) or len(packed) >= _LONG_PATH)


def _basic(value: str) -> bool:
    """Return whether a value is base64 of ``user:password``."""
    try:
        decoded = b64decode(value + "=" * (-len(value) % 4), validate=True).decode()
    except ValueError:
        return False
    return ":" in decoded.strip(":") and decoded.isprintable()


def _flag(value: str) -> bool:
    """Return whether a real value stands behind a flag: no variable, no file, no other flag."""
    word = value.rstrip(".,`)]}’”")  # noqa: RUF001 - as documents quote
    return (
        len(word) >= _SHORTEST_BARE
        and not word.startswith(("-", "/", "~/", "./", "@", "`", "<", "("))
        and not is_code(word)
        and (not is_something(word) or (word.isdigit() and len(word) >= _SHORTEST_NUMBER))
        and _word(word)
        and word.lower() not in _OF_FLAGS
    )


_JUDGES: dict[str, Callable[[str], bool]] = {
    "given": _given,
    "password": _password,
    "word": _word,
    "opaque": _opaque,
    "mixed": _mixed,
    "path": _path,
    "basic": _basic,
    "flag": _flag,
}
