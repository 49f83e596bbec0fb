"""Measures what is worth keeping: precision, recall and F1 of a turn's keep score.

``python -m benchmarks.keep_score --locomo DIR --beam DIR``: in LoCoMo a turn is worth keeping if an
observation cites it; in BEAM the figure is the share of the evidence (of what was to be followed,
updated or extracted) that is kept, beside the share of all the user's turns. First person alone is
the rival.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from benchmarks.keeping import keep
from benchmarks.retrieval.sets import halves, read_beam, read_locomo
from benchmarks.turn_score import score_turn
from memctl.extraction.cutting import sentences_of
from memctl.extraction.keep_score import KEEP, Heard, score_sentence

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchmarks.retrieval.sets import Conversation

_OF_USE = frozenset(
    {"instruction following", "preference following", "knowledge update", "information extraction"}
)
_FIRST = frozenset(["i", "i'm", "i've", "i'd", "i'll", "my", "me", "we", "our"])


class Scored(NamedTuple):
    """One turn that a person said: its score, whether it is worth keeping, whether it says I."""

    score: float
    worth: bool
    first_person: bool
    sentences: int
    kept_sentences: int


def main() -> None:
    """Print a table and keep the raw figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--locomo", type=Path, default=Path("../shared/data/locomo"))
    parser.add_argument("--beam", type=Path, default=Path("../shared/data/beam"))
    options = parser.parse_args()
    kept: dict[str, Any] = {}
    for name, conversations, cited in (
        ("LoCoMo", read_locomo(options.locomo), _observed(options.locomo)),
        ("BEAM", read_beam(options.beam), {}),
    ):
        for half, some in halves(conversations).items():
            turns = [turn for one in some for turn in _scored(one, cited.get(one.name))]
            for what, chosen in (
                (f"keep score >= {KEEP:g}", [turn.score >= KEEP for turn in turns]),
                ("first person", [turn.first_person for turn in turns]),
            ):
                figures = _figures(turns, chosen)
                kept[f"{name}, {half}, {what}"] = figures
                print(f"{name:7} {half:11} {what:16}", figures)
    keep("keep_score", kept)


def _observed(folder: Path) -> dict[str, set[str]]:
    """Return the turns that the observations of each conversation cite."""
    found: dict[str, set[str]] = {}
    for file in folder.glob("*.json"):
        data = json.loads(file.read_text("utf-8"))
        seen = [value for key, value in data.items() if key.endswith("_observation")]
        cited = [one[1] for session in seen for person in session.values() for one in person]
        flat = [name for one in cited for name in (one if isinstance(one, list) else [one])]
        found[file.stem] = {part.strip() for name in flat for part in name.split(",")}
    return found


def _scored(conversation: Conversation, cited: set[str] | None) -> list[Scored]:
    if cited is None:
        cited = {
            name
            for question in conversation.questions
            if question.label in _OF_USE
            for name in question.evidence
        }
    heard = Heard()
    found = []
    for turn in conversation.turns:
        who = turn.speaker or turn.role
        sentences = [one.text for one in sentences_of(turn.text)[0]]
        if turn.role == "user":
            score = score_turn(sentences, heard, who=who)
            first = not _FIRST.isdisjoint(turn.text.lower().split())
            best = sum(score_sentence(one, heard, who=who).value >= KEEP for one in sentences)
            found.append(Scored(score, turn.name in cited, first, len(sentences), best))
        heard.add(turn.text, who=who, role=turn.role)
    return found


def _figures(turns: Sequence[Scored], chosen: Sequence[bool]) -> dict[str, float]:
    right = sum(turn.worth and yes for turn, yes in zip(turns, chosen, strict=True))
    precision, recall = right / max(1, sum(chosen)), right / max(1, sum(t.worth for t in turns))
    f1 = 2 * precision * recall / max(1e-9, precision + recall)
    sentences = sum(t.kept_sentences for t in turns) / sum(t.sentences for t in turns)
    figures = {"P": precision, "R": recall, "F1": f1, "kept": sum(chosen) / len(turns)}
    figures["sentences"] = sentences  # the share of them with as many points
    return {name: round(value, 3) for name, value in figures.items()}


if __name__ == "__main__":
    main()
