"""Secrets that their own shape gives away: provider keys and tokens with a known prefix."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING

from memctl.base.pattern import Pattern
from memctl.guard.rules.gate import long_words
from memctl.guard.rules.hit import Hit
from memctl.guard.rules.shapes import is_dense, is_placeholder

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memctl.guard.rules.text_view import TextView

from memctl.base.packaged import text_in

__all__ = ["format_hits", "formats"]

_FEWEST_DISTINCT = 6
_PREFIXED = "prefixed-key"
# What such a prefix may say of something that opens nothing: digests, publishable keys, ids.
_PUBLIC = Pattern(
    r"(?i)sha\d|md5|hash|digest|integrity|^h1|^pk|publi|anon|blake|crc|etag|file|img|image|asset|chunk|bundle|build|commit|index|main|app|css|id$|ids$|chatcmpl|msg|run|thread|asst"
)
# Of the bodies of these ids in base 32, one in thirty has no digit.
_AWS = {"AKIA", "ASIA"}
_AWS_LENGTH = 16
_WORDY = Pattern(r"[a-z]+(?:[-_./][a-z]+)*[-_]?\d{0,4}|[A-Z]+(?:[-_.][A-Z]+)*|\d+")


@dataclass(frozen=True)
class Format:
    """One known shape: its rule, the needles that announce it, and the pattern."""

    rule: str
    needles: tuple[str, ...]
    source: str

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """The pattern, compiled when a needle was first seen."""
        return re.compile(rf"(?<![A-Za-z0-9]){self.source}", re.ASCII)


@cache
def formats() -> tuple[Format, ...]:
    """Return the table of ``formats.txt``."""
    text = text_in("memctl.guard.rules", "formats.txt")
    rows = (line.split(None, 2) for line in text.splitlines() if line and not line.startswith("#"))
    return tuple(Format(rule, tuple(needles.split(",")), source) for rule, needles, source in rows)


@cache
def _by_needle() -> dict[str, list[Format]]:
    found: dict[str, list[Format]] = {}
    for known in formats():
        for needle in known.needles:
            found.setdefault(needle, []).append(known)
    return found


def format_hits(view: TextView) -> Iterator[Hit]:
    """Yield the keys and tokens whose shape is known."""
    text = view.text
    words = long_words(text)
    if not words:
        return
    present = [needle for needle in _by_needle() if needle in words]
    for known in dict.fromkeys(known for needle in present for known in _by_needle()[needle]):
        for found in known.pattern.finditer(text):
            if _filled_in(found.group(), known.needles) and (
                known.rule != _PREFIXED or _is_prefixed_key(text, found)
            ):
                yield Hit(known.rule, *found.span())


def _is_prefixed_key(text: str, found: re.Match[str]) -> bool:
    """Whether a prefix that nobody listed stands before a key: no digest, no id in an address."""
    prefix, body = re.split(r"[_-]", found.group(), maxsplit=1)
    word_start = max(text.rfind(mark, 0, found.start()) for mark in " \n\t\"'`(") + 1
    return (
        is_dense(body)
        and not _PUBLIC.search(prefix)
        and "://" not in text[word_start : found.start()]
        and text[max(0, found.start() - 1) : found.start()] not in {"/", "&", "?", "-", "_", "."}
    )


def _filled_in(token: str, needles: tuple[str, ...]) -> bool:
    """Whether what follows the prefix is a key, not words, dots or a counting row."""
    prefix = next((needle for needle in needles if token.startswith(needle)), "")
    body = token.removeprefix(prefix)
    return (
        len(set(body)) >= _FEWEST_DISTINCT
        and (_WORDY.fullmatch(body) is None or (prefix in _AWS and len(body) == _AWS_LENGTH))
        and not is_placeholder(body)
    )
