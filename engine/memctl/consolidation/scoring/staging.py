"""Light and REM, as functions: which statements are the same, which themes return, what may last."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from math import log, log1p
from typing import TYPE_CHECKING

from memctl.consolidation.scoring.evidence import distinct_days
from memctl.text.content_words import content_words
from memctl.text.normal import equal_key

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memctl.consolidation.scoring.evidence import Evidence

__all__ = ["LastingTruth", "Theme", "duplicates", "lasting_truths", "themes"]

_COURTESY = frozenset(["please", "kindly"])
_NEAR = 0.88  # of all their words, shared by two lasting truths that are one
_STRONG = 0.75
_LASTING = 0.45
_FEW = 3


@dataclass(frozen=True, slots=True)
class Theme:
    """One theme: a tag, its strength from 0 to 1, its statements, and three of them as evidence."""

    tag: str
    strength: float
    count: int
    evidence: tuple[Evidence, ...]


@dataclass(frozen=True, slots=True)
class LastingTruth:
    """One statement that may last, with its confidence from 0 to 1."""

    evidence: Evidence
    confidence: float


def duplicates(statements: Sequence[Evidence]) -> tuple[tuple[int, int], ...]:
    """Return the places of statements that repeat another one, each with that one's place.

    The one that was said first is kept. Two are the same word for word, but for articles and
    courtesy: whether "tea over coffee" or "without sugar" repeats another sentence, no share of
    its words tells.
    """
    first = sorted(
        range(len(statements)), key=lambda place: (statements[place].first_said_at, place)
    )
    kept: dict[tuple[str, ...], int] = {}
    found = []
    for place in first:
        same = kept.setdefault(_told_words(statements[place].text), place)
        if same != place:
            found.append((place, same))
    return tuple(sorted(found))


def themes(statements: Sequence[Evidence], limit: int = 10) -> tuple[Theme, ...]:
    """Return the tags that return, the strongest first.

    A theme's strength is twice the share of the statements that hold it, at most 1, and it is one from
    .75 on (OpenClaw's REM phase).
    """
    by_tag: defaultdict[str, list[Evidence]] = defaultdict(list)
    for one in statements:
        for tag in dict.fromkeys(one.tags):
            by_tag[tag].append(one)
    found = [
        Theme(tag, min(1.0, 2 * len(held) / len(statements)), len(held), tuple(held[:_FEW]))
        for tag, held in by_tag.items()
    ]
    strong = [theme for theme in found if theme.strength >= _STRONG]
    return tuple(sorted(strong, key=lambda one: (-one.strength, -one.count, one.tag))[:limit])


def lasting_truths(
    statements: Sequence[Evidence], as_of: str, limit: int = _FEW
) -> tuple[LastingTruth, ...]:
    """Return the statements that may last, the surest first, without near duplicates.

    The confidence is OpenClaw's: .45 average score + .25 ln(1 + recalls) / ln 7 + .20 days / 3 + .10
    tags / 6, each at most 1; from .45 on, and never what is a fact already.
    """
    sure = [
        LastingTruth(one, _confidence(one.until(as_of))) for one in statements if not one.promoted
    ]
    ordered = sorted(sure, key=lambda truth: (-truth.confidence, truth.evidence.text))
    chosen: list[LastingTruth] = []
    for truth in ordered:
        if len(chosen) == limit or truth.confidence < _LASTING:
            break
        words = frozenset(content_words(truth.evidence.text))
        others = (frozenset(content_words(other.evidence.text)) for other in chosen)
        if all(_jaccard(words, other) < _NEAR for other in others):
            chosen.append(truth)
    return tuple(chosen)


def _confidence(known: Evidence) -> float:
    average = sum(one.score for one in known.signals) / max(1, len(known.signals))
    recalls = sum(one.kind == "recall" for one in known.signals)
    return (
        0.45 * min(1.0, average)
        + 0.25 * min(1.0, log1p(recalls) / log(7))
        + 0.20 * min(1.0, len(distinct_days(known.signals)) / 3)
        + 0.10 * min(1.0, len(known.tags) / 6)
    )


def _told_words(text: str) -> tuple[str, ...]:
    return tuple(word for word in equal_key(text).split() if word not in _COURTESY)


def _jaccard(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / len(one | other) if one or other else 1.0
