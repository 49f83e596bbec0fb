"""Keys and tokens of providers, which their own shape gives away."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING

from memctl.base.pattern import Pattern
from memctl.guard.decoding import SecretSpan
from memctl.guard.tables.rule_tables import patterns, rows
from memctl.guard.value_shapes import is_dense, is_placeholder

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memctl.guard.decoding import TextView

__all__ = ["format_spans", "formats"]

_SAYS = patterns("vendor_formats")

_FEWEST_DISTINCT = 6
_PREFIXED = "prefixed-key"
# Of the bodies of these ids in base 32, one in thirty has no digit.
_AWS = {"AKIA", "ASIA"}
_AWS_LENGTH = 16
_SHORTEST_KEY = 15  # characters
_LONG_WORD = Pattern(rf"[\w.+/=~:$-]{{{_SHORTEST_KEY},}}", re.ASCII)


@dataclass(frozen=True)
class Format:
    """One known shape: its rule, the needles that announce it, and the pattern."""

    rule: str
    needles: tuple[str, ...]
    source: str

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """The pattern, compiled when a needle was first seen."""
        needles = "|".join(map(re.escape, self.needles))
        source = _SAYS.needles.sub(lambda _: f"(?:{needles})", self.source, count=1)
        return re.compile(rf"(?<![A-Za-z0-9]){source}", re.ASCII)


@cache
def formats() -> tuple[Format, ...]:
    """Return the table of ``vendor_formats.txt``."""
    return tuple(
        Format(rule, tuple(needles.split(",")), source)
        for rule, needles, source in rows("vendor_formats.txt", 3)
    )


@cache
def _by_needle() -> dict[str, list[Format]]:
    found: dict[str, list[Format]] = {}
    for known in formats():
        for needle in known.needles:
            found.setdefault(needle, []).append(known)
    return found


def format_spans(view: TextView) -> Iterator[SecretSpan]:
    """Yield the keys and tokens whose shape is known."""
    text = view.text
    if max(map(len, text.split()), default=0) < _SHORTEST_KEY:
        return
    words = " ".join(
        word
        for word in _LONG_WORD.findall(text)
        if not word.islower() or any(map(str.isdigit, word))
    )
    present = [needle for needle in _by_needle() if needle in words]
    for known in dict.fromkeys(known for needle in present for known in _by_needle()[needle]):
        for found in known.pattern.finditer(text):
            if _filled_in(found.group(), known.needles) and (
                known.rule != _PREFIXED or _is_prefixed_key(text, found)
            ):
                yield SecretSpan(known.rule, *found.span())


def _is_prefixed_key(text: str, found: re.Match[str]) -> bool:
    """Return whether a prefix that nobody listed stands before a key: no digest, no id in an address."""
    prefix, body = re.split(r"[_-]", found.group(), maxsplit=1)
    word_start = max(text.rfind(mark, 0, found.start()) for mark in " \n\t\"'`(") + 1
    return (
        is_dense(body)
        and not _SAYS.public.search(prefix)
        and "://" not in text[word_start : found.start()]
        and text[max(0, found.start() - 1) : found.start()] not in {"/", "&", "?", "-", "_", "."}
    )


def _filled_in(token: str, needles: tuple[str, ...]) -> bool:
    """Return whether a key follows the prefix, not words, dots or a counting row."""
    prefix = next((needle for needle in needles if token.startswith(needle)), "")
    body = token.removeprefix(prefix)
    return (
        len(set(body)) >= _FEWEST_DISTINCT
        and (_SAYS.wordy.fullmatch(body) is None or (prefix in _AWS and len(body) == _AWS_LENGTH))
        and not is_placeholder(body)
    )
