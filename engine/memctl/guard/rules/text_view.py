"""A text as a reader sees it, with the way back to the text as it was typed.

Full-width letters, zero-width characters and combining marks let a secret pass a pattern
that a person would still read. The rules therefore search a plain view of the text, and a
hit is carried back to the original characters by the view's offsets.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from memctl.base.pattern import Pattern
from memctl.guard.rules.judged import Judged
from memctl.guard.rules.signs import lowered, signs_in
from memctl.guard.rules.wrapping import BREAK

if TYPE_CHECKING:
    import re
    from collections.abc import Callable

    from memctl.guard.rules.signs import Signs

__all__ = ["TextView", "joined_lines", "plain_view", "unescaped"]

# Characters of category Cf or Mn that print nothing: soft hyphen, joiners, direction marks,
# variation selectors, tags, the byte order mark, Hangul fillers and the Mongolian separator.
_INVISIBLE = Pattern(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\U000e0000-\U000e0fff]"
)

# Wide punctuation ends a value where its narrow form may be a part of one.
_WIDE_STOPS = str.maketrans("\uff0c\uff1b\uff01\uff1f", "\u3001\u3002\u3002\u3002")

_ESCAPE = Pattern(r"\\{1,8}(?:u([0-9a-fA-F]{4})|([nrt\"'/]))")


@dataclass(frozen=True)
class TextView:
    """The text that rules search, and where each of its characters came from.

    Attributes
    ----------
    text
        What the rules see.
    source
        The text as it was given.
    kept
        Spans of ``source`` that the characters of ``text`` stand for, one for each
        character; None when both texts are the same.
    mapped
        Whether every hit is wanted, with its way back to ``source``; else the first hit is
        enough, and what was judged once need not be judged again.
    """

    text: str
    source: str
    kept: tuple[tuple[int, int], ...] | None = None
    mapped: bool = False

    def original_span(self, start: int, end: int) -> tuple[int, int]:
        """Return the span of ``source`` that ``text[start:end]`` stands for."""
        if self.kept is None or start >= end:
            return start, end
        return self.kept[start][0], self.kept[end - 1][1]

    @cached_property
    def lowered(self) -> str:
        """The text in lower case, of the same length: one character grows when lowered."""
        return lowered(self.text)

    @cached_property
    def spots(self) -> dict[str, list[int]]:
        """Where names of secrets may begin, by the pattern of the names; several rules ask."""
        return {}

    @cached_property
    def signs(self) -> set[str]:
        """What rules begin with, as far as it stands in the text."""
        return signs_in(self.lowered)

    def holds(self, signs: Signs) -> bool:
        """Whether one of some signs stands in the text."""
        return not signs.isdisjoint(self.signs)

    @cached_property
    def judged(self) -> Judged:
        """The surroundings that a rule has looked at, by the rule's name."""
        return Judged(self.text, every=self.mapped)


def plain_view(text: str, *, mapped: bool = False) -> TextView:
    """Return ``text`` without invisible characters and in compatibility form (NFKC).

    Parameters
    ----------
    text
        Any text.
    mapped
        Whether spans must lead back to ``text``; the map costs far more than the view.

    Examples
    --------
    >>> plain_view("pass\u200bword").text
    'password'
    """
    plain = text if text.isascii() else _plain(text)
    if plain == text:
        return TextView(text, text, mapped=mapped)
    return _mapped_view(text) if mapped else TextView(plain, plain)


def joined_lines(view: TextView) -> TextView | None:
    """Return the view with line breaks inside a word removed; None where there are none.

    A key that was wrapped by a mail program or a terminal is one word again.
    """
    return _rewritten(view, BREAK, lambda _: "")


def unescaped(view: TextView) -> TextView | None:
    r"""Return the view as the text inside a JSON or a source string reads; None if it is none.

    ``\n`` would otherwise hide the beginning of a word, and ``\u5bc6`` the word itself.
    """
    return _rewritten(view, _ESCAPE, _meant) if "\\" in view.text else None


def _meant(escape: re.Match[str]) -> str:
    if escape[1]:
        return _plain(chr(int(escape[1], 16)))
    return {"n": "\n", "r": "\n", "t": "\t"}.get(escape[2], escape[2])


def _rewritten(
    view: TextView, pattern: Pattern, replacement: Callable[[re.Match[str]], str]
) -> TextView | None:
    """Replace each match by one character or by none, and keep the way back."""
    if not view.mapped:
        plain = pattern.sub(replacement, view.text)
        return TextView(plain, plain) if plain != view.text else None
    matches = list(pattern.finditer(view.text))
    if not matches:
        return None
    spans = view.kept or tuple((at, at + 1) for at in range(len(view.text)))
    text: list[str] = []
    kept: list[tuple[int, int]] = []
    at = 0
    for found in matches:
        char = replacement(found)
        text += [view.text[at : found.start()], char]
        kept.extend(spans[at : found.start()])
        kept.extend([(spans[found.start()][0], spans[found.end() - 1][1])] * len(char))
        at = found.end()
    kept.extend(spans[at:])
    return TextView("".join([*text, view.text[at:]]), view.source, tuple(kept), mapped=True)


def _plain(text: str) -> str:
    return unicodedata.normalize("NFKC", _INVISIBLE.sub("", text).translate(_WIDE_STOPS))


def _mapped_view(text: str) -> TextView:
    plain: list[str] = []
    kept: list[tuple[int, int]] = []
    for start, end in _clusters(text):
        piece = _plain(text[start:end])
        plain.append(piece)
        kept.extend([(start, end)] * len(piece))
    return TextView("".join(plain), text, tuple(kept), mapped=True)


def _clusters(text: str) -> list[tuple[int, int]]:
    """Split before every character that does not join the one before it."""
    starts = [at for at, char in enumerate(text) if at == 0 or not _joins(char)]
    return list(zip(starts, [*starts[1:], len(text)], strict=True))


def _joins(char: str) -> bool:
    """Whether normalisation may melt this character into the one before."""
    if char.isascii():
        return False
    first = unicodedata.normalize("NFKD", char)[0]
    return (
        unicodedata.combining(first) != 0
        or "\u1160" <= first <= "\u11ff"
        or _INVISIBLE.match(char) is not None
    )
