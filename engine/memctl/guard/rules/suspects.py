"""Judges a sentence that names a password by the oddest of its other words.

No pattern of the sentence is asked for: what stands out of it (`oddness`) is taken for the password
unless its place says that it is the name of somebody or something (`surroundings`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from memctl.base.pattern import Pattern
from memctl.guard.rules.gate import has_any
from memctl.guard.rules.hit import Hit
from memctl.guard.rules.nouns import PASSWORDS, is_no_password
from memctl.guard.rules.odd_words import odd_words
from memctl.guard.rules.oddness import oddness
from memctl.guard.rules.stories import is_of_story
from memctl.guard.rules.surroundings import (
    CLOSING,
    OPENING,
    Line,
    is_typed,
    points_of_line,
    points_of_place,
)
from memctl.guard.rules.things import gives_behind, is_named_for_thing
from memctl.guard.rules.words import words

if TYPE_CHECKING:
    import re
    from collections.abc import Iterator

    from memctl.guard.rules.text_view import TextView

__all__ = ["suspect_hits"]

_REFUSED = 38  # points
_NEAR = 110  # characters on either side of the name
_LONGEST_WORD = 64
_WORD_ALONE = -6  # far more has to speak for a plain word
# A wide question mark is seen as a full stop (`text_view`).
_ASKS = Pattern(r"(?:[?？]|(?:多少|什么|什麼|啥|几位|何|は|吗|呢)。)\s?$")  # noqa: RUF001 - other scripts

_WORD = Pattern(r"[!#-&(-_a-z{-~]{4,72}")
# A colon that stood without a blank behind it, as in a script that writes none.
_LABEL = Pattern(r"[A-Za-z]{1,8}:(?=\d{4,}[a-z])")
_QUOTE_ENDS = Pattern(r"\s?[\"'`”»」』]")
# "I use walrus as my password"
_AS = Pattern(
    r"([A-Za-z]{4,20})[\"'`”»]?\s(?:as|als|como|comme|come|for)\s(?:the|my|our|your|mein|das|mi|mon|la|le|a|minha)\s(?:\S{1,12}\s){0,2}$"
)
_USES = Pattern(
    r"(?i)\b(?:us(?:e[sd]?|ing)|ha(?:ve|s|d)|set|chose|picked|pick|put|took|take|typed?)\s[\"'`“«]?$"
)
_ITEM_ENDS = Pattern(r"[\w$]{0,24}[\"']\s?,")
# "required": ["username", "password"], "additionalProperties": false
_LIST_ENDS = Pattern(r"[\w$]{0,24}[\"']\s?[\])}]")
_KEY_ENDS = Pattern(r"[\"']\s?:")
_LINKS = (" as ", " als ", " como ", " comme ", " come ", " for ")
_KNOWN = ("predicate", "stand-in", "code-word", "no-password")


def suspect_hits(view: TextView) -> Iterator[Hit]:
    """Yield the odd words of sentences that name a password."""
    text, odd = view.text, odd_words(view.text)
    for at in PASSWORDS.spots(view):
        near = odd.is_near(at - _NEAR, at + _NEAR)
        used = _used_as(text, at)
        if not (near or used) or not view.judged.is_new("suspect", at):
            continue
        line = _line(text, at)
        if line is None:
            continue
        suspects = [*_odd_words(line)] if near else []
        if used and not any(used[1].lower() in words(section) for section in _KNOWN):
            suspects.append((used.start(1) - line.offset, used.end(1) - line.offset, _WORD_ALONE))
        yield from _refused(line, suspects)


def _used_as(text: str, at: int) -> re.Match[str] | None:
    """Return the plain word that is said to be used as what is named at a place."""
    start = max(0, at - _NEAR // 2)
    if not has_any(text[start:at], _LINKS):
        return None
    used = _AS.search(text, start, at)
    if used is None or not used[0][len(used[1]) :].lstrip("\"'`”»").startswith(" for "):
        return used
    # "use walrus for my password", not "prompted for your password"
    return used if _USES.search(text, max(0, used.start() - 16), used.start()) else None


def _refused(line: Line, suspects: list[tuple[int, int, int]]) -> Iterator[Hit]:
    """Yield those whose points, with the points of their places, are enough."""
    if not suspects:
        return
    about = points_of_line(line)
    named_for_thing = is_named_for_thing(line.text, line.name_start, line.name_end)
    for start, end, points in suspects:
        if (named_for_thing and not _is_given(line, start)) or _is_listed(line, start, end):
            continue
        if points + about + points_of_place(line, start, end) >= _REFUSED and not is_of_story(
            line.text, line.name_start, start, end
        ):
            yield Hit("password-in-prose", line.offset + start, line.offset + end)


def _is_listed(line: Line, start: int, end: int) -> bool:
    return _is_next_of_list(line, start, end) or _is_key_behind_list(line, start, end)


def _is_key_behind_list(line: Line, start: int, end: int) -> bool:
    """Whether the key of an object, behind a list of fields that ends with the name."""
    return (
        start > line.name_end
        and _LIST_ENDS.match(line.text, line.name_end) is not None
        and _KEY_ENDS.match(line.text, end) is not None
        and line.text[start:end].isalpha()
    )


def _is_next_of_list(line: Line, start: int, end: int) -> bool:
    """Whether words in quotes follow each other, the name among them: "Print", "pwd", "PutText"."""
    return (
        _ITEM_ENDS.match(line.text, end) is not None
        and _ITEM_ENDS.match(line.text, line.name_end) is not None
        and not any(map(str.isdigit, line.text[start:end]))
    )


def _is_given(line: Line, start: int) -> bool:
    """Whether a password is given though its reset, field or policy was named: typed, or led to."""
    return is_typed(line.text) or (
        start > line.name_end and gives_behind(line.text[line.name_end : start])
    )


def _line(text: str, at: int) -> Line | None:
    """Return the line around a name, cut at words; None where no name of a password stands."""
    name = PASSWORDS.match(text, at)
    if name is None or text[at : at + 3].lower() == "pin" or is_no_password(text, name.group(), at):
        return None
    start = max(text.rfind("\n", 0, at) + 1, at - _NEAR)
    end = _line_end(text, at)
    while start > max(0, at - _NEAR - _LONGEST_WORD) and not text[start - 1].isspace():
        start -= 1
    while end < min(len(text), at + _NEAR + _LONGEST_WORD) and not text[end].isspace():
        end += 1
    return Line(text[start:end], at - start, name.end() - start, start)


def _line_end(text: str, at: int) -> int:
    """Return where the line ends, or the next one where it asks for what is named."""
    last = min(len(text), at + _NEAR)
    end = text.find("\n", at, last)
    if end > 0 and _ASKS.search(text, max(0, end - 8), end):
        end = text.find("\n", end + 1, last)
    return last if end < 0 else end


def _odd_words(line: Line) -> Iterator[tuple[int, int, int]]:
    """Yield the span and the points of each odd word but the name itself."""
    for found in _WORD.finditer(line.text):
        if found.start() and _WORD.match(line.text, found.start() - 1):
            continue  # the end of an address, too long for a word
        said = found.group().rstrip(".,:;)")
        if _is_plain(said if _QUOTE_ENDS.match(line.text, found.end()) else said.rstrip("!?)")):
            continue
        start, end = _bare(line.text, *found.span())
        if (end <= line.name_start or start >= line.name_end) and (
            points := oddness(line.text[start:end])
        ):
            yield start, end, points


def _is_plain(word: str) -> bool:
    return word.replace("-", "a", 1).isalpha() and word[1:].islower()


def _bare(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the span of a word without the brackets and the punctuation around it."""
    if label := _LABEL.match(text, start, end):
        start = label.end()
    while start < end and text[start] in OPENING:
        start += 1
    closing = CLOSING + ".,:;" + ("*" if text[start - 1 : start] == "*" else "")
    while end > start and text[end - 1] in closing:
        end -= 1
    return start, end
