"""Passages of a long row: groups of its sentences, and how much of a question each answers."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from memctl.base.pattern import Pattern
from memctl.search.question.concepts import words_in

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memctl.search.question.concepts import Concept
    from memctl.text.splitting import Splitter

# A row of more words than this is packed by passages, of about so many words each.
_LONG = 80
_PASSAGE = 50
# Words of a passage that has a vector of its own: a model of sentences reads some 250 pieces of words.
_MODEL_PASSAGE = 120
# Letters of an average word, of scripts without spaces as well: what has no spaces is long too.
_WORD_LETTERS = 6
# Up to the end of a sentence or line; a full stop of Chinese or Japanese needs no space behind it.
_FULL_STOPS = "\u3002\uff01\uff1f"
_SENTENCE = Pattern(
    rf"[^\n.!?{_FULL_STOPS}]*(?:[.!?]+[\"')\]]*(?=\s|$)|[{_FULL_STOPS}]|\n|$|[.!?])\s*"
)
_GAP = " … "


@dataclass(frozen=True, slots=True)
class Passage:
    """A part of a row: its place, its text, and the weight of the concepts in it."""

    place: int
    text: str
    worth: float


def is_long(text: str) -> bool:
    """Return whether a text is packed by passages."""
    return len(text) > _LONG * _WORD_LETTERS


def passage_texts(text: str) -> list[str]:
    """Return the passages of a text in their order: the text itself where it is not long."""
    return _parts(text, _MODEL_PASSAGE) or [text]


def passages_of(text: str, concepts: Sequence[Concept], words: Splitter) -> list[Passage]:
    """Return the passages of a text that `is_long`, the worthiest first; of equals the earlier."""
    parts = _parts(text, _PASSAGE)
    result = [
        Passage(place, part, sum(each.weight for each in concepts if each.is_among(held)))
        for place, (part, held) in enumerate(
            zip(parts, words_in(parts, concepts, words), strict=True)
        )
    ]
    return sorted(result, key=lambda passage: (-passage.worth, passage.place))


def joined(passages: Sequence[Passage]) -> str:
    """Return passages as one text, in their order; a gap between those that are not neighbours."""
    ordered = sorted(passages, key=lambda passage: passage.place)
    text = ordered[0].text
    for before, after in pairwise(ordered):
        text += (" " if after.place == before.place + 1 else _GAP) + after.text
    return text


def _parts(text: str, words: int) -> list[str]:
    """Return the sentences of a text in groups of about so many words; a longer one is cut."""
    most = words * _WORD_LETTERS
    parts = [""]
    for sentence in _SENTENCE.findall(text):
        for piece in (sentence[at : at + 2 * most] for at in range(0, len(sentence), 2 * most)):
            if parts[-1] and len(parts[-1]) + len(piece) > most:
                parts.append("")
            parts[-1] += piece
    return [part.strip() for part in parts if part.strip()]
