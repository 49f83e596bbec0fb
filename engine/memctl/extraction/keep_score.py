"""The keep score: how much speaks for keeping a sentence, in points with names.

The points were fitted on development halves of LoCoMo and BEAM; their words are English. Novelty is
counted over the turns before: a word that everybody said already is not new.
"""

from __future__ import annotations

import re
from collections import Counter
from math import log
from typing import TYPE_CHECKING, NamedTuple

from memctl.base.pattern import patterns_in
from memctl.text.closed_words import STOP_WORDS, content_words
from memctl.text.sentence_kinds import WordMarks, judge

if TYPE_CHECKING:
    from memctl.text.sentence_kinds import Judgement

KEEP = 5.0
"""From so many points on a turn is worth keeping."""

# Points and reasons, with the expressions that show them: "+2 of the speaker".
_SIGNS = patterns_in("memctl.extraction", "keep_points.txt", re.IGNORECASE)
_FEW_TURNS = 20  # until then every word is new
_NEW, NOVEL = 4.0, 8.0  # of novelty
_LATELY = 6  # turns that may say what a statement is about
_WORDS = 8  # of a whole sentence
_ORDER = "a standing order"
_STATED, _OF_KIND = 5.0, {"standing": 10.0}  # points of a statement that is kept at once
_SPEAKER = "of the speaker"
_MOST_TOPIC = 3  # words
_LEAST_NOUN = 3  # letters
_NO_TOPIC = (
    "opening", "question", "states", "number word", "talk", "changed", "decided", "pronoun", "date word"
)  # fmt: skip


class KeepScore(NamedTuple):
    """The points for and against keeping a sentence: their sum, and the reasons."""

    value: float
    why: str


class Heard:
    """The words of the turns before, against which novelty is measured."""

    def __init__(self) -> None:
        self._turns = 0
        self._held: Counter[str] = Counter()
        self._last: list[tuple[str, str, str]] = []  # who, their role, their words

    def add(self, text: str, *, who: str, role: str = "user") -> None:
        """Take a turn in, once it was scored."""
        self._turns += 1
        self._held.update(set(content_words(text)))
        self._last = [(who, role, text), *self._last[: _LATELY - 1]]

    @property
    def lately(self) -> list[str]:
        """The last turns, the newest first: a person's before an assistant's."""
        return [text for _, _, text in sorted(self._last, key=lambda one: one[1] != "user")]

    def novelty(self, text: str) -> float:
        """Return how much is new: the sum of the words' rareness, each once."""
        return sum(self._rareness(word) for word in set(content_words(text)))

    def _rareness(self, word: str) -> float:
        if self._turns <= _FEW_TURNS:
            return 1.0
        return 1 - log(1 + self._held[word]) / log(2 + self._turns)

    def said_by_another(self, who: str) -> tuple[str, str]:
        """Return the role and the words of the turn before, where it was another's."""
        last_who, role, text = next(iter(self._last), (who, "", ""))
        return (role, text) if last_who != who else ("", "")


def score_sentence(
    text: str, heard: Heard, *, who: str = "", verdict: Judgement | None = None
) -> KeepScore:
    """Return the keep score of one sentence of `who`, after those in `heard`."""
    kind = (verdict or judge(text)).kind
    plain = text.replace("\u2019", "'")
    role, asked = heard.said_by_another(who)
    novelty = heard.novelty(plain)
    shown = (title.split(" ", 1) for title, shape in _SIGNS.items() if shape.search(plain))
    result = {why: float(points) for points, why in shown}
    if kind:
        result[_ORDER if kind == "standing" else "stated outright"] = _OF_KIND.get(kind, _STATED)
    if role != "assistant" and asked.rstrip().endswith("?"):
        result[_SPEAKER] = 2.0  # what answers a question is the speaker's, too
    counted = (
        ("a whole sentence", 1.0, len(plain.split()) >= _WORDS),
        ("new words", 1.0, novelty >= _NEW),
        ("many new words", 1.0, novelty >= NOVEL),
        ("said before", -1.0, _repeats(plain, asked)),
    )
    result |= {why: points for why, points, holds in counted if holds}
    ordered = sorted(result.items(), key=lambda one: -abs(one[1]))
    return KeepScore(
        sum(result.values()), ", ".join(f"{why} {points:+g}" for why, points in ordered)
    )


def _repeats(text: str, other: str) -> bool:
    """Return whether half of the words are in the turn just before, another's."""
    words = set(content_words(text))
    return bool(words and other) and len(words & set(content_words(other))) * 2 >= len(words)


# -- what a message is about -----------------------------------------------------------------


def topic_of(text: str) -> str:
    """Return the topic of a message, in a few of its words; empty where it has none."""
    _, colon, asked = text.rpartition(": ")
    marks = WordMarks(asked if colon and judge(asked).refused == "a question" else text)
    found = [(_worth(marks, *chunk), *chunk) for chunk in _chunks(marks)]
    _, start, end = max(found, default=(0, 0, 0))
    return " ".join(marks.tokens[start:end][-_MOST_TOPIC:])


def _chunks(marks: WordMarks) -> list[tuple[int, int]]:
    """Return the runs of words that may name a thing."""
    apart = {
        place
        for name in _NO_TOPIC
        for start, end in marks.places.get(name, {}).items()
        for place in range(start, end)
    } | set(range(marks.places.get("order", {}).get(marks.begin, marks.begin)))
    chunks: list[tuple[int, int]] = []
    for place, word in enumerate(marks.words):
        if place in apart or word in STOP_WORDS or not word[0].isalpha() or len(word) < _LEAST_NOUN:
            continue
        start = chunks.pop()[0] if chunks and chunks[-1][1] == place else place
        chunks.append((start, place + 1))
    return chunks


def _worth(marks: WordMarks, start: int, end: int) -> float:
    """Return how likely some words are the topic: a name, what is asked for, a word behind "the"."""
    before = marks.words[start - 1] if start else ""
    named = any(not word.isalpha() for word in marks.words[start:end])
    asked = before in {"what", "which", "many", "much"}
    late = start / len(marks.words) * (1 if "question" in marks else -1)
    known = before in {"the", "our", "my", "about", "for"}
    return 2 * named + 2 * asked + known + 0.5 * (end - start > 1) + 0.4 * late
