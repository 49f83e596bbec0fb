"""Confidence of an answer: how sure it is that what was asked is among its first five rows."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from memctl.search.index.index_rows import FACT, kind_of
from memctl.search.ranking import ranking_constants as constants
from memctl.search.ranking.row_candidates import weight
from memctl.search.recall_results import ScoreTerm

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memctl.search.question.question import RecallQuestion
    from memctl.search.ranking.scores import Ranked, Ranking
    from memctl.search.ranking.worth import Worth

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
    for name, value in _signals(question, ranking, ranked).items():
        if (part := round(_WEIGHTS.get(name, 0.0) * value, 3)) != 0:
            terms.append(ScoreTerm(name, part, f"{value:.2f}"))
    odds = sum(term.value for term in terms)
    return Confidence(round(1 / (1 + math.exp(-odds)), 3), tuple(terms))


def _signals(
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
