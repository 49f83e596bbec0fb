"""Store facts one by one and in batches, then ask: memctl and others behind one small face."""

from __future__ import annotations

import hashlib
import os
import tempfile
from functools import partial
from pathlib import Path
from typing import Any, Protocol

import memctl
from benchmarks.corpus import Case, make_facts, make_questions
from benchmarks.running import Took, percentile, print_table, timed

_DIMENSIONS = 384
_BATCH = 50  # facts in one call
_CALLS = ("in batches of 50", "one by one", "search")
Figures = dict[str, Any]


class Engine(Protocol):
    """What is measured."""

    name: str
    means_words: bool  # whether what it finds has to do with the question

    def add(self, fact: str) -> None:
        """Store one fact."""

    def add_batch(self, facts: list[str]) -> None:
        """Store several facts in one call."""

    def search(self, question: str, limit: int) -> list[str]:
        """Return the texts found, best first."""

    def close(self) -> None:
        """Close the store."""


class Memctl:
    """memctl as it is shipped: guard, rules, history, index, one commit a fact."""

    name = "memctl"
    means_words = True

    def __init__(self, folder: Path) -> None:
        self._memory = memctl.open("agent", folder)

    def add(self, fact: str) -> None:
        """Store one fact."""
        self._memory.facts.store(fact, category="technical")

    def add_batch(self, facts: list[str]) -> None:
        """Store several facts in one call."""
        self._memory.facts.store(facts, category="technical")

    def search(self, question: str, limit: int) -> list[str]:
        """Return the texts found, best first."""
        return [hit.fact.text for hit in self._memory.facts.search(question, limit=limit)]

    def close(self) -> None:
        """Close the store."""
        self._memory.close()


class Mem0:
    """mem0ai with ``infer=False``, its local Qdrant, and vectors that cost it nothing."""

    name = "mem0ai"
    means_words = False

    def __init__(self, folder: Path) -> None:
        os.environ |= {"MEM0_TELEMETRY": "False", "MEM0_DIR": str(folder / "mem0")}
        os.environ.setdefault("OPENAI_API_KEY", "unused")
        from mem0 import Memory  # type: ignore[import-not-found,import-untyped,unused-ignore]

        self._memory = Memory.from_config(
            {
                "vector_store": {
                    "provider": "qdrant",
                    "config": {
                        "path": str(folder / "qdrant"),
                        "on_disk": True,
                        "embedding_model_dims": _DIMENSIONS,
                    },
                },
                "history_db_path": str(folder / "history.db"),
            }
        )
        self._memory.embedding_model = ReadyVectors()

    def add(self, fact: str) -> None:
        """Store one fact."""
        self._memory.add(fact, user_id="ann", infer=False)

    def add_batch(self, facts: list[str]) -> None:
        """Store several facts in one call."""
        messages = [{"role": "user", "content": fact} for fact in facts]
        self._memory.add(messages, user_id="ann", infer=False)

    def search(self, question: str, limit: int) -> list[str]:
        """Return the texts found, best first."""
        found = self._memory.search(question, filters={"user_id": "ann"}, top_k=limit)
        return [row["memory"] for row in found["results"]]

    def close(self) -> None:
        """Close the store."""
        self._memory.vector_store.client.close()


class ReadyVectors:
    """Vectors of the right size at once: what a model costs is left out of the figures."""

    def embed(self, text: str, *_: Any) -> list[float]:
        """Return a vector that depends on the text alone."""
        digest = hashlib.sha256(text.encode()).digest()
        return [digest[i % 32] / 255 - 0.5 + i / _DIMENSIONS / 10 for i in range(_DIMENSIONS)]

    def embed_batch(self, texts: list[str], *_: Any) -> list[list[float]]:
        """Return a vector for each text."""
        return [self.embed(text) for text in texts]


ENGINES: dict[str, type[Memctl | Mem0]] = {"memctl": Memctl, "mem0ai": Mem0}


# -- timing ----------------------------------------------------------------------------------


def measure(engine: Engine, batched: Engine, cases: list[Case], questions: list[Case]) -> Figures:
    """Return what one engine takes, and how often the right fact comes first."""
    batches = []
    for begin in range(0, len(cases), _BATCH):
        facts = [fact for fact, _ in cases[begin : begin + _BATCH]]
        whole = timed(partial(batched.add_batch, facts))[0]
        batches.append(Took(whole.wall / len(facts), whole.cpu / len(facts)))
    adds = [timed(partial(engine.add, fact))[0] for fact, _ in cases]
    searches: list[Took] = []
    right = 0
    for fact, question in questions:
        took, found = timed(partial(engine.search, question, 5))
        searches.append(took)
        right += bool(found) and found[0] == fact
    return {
        "engine": engine.name,
        "facts": len(cases),
        "in batches of 50": _quantiles(batches),
        "one by one": _quantiles(adds),
        "search": _quantiles(searches),
        "right first": round(right / len(questions), 3) if engine.means_words else None,
    }


def run(names: list[str], facts: int, questions: int) -> list[Figures]:
    """Measure engines one after the other, print what they take, and return it."""
    cases = make_facts(facts)
    asked = make_questions(cases, questions)
    found = []
    for name in names:
        with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as second:
            engine, batched = ENGINES[name](Path(folder)), ENGINES[name](Path(second))
            found.append(measure(engine, batched, cases, asked))
            engine.close()
            batched.close()
    rows = [
        (one["engine"], call, *(f"{ms:.3f}" for ms in one[call].values()), one["right first"])
        for one in found
        for call in _CALLS
    ]
    print_table(f"{facts:,} facts, ms of one", ("", "", "p50", "p95", "cpu p95", "right"), rows)
    for call in _CALLS if len(found) > 1 else ():
        ours, theirs = (one[call] for one in found[:2])
        wall, cpu = (theirs[what] / ours[what] for what in ("p95", "cpu p95"))
        print(f"{call}: p95 {wall:.1f} times faster, processor time {cpu:.1f}")
    return found


def _quantiles(took: list[Took]) -> dict[str, float]:
    walls, cpus = [one.wall for one in took], [one.cpu for one in took]
    shares = {"p50": (walls, 0.5), "p95": (walls, 0.95), "cpu p95": (cpus, 0.95)}
    return {name: round(percentile(some, at), 3) for name, (some, at) in shares.items()}
