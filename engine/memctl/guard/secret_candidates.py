# ruff: noqa: RUF001 - quotes and dashes of all scripts are what is searched
"""Candidates of a text for a secret, and the reading of the words around them."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from memctl.guard.tables.rule_tables import sections
from memctl.guard.value_shapes import (
    is_placeholder,
)

if TYPE_CHECKING:
    from collections.abc import Iterator


__all__ = ["Candidate", "Reading", "candidates", "reading", "without_accents"]
_LONGEST = 2_000  # characters of a candidate
_STEM = 6
_SHORTEST, _SHORTEST_WORD = 3, 4
_MOST_BLANKS = 8
_MASK = "[secret:"
# Ids of this program, and names of controls: "Sign_in"
_ID = re.compile(r"[a-z]{1,3}_[0-9a-f]{12}$|[A-Z][a-z]+_[a-z]+$")

_CJK = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_QUOTES = "\"'`“”„«»‘’「」『』"
_QUOTED = re.compile(rf"(?<=[{_QUOTES}])([^{_QUOTES}\n]{{3,80}})(?=[{_QUOTES}])")
_GROUPED = re.compile(
    r"(?<![\w.,:/+-])[#*]?\d{2,4}(?:[ -]\d{2,4}){1,7}[#*]?(?![\w:/]|[.,]\d)|(?<!\w)[A-Z0-9]{4}(?: [A-Z0-9]{4}){2,9}(?!\w)"
)
_RUN = re.compile(rf"[^\s{_QUOTES}{_CJK}、。]{{3,}}")
_MARKS = re.compile(r"[;,&<>|=]")
_PART = re.compile(r"(?<=[=:>])[^;,&<>|=]{3,}|(?<=,)[^;,&<>|=]{3,}")
_NAMED = re.compile(
    r"[\w.@\[\]$-]{0,40}[A-Za-z_\]\d)][:=]{1,2}>?|-{1,2}[A-Za-z-]{1,20}=|[:=@]+|[^\W\d_]{2,16}[/]"
)
_PHRASE = re.compile(
    r"(?:[:=]|\b(?:is|are|was|ist|lautet|es|est|è|é|to|jest|это))[ \t]{1,3}"
    r"(?P<phrase>[a-z]{1,12}(?: [a-z]{1,12}){2,8})(?=[.,;!\"'\n]|$)"
)
_WORD = re.compile(rf"[A-Z]{{2,}}(?![a-z])|[A-Z]?[a-z]+|\d+|[{_CJK}]|[^\W\d_a-zA-Z]+")


class Candidate(NamedTuple):
    """A piece of a text that could be a password, a code or a key."""

    start: int
    end: int
    text: str
    quoted: bool
    named: bool


class Reading(NamedTuple):
    """The words of a text with their places, and the things that the text speaks of."""

    text: str
    folded: str
    starts: list[int]
    stems: list[str]
    places: list[int]
    concepts: list[tuple[int, int, str]]


def candidates(text: str) -> Iterator[Candidate]:
    """Yield odd words, numbers and phrases that could be a password.

    A text of one word alone is none: nothing beside it tells a password from a name.
    """
    seen: set[tuple[int, int]] = set()
    whole = text.strip()
    for one in _pieces(text):
        if one[:2] not in seen and one.text != whole:
            seen.add(one[:2])
            yield one


def _pieces(text: str) -> Iterator[Candidate]:
    for found in _QUOTED.finditer(text):
        yield from _kept(text, *found.span(1), quoted=True, named=False)
    for found in _GROUPED.finditer(text):
        yield from _kept(text, *found.span(), quoted=False, named=False)
    for found in _RUN.finditer(text):
        named = False
        start, end = _bare(text, *found.span())
        yield from _kept(text, start, end, quoted=False, named=False)
        for part in _PART.finditer(text, start, end) if _has_parts(text, start, end) else ():
            yield from _kept(text, *_bare(text, *part.span()), quoted=False, named=True)
        for _ in range(3):
            name = _NAMED.match(text, start, end)
            if name is None or name.end() >= end - 2 or text.startswith("//", name.end()):
                break
            start, named = name.end(), True
            start, end = _bare(text, start, end)
            yield from _kept(text, start, end, quoted=False, named=named)
    for found in _PHRASE.finditer(text):
        yield Candidate(*found.span("phrase"), found["phrase"], quoted=False, named=False)


def _has_parts(text: str, start: int, end: int) -> bool:
    """Return whether a run is several settings in a row, no address."""
    return _MARKS.search(text, start, end) is not None and text.find("://", start, end) < 0


def _bare(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start] in "([{<*|>,;.":
        start += 1
    while end > start and text[end - 1] in ".,:;)]}>|\\":
        if text[end - 1] == ")" and "(" in text[start:end]:
            break
        end -= 1
    return start, end


def _kept(text: str, start: int, end: int, *, quoted: bool, named: bool) -> Iterator[Candidate]:
    word = text[start:end]
    if _MASK in text[max(0, start - 16) : end] or _ID.match(word):
        return
    if not _SHORTEST <= len(word) <= _LONGEST or (quoted and word.count(" ") > _MOST_BLANKS):
        return
    if not quoted and not named and word.isalpha() and (word[1:].islower() or word.isupper()):
        before = text[max(0, start - 4) : start].rstrip()[-1:]
        behind = text[end : end + 1]
        if (
            before not in set(":=>—–|-/")
            and behind.isalnum() is False
            and behind in " '’-"
            and behind
        ):
            return
        if not word.isascii() or len(word) < _SHORTEST_WORD:
            return
    if any(c.isalnum() for c in word) and not is_placeholder(word):
        yield Candidate(start, end, word, quoted, named)


def reading(text: str) -> Reading:
    """Read the words of a text and the things that it speaks of, once for all candidates."""
    folded = without_accents(text)
    starts, stems = [], []
    last_end, last = -1, ""
    for found in _WORD.finditer(folded):
        word = found.group().lower()
        at = found.start()
        if "\u3040" <= word <= "\ud7af":
            stem = last + word if last_end == at else word
            last, last_end = word, found.end()
        else:
            stem = "#" if word[0].isdigit() else word[:_STEM]
        starts.append(at)
        stems.append(stem)
    low = folded.lower() if len(folded.lower()) == len(folded) else folded
    concepts = list(_spoken_of(low))
    return Reading(text, folded, starts, stems, [start for start, _, _ in concepts], concepts)


@cache
def _folded_char(char: str) -> str:
    if "\u3040" <= char <= "\u30ff" or char >= "\uac00":
        return char
    first = unicodedata.normalize("NFD", char)[0]
    return {"ł": "l", "Ł": "L", "ı": "i", "ø": "o", "ß": "s"}.get(first, first)


def without_accents(text: str) -> str:
    """Return a text of the same length, its letters without accents."""
    return text if text.isascii() else "".join(map(_folded_char, text))


def _spoken_of(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield the things that a folded text speaks of, from left to right."""
    stems, at = _stems(), 0
    while at < len(text):
        char = text[at]
        if not char.isalnum():
            at += 1
            continue
        begins = at == 0 or not text[at - 1].isalpha()
        for length in (3, 2, 1):
            for stem, name, first, last in stems.get(text[at : at + length], ()):
                if (begins or not first) and text.startswith(stem, at):
                    end = at + len(stem)
                    if not (last and text[end : end + 1].isalpha()):
                        yield at, end, name
                        at = end - 1
                        break
            else:
                continue
            break
        at += 1


@cache
def _stems() -> dict[str, list[tuple[str, str, bool, bool]]]:
    """Return the stems of all things by their first three letters, the longest first."""
    found = defaultdict(list)
    for name, listed in sections("concepts.txt").items():
        for given in listed:
            bare = without_accents(given.strip("_"))
            cjk = "\u3040" <= bare[-1] <= "\ud7af"
            for blank in ("", " ", "-", "_") if "!" in bare else ("",):
                stem = bare.replace("!", blank).replace("-?", blank)
                found[stem[:3]].append((stem, name, given[0] == "_", given[-1] == "_" and not cjk))
    return {first: sorted(stems, key=lambda one: -len(one[0])) for first, stems in found.items()}
