"""The two formulas of the Deep score: OpenClaw's, and memctl's own with its three lanes.

Each turns evidence into six values from 0 to 1, and into the measures that its lanes ask for.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from math import log, log1p
from typing import TYPE_CHECKING, ClassVar

from memctl.consolidation.scoring.evidence import STATED, days_between, distinct_days, span_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import date

    from memctl.consolidation.scoring.evidence import Evidence, Signal

__all__ = ["KeepFormula", "Lane", "ScoreFormula", "SignalFormula", "Thresholds", "faded"]

_FULL_TAGS = 6
_SURE = 0.75  # the average of recalls that counts in full
_MEANT = 0.5  # cover of a recall's words: with less, chance brought it up
_BEST_RANKS = 3  # a recall counts where it stood among the first


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Numbers of a profile that settings can override: ``min_score`` is ``dream_min_score``.

    Parameters
    ----------
    min_score
        Least total, 0 to 1; memctl's standing orders need none.
    min_recalls
        Signals of any kind for OpenClaw; recalls by people for memctl.
    min_queries
        Different questions; 0: not asked.
    half_life_days
        Days after which recency is worth half.
    max_age_days
        Days since the last signal; 0: not asked.
    limit
        Promotions of one run.
    min_statements
        Days on which it was stated, in memctl's lane "restated".
    min_keep_recalled, min_keep_restated
        Points of the keep score, in memctl's lanes.
    min_days_often, min_keep_often
        Days on which it was stated and points, in the lane "said often": days stand for points.
    min_span_days
        Days from its first to its last signal, in the lanes but the first two.
    max_boot_overlap
        Share of its words that the boot text may hold, itself not allowed; 0: not asked.
    """

    min_score: float
    min_recalls: int
    min_queries: int
    half_life_days: float
    max_age_days: int
    limit: int = 10
    min_statements: int = 0
    min_keep_recalled: float = 0.0
    min_keep_restated: float = 0.0
    min_days_often: int = 0
    min_keep_often: float = 0.0
    min_span_days: int = 0
    max_boot_overlap: float = 0.0


@dataclass(frozen=True, slots=True)
class Lane:
    """One way to a promotion: measures with the least that each must reach, and the least score.

    Parameters
    ----------
    name
        As the promotion records it.
    least
        Measure, least value, and the setting that says it (empty for none).
    min_score
        Least total.
    """

    name: str
    least: tuple[tuple[str, float, str], ...]
    min_score: float


class ScoreFormula(ABC):
    """A formula of the Deep score. Evidence is what was known at `as_of` (`Evidence.until`).

    With `reads_near`, what speaks for the same in other words counts, and a rival said since stops.
    """

    reads_near: ClassVar[bool] = False

    @abstractmethod
    def counted(self, evidence: Evidence) -> Sequence[Signal]:
        """Return the signals that count."""

    @abstractmethod
    def values(self, evidence: Evidence) -> Mapping[str, float]:
        """Return relevance, frequency and diversity, not yet clamped."""

    @abstractmethod
    def measures(self, evidence: Evidence) -> Mapping[str, float]:
        """Return the measures that the lanes ask for."""

    @abstractmethod
    def lanes(self, wanted: Thresholds) -> tuple[Lane, ...]:
        """Return the lanes, the first to be asked first."""

    def consolidation(self, evidence: Evidence) -> float:
        """Return how far signals are spread over days."""
        return _consolidation(distinct_days(self.counted(evidence)))

    def age_days(self, evidence: Evidence, as_of: str) -> float:
        """Return the days since the last signal; 0 where there is none."""
        last = max((one.at for one in self.counted(evidence)), default="")
        return days_between(last, as_of) if last else 0.0

    def all_values(self, evidence: Evidence, wanted: Thresholds, as_of: str) -> dict[str, float]:
        """Return the six values, each from 0 to 1."""
        recency = faded(self.age_days(evidence, as_of), wanted.half_life_days)
        found = {
            **self.values(evidence),
            "recency": recency if self.counted(evidence) else 0.0,
            "consolidation": self.consolidation(evidence),
            "richness": len(evidence.tags) / _FULL_TAGS,
        }
        return {name: min(1.0, max(0.0, value)) for name, value in found.items()}


@dataclass(frozen=True, slots=True)
class SignalFormula(ScoreFormula):
    """OpenClaw's formula, as its source has it from April to September 2026.

    Parameters
    ----------
    real_searches
        Whether real searches alone are counted as questions (from 2026.9.4), instead of all
        questions and synthetic ones, or days where these are more.
    """

    real_searches: bool

    def counted(self, evidence: Evidence) -> Sequence[Signal]:
        """Return all signals that OpenClaw has: it knows no feedback."""
        return [one for one in evidence.signals if one.kind != "feedback"]

    def values(self, evidence: Evidence) -> Mapping[str, float]:
        """Return relevance, frequency and diversity, not yet clamped."""
        signals = self.counted(evidence)
        return {
            "relevance": sum(one.score for one in signals) / max(1, len(signals)),
            "frequency": log1p(len(signals)) / log(11),
            "diversity": self._questions(signals) / 5,
        }

    def measures(self, evidence: Evidence) -> Mapping[str, float]:
        """Return signals and questions."""
        signals = self.counted(evidence)
        return {"signals": len(signals), "questions": self._questions(signals)}

    def lanes(self, wanted: Thresholds) -> tuple[Lane, ...]:
        """Return the one lane."""
        least = (
            ("signals", wanted.min_recalls, "min_recalls"),
            ("questions", wanted.min_queries, "min_queries"),
        )
        return (Lane("signals", least, wanted.min_score),)

    def consolidation(self, evidence: Evidence) -> float:
        """Return how far signals are spread over days; what is grounded counts a third each."""
        grounded = sum(one.kind == "grounded" for one in evidence.signals)
        return max(_consolidation(distinct_days(self.counted(evidence))), grounded / 3)

    def _questions(self, signals: Sequence[Signal]) -> int:
        if self.real_searches:
            return len({one.query for one in signals if one.kind == "recall" and one.query})
        # Ingestion asks one synthetic question a day and kind.
        asked = {one.query or f"{one.kind} {one.day}" for one in signals}
        return max(len(asked), len(distinct_days(signals)))


class KeepFormula(ScoreFormula):
    """memctl's formula: how much speaks for keeping it, who asked for it, how often it was said."""

    reads_near: ClassVar[bool] = True

    def counted(self, evidence: Evidence) -> Sequence[Signal]:
        """Return statements, recalls that showed it among the first three, and feedback."""
        return [one for one in evidence.signals if one.kind in STATED or _used(one)]

    def values(self, evidence: Evidence) -> Mapping[str, float]:
        """Return relevance, frequency and diversity, not yet clamped."""
        used = [one for one in evidence.signals if _used(one)]
        keep = min(1.0, max(0.0, evidence.keep_score / 8))
        sure = min(1.0, sum(one.score for one in used) / max(1, len(used)) / _SURE)
        found = self.measures(evidence)
        return {
            "relevance": 0.5 * keep + 0.5 * sure if used else 0.6 * keep,
            "frequency": log1p(found["recalls"] + 0.5 * found["days stated"]) / log(6),
            "diversity": (found["questions"] + 0.5 * max(0.0, found["days stated"] - 1)) / 3,
        }

    def measures(self, evidence: Evidence) -> Mapping[str, float]:
        """Return recalls, questions, days stated, days apart, keep score and standing order."""
        used = [one for one in evidence.signals if _used(one)]
        return {
            "standing order": float(evidence.standing_order),
            "lesson": float(evidence.category == "lesson"),
            "recalls": len({(one.query, one.day) for one in used}),
            "questions": len({one.query for one in used if one.query}),
            "days stated": len({one.day for one in evidence.signals if one.kind in STATED}),
            "keep score": evidence.keep_score,
            "days apart": span_of(distinct_days(self.counted(evidence))),
        }

    def lanes(self, wanted: Thresholds) -> tuple[Lane, ...]:
        """Return the lanes: a standing order at once, a lesson of two days, what was recalled, restated or said often."""
        apart = ("days apart", wanted.min_span_days, "min_span_days")
        recalled = (
            ("recalls", wanted.min_recalls, "min_recalls"),
            ("questions", wanted.min_queries, "min_queries"),
            ("keep score", wanted.min_keep_recalled, "min_keep_recalled"),
            apart,
        )
        restated = (
            ("days stated", wanted.min_statements, "min_statements"),
            ("keep score", wanted.min_keep_restated, "min_keep_restated"),
            apart,
        )
        often = (
            ("days stated", wanted.min_days_often, "min_days_often"),
            ("keep score", wanted.min_keep_often, "min_keep_often"),
            apart,
        )
        lesson = (("lesson", 1, ""), ("days stated", wanted.min_statements, "min_statements"))
        return (
            Lane("standing order", (("standing order", 1, ""),), 0.0),
            Lane("lesson", lesson, wanted.min_score),
            Lane("recalled", recalled, wanted.min_score),
            Lane("restated", restated, wanted.min_score),
            Lane("said often", often, wanted.min_score),
        )


def faded(age_days: float, half_life_days: float) -> float:
    """Return the worth of an age, from 0 to 1: half after each half-life; 1 where there is none."""
    return float(2 ** (-age_days / half_life_days)) if half_life_days > 0 else 1.0


def _used(one: Signal) -> bool:
    """Return whether somebody asked and was shown it among the first, or said that it helped."""
    shown = one.kind == "recall" and one.rank is not None and one.rank <= _BEST_RANKS
    return one.kind == "feedback" or (shown and bool(one.query) and one.cover >= _MEANT)


def _consolidation(days: tuple[date, ...]) -> float:
    """Return OpenClaw's consolidation: days, and what lies between the first and the last."""
    if len(days) < 2:  # noqa: PLR2004  (one day is no spread)
        return 0.2 * len(days)
    return 0.55 * min(1.0, log(len(days)) / log(5)) + 0.45 * min(1.0, span_of(days) / 7)
