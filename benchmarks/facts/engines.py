"""The engines under test, behind one small face: add one fact, search, close."""

from __future__ import annotations

import hashlib
import os
from typing import TYPE_CHECKING, Any, Protocol

import memctl

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["ENGINES", "Engine", "Mem0", "Memctl"]

_DIMENSIONS = 384


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
