"""Worth of a row: the chance that it answers, from what it holds of the question and what it lacks.

Keywords alone bring rows that share words with a question and answer nothing. What tells them from
answers: how much of the question a row holds, how far it is behind the best, whether it has the kind
of value that is asked for, and whether it is about the thing that the question names.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from memctl.search.index.index_rows import FACT, kind_of
from memctl.search.question.asked_values import (
    asked_value,
    asks_for_all,
    focus_of,
    has_value,
    named_things,
)
from memctl.search.recall_results import ScoreTerm
from memctl.text.closed_words import GENERAL_WORDS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from memctl.search.question.concepts import Concept
    from memctl.search.question.question import RecallQuestion
    from memctl.search.ranking.ranking import Ranked, Ranking

# What a word of general meaning counts among the words that a row holds.
_GENERAL = 0.3
_A_WORD = 0.5
_HOLDS_ALL = 0.5
_MOST_WORDS = 3.0
_MOST_SCORE = 2.0
_NEAR = 0.3  # of DATE: the row is of a day that the question names, or soon after

# Two logistic regressions over the signals of a row, by words alone and with a model of sentences,
# fitted on rows of three worlds of facts and turns that were written for it
# (``python -m benchmarks.retrieval --exact --fit``).
WEIGHTS = {
    "base": (-4.28, -4.3),
    "share of the question": (0.17, 0.6),
    "share of its words": (-0.31, 0.4),
    "every word of it": (0.0, 0.0),
    "words": (0.85, 0.55),
    "score": (0.95, 0.01),
    "beside the best": (2.45, 2.27),
    "less of the question than another": (-0.56, -0.66),
    "lent by its neighbours": (1.58, 3.06),
    "its day": (0.35, 0.73),
    "its speaker or subject": (1.0, -0.76),
    "no such value": (-1.98, -1.65),
    "not the thing that is named": (-1.05, -0.75),
    "not what is asked for": (-0.8, -0.64),
    "all are asked for": (0.76, 0.94),
    "no word": (0.0, 0.25),
    "meaning": (0.0, 2.49),
    "meaning without a word": (0.0, 2.95),
    "behind the nearest in meaning": (0.0, -4.38),
    "ahead in meaning": (0.0, 2.56),
    "ahead without a word": (0.0, 2.85),
}
# Turns and episodes answer less often than they look: a conversation says the same many times. The
# log-odds of a row's worth and these give its confidence; fitted on LoCoMo 26, 30, 41, BEAM 1 to 5.
_SAID_BIAS, _SAID_SLOPE = -3.61, 0.7


class Worth(NamedTuple):
    """The chance that a row answers.

    Parameters
    ----------
    worth
        0 to 1: what a cut is compared with.
    confidence
        0 to 1: the same, calibrated by the kind of the row.
    parts
        What each signal adds to the log-odds of `worth`: its name, the part, its value.
    """

    worth: float
    confidence: float
    parts: Sequence[tuple[str, float, float | None]]

    @property
    def reasons(self) -> tuple[ScoreTerm, ...]:
        """The terms whose sum is the log-odds of `worth`."""
        return tuple(
            ScoreTerm(name, part, "what any row begins with" if value is None else f"{value:.2f}")
            for name, part, value in self.parts
        )


def worths(question: RecallQuestion, ranking: Ranking, ranked: Sequence[Ranked]) -> list[Worth]:
    """Return the worth of each of the best rows of a ranking, whose texts were read."""
    return [
        _worth(signals, said=kind_of(one.candidate.row) != FACT, model=bool(ranking.meaning))
        for one, signals in zip(ranked, signals_of(question, ranking, ranked), strict=True)
    ]


def signals_of(
    question: RecallQuestion, ranking: Ranking, ranked: Sequence[Ranked]
) -> list[dict[str, float]]:
    """Return the signals of each row that tell whether it answers, by name."""
    total = sum(concept.telling for concept in question.concepts) or 0.0
    total += question.unknown_idf * sum(map(_counts, question.unknown))
    total = total or 1.0
    best = max((one.score for one in ranked), default=0.0)
    most = max((_telling(question, one) for one in ranked), default=0.0)
    value, named = asked_value(question.text), named_things(question.text)
    asked = frozenset(question.text.lower().split())
    asked |= {word.strip("?.,;:!'\"()") for word in asked}
    focus = focus_of(question.text)
    every = float(asks_for_all(question.text))
    unknown = sum(_counts(word) for word in question.unknown)
    nearest, second = sorted([*ranking.meaning.values(), 0.0, 0.0], reverse=True)[:2]
    parts = ranking.parts([one.candidate for one in ranked])
    found = []
    for one, terms in zip(ranked, parts, strict=True):
        candidate = one.candidate
        held = question.held(candidate.mask)
        holds = sum(_counts(concept.word) for concept in held)
        lacks = sum(_counts(concept.word) for concept in question.concepts) - holds + unknown
        cells = ranking.texts.get(candidate.row)
        text = cells["text"] if cells is not None else ""
        lowered = text.lower()
        about = [name in lowered or _said_by(name, candidate.who) for name in named]
        words = _telling(question, one)
        found.append(
            {
                "share of the question": words / total,
                "share of its words": holds / (holds + lacks) if holds + lacks else 0.0,
                "every word of it": float(lacks < _A_WORD and _holds_all(question, held, terms)),
                "words": min(holds, _MOST_WORDS),
                "score": min(one.score, _MOST_SCORE),
                "beside the best": one.score / best if best > 0 else 0.0,
                "less of the question than another": (most - words) / total,
                "lent by its neighbours": sum(
                    terms.get(name, 0.0) for name in ("neighbour", "answers", "thread")
                ),
                "its day": float(terms.get("date", 0.0) > _NEAR),
                "its speaker or subject": float(terms.get("participant", 0.0) > 0),
                "no such value": float(
                    bool(value)
                    and not (value == "person" and candidate.who)
                    and not has_value(value, text, asked)
                ),
                "not the thing that is named": float(bool(about) and not any(about)),
                "not what is asked for": float(
                    bool(focus) and focus not in lowered and all(c.word != focus for c in held)
                ),
                "all are asked for": every,
                "no word": (alone := float(holds < _A_WORD)),
                "meaning": (cosine := ranking.meaning.get(candidate.row, 0.0)),
                "meaning without a word": alone * cosine,
                "behind the nearest in meaning": max(0.0, nearest - cosine),
                "ahead in meaning": (ahead := (nearest - second) * (0 < nearest <= cosine)),
                "ahead without a word": alone * ahead,
            }
        )
    return found


def _holds_all(
    question: RecallQuestion, held: Sequence[Concept], terms: Mapping[str, float]
) -> bool:
    """Return whether a row has what is asked for: words; or, where there are none, a day or a person."""
    if question.concepts:
        return bool(held)
    return terms.get("date", 0.0) > _NEAR or terms.get("participant", 0.0) > 0


def _telling(question: RecallQuestion, one: Ranked) -> float:
    return sum(concept.telling for concept in question.held(one.candidate.mask))


def _counts(word: str) -> float:
    return _GENERAL if word in GENERAL_WORDS else 1.0


def _said_by(name: str, who: Sequence[str]) -> bool:
    return any(name in one.lower() for one in who)


def _worth(signals: dict[str, float], *, said: bool, model: bool) -> Worth:
    parts: list[tuple[str, float, float | None]] = [("base", WEIGHTS["base"][model], None)]
    for name, value in signals.items():
        if (part := round(WEIGHTS[name][model] * value, 3) if value else 0) != 0:
            parts.append((name, part, value))
    odds = sum(part for _, part, _ in parts)
    worth = _chance(odds)
    if signals["every word of it"]:  # whoever looks for a word wants the rows that hold it
        worth = max(worth, _HOLDS_ALL)
    confidence = _chance(_SAID_BIAS + _SAID_SLOPE * odds) if said else worth
    return Worth(round(worth, 3), round(confidence, 3), parts)


def _chance(odds: float) -> float:
    return 1 / (1 + math.exp(-odds))
