"""Names of components: the label, or the text beside it, or the place.

A name is never a path and never SQL, so ``..``, ``a|b`` and ``con`` are as good as any; it only
has to fit one line and to be typed: no control characters, no blanks, a sensible length.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from memctl.base.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memctl.visual.boxes import Box

MAX_NAME = 80
"""Characters in a name that a person chooses."""

MAX_LABEL_NAME = 40
"""Characters that a name takes over from a label: enough to tell two apart, short in a table."""

_PLACE_NAME = re.compile(r".+_at_[0-9]+_[0-9]+(?:_[0-9]+)?")
_JOINERS = frozenset("\u200c\u200d")
_BIDI_OVERRIDES = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_EMOJI_MODIFIERS = range(0x1F3FB, 0x1F400)
_REGIONAL_INDICATORS = range(0x1F1E6, 0x1F200)


def component_name(
    label: str, *, kind: str, box: Box, nearest_text: str = "", section: str = ""
) -> str:
    """Name a component.

    ``label``: what the component says; may be empty. ``kind``: its type, for the name of a
    component that says nothing. ``box``: where it is; its centre stands in the name of a component
    that says nothing. ``nearest_text``: a text beside it that may lend its name. ``section``: title
    of the part of the page that it stands in. Returns blanks as ``_`` and ``/`` as ``-``; at most
    40 characters of each text: ``"Save_as..."``, ``"icon_by_Orders"``, ``"icon_in_Settings"``, or
    ``"icon_at_120_48"``.
    """
    name = _from_text(label)
    if name:
        return name
    what = _from_text(kind) or "element"
    for word, text in (("by", nearest_text), ("in", section)):
        name = joined_name(what, word, text)
        if name != what:
            return name
    x, y = box.center
    return f"{what}_at_{int(x)}_{int(y)}"


def joined_name(name: str, word: str, text: str) -> str:
    """Return a name made distinct by a text: ``Delete_by_Ann_Berg``."""
    other = _from_text(text)
    if not other:
        return name
    # A number may follow.
    return f"{name}_{word}_{_at_word(other, MAX_NAME - len(name) - len(word) - 6)}"


def is_place_name(name: str) -> bool:
    """Return True for a name made of a place alone: ``icon_at_120_48``."""
    return _PLACE_NAME.fullmatch(name) is not None


class NamesInUse:
    """The names of a store, in which a new one must differ.

    Case and Unicode form make no difference: ``Save`` is taken if ``save`` is.

    ``names``: the names that exist.
    """

    def __init__(self, names: Iterable[str] = ()) -> None:
        self._folded = {folded(name) for name in names}
        self._last_number: dict[str, int] = {}

    def __contains__(self, name: str) -> bool:
        return folded(name) in self._folded

    def claim(self, wanted: str) -> str:
        """Take ``wanted``, or the first of ``wanted_2``, ``wanted_3``, ... that nobody has."""
        name, number = wanted, self._last_number.get(folded(wanted), 1)
        while name in self:
            number += 1
            suffix = f"_{number}"
            name = cut(wanted, MAX_NAME - len(suffix)) + suffix
        self._last_number[folded(wanted)] = number
        self._folded.add(folded(name))
        return name


def check_name(name: str) -> str:
    """Return a name that a person chose, without blanks around it.

    Raises UsageError if it is empty, longer than 80 characters, starts with ``-`` (the command line
    would take it for an option) or has control characters.
    """
    stripped = name.strip()
    if not stripped:
        raise UsageError("a name cannot be empty", hint="use at least one visible character")
    if any(map(_control, stripped)):
        shown = ascii(stripped)[1:-1]
        raise UsageError(f'the name "{shown}" has control characters', hint="leave them out")
    if stripped.startswith("-"):
        raise UsageError(
            f'the name "{stripped}" starts with "-"', hint="it would be taken for an option"
        )
    if len(stripped) > MAX_NAME:
        raise UsageError(
            f'the name "{cut(stripped, 20)}..." has {len(stripped)} characters',
            hint=f"use at most {MAX_NAME}",
        )
    return stripped


def folded(name: str) -> str:
    """Return the form in which two names are compared: no case, one Unicode form."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())


def fit(asked: str, name: str, label: str | None) -> int | None:
    """Return how well a component fits what somebody calls it: 0 best, ``None`` not at all.

    Best is a name that the label does not gainsay, then a name or a label, then one that differs
    in blanks and underscores: of two files ``a b`` and ``a_b`` each is found by its own.
    """
    wanted = folded(asked)
    named, labelled = folded(name) == wanted, label is not None and folded(label) == wanted
    if named or labelled:
        return 0 if named and (labelled or label is None) else 1
    loose = {folded(text).replace(" ", "_") for text in (name, label) if text}
    return 2 if wanted.replace(" ", "_") in loose else None


def cut(text: str, most: int) -> str:
    """Cut to ``most`` code points or fewer, never between a letter and its accents.

    Keeps together combining marks, variation selectors, emoji joined by U+200D, skin tones and
    pairs of flag letters: the cases of Unicode's grapheme clusters (UAX 29) that labels have.
    """
    if len(text) <= most:
        return text
    end = most
    while end > 0 and _joined(text, end):
        end -= 1
    return text[: end or most]


def _at_word(name: str, most: int) -> str:
    """Cut a name behind a word, or within one that fills more than half of it."""
    short = cut(name, most)
    if len(short) == len(name) or name[len(short)] == "_":
        return short
    word_end = short.rfind("_")
    return short[:word_end] if 2 * word_end > most else short


def _joined(text: str, at: int) -> bool:
    """Return True if the characters before and after ``at`` belong together."""
    before, after = text[at - 1], text[at]
    if after in _JOINERS or before == "\u200d" or unicodedata.category(after) in {"Mn", "Mc", "Me"}:
        return True
    if ord(after) in _EMOJI_MODIFIERS:
        return True
    if ord(after) in _REGIONAL_INDICATORS:
        run = at - len(text[:at].rstrip("".join(map(chr, _REGIONAL_INDICATORS))))
        return run % 2 == 1
    return False


def _from_text(text: str) -> str:
    spaced = "".join(" " if c.isspace() else c for c in unicodedata.normalize("NFC", text))
    words = "".join(c for c in spaced if not _invisible(c)).split()
    name = _at_word("_".join(words).replace("/", "-"), MAX_LABEL_NAME)
    if name.startswith("-"):
        name = name.lstrip("-_")  # the command line would take it for an option
    return (
        name if any(unicodedata.category(c)[0] not in "MZC" and c not in "_-" for c in name) else ""
    )


def _control(character: str) -> bool:
    """Return True for characters that break a line or a terminal: controls, bidi overrides."""
    return (
        unicodedata.category(character) in {"Cc", "Cs", "Zl", "Zp"} or character in _BIDI_OVERRIDES
    )


def _invisible(character: str) -> bool:
    """Return True for invisible characters: controls, formatting, private letters of icon fonts."""
    if character in _JOINERS:
        return False
    return unicodedata.category(character) in {"Cc", "Cs", "Co", "Cf"}
