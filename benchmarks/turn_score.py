"""The keep score of a whole turn: what benchmarks compare with the turns that people cited."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memctl.extraction.keep_score import KEEP, NOVEL, Heard, score_sentence

if TYPE_CHECKING:
    from collections.abc import Sequence

_LONG_TURN = 35  # words


def score_turn(sentences: Sequence[str], heard: Heard, *, who: str = "") -> float:
    """Return the points of a turn: its best sentence, and what the whole of it adds."""
    scores = [score_sentence(sentence, heard, who=who).value for sentence in sentences]
    if not scores:
        return 0.0
    whole = " ".join(sentences)
    several = sum(value >= KEEP for value in scores) > 1
    long = len(whole.split()) >= _LONG_TURN
    return max(scores) + several + long + (heard.novelty(whole) >= NOVEL)
