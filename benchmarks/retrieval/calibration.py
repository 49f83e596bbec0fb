"""Calibration of an answer's confidence: whether .8 means right in eight of ten.

An answer is right when a turn of the evidence is among its first five; to a question that the
conversation does not answer, none is. Unanswerable are:

- LoCoMo's category 5, "adversarial": it asks one person about what the other said;
- LoCoMo's single-hop and temporal questions with the one person they name exchanged for the
  other ("swapped"). A few of these have an answer by chance. As they are made up, they count for
  answerable or not, but neither for the curve nor for the first five;
- BEAM's abstention questions.
"""

from __future__ import annotations

import re
from collections import defaultdict
from contextlib import closing
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.retrieval.conversations import halves
from benchmarks.retrieval.engines import Memctl
from benchmarks.retrieval.measures import CUT, area_under_curve

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchmarks.retrieval.conversations import Conversation, Question

__all__ = ["Asked", "calibration_error", "curve", "refused", "run_confidence", "swapped"]

_FIRST = 5
_BINS = 10
_LOST = 0.1
_SWAPPED = "swapped"
_SWAPPED_OF = ("single-hop", "temporal")


@dataclass(frozen=True)
class Asked:
    """One question, how sure the answer was, and what can be told from the answer."""

    kind: str
    conversation: str
    fitted: bool
    label: str
    answerable: bool
    right: bool
    confidence: float
    signals: dict[str, Any] = field(default_factory=dict)


def run_confidence(conversations: list[Conversation]) -> list[dict[str, Any]]:
    """Ask everything, print how well confidence is calibrated, return the raw signals.

    Raises
    ------
    SystemExit
        When the answers of this engine carry no confidence.
    """
    asked: list[Asked] = []
    for conversation in conversations:
        questions = conversation.questions + swapped(conversation)
        with closing(Memctl(conversation)) as engine:
            asked += [_ask(engine, conversation, question) for question in questions]
    for half, chosen in halves(conversations).items():
        names = {(each.kind, each.name) for each in chosen}
        print(_report(half, [each for each in asked if (each.kind, each.conversation) in names]))
    return [asdict(each) for each in asked]


def swapped(conversation: Conversation) -> list[Question]:
    """Return questions about one of two people, asked about the other."""
    if len(conversation.people) != 2:
        return []
    other = dict(zip(sorted(conversation.people), sorted(conversation.people)[::-1], strict=True))
    pattern = re.compile(rf"\b({'|'.join(map(re.escape, other))})\b")
    return [
        replace(
            question,
            text=pattern.sub(lambda found: other[found[1]], question.text),
            label=_SWAPPED,
            answerable=False,
        )
        for question in conversation.questions
        if question.label in _SWAPPED_OF and len(set(pattern.findall(question.text))) == 1
    ]


def curve(asked: Sequence[Asked]) -> list[tuple[float, float, int]]:
    """Return for each of ten bins what was said, what was so, and how many; empty bins not."""
    said = np.array([each.confidence for each in asked])
    so = np.array([each.right for each in asked], float)
    place = np.minimum((said * _BINS).astype(int), _BINS - 1)
    return [
        (float(said[chosen].mean()), float(so[chosen].mean()), int(chosen.sum()))
        for number in range(_BINS)
        if (chosen := place == number).any()
    ]


def calibration_error(asked: Sequence[Asked]) -> float:
    """Return the expected calibration error: how far off the bins are, weighed by their size."""
    return sum(count * abs(said - so) for said, so, count in curve(asked)) / len(asked)


def refused(asked: Sequence[Asked], lost: float = _LOST) -> float:
    """Return the share of unanswerable questions refused where `lost` of the others are, too."""
    answerable = [each.confidence for each in asked if each.answerable]
    others = [each.confidence for each in asked if not each.answerable]
    if not answerable or not others:
        return float("nan")
    return float(np.mean(np.array(others) < np.quantile(answerable, lost)))


def _ask(engine: Memctl, conversation: Conversation, question: Question) -> Asked:
    found = engine.recall(question.text, limit=CUT)
    if not hasattr(found, "confidence"):
        raise SystemExit("answers of this engine carry no confidence: measure a later one")
    first = engine.names(found)[:_FIRST]
    return Asked(
        conversation.kind,
        conversation.name,
        conversation.fitted,
        question.label,
        question.answerable,
        question.answerable and not question.evidence.isdisjoint(first),
        found.confidence,
        _signals(found),
    )


def _signals(found: Any) -> dict[str, Any]:
    """Return the figures of an answer, none of its words: what a regression can be fitted to."""
    return {
        "scores": [round(row.score, 4) for row in found],
        "parts": [_parts(row) for row in found[:_FIRST]],
        "said for and against": {term.term: [term.value, term.why] for term in found.reasons},
        "names": len(found.names),
        "unknown": len(found.unknown),
    }


def _parts(row: Any) -> dict[str, float]:
    """Return what each kind of term adds to a row's score."""
    parts: dict[str, float] = defaultdict(float)
    for term in row.explain:
        parts[term.term.partition(":")[0]] += term.value
    return {name: round(value, 4) for name, value in parts.items()}


def _report(half: str, asked: list[Asked]) -> str:
    own = [each for each in asked if each.label != _SWAPPED]
    lines = [f"Confidence, {half}: what was said, what was so, how many"]
    sets = {kind: [e for e in own if e.kind == kind] for kind in dict.fromkeys(e.kind for e in own)}
    for kind, chosen in {"all": own, **sets}.items():
        bins = "  ".join(f"{said:.2f}>{so:.2f} ({count})" for said, so, count in curve(chosen))
        right = area_under_curve([e.confidence for e in chosen], [e.right for e in chosen])
        lines.append(f"{kind:8}{bins}")
        lines.append(
            f"{'':8}calibration error {calibration_error(chosen):.3f}, "
            f"AUC of gold in the first five {right:.3f}"
        )
    unanswerable = dict.fromkeys((e.kind, e.label) for e in asked if not e.answerable)
    for kind, label in unanswerable:
        chosen = [e for e in asked if e.kind == kind and (e.answerable or e.label == label)]
        lines.append(_told_apart(f"{kind} {label}", chosen))
    of_two = [e for e in asked if e.kind == "LoCoMo"]
    if of_two:
        lines.append(_told_apart("LoCoMo, both", of_two))
    return "\n".join(lines)


def _told_apart(title: str, asked: list[Asked]) -> str:
    right = area_under_curve([e.confidence for e in asked], [e.answerable for e in asked])
    count = sum(not each.answerable for each in asked)
    return (
        f"answerable or not, {title:22} {count:4} unanswerable: AUC {right:.3f}, "
        f"refused where a tenth is lost {100 * refused(asked):.0f} %"
    )
