"""The Deep score: evidence in, six measures, their weighed sum, and gates; nothing is read or written.

One formula with the numbers of a set (`memctl.config.dream_settings`). It follows OpenClaw's
memory-core (April to September 2026); with the set ``openclaw`` it gives its figures.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date, datetime
from math import log, log1p
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from memctl.config.dream_settings import ScoreSet

_STATED = frozenset({"session", "daily", "grounded"})  # said by somebody; recall and feedback: used
_MOST_KEEP = 8  # points of a keep score that count in full
_FULL_TAGS = 6
_BOOST_HALF_LIFE = 14.0  # days
_NEARLY = 1e-9  # a sum of floating numbers that reaches its threshold
_WEIGHED = ("relevance", "frequency", "diversity", "recency", "consolidation", "richness")
# Gates of amount, which a standing order need not pass: name, and the number of the set.
_AMOUNTS = (
    ("signals", "min_signals"),
    ("questions", "min_questions"),
    ("days", "min_days"),
    ("days apart", "min_span_days"),
    ("keep score", "min_keep"),
)


class Signal(NamedTuple):
    """One thing that speaks for a candidate: a row of ``dream_signal``.

    Parameters
    ----------
    kind
        ``session``, ``daily``, ``grounded``, ``recall`` or ``feedback``.
    day
        Its day, ``2026-11-20``.
    query
        12 hex digits of the question; empty for none.
    rank
        Among the recall's hits, from 1; None for what is no recall.
    score
        From 0 to 1.
    at
        Its time, in the store's one shape.
    cover
        Share of a recall's words that the candidate holds, by rareness, 0 to 1.
    """

    kind: str
    day: str
    query: str
    rank: int | None
    score: float
    at: str
    cover: float = 1.0


@dataclass(frozen=True, slots=True)
class Evidence:
    """Everything that a score reads of one candidate.

    Parameters
    ----------
    text, category
        The statement as it would be kept, and the kind that its words speak for.
    keep_score
        Points of the best time it was said.
    standing_order
        Whether it says what is to be done from now on.
    stands_alone
        Whether it tells who and what it is about.
    rival
        What was said otherwise since; empty for nothing.
    boot_overlap
        Share of its words that the boot text holds, 0 to 1.
    tags
        Its concepts.
    first_said_at, last_said_at
        When it was said first and last.
    signals
        What speaks for it.
    light_hits, rem_hits, light_at, rem_at
        How often Light and REM took it up, and when last; None for never.
    promoted
        Whether it became a fact already.
    """

    text: str
    keep_score: float = 0.0
    standing_order: bool = False
    stands_alone: bool = True
    rival: str = ""
    boot_overlap: float = 0.0
    tags: tuple[str, ...] = ()
    first_said_at: str = ""
    last_said_at: str = ""
    signals: tuple[Signal, ...] = ()
    light_hits: int = 0
    light_at: str | None = None
    rem_hits: int = 0
    rem_at: str | None = None
    promoted: bool = False
    category: str | None = None

    def until(self, as_of: str) -> Evidence:
        """Return the evidence that there was at a moment: what is dated later does not count yet."""
        return replace(self, signals=tuple(signal for signal in self.signals if signal.at <= as_of))


class DeepGate(NamedTuple):
    """One gate's verdict.

    Parameters
    ----------
    name
        Short: ``days apart``.
    value, wanted
        What there is, and what there must be.
    passed
        Whether that is enough.
    words
        The same for people.
    """

    name: str
    value: float
    wanted: float
    passed: bool
    words: str


@dataclass(frozen=True, slots=True)
class Judged:
    """A candidate's score, from 0 to 1, with the points of each measure, and the gates in their order."""

    score: float
    shares: Mapping[str, float]
    gates: tuple[DeepGate, ...]

    @property
    def stopped_by(self) -> DeepGate | None:
        """The first gate that it does not pass; ``None`` where it passes all."""
        return next((gate for gate in self.gates if not gate.passed), None)

    @property
    def nearest(self) -> str:
        """What is missing at every gate that stops it; of what passes, the gate that it passed by least."""
        missing = [gate for gate in self.gates if not gate.passed]
        if missing:
            return "; ".join(gate.words for gate in missing)
        amounts = [gate for gate in self.gates if gate.wanted and gate.name in _MEASURED]
        return min(amounts, key=lambda gate: gate.value / gate.wanted).words if amounts else ""


_MEASURED = {"score", *(name for name, _ in _AMOUNTS)}


def judge(evidence: Evidence, numbers: ScoreSet, as_of: str) -> Judged:
    """Score a candidate at a moment, and ask every gate. Signals that are dated later do not count."""
    known = evidence.until(as_of)
    counted = [signal for signal in known.signals if _counts(signal, numbers)]
    amounts = _amounts(known, counted, numbers)
    values = _measures(known, counted, amounts, numbers, as_of)
    shares = {name: round(value * getattr(numbers, name), 6) for name, value in values.items()}
    score = min(1.0, sum(value * getattr(numbers, name) for name, value in values.items()))
    return Judged(score, shares, tuple(_gates(known, counted, amounts, score, numbers, as_of)))


def faded(age_days: float, half_life_days: float) -> float:
    """Return the worth of an age, from 0 to 1: half after each half-life; 1 where there is none."""
    return float(2 ** (-age_days / half_life_days)) if half_life_days > 0 else 1.0


def distinct_days(signals: Iterable[Signal]) -> tuple[date, ...]:
    """Return the days of signals, each once, in order."""
    return tuple(sorted({date.fromisoformat(signal.day) for signal in signals}))


def _counts(signal: Signal, numbers: ScoreSet) -> bool:
    """Return whether a signal counts: of recalls, those that meant the candidate and showed it high up."""
    if signal.kind != "recall":
        return True
    high = signal.rank is not None and signal.rank <= numbers.best_rank
    return not numbers.best_rank or (high and bool(signal.query) and signal.cover >= numbers.cover)


def _amounts(known: Evidence, counted: Sequence[Signal], numbers: ScoreSet) -> Mapping[str, float]:
    """Return how many signals, questions and days speak for a candidate."""
    stated = [signal for signal in counted if signal.kind in _STATED]
    used = [signal for signal in counted if signal.kind not in _STATED]
    days, said_on = distinct_days(counted), distinct_days(stated)
    questions = len({signal.query for signal in used if signal.query})
    if numbers.once_a_day:
        asked = len({(signal.query, signal.day) for signal in used})
        count, worth = asked + len(said_on), asked + numbers.said * len(said_on)
    else:
        count = worth = len(counted)
    return {
        "signals": count,
        "worth": worth,
        "questions": max(questions + numbers.said * len(said_on), numbers.said * len(days)),
        "days": len(days),
        "days apart": (days[-1] - days[0]).days if days else 0,
        "keep score": known.keep_score,
    }


def _measures(
    known: Evidence,
    counted: Sequence[Signal],
    amounts: Mapping[str, float],
    numbers: ScoreSet,
    as_of: str,
) -> Mapping[str, float]:
    """Return the six measures, and those of Light and REM where they weigh, each from 0 to 1."""
    average = sum(signal.score for signal in counted) / max(1, len(counted))
    age = _days_between(max((signal.at for signal in counted), default=as_of), as_of)
    grounded = sum(signal.kind == "grounded" for signal in counted) / 3
    result = {
        "relevance": numbers.keep * min(1.0, max(0.0, known.keep_score) / _MOST_KEEP)
        + (1 - numbers.keep) * average,
        "frequency": log1p(amounts["worth"]) / log1p(numbers.full_count),
        "diversity": amounts["questions"] / numbers.full_questions,
        "recency": faded(age, numbers.half_life_days) if counted else 0.0,
        "consolidation": max(_spread(amounts["days"], amounts["days apart"]), grounded),
        "richness": len(known.tags) / _FULL_TAGS,
    }
    if numbers.light or numbers.rem:
        result["light"] = _boost(known.light_hits, known.light_at, as_of)
        result["rem"] = _boost(known.rem_hits, known.rem_at, as_of)
    return {name: min(1.0, max(0.0, value)) for name, value in result.items()}


def _spread(days: float, span: float) -> float:
    """Return how far signals are spread over days."""
    if days < 2:  # noqa: PLR2004  (one day is no spread)
        return 0.2 * days
    return 0.55 * min(1.0, log(days) / log(5)) + 0.45 * min(1.0, span / 7)


def _boost(hits: int, last: str | None, as_of: str) -> float:
    if hits <= 0 or last is None:
        return 0.0
    return log1p(hits) / log(7) * faded(_days_between(last, as_of), _BOOST_HALF_LIFE)


def _gates(
    known: Evidence,
    counted: Sequence[Signal],
    amounts: Mapping[str, float],
    score: float,
    numbers: ScoreSet,
    as_of: str,
) -> Iterable[DeepGate]:
    """Yield the verdicts of the gates, in the order in which they are asked."""
    yield _of_yes("stands alone", known.stands_alone, "nothing says who or what it is about")
    yield _of_yes("newest", not known.rival, f'"{known.rival}" was said since')
    yield _of_yes("promoted", not known.promoted, "it is a fact already")
    if numbers.max_boot_overlap:
        most, value = numbers.max_boot_overlap, known.boot_overlap
        words = f"boot overlap: {value:.3g}, below {most:.3g} wanted"
        yield DeepGate("boot overlap", value, most, value < most, words)
    if numbers.standing_orders and known.standing_order and counted:
        yield DeepGate(
            "standing order", 1, 1, passed=True, words="standing order: promoted at once"
        )
        return
    for name, number in _AMOUNTS:
        if getattr(numbers, number):
            yield _least(name, amounts[name], getattr(numbers, number))
    if numbers.max_age_days:
        age = _days_between(max((signal.at for signal in counted), default=as_of), as_of)
        most = numbers.max_age_days
        words = f"age: {age:.3g} days since the last signal, at most {most:g} wanted"
        yield DeepGate("age", age, most, age <= most, words)
    yield _least("score", score, numbers.min_score)


def _of_yes(name: str, passed: bool, why_not: str) -> DeepGate:
    return DeepGate(name, float(passed), 1.0, passed, name if passed else f"{name}: {why_not}")


def _least(name: str, value: float, wanted: float) -> DeepGate:
    passed = value >= wanted - _NEARLY
    lacks = "" if passed else f", {wanted - value:.3g} more wanted"
    return DeepGate(name, value, wanted, passed, f"{name}: {value:.3g} of {wanted:.3g}{lacks}")


def _days_between(earlier: str, later: str) -> float:
    """Return the days from a time to another; 0 where the other one is earlier."""
    passed = datetime.fromisoformat(later) - datetime.fromisoformat(earlier)
    return max(0.0, passed.total_seconds() / 86_400)
