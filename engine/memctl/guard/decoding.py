"""A text as a reader sees it, with the way back to the text as it was typed.

Full-width letters, zero-width characters, escapes of JSON, percent signs of an address and
entities of HTML hide a secret from a pattern that a person or a program still reads. The rules
therefore search plain views of a text, and a span that they find is carried back to the original
characters by the view's offsets.
"""

from __future__ import annotations

import unicodedata
from base64 import b64decode
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from memctl.base.pattern import Pattern

if TYPE_CHECKING:
    import re
    from collections.abc import Callable

# A line's end inside a word, with the sign or blanks that the next line begins with.
BREAK = Pattern(r"(?<=[\w+/=.-])[ \t]?\\?\r?\n[ \t>|]{0,16}(?=[\w+/=.-])")

# Characters of category Cf or Mn that print nothing: soft hyphen, joiners, direction marks,
# variation selectors, tags, the byte order mark, Hangul fillers and the Mongolian separator.
_INVISIBLE = Pattern(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\U000e0000-\U000e0fff]"
)
# Wide punctuation ends a value where its narrow form may be a part of one.
_WIDE_STOPS = str.maketrans("\uff0c\uff1b\uff01\uff1f", "\u3001\u3002\u3002\u3002")

_CODED = Pattern(
    r"\\{1,8}(?:u(?P<unit>[0-9a-fA-F]{4})|(?P<escape>[nrt\"'/]))"
    r"|(?P<percent>(?:%[0-9a-fA-F]{2}){1,64})"
    r"|&(?:\#\d{1,7}|\#[xX][0-9a-fA-F]{1,6}|amp|lt|gt|quot|apos|nbsp|colon|equals);"
)
_SHORTEST_PACKED = 16  # characters
_PACKED = Pattern(rf"(?<![\w+/-])[A-Za-z0-9+/_-]{{{_SHORTEST_PACKED},}}={{0,2}}(?![\w+/=-])")
_HEXADECIMAL = Pattern(r"[0-9a-fA-F]+")
_URL_SAFE = str.maketrans("-_", "+/")
_MOST_LAYERS = 2  # an address inside an address is coded twice
_BEFORE = 200  # characters before a cut that tell a key from talk


class SecretSpan(NamedTuple):
    """A secret in a text: the rule that found it, and its place."""

    rule: str
    start: int
    end: int


@dataclass(frozen=True)
class TextView:
    """The text that rules search, and the span in the given text of each of its characters.

    ``kept`` is ``None`` where both are the same, or where the way back is not wanted (`mapped`).
    """

    text: str
    kept: tuple[tuple[int, int], ...] | None = None
    mapped: bool = False

    def original(self, span: SecretSpan) -> SecretSpan:
        """Return the span of the given text for a span of ``text``."""
        if self.kept is None or span.start >= span.end:
            return span
        return SecretSpan(span.rule, self.kept[span.start][0], self.kept[span.end - 1][1])

    @cached_property
    def lowered(self) -> str:
        """The text in lower case, of the same length."""
        return lowered(self.text)


def lowered(text: str) -> str:
    """Return a text in lower case, of the same length: one character grows when lowered."""
    return text.replace("\u0130", "I").lower()


def plain_view(text: str, *, mapped: bool = False) -> TextView:
    """Return a view of the text without invisible characters, in compatibility form (NFKC)."""
    plain = text if text.isascii() else _plain(text)
    return _mapped_view(text) if mapped and plain != text else TextView(plain, mapped=mapped)


def joined_lines(view: TextView) -> TextView | None:
    """Return the view with line breaks inside a word removed; None where there are none.

    A key that was wrapped by a mail program or a terminal is one word again.
    """
    return _rewritten(view, BREAK, _joint) if "\n" in view.text else None


def _joint(cut: re.Match[str]) -> str:
    """Return nothing where a key was cut, the line's end where a line of talk ends."""
    line = cut.string[max(0, cut.start() - _BEFORE) : cut.start()]
    word = line.split()[-1]
    return cut.group() if word.isalpha() and not cut.group().startswith("\\") else ""


def decoded(view: TextView) -> TextView | None:
    r"""Return the view with escapes, percent signs and entities decoded; None without any.

    ``\n`` would otherwise hide the beginning of a word, ``%3D`` and ``&#61;`` the sign behind
    the name of a token, and ``\u5bc6`` the name itself.
    """
    coded = any(sign in view.text for sign in "\\%&")
    return _layers(view, _CODED, _meant) if coded else None


def unpacked(view: TextView) -> TextView | None:
    """Return the view with each word of base64 or hexadecimal replaced by its text.

    Only a word that is text once it is decoded: digests, ids and pictures are none.
    """
    long = any(len(word) >= _SHORTEST_PACKED for word in view.text.split())
    return _layers(view, _PACKED, _text_of) if long else None


def _layers(
    view: TextView, pattern: Pattern, replacement: Callable[[re.Match[str]], str]
) -> TextView | None:
    plain = view
    for _ in range(_MOST_LAYERS):
        plain = _rewritten(plain, pattern, replacement) or plain
    return plain if plain.text != view.text else None


def _text_of(packed: re.Match[str]) -> str:
    word = packed.group()
    try:
        if _HEXADECIMAL.fullmatch(word):
            meant = bytes.fromhex(word).decode()
        else:
            body = word.rstrip("=").translate(_URL_SAFE)
            meant = b64decode(body + "=" * (-len(body) % 4)).decode()
    except ValueError:
        return word
    return _plain(meant) if meant.replace("\n", "").replace("\r", "").isprintable() else word


def _meant(code: re.Match[str]) -> str:
    if code["unit"]:
        return _plain(chr(int(code["unit"], 16)))
    if code["escape"]:
        return {"n": "\n", "r": "\n", "t": "\t"}.get(code["escape"], code["escape"])
    if code["percent"]:
        return _plain(bytes.fromhex(code["percent"].replace("%", "")).decode("utf-8", "replace"))
    import html

    return _plain(html.unescape(code.group()))


def _rewritten(
    view: TextView, pattern: Pattern, replacement: Callable[[re.Match[str]], str]
) -> TextView | None:
    """Replace each match, and keep the way back."""
    if not view.mapped:
        plain = pattern.sub(replacement, view.text)
        return TextView(plain) if plain != view.text else None
    spans = view.kept or tuple((at, at + 1) for at in range(len(view.text)))
    text: list[str] = []
    kept: list[tuple[int, int]] = []
    at = 0
    for match in pattern.finditer(view.text):
        meant = replacement(match)
        text += [view.text[at : match.start()], meant]
        kept.extend(spans[at : match.start()])
        kept.extend([(spans[match.start()][0], spans[match.end() - 1][1])] * len(meant))
        at = match.end()
    kept.extend(spans[at:])
    return TextView("".join([*text, view.text[at:]]), tuple(kept), mapped=True)


def _plain(text: str) -> str:
    return unicodedata.normalize("NFKC", _INVISIBLE.sub("", text).translate(_WIDE_STOPS))


def _mapped_view(text: str) -> TextView:
    starts = [at for at, char in enumerate(text) if at == 0 or not _joins(char)]
    spans = [*pairwise([*starts, len(text)])]
    plain = [_plain(text[start:end]) for start, end in spans]
    kept = [span for span, piece in zip(spans, plain, strict=True) for _ in piece]
    return TextView("".join(plain), tuple(kept), mapped=True)


def _joins(char: str) -> bool:
    """Return whether normalisation may melt this character into the one before."""
    if char.isascii():
        return False
    first = unicodedata.normalize("NFKD", char)[0]
    return (
        unicodedata.combining(first) != 0
        or "\u1160" <= first <= "\u11ff"
        or _INVISIBLE.match(char) is not None
    )
