"""Profiles of the Deep phase: whose formula, weights and thresholds, and what they make of evidence.

``openclaw`` is OpenClaw 2026.9, ``openclaw-0.80`` what it was before, ``never-forget`` the Deep values
of Memory Never Forget 4.13 on the same formula, ``memctl`` the default.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from math import log, log1p
from typing import TYPE_CHECKING, Any

from memctl.base.errors import UsageError
from memctl.base.near_words import one_of
from memctl.consolidation.scoring.evidence import days_between
from memctl.consolidation.scoring.formulas import (
    KeepFormula,
    Lane,
    ScoreFormula,
    SignalFormula,
    Thresholds,
    faded,
)

if TYPE_CHECKING:
    from memctl.config.settings import Settings
    from memctl.consolidation.scoring.evidence import Evidence

__all__ = ["PROFILES", "DeepGate", "DeepScore", "Profile", "ScorePart", "Weights", "profile_of"]

_BOOST_HALF_LIFE = 14.0  # days
# What each gate says where it stops, and where it lets pass.
_OWN_WORDS = ("memctl, a cron job or the system alone said it", "a person said it")
_GROUNDED_WORDS = ("no source row says it", "a source row says it")
_ALONE_WORDS = ("nothing says who or what it is about", "it tells who and what it is about")
_PROMOTED_WORDS = ("it is a fact already", "it is no fact yet")
_NEARLY = 1e-9  # a sum of floating numbers that reaches its threshold


@dataclass(frozen=True, slots=True)
class Weights:
    """Weights of the six values, and the most that hits of Light and REM add."""

    relevance: float = 0.30
    frequency: float = 0.24
    diversity: float = 0.15
    recency: float = 0.15
    consolidation: float = 0.10
    richness: float = 0.06
    light: float = 0.06
    rem: float = 0.09


@dataclass(frozen=True, slots=True)
class ScorePart:
    """One part of a score: its value from 0 to 1, and its weight."""

    name: str
    value: float
    weight: float

    @property
    def share(self) -> float:
        """Its points of the total: value times weight."""
        return self.value * self.weight


@dataclass(frozen=True, slots=True)
class DeepScore:
    """A score with its parts, the boosts of earlier phases, and the total from 0 to 1."""

    parts: tuple[ScorePart, ...]
    boosts: tuple[ScorePart, ...]
    total: float

    @property
    def shares(self) -> dict[str, float]:
        """The points of each part and boost, to six decimals."""
        return {part.name: round(part.share, 6) for part in (*self.parts, *self.boosts)}


@dataclass(frozen=True, slots=True)
class DeepGate:
    """One gate's verdict.

    Parameters
    ----------
    name
        Short: ``recalls``.
    value, wanted
        What there is, and what there must be.
    passed
        Whether that is enough.
    words
        The same for people.
    setting
        Name of the threshold (`Thresholds`) that it asks; empty for none.
    """

    name: str
    value: float
    wanted: float
    passed: bool
    words: str
    setting: str = ""


@dataclass(frozen=True, slots=True)
class Profile:
    """A formula with its weights and thresholds.

    Parameters
    ----------
    name
        As the setting ``dream_profile`` says it.
    follows
        Name and version of what it follows.
    """

    name: str
    follows: str
    formula: ScoreFormula
    thresholds: Thresholds
    weights: Weights = Weights()

    @property
    def limit(self) -> int:
        """Promotions of one run."""
        return self.thresholds.limit

    def score(self, evidence: Evidence, as_of: str) -> DeepScore:
        """Return the score at a moment. Signals that are dated later do not count.

        The six weights and the boosts are OpenClaw's (its memory-core, April to September 2026).
        """
        known = evidence.until(as_of)
        values = self.formula.all_values(known, self.thresholds, as_of)
        parts = tuple(
            ScorePart(name, value, getattr(self.weights, name)) for name, value in values.items()
        )
        boosts = (
            ScorePart("light", _boost(known.light_hits, known.light_at, as_of), self.weights.light),
            ScorePart("rem", _boost(known.rem_hits, known.rem_at, as_of), self.weights.rem),
        )
        return DeepScore(parts, boosts, min(1.0, sum(one.share for one in (*parts, *boosts))))

    def lane(self, evidence: Evidence, score: DeepScore, as_of: str) -> Lane:
        """Return the lane by which it passes; where there is none, the one that is nearest."""
        known = evidence.until(as_of)
        measures = self.formula.measures(known)

        def reached(lane: Lane) -> float:
            asked = [(measures[name], least) for name, least, _ in lane.least if least > 0]
            if lane.min_score > 0:
                asked.append((score.total + _NEARLY, lane.min_score))
            return sum(min(1.0, max(0.0, value / least)) for value, least in asked) / max(
                1, len(asked)
            )

        return max(self.formula.lanes(self.thresholds), key=reached)

    def gates(self, evidence: Evidence, score: DeepScore, as_of: str) -> tuple[DeepGate, ...]:
        """Return the verdicts of the gates, in the order in which they are asked (OpenClaw's)."""
        known = evidence.until(as_of)
        wanted = self.thresholds
        measures = self.formula.measures(known)
        lane = self.lane(evidence, score, as_of)
        found = [
            _of_yes("own", not known.own, _OWN_WORDS),
            _of_yes("grounded", known.grounded, _GROUNDED_WORDS),
            _of_yes("stands alone", known.stands_alone, _ALONE_WORDS),
        ]
        if self.formula.reads_near:
            words = (f'"{known.rival}" was said since', "nothing else was said since")
            found.append(_of_yes("newest", not known.rival, words))
        if wanted.max_boot_overlap > 0:
            found.append(_below("boot overlap", known.boot_overlap, wanted.max_boot_overlap))
        found.append(_of_yes("promoted", not known.promoted, _PROMOTED_WORDS))
        found.append(_least("any signal", len(self.formula.counted(known)), 1, ""))
        for name, least, setting in lane.least:
            if least > 0:
                found.append(_least(name, measures[name], least, setting))
        if wanted.max_age_days > 0:
            found.append(_most_days(self.formula.age_days(known, as_of), wanted.max_age_days))
        found.append(_least("score", score.total, lane.min_score, "min_score"))
        return tuple(found)

    def passes(self, evidence: Evidence, as_of: str) -> bool:
        """Return whether all gates let it pass at a moment."""
        score = self.score(evidence, as_of)
        return all(gate.passed for gate in self.gates(evidence, score, as_of))

    @staticmethod
    def order(evidence: Evidence, score: DeepScore) -> tuple[float, int, str]:
        """Return the key that candidates are sorted by: score, recalls, then the text (OpenClaw's path)."""
        recalls = sum(one.kind == "recall" for one in evidence.signals)
        return (-score.total, -recalls, evidence.text)


def _boost(hits: int, last: str | None, as_of: str) -> float:
    if hits <= 0 or last is None:
        return 0.0
    return min(1.0, log1p(hits) / log(7)) * faded(days_between(last, as_of), _BOOST_HALF_LIFE)


def _of_yes(name: str, passed: bool, words: tuple[str, str]) -> DeepGate:
    return DeepGate(name, float(passed), 1.0, passed, f"{name}: {words[passed]}")


def _least(name: str, value: float, wanted: float, setting: str) -> DeepGate:
    words = f"{name}: {value:.3g}, at least {wanted:.3g} wanted"
    return DeepGate(name, value, wanted, value >= wanted - _NEARLY, words, setting)


def _below(name: str, value: float, wanted: float) -> DeepGate:
    words = f"{name}: {value:.3g}, below {wanted:.3g} wanted"
    return DeepGate(name, value, wanted, value < wanted, words, "max_boot_overlap")


def _most_days(value: float, wanted: float) -> DeepGate:
    words = f"age: {value:.3g} days since the last signal, at most {wanted:g} wanted"
    return DeepGate("age", value, wanted, value <= wanted, words, "max_age_days")


_REAL = SignalFormula(real_searches=True)
_OLDER = SignalFormula(real_searches=False)
_ALL = (
    Profile(
        "memctl",
        "memctl 0.2",
        KeepFormula(),
        Thresholds(
            min_score=0.50,
            min_recalls=2,
            min_queries=0,
            half_life_days=30,
            max_age_days=0,
            min_statements=2,
            min_keep_recalled=3,
            min_keep_restated=5,
            min_days_often=3,
            min_keep_often=3,
            min_span_days=5,
            max_boot_overlap=0.6,
        ),
        Weights(light=0.0, rem=0.0),  # its own phases are no evidence
    ),
    Profile("openclaw", "OpenClaw 2026.9", _REAL, Thresholds(0.75, 3, 3, 14, 30)),
    Profile("openclaw-0.80", "OpenClaw 2026.4", _OLDER, Thresholds(0.80, 3, 3, 14, 30)),
    Profile("never-forget", "Memory Never Forget 4.13", _OLDER, Thresholds(0.500, 3, 3, 14, 30)),
)
PROFILES = {profile.name: profile for profile in _ALL}


def profile_of(settings: Settings, name: str = "") -> Profile:
    """Return the profile in force: the one named, or the setting's, with the thresholds that are set.

    Raises
    ------
    UsageError
        When there is no profile of this name.
    """
    names = [field.name for field in fields(Thresholds)]
    given = settings.several("dream_profile", *(f"dream_{name}" for name in names))
    chosen = name or str(given["dream_profile"])
    if chosen not in PROFILES:
        raise UsageError(f'there is no profile "{chosen}"', hint=one_of(chosen, PROFILES))
    profile = PROFILES[chosen]
    values = {name: given[f"dream_{name}"] for name in names}
    overridden: dict[str, Any] = {
        name: value for name, value in values.items() if float(value) >= 0
    }
    return replace(profile, thresholds=replace(profile.thresholds, **overridden))
