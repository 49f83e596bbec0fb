"""Worth of a row: the chance that it answers; and confidence: that one of the first five does.

Keywords alone bring rows that share words with a question and answer nothing. What tells them from
answers: how much of the question a row holds, how far it is behind the best, whether it has the kind
of value that is asked for, and whether it is about the thing that the question names.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple, Protocol

from memctl.search.index.index_rows import FACT, kind_of
from memctl.search.question.asked_values import (
    asked_value,
    asks_for_all,
    focus_of,
    has_value,
    named_things,
    names_thing,
)
from memctl.search.question.concepts import rows_of
from memctl.search.ranking import ranking_constants as constants
from memctl.search.ranking.listing import ListRows, is_of
from memctl.search.ranking.row_candidates import weight
from memctl.search.recall_results import ScoreTerm
from memctl.text.closed_words import GENERAL_WORDS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from memctl.search.question.concepts import Concept
    from memctl.search.question.question import RecallQuestion
    from memctl.search.ranking.scores import Ranked, Ranking


# What a word of general meaning counts among the words that a row holds.
_GENERAL = 0.3
_A_WORD = 0.5
_THE_BEST = (4 / 3, 1.0)
_LITTLE = 0.4  # of the words of a question
_HOLDS_ALL = 0.5
_MOST_WORDS = 3.0
_MOST_SCORE = 2.0
_FEW = 10.0  # rows, at which the idf of a word and its mere presence weigh the same
_NEAR = 0.3  # of DATE: the row is of a day that the question names, or soon after

# Two logistic regressions over the signals of a row, by words alone and with a model of sentences,
# fitted on rows of three worlds of facts and turns that were written for it
# (``python -m benchmarks.retrieval --exact --fit``).
WEIGHTS = {
    "base": (-4.61, -4.35),
    "words": (0.82, 0.52),
    "score": (0.84, 0.73),
    "beside the best": (2.9, 2.08),
    "lent by its neighbours": (1.5, 2.45),
    "its speaker or subject": (1.04, -0.54),
    "no such value": (-2.11, -1.8),
    "not the thing that is named": (-1.04, -0.8),
    "not what is asked for": (-0.92, -0.69),
    "all are asked for": (0.78, 0.97),
    "meaning": (0.0, 2.23),
    "meaning without a word": (0.0, 1.99),
    "behind the nearest in meaning": (0.0, -3.53),
    "ahead in meaning": (0.0, 1.53),
    "ahead without a word": (0.0, 0.85),
    "nearest where words say little": (0.0, 1.39),
}
# Turns and episodes answer less often than they look: a conversation says the same many times. The
# log-odds of a row's worth and these give its confidence: by words alone, fitted on LoCoMo 26, 30, 41
# and BEAM 1 to 5, and with a model, on LoCoMo 26, 30, 41.
_SAID_BIAS, _SAID_SLOPE = (-3.61, -2.23), (0.7, 0.39)


class _Weighed(Protocol):
    @property
    def worth(self) -> float: ...


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


_OUTSIDE = Worth(0.0, 0.0, (("not of what is asked", -9.0, 1.0),))


def least_given(weighed: Iterable[_Weighed], least: float, *, model: bool) -> float:
    """Return from which worth on rows are given: never, where not even the best one is likely.

    A row beside a good one is worth it from `least` on. By words alone the best has to be likelier by
    a third, for what shares some words with a question that nothing answers comes that near; with a
    `model` it would cost what is said in other words.
    """
    best = max((row.worth for row in weighed), default=0.0)
    return least if best >= _THE_BEST[model] * least else math.inf


def worths(
    question: RecallQuestion, ranking: Ranking, ranked: Sequence[Ranked], of_list: ListRows
) -> list[Worth]:
    """Return the worth of each of the best rows of a ranking, whose texts were read."""
    model = bool(ranking.meaning)
    signals_of_rows = signals_of(question, ranking, ranked, of_list)
    return [
        _OUTSIDE
        if signals is None
        else _worth(signals, said=kind_of(scored.candidate.row) != FACT, model=model)
        for scored, signals in zip(ranked, signals_of_rows, strict=True)
    ]


def signals_of(
    question: RecallQuestion, ranking: Ranking, ranked: Sequence[Ranked], of_list: ListRows
) -> list[dict[str, float] | None]:
    """Return the signals, by name, from which the worth of each row comes.

    Parameters
    ----------
    of_list
        What rows are to the list that is asked for, where one is.

    Returns
    -------
    signals
        ``None`` for a row that answers nothing: it is outside of the list or of the days that are
        asked for, or has nothing of the question but whom it names.
    """
    of_days = _of_days(question, ranking, ranked)
    outside = {*of_list.outside, *_of_the_person_alone(question, ranking, ranked)}
    if any(scored.candidate.mask for scored in ranked if scored.candidate.row in of_days):
        outside |= {scored.candidate.row for scored in ranked} - of_days
    inside = [scored for scored in ranked if scored.candidate.row not in outside]
    signals = iter(_signals(question, ranking, inside, of_list, of_days))
    return [None if scored.candidate.row in outside else next(signals) for scored in ranked]


def _of_days(
    question: RecallQuestion, ranking: Ranking, ranked: Sequence[Ranked]
) -> frozenset[int]:
    """Return the rows that are of the days that a question names instead of a word."""
    if not question.days:
        return frozenset()
    cells = {scored.candidate.row: ranking.texts.get(scored.candidate.row) for scored in ranked}
    return frozenset(
        row for row, read in cells.items() if read and is_of(question, question.days, read)
    )


def _of_the_person_alone(
    question: RecallQuestion, ranking: Ranking, ranked: Sequence[Ranked]
) -> frozenset[int]:
    """Return the rows that have nothing of a question but a name in it, where no row has the rest.

    "What can Bo not eat" asks for food: whatever else Bo said is no answer.
    """
    if question.concepts or question.spans or question.listing is not None:
        return frozenset()
    if not any(map(names_thing, question.unknown)):
        return frozenset()
    rows = (scored.candidate.row for scored in ranked)
    return frozenset(row for row in rows if row not in ranking.meaning)


def _signals(
    question: RecallQuestion,
    ranking: Ranking,
    ranked: Sequence[Ranked],
    of_list: ListRows,
    of_days: frozenset[int],
) -> list[dict[str, float]]:
    best = max((scored.score for scored in ranked), default=0.0)
    value, named = asked_value(question.text), named_things(question.text)
    if question.listing is not None and question.listing.counted:
        value = ""  # the rows are counted: none needs to hold a number
    asked = frozenset(question.text.lower().split())
    asked |= {word.strip("?.,;:!'\"()") for word in asked}
    asked |= {word for expansion in question.expansions for word in expansion.words}
    focus = focus_of(question.text)
    every = float(asks_for_all(question.text))
    unknown = sum(_counts(word) for word in question.unknown)
    nearest, second = sorted([*ranking.meaning.values(), 0.0, 0.0], reverse=True)[:2]
    parts = ranking.parts([scored.candidate for scored in ranked])
    few = _FEW / (_FEW + rows_of(question.unknown_idf))
    result, most = [], 0.0
    for scored, terms in zip(ranked, parts, strict=True):
        candidate = scored.candidate
        held = question.held(candidate.mask)
        holds = sum(_counts(concept.word) for concept in held)
        lacks = sum(_counts(concept.word) for concept in question.concepts) - holds + unknown
        cells = ranking.texts.get(candidate.row)
        text = cells["text"] if cells is not None else ""
        if question.days:  # a row of the day holds the word for it
            is_then = candidate.row in of_days
            holds, lacks = holds + is_then, lacks + (not is_then)
        share = holds / (holds + lacks) if holds else 0.0
        lowered = text.lower()
        meant = _meant(question, held, candidate.who)
        about = [
            name in lowered or name in meant or _said_by(name, candidate.who) for name in named
        ]
        result.append(
            {
                "every word of it": float(
                    candidate.row in of_list.belong
                    or (lacks < _A_WORD and _holds_all(question, holds, terms))
                ),
                "words": min(holds, _MOST_WORDS),
                "score": min(_score(scored, ranking, share, few), _MOST_SCORE),
                "beside the best": scored.score / best if best > 0 else 0.0,
                "lent by its neighbours": sum(
                    terms.get(name, 0.0) for name in ("neighbour", "answers", "thread")
                ),
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
                "meaning": (cosine := ranking.meaning.get(candidate.row, 0.0)),
                "meaning without a word": (alone := float(holds < _A_WORD)) * cosine,
                "behind the nearest in meaning": max(0.0, nearest - cosine),
                "ahead in meaning": (ahead := (nearest - second) * (0 < nearest <= cosine)),
                "ahead without a word": alone * ahead,
                "nearest where words say little": float(0 < nearest <= cosine),
            }
        )
        most = max(most, share)
    if most >= _LITTLE:
        for signals in result:
            signals["nearest where words say little"] = 0.0
    return result


def _score(ranked: Ranked, ranking: Ranking, share: float, few: float) -> float:
    """Return a score; of a store of `few` rows, where every word is common, the share of the words."""
    full = 1.0 + (ranking.stands_alone if kind_of(ranked.candidate.row) == FACT else 0.0)
    return (1 - few) * ranked.score + few * full * share


def _holds_all(question: RecallQuestion, holds: float, terms: Mapping[str, float]) -> bool:
    """Return whether a row has what is asked for: words; or a day or a person, and no other word lacks.

    "When does Ann work" asks for a row of Ann that says "work", however general that word is.
    """
    if holds >= _A_WORD:
        return True
    if question.concepts and not holds:
        return False
    return terms.get("date", 0.0) > _NEAR or terms.get("participant", 0.0) > 0


def _counts(word: str) -> float:
    return _GENERAL if word in GENERAL_WORDS else 1.0


def _meant(question: RecallQuestion, held: Sequence[Concept], who: Sequence[str]) -> set[str]:
    """Return the words of a question that a row has by any spelling: "NYC" where it has New York."""
    people = [person for person in question.names if not person.spellings.isdisjoint(who)]
    return {concept.word for concept in held}.union(*(person.words for person in people))


def _said_by(name: str, who: Sequence[str]) -> bool:
    return any(name in spelling.lower() for spelling in who)


def _worth(signals: dict[str, float], *, said: bool, model: bool) -> Worth:
    parts: list[tuple[str, float, float | None]] = [("base", WEIGHTS["base"][model], None)]
    for name, value in signals.items():
        part = round(WEIGHTS[name][model] * value, 3) if value and name in WEIGHTS else 0
        if part:
            parts.append((name, part, value))
    odds = sum(part for _, part, _ in parts)
    worth = _chance(odds)
    if signals["every word of it"]:  # whoever looks for a word wants the rows that hold it
        worth = max(worth, _HOLDS_ALL)
    confidence = _chance(_SAID_BIAS[model] + _SAID_SLOPE[model] * odds) if said else worth
    return Worth(round(worth, 3), round(confidence, 3), parts)


def _chance(odds: float) -> float:
    return 1 / (1 + math.exp(-odds))


# -- Confidence of an answer ---------------------------------------------------------------


_FIRST = 5
_TENTH = 9
# A logistic regression over signals of the ranking, fitted on LoCoMo 26, 30, 41 and BEAM 1 to 5,
# unanswerable questions included.
_BIAS = -0.959
_WEIGHTS = {
    "ahead of the tenth": 1.368,
    "ahead of the second": -1.25,
    "words in the best row": 0.973,
    "words in the first five": 0.206,
    "unknown words": 0.006,
    "one name": -0.505,
    "named speaker ahead": 3.829,
}


class Confidence(NamedTuple):
    """How sure an answer is, 0 to 1, and why: terms whose sum is its log-odds, or its best row's."""

    value: float
    reasons: tuple[ScoreTerm, ...]


def confidence_of(
    question: RecallQuestion, ranking: Ranking, ranked: Sequence[Ranked], worths: Sequence[Worth]
) -> Confidence:
    """Return the confidence of the best rows of a ranking.

    Where a fact is the best, the chance that one of the first five answers; where a turn or an
    episode is, that of the ranking as a whole, since a conversation says the same many times.

    Parameters
    ----------
    worths
        Those of the rows.
    """
    if not ranked:
        return Confidence(0.0, ())
    if kind_of(ranked[0].candidate.row) == FACT:
        value = 1 - math.prod(1 - worth.confidence for worth in worths[:_FIRST])
        return Confidence(round(value, 3), worths[0].reasons)
    terms = [ScoreTerm("base", _BIAS, "what any question begins with")]
    for name, value in _signs_of_confidence(question, ranking, ranked).items():
        if (part := round(_WEIGHTS.get(name, 0.0) * value, 3)) != 0:
            terms.append(ScoreTerm(name, part, f"{value:.2f}"))
    odds = sum(term.value for term in terms)
    return Confidence(round(1 / (1 + math.exp(-odds)), 3), tuple(terms))


def _signs_of_confidence(
    question: RecallQuestion, ranking: Ranking, ranked: Sequence[Ranked]
) -> dict[str, float]:
    """Return the signals of a ranking by which the answer is there or not, by name."""
    scores = [scored.score for scored in ranked[: _TENTH + 1]]
    scores += [0.0] * (_TENTH + 1 - len(scores))
    total = question.weight or 1.0
    first = [scored.candidate.mask for scored in ranked[:_FIRST]]
    together = 0
    for mask in first:
        together |= mask
    best = max((weight(mask, question.concepts) for mask in first), default=0.0)
    return {
        "ahead of the tenth": scores[0] - scores[_TENTH],
        "ahead of the second": scores[0] - scores[1],
        "words in the best row": best / total,
        "words in the first five": weight(together, question.concepts) / total,
        "unknown words": 1 - question.total_idf / total,
        "one name": float(len(question.names) == 1),
        "named speaker ahead": _margin(question, ranking, ranked),
    }


def _margin(question: RecallQuestion, ranking: Ranking, ranked: Sequence[Ranked]) -> float:
    """Return how far the best row of the one person named is ahead of the best of others."""
    if len(question.names) != 1:
        return 0.0
    gain = constants.PARTICIPANT * ranking.held
    spellings, others = question.names[0].spellings, 0.0
    named = 0.0
    for scored in ranked:
        if scored.score - gain <= min(named, others):
            break  # the scores fall: no later row is better
        if not spellings.isdisjoint(scored.candidate.who):
            named = max(named, scored.score - gain)
        elif scored.candidate.who:  # a fact, which nobody says, is neither ahead nor behind
            others = max(others, scored.score)
    return named - others
