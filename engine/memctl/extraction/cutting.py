"""Sentences of texts and transcripts, and the rules that skip some of them.

Code, headings and fences are cut off; what passes, what nobody asked to keep and what is kept
elsewhere is skipped. The reasons and their expressions are data: ``passing.txt``. A standing order
is no command of the moment, and may name a file.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from memctl.base.pattern import patterns_in
from memctl.semantic.triage import asks_to_forget, noise
from memctl.text.closed_words import content_words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from memctl.extraction.extracted import Said

LONGEST_SENTENCE = 1_000
"""Characters: what is longer is no fact, and no rule looks at it."""

_SHAPES = patterns_in("memctl.extraction", "cutting.txt")
_OTHERS_WORDS = patterns_in("memctl.extraction", "others_words.txt", re.IGNORECASE)
_PASSING = patterns_in("memctl.extraction", "passing.txt", re.IGNORECASE)
_PERSONS = frozenset({"user", "human"})


class Sentence(NamedTuple):
    """One sentence: its text, its place in the characters of the whole, and its paragraph."""

    text: str
    start: int
    end: int
    paragraph: int


def sentences_of(text: str) -> tuple[list[Sentence], list[tuple[Sentence, str]]]:
    """Cut a text into its speaker's sentences, and the other passages with their kind.

    A line is a paragraph; marks of lists are no part of its sentences. Somebody else's words are a
    passage, and so is a part that is played (``others_words.txt``).
    """
    left_out: list[tuple[Sentence, str]] = []
    for shape, what in (
        (_SHAPES["recalled"], "recalled memory"),
        (_SHAPES["fenced"], "code"),
        (_SHAPES["indented"], "code"),
        (_SHAPES["line of code"], "code"),
    ):
        left_out += [
            (Sentence(match[0].strip(), *match.span(), -1), what)
            for match in shape.finditer(text)
            if match[0].strip()
        ]
        text = shape.sub(lambda match: _blank(match[0]), text)
    own: list[Sentence] = []
    passages = _others_words(text)
    for sentence in _sentences(text):
        place = bisect_left(passages, (sentence.end,)) - 1
        if place >= 0 and passages[place][1] > sentence.start:
            left_out.append((sentence, passages[place][2]))
        else:
            own.append(sentence)
    return own, left_out


def _others_words(text: str) -> list[tuple[int, int, str]]:
    """Find the passages of a text in which somebody else speaks, in order."""
    found = sorted(
        (*match.span(), what)
        for what, shape in _OTHERS_WORDS.items()
        for match in shape.finditer(text)
    )
    apart: list[tuple[int, int, str]] = []
    for start, end, what in found:
        if apart and start < apart[-1][1]:
            apart[-1] = (apart[-1][0], max(end, apart[-1][1]), apart[-1][2])
        else:
            apart.append((start, end, what))
    return apart


def _blank(text: str) -> str:
    """Blank a text, its length and lines kept, so that places stay."""
    return "".join("\n" if c == "\n" else " " for c in text)


def _sentences(text: str) -> Iterator[Sentence]:
    at = 0
    for number, line in enumerate(text.split("\n")):
        mark = _SHAPES["mark"].match(line)
        start = mark.end() if mark else 0
        if not _SHAPES["heading"].match(line[start:]):
            for end in [
                *(match.end() for match in _SHAPES["end"].finditer(line, start)),
                len(line),
            ]:
                if sentence := _at(line, start, end, at, number):
                    yield sentence
                start = end
        at += len(line) + 1


def _at(line: str, start: int, end: int, offset: int, paragraph: int) -> Sentence | None:
    piece = line[start:end]
    text = piece.strip()
    if not any(map(str.isalnum, text)):
        return None
    first = offset + start + len(piece) - len(piece.lstrip())
    return Sentence(text, first, first + len(text), paragraph)


def parted(whole: Said) -> list[Said]:
    """Cut a transcript into its turns; another text is one turn."""
    marks = list(_SHAPES["speaker"].finditer(whole.text))
    starts = [match.start() for match in marks]
    begun = whole.text[: starts[0]] if starts else whole.text
    parts = [whole._replace(text=begun)] if begun.strip() else []
    for match, end in zip(marks, [*starts[1:], len(whole.text)], strict=True) if marks else ():
        role = "user" if match["who"].lower() in _PERSONS else "assistant"
        text = whole.text[match.end() : end]
        parts.append(whole._replace(text=text, role=role, offset=match.end()))
    return parts


# -- rules that skip a sentence -------------------------------------------------------------

_LEAST_LETTERS = 8
_BARE = 2  # words of a request that tells nothing itself: "don't save that to memory"
_OF_RULES = frozenset(["standing", "decision", "remember"])  # kinds of statements
_OF_WORK = ("what the code or git says", "the talk itself")


def passing(text: str, kind: str = "") -> str:
    """Return the reason why a sentence, or a statement of some kind, is no fact to keep."""
    plain = text.replace("\u2019", "'")
    if _SHAPES["question"].search(plain):
        return "a question"
    if sum(map(str.isalnum, plain)) < (_LEAST_LETTERS if plain.isascii() else _LEAST_LETTERS // 2):
        return "too short to stand alone"
    if why := noise(plain):
        return why
    if _SHAPES["code"].search(plain):
        return "code"
    for why, shape in _PASSING.items():
        if not (kind in _OF_RULES and why in _OF_WORK) and (match := shape.search(plain)):
            return f'{why}: "{match[0].strip():.40}"'
    return ""


def not_to_be_kept(sentences: Sequence[Sentence]) -> frozenset[int]:
    """Find the sentences that ask not to be remembered, and those that they mean, by number.

    Such a request means its whole paragraph; where it is alone there, the one before too, and the
    one behind it where it announces something.
    """
    asking = [
        sentence for sentence in sentences if _asks_to_forget(sentence.text[:LONGEST_SENTENCE])
    ]
    counts = Counter(sentence.paragraph for sentence in sentences)
    paragraphs = list(counts)
    places = {paragraph: place for place, paragraph in enumerate(paragraphs)}
    meant: set[int] = set()
    for request in asking:
        meant.add(request.paragraph)
        alone = counts[request.paragraph] == 1 and len(content_words(request.text)) <= _BARE
        place = places[request.paragraph]
        if alone and place:
            meant.add(paragraphs[place - 1])
        if alone and (place == 0 or "following" in request.text or request.text.endswith(":")):
            meant.update(paragraphs[place + 1 : place + 2])
    return frozenset(n for n, one in enumerate(sentences) if one.paragraph in meant)


def withdraws(text: str) -> bool:
    """Return whether a turn only asks not to remember the one before."""
    sentences = sentences_of(text)[0]
    return bool(sentences) and all(
        _asks_to_forget(sentence.text[:LONGEST_SENTENCE])
        and len(content_words(sentence.text)) <= _BARE
        for sentence in sentences
    )


def _asks_to_forget(text: str) -> bool:
    plain = text.replace("\u2019", "'")
    return asks_to_forget(plain) or _SHAPES["forget more"].search(plain) is not None
