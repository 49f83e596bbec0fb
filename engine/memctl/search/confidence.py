"""Confidence of an answer: how sure it is that what was asked is among its first rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memctl.search.question import Question
    from memctl.search.ranking import Ranked, Ranking

__all__ = ["Confidence", "confidence_of"]


class Confidence(NamedTuple):
    """How sure an answer is, 0 to 1, and why."""

    value: float
    reasons: tuple[str, ...]


def confidence_of(question: Question, ranking: Ranking, ranked: Sequence[Ranked]) -> Confidence:
    """Return the confidence of the best rows."""
    return Confidence(0.0, ())
