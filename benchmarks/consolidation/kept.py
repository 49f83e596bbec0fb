"""Measures which turns of LoCoMo are kept, with the variants that could explain a difference.

The truth is weak: the turns that observations cite hold 73 % of what the questions need. Each row
scores the turns anew: by the engine, from other points on, and without what a whole turn adds.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

from benchmarks.retrieval.sets import halves, read_locomo
from memctl.extraction.cutting import sentences_of
from memctl.extraction.keep_score import KEEP, NOVEL, Heard, score_sentence

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from benchmarks.retrieval.sets import Conversation

_POINTS = (3.0, 4.0, KEEP, 6.0)
_LONG_TURN = 35  # words


class _Turn(NamedTuple):
    turn_score: float
    sentence_score: float
    cited: bool
    evidence: bool


def kept_turns(folder: Path) -> dict[str, dict[str, float]]:
    """Return P, R, F1 and the evidence kept, by half, score and points; folder holds LoCoMo."""
    found = {}
    for half, some in halves(read_locomo(folder)).items():
        turns = [turn for one in some for turn in _scored(one, _observed(folder, one.name))]
        for points in _POINTS:
            whole = [turn.turn_score >= points for turn in turns]
            found[f"{half}, turn >= {points:g}"] = _figures(turns, whole)
            best = [turn.sentence_score >= points for turn in turns]
            found[f"{half}, best sentence >= {points:g}"] = _figures(turns, best)
    return found


def _observed(folder: Path, name: str) -> set[str]:
    data = json.loads((folder / f"{name}.json").read_text("utf-8"))
    seen = [value for key, value in data.items() if key.endswith("_observation")]
    cited = [one[1] for session in seen for person in session.values() for one in person]
    flat = [name for one in cited for name in (one if isinstance(one, list) else [one])]
    return {part.strip() for name in flat for part in name.split(",")}


def _scored(conversation: Conversation, cited: set[str]) -> Iterator[_Turn]:
    needed = {name for question in conversation.questions for name in question.evidence}
    heard = Heard()
    for turn in conversation.turns:
        sentences = [one.text for one in sentences_of(turn.text)[0]]
        scores = [score_sentence(one, heard, who=turn.speaker).value for one in sentences]
        yield _Turn(
            score_turn(sentences, heard, who=turn.speaker),
            max(scores, default=0.0),
            turn.name in cited,
            turn.name in needed,
        )
        heard.add(turn.text, who=turn.speaker, role=turn.role)


def score_turn(sentences: Sequence[str], heard: Heard, *, who: str) -> float:
    """Return the points of a turn: its best sentence, and what the whole of it adds."""
    scores = [score_sentence(sentence, heard, who=who).value for sentence in sentences]
    if not scores:
        return 0.0
    whole = " ".join(sentences)
    several = sum(value >= KEEP for value in scores) > 1
    return (
        max(scores) + several + (len(whole.split()) >= _LONG_TURN) + (heard.novelty(whole) >= NOVEL)
    )


def _figures(turns: Sequence[_Turn], chosen: Sequence[bool]) -> dict[str, float]:
    kept = [turn for turn, yes in zip(turns, chosen, strict=True) if yes]
    precision = sum(turn.cited for turn in kept) / max(1, len(kept))
    recall = sum(turn.cited for turn in kept) / max(1, sum(turn.cited for turn in turns))
    evidence = sum(turn.evidence for turn in kept) / max(1, sum(turn.evidence for turn in turns))
    f1 = 2 * precision * recall / max(1e-9, precision + recall)
    figures = {"P": precision, "R": recall, "F1": f1, "evidence": evidence}
    return {name: round(value, 3) for name, value in figures.items()}
