"""A text as a reader sees it, with the way back to the text as it was typed.

Full-width letters, zero-width characters and combining marks let a secret pass a pattern
that a person would still read. The rules therefore search a plain view of the text, and a
hit is carried back to the original characters by the view's offsets.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cached_property

__all__ = ["TextView", "joined_lines", "plain_view"]

# Characters of category Cf or Mn that print nothing: soft hyphen, joiners, direction marks,
# variation selectors, tags, the byte order mark, Hangul fillers and the Mongolian separator.
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\U000e0000-\U000e0fff]"
)

_LINE_BREAK = re.compile(r"(?<=[\w+/=.-])\\?\r?\n[ \t>|]{0,16}(?=[\w+/=.-])")


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
    """

    text: str
    source: str
    kept: tuple[tuple[int, int], ...] | None = None

    def original_span(self, start: int, end: int) -> tuple[int, int]:
        """Return the span of ``source`` that ``text[start:end]`` stands for."""
        if self.kept is None or start >= end:
            return start, end
        return self.kept[start][0], self.kept[end - 1][1]

    @cached_property
    def lowered(self) -> str:
        """The text in lower case, for needles only: its offsets may differ from ``text``."""
        return self.text.lower()


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
    >>> plain_view("ｐａｓｓ\u200bword").text
    'password'
    """
    if text.isascii():
        return TextView(text, text)
    plain = unicodedata.normalize("NFKC", _INVISIBLE.sub("", text))
    if plain == text:
        return TextView(text, text)
    return _mapped_view(text) if mapped else TextView(plain, plain)


def joined_lines(view: TextView) -> TextView | None:
    """Return the view with line breaks inside a word removed; None where there are none.

    A key that was wrapped by a mail program or a terminal is one word again.
    """
    breaks = list(_LINE_BREAK.finditer(view.text))
    if not breaks:
        return None
    spans = view.kept or tuple((at, at + 1) for at in range(len(view.text)))
    text, kept, at = [], [], 0
    for found in [*breaks, None]:
        end = found.start() if found else len(view.text)
        text.append(view.text[at:end])
        kept.extend(spans[at:end])
        at = found.end() if found else end
    return TextView("".join(text), view.source, tuple(kept))


def _mapped_view(text: str) -> TextView:
    plain: list[str] = []
    kept: list[tuple[int, int]] = []
    for start, end in _clusters(text):
        piece = unicodedata.normalize("NFKC", _INVISIBLE.sub("", text[start:end]))
        plain.append(piece)
        kept.extend([(start, end)] * len(piece))
    return TextView("".join(plain), text, tuple(kept))


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
