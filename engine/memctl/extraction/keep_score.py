"""The keep score: how much speaks for keeping a sentence, in points with names.

The points were fitted on development halves of LoCoMo and BEAM; their words are English. Novelty is
counted over what was said before: a word that everybody said already tells nothing new.
"""

from __future__ import annotations

import re
from collections import Counter
from math import log
from typing import TYPE_CHECKING, NamedTuple

from memctl.base.pattern import Pattern
from memctl.text.content_words import content_words

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = [
    "KEEP",
    "Heard",
    "KeepScore",
    "Point",
    "is_standing_order",
    "score_sentence",
    "score_turn",
]

KEEP = 5.0
"""From so many points on a turn is worth keeping."""

_FEW_TURNS = 20  # until then every word is new
_LONG_TURN = 35  # words
_NOVEL = 8.0
_I = (
    r"\b(?:i|we)(?:'(?:m|ve|d|ll|re))?\s+(?:(?:\w+ly|just|also|still|now|have|had|been|am|are)\s+)*"
)
_MONTH = "january|february|march|april|may|june|july|august|september|october|november|december"
_DAY = "monday|tuesday|wednesday|thursday|friday|saturday|sunday"


def _words(shape: str) -> Pattern:
    return Pattern(shape, re.IGNORECASE)


_ORDER = _words(
    r"\A\W*(?:(?:please|also|and),?\s+)*(?:always(?!\s+(?:happy|glad|here|nice|good|great|a\b|so\b|fun))|never\b"
    r"(?!\s+(?:mind|seen|heard|been|had|thought|knew|gets?|again))|from now on|going forward|"
    r"by default|whenever you|remember to always)\b|\b(?:when|whenever|if) i ask\b|"
    r"\b(?:want|need) you to (?:always|never)\b"
)
_PREFERENCE = _words(
    r"\b(?:prefer\w*|lov(?:e|es|ed|ing)|hat(?:e|es|ed)|avoid\w*|decided|chose|rather than|favou?rite|"
    r"(?<!would )(?<!feel )(?<!feels )(?<!look )(?<!looks )(?<!sounds )(?<!something )(?<!'d )lik(?:e|es|ed))\b|"
    r"\b(?:prefer\w*|cho(?:o|sen?)\w*|pick\w*|want\w*)\b.{1,40}\bover\b"
)
_FIRST_PERSON = _words(r"\b(?:i|i'm|i've|i'd|i'll|my|mine|me|we|we're|we've|our|us)\b")
_REACTION = _words(
    r"\A\W*(?:wow|thanks|thank you|great|cool|nice|awesome|haha\w*|lol|yeah|yes|yep|oh|hey|hi|hello|congrat\w*|"
    r"sounds|that's|that is|glad|good|sure|ok|okay|absolutely|definitely|totally|exactly|sorry|amazing|no)\b"
)
_CODE = Pattern(
    r"`[^`]+`|\w+\(\w*\)|[{}<>=;]{2,}|\b(?:def|class|import|return|const|var)\s+\w+[(:=]|=>|</?\w+>"
)
_NUMBER = Pattern(r"\d[\d.,:]*")

# Each adds one point where its shape stands in the sentence.
_SIGNS: tuple[tuple[str, Pattern], ...] = (
    (
        "a deed or state",
        _words(
            _I
            + r"(?!think|guess|hope|wish|agree|bet|know|see|appreciate|mean|can\b|could|would|should|will|wonder|"
            r"imagine|hear\b|understand|believe|suppose|do\b|don't|didn't|totally|get\b|so\b|glad|sure|happy|sorry)\w{3,}"
        ),
    ),
    ("whose it is", _words(r"\b(?:my|our)\s+[a-z]{3,}")),
    (
        "a person close by",
        _words(
            r"\b(?:wife|husband|partner|girlfriend|boyfriend|fianc\w+|mother|father|mom|mum|dad|parents|sister|brother|"
            r"son|daughter|kids?|child|children|family|grand\w+|aunt|uncle|cousins?|friends?|colleagues?|boss|manager|"
            r"mentor|team|neighbou?rs?|dog|cat|pets?)\b"
        ),
    ),
    (
        "a life event",
        _words(
            r"\b(?:born|birthday|married|wedding|divorc\w+|pregnan\w+|job|career|hired|promot\w+|retir\w+|degree|"
            r"graduat\w+|school|university|college|moved|house|apartment|allerg\w+|diagnos\w+|doctor|surgery|"
            r"hobb\w+|trip|vacation|travel\w*|visit\w*|adopt\w+|volunteer\w*|award|budget|salary|deadline)\b"
        ),
    ),
    (
        "a time",
        _words(
            rf"\b(?:{_MONTH}|{_DAY}|yesterday|today|tomorrow|tonight|(?:last|next|this|every|each)\s+(?:week\w*|month|"
            r"year|summer|winter|spring|fall|night|day|time)|ago|since|weekly|daily|monthly|\d{4}-\d\d-\d\d)\b"
        ),
    ),
    (
        "a number",
        Pattern(r"\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|dozen|first|second)\b"),
    ),
    (
        "a change",
        _words(
            r"\b(?:changed?|moved|switched|now|instead|no longer|anymore|updat\w+|increas\w+|rais\w+|reduc\w+|extend\w+|"
            r"postpon\w+|reschedul\w+|new|started|stopped|quit|finished|completed|improv\w+)\b"
        ),
    ),
)


class Point(NamedTuple):
    """Points for one reason."""

    why: str
    points: float


class KeepScore(NamedTuple):
    """What speaks for and against keeping a sentence, and the sum of it."""

    value: float
    points: tuple[Point, ...]

    @property
    def why(self) -> str:
        """The reasons in words, the weightiest first."""
        ordered = sorted(self.points, key=lambda point: -abs(point.points))
        return ", ".join(f"{point.why} {point.points:+g}" for point in ordered)


class Heard:
    """The words of what was said before, by turns: what is new is measured against them."""

    def __init__(self) -> None:
        self._turns = 0
        self._held: Counter[str] = Counter()
        self.last: tuple[str, str, str] = ("", "", "")  # who, their role, their words

    def add(self, text: str, *, who: str, role: str = "user") -> None:
        """Take a turn in, once it was scored."""
        self._turns += 1
        self._held.update(set(content_words(text)))
        self.last = (who, role, text)

    def novelty(self, text: str) -> float:
        """Return how much is new: the sum of the words' rareness, each once."""
        return sum(self._rareness(word) for word in set(content_words(text)))

    def _rareness(self, word: str) -> float:
        if self._turns <= _FEW_TURNS:
            return 1.0
        return 1 - log(1 + self._held[word]) / log(2 + self._turns)

    def said_by_another(self, who: str) -> tuple[str, str]:
        """Return the role and the words of the turn before, where another one said it."""
        last_who, role, text = self.last
        return (role, text) if last_who != who else ("", "")


def is_standing_order(text: str) -> bool:
    """Return whether a sentence says what is to be done from now on."""
    return _ORDER.search(text) is not None


def score_sentence(text: str, heard: Heard, *, who: str = "") -> KeepScore:
    """Return the keep score of one sentence, said by `who` after what was `heard`."""
    plain = text.replace("\u2019", "'")
    role, asked = heard.said_by_another(who)
    novelty = heard.novelty(plain)
    answers = role != "assistant" and asked.rstrip().endswith("?")
    table: tuple[tuple[str, float, object], ...] = (
        ("a standing order", 10, is_standing_order(plain)),
        ("a preference or choice", 3, _PREFERENCE.search(plain)),
        ("of the speaker", 2, _FIRST_PERSON.search(plain) or answers),
        *((why, 1, shape.search(plain)) for why, shape in _SIGNS),
        ("two numbers", 1, len(_NUMBER.findall(plain)) > 1),
        ("a whole sentence", 1, len(plain.split()) >= 8),  # noqa: PLR2004  (words)
        ("new words", 1, novelty >= 4),  # noqa: PLR2004
        ("many new words", 1, novelty >= _NOVEL),
        ("a question", -1, plain.endswith("?")),
        ("a reaction", -1, _REACTION.match(plain)),
        ("said before", -1, _repeats(plain, asked)),
        ("residue of code", -2, _CODE.search(plain)),
    )
    points = tuple(Point(why, value) for why, value, holds in table if holds)
    return KeepScore(sum(point.points for point in points), points)


def score_turn(
    sentences: Sequence[str],
    heard: Heard,
    *,
    who: str = "",
    score: Callable[..., KeepScore] = score_sentence,
) -> float:
    """Return the points of a turn: its best sentence, and what the whole of it adds."""
    scores = [score(sentence, heard, who=who).value for sentence in sentences]
    if not scores:
        return 0.0
    whole = " ".join(sentences)
    several = sum(value >= KEEP for value in scores) > 1
    long = len(whole.split()) >= _LONG_TURN
    return max(scores) + several + long + (heard.novelty(whole) >= _NOVEL)


def _repeats(text: str, other: str) -> bool:
    """Return whether half of the words stand in what another said just before."""
    words = set(content_words(text))
    return bool(words and other) and len(words & set(content_words(other))) * 2 >= len(words)
