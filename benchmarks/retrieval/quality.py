"""Rankings of every engine for every question, measured once and kept as they came.

What they are worth is computed afterwards, so that an earlier run can stand beside a later one.
"""

from __future__ import annotations

import json
import time
from contextlib import closing
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from benchmarks.retrieval.engines import Memctl
from benchmarks.retrieval.measures import CUT, DEEP, percentile, score

if TYPE_CHECKING:
    from pathlib import Path

    from benchmarks.retrieval.conversations import Conversation, Question
    from benchmarks.retrieval.engines import Engine
    from benchmarks.retrieval.measures import Score

__all__ = ["Answer", "Key", "Run", "earlier_run", "keys_of", "measure"]


class Key(NamedTuple):
    """The place of a question: its set, its conversation, its number in it."""

    kind: str
    conversation: str
    number: int

    def __str__(self) -> str:
        return "/".join(map(str, self))


@dataclass(frozen=True)
class Answer:
    """The names of the first ten turns that an engine ranked, and how long it took.

    `deep` are the first DEEP, where the answer stands in several turns.
    """

    ranked: list[str]
    ms: float
    deep: tuple[str, ...] = ()


@dataclass(frozen=True)
class Run:
    """The answers of one engine to all questions."""

    engine: str
    answers: dict[Key, Answer]

    def scores(self, questions: dict[Key, Question]) -> list[Score]:
        """Return the scores of some questions, in their order."""
        return [score(self.answers[key].ranked, each.evidence) for key, each in questions.items()]

    def p50(self, questions: dict[Key, Question]) -> float:
        """Return the median time of some questions, in milliseconds."""
        return percentile([self.answers[key].ms for key in questions], 0.5)

    def raw(self) -> dict[str, Any]:
        """Return everything that was measured, for the results file."""
        return {
            "engine": self.engine,
            "answers": {
                str(key): {
                    "ranked": " ".join(answer.ranked),
                    "ms": answer.ms,
                    "deep": " ".join(answer.deep),
                }
                for key, answer in self.answers.items()
            },
        }


def keys_of(conversations: list[Conversation]) -> dict[Key, Question]:
    """Return all questions by their places."""
    return {
        Key(each.kind, each.name, number): question
        for each in conversations
        for number, question in enumerate(each.questions)
    }


def measure(kind: type[Engine], conversations: list[Conversation]) -> Run:
    """Ask one engine every question of every conversation, each once."""
    run = Run(kind.name, {})
    for conversation in conversations:
        with closing(kind(conversation)) as engine:
            for key, question in keys_of([conversation]).items():
                started = time.perf_counter()
                ranked = engine.search(question.text, CUT)
                ms = round((time.perf_counter() - started) * 1000, 3)
                several = len(question.evidence) > 1
                deep = tuple(engine.search(question.text, DEEP)) if several else ()
                run.answers[key] = Answer(ranked, ms, deep)
    return run


def earlier_run(file: Path, conversations: list[Conversation]) -> Run:
    """Return memctl's answers of an earlier run's raw figures, as "memctl before".

    Raises
    ------
    SystemExit
        When the file lacks memctl, or questions that are asked now.
    """
    runs = [_read(raw) for raw in json.loads(file.read_text("utf-8"))["figures"]]
    found = next((run for run in runs if run.engine == Memctl.name), None)
    missing = keys_of(conversations).keys() - (found.answers.keys() if found else set())
    if found is None or missing:
        raise SystemExit(
            f'"{file}" lacks answers of memctl, such as to {min(missing)}; '
            "measure that commit with the same folders"
        )
    return replace(found, engine=f"{Memctl.name} before")


def _read(raw: dict[str, Any]) -> Run:
    answers = {}
    for place, answer in raw["answers"].items():
        kind, conversation, number = place.split("/")
        ranked, deep = answer["ranked"].split(), tuple(answer.get("deep", "").split())
        answers[Key(kind, conversation, int(number))] = Answer(ranked, answer["ms"], deep)
    return Run(raw["engine"], answers)
