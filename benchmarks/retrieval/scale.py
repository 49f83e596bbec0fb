"""Grows a store out of real turns and times recall at each size."""

from __future__ import annotations

import random
import re
import sqlite3
import tempfile
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import memctl
from benchmarks.retrieval.engines import cleaned_words
from benchmarks.retrieval.locomo import Conversation
from benchmarks.retrieval.measures import percentile
from memctl.memory import Memory

__all__ = ["parse_sizes", "run_scale"]

_SUFFIXES = {"k": 1_000, "m": 1_000_000}
_BATCH = 5_000
_SEED = 5
# Of each copy of a turn, one word in so many becomes a word of that copy alone.
_CHANGED = 12
_WORD = re.compile(r"[A-Za-z]{4,}")
# bm25() sorts every row that matches: at a million rows it is asked fewer questions.
_MOST_EXACT = 60


@dataclass(frozen=True)
class Size:
    """What was measured at one size; times in ms."""

    rows: int
    rows_per_second: float
    megabytes: float
    recall_p50: float
    recall_p95: float
    exact_p50: float
    exact_p95: float

    @property
    def ratio(self) -> float:
        """How many times recall's p95 goes into that of exact bm25()."""
        return self.exact_p95 / self.recall_p95


def parse_sizes(text: str) -> list[int]:
    """Return ``"1k,1m"`` as numbers, sorted."""
    return sorted(
        int(float(part[:-1]) * _SUFFIXES[part[-1].lower()]) if part[-1].isalpha() else int(part)
        for part in text.split(",")
    )


def run_scale(
    conversations: list[Conversation], sizes: list[int], questions: int
) -> list[dict[str, Any]]:
    """Grow one store through `sizes`, print a line for each, return the figures."""
    asked = [q.text for c in conversations for q in c.questions if q.category != 5]
    chosen = random.Random(_SEED).sample(asked, min(questions, len(asked)))
    grown = _grown(conversations)
    figures = []
    print(
        f"{'rows':>9}{'rows/s':>9}{'MB':>8}{'recall p50':>12}{'p95':>8}"
        f"{'bm25 p50':>10}{'p95':>9}{'ratio p95':>11}"
    )
    with tempfile.TemporaryDirectory() as folder, memctl.open("agent", folder) as memory:
        exact = _exact(Path(folder) / "exact.db")
        present = 0
        for size in sizes:
            measured = _measure(memory, exact, grown, present, size, chosen)
            present = size
            figures.append({**asdict(measured), "ratio_p95": measured.ratio})
            print(
                f"{size:>9}{measured.rows_per_second:>9.0f}{measured.megabytes:>8.1f}"
                f"{measured.recall_p50:>12.2f}{measured.recall_p95:>8.2f}"
                f"{measured.exact_p50:>10.2f}{measured.exact_p95:>9.2f}"
                f"{measured.ratio:>10.1f}x",
                flush=True,
            )
        exact.close()
    return figures


def _measure(
    memory: Memory,
    exact: sqlite3.Connection,
    grown: Iterator[dict[str, Any]],
    present: int,
    size: int,
    questions: list[str],
) -> Size:
    spent = 0.0
    while present < size:
        batch = list(islice(grown, min(_BATCH, size - present)))
        started = time.perf_counter()
        memory.episodic.turns.add_many(batch)
        spent += time.perf_counter() - started
        present += len(batch)
        words = [(f"{turn['text']} {turn['details']}",) for turn in batch]
        with exact:
            exact.executemany("insert into turn (words) values (?)", words)
    memory.recall(questions[0], now="2024-01-01")
    ours = [_timed(lambda q=q: memory.recall(q, 10, now="2024-01-01")) for q in questions]  # type: ignore[misc]
    theirs = [_timed(lambda q=q: _bm25(exact, q)) for q in questions[:_MOST_EXACT]]  # type: ignore[misc]
    added = max(spent, 1e-9)
    return Size(
        size,
        round(min(size, size) / added, 1) if spent else 0.0,
        round(memory.store.path.stat().st_size / 1e6, 1),
        *(percentile(ours, share) for share in (0.5, 0.95)),
        *(percentile(theirs, share) for share in (0.5, 0.95)),
    )


def _timed(call: Any) -> float:
    started = time.perf_counter()
    call()
    return (time.perf_counter() - started) * 1000


def _exact(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path)
    connection.execute("pragma journal_mode = wal")
    connection.execute(
        "create virtual table turn using fts5("
        "words, tokenize=\"porter unicode61 remove_diacritics 2 categories 'L* N* Co M*'\")"
    )
    return connection


def _bm25(connection: sqlite3.Connection, question: str) -> None:
    match = " OR ".join(f'"{word}"' for word in cleaned_words(question))
    connection.execute(
        "select rowid from turn where turn match ? order by bm25(turn) limit 10", (match,)
    ).fetchall()


def _grown(conversations: list[Conversation]) -> Iterator[dict[str, Any]]:
    """Yield turns without end: first the real ones, then copies with words of their own."""
    copy = 0
    while True:
        for conversation in conversations:
            for place, turn in enumerate(conversation.turns):
                yield {
                    "text": _varied(turn.text, copy, place),
                    "details": turn.caption,
                    "speaker": turn.speaker if not copy else f"{turn.speaker}{copy % 500}",
                    "session": f"{conversation.name}-{copy}-{turn.session}",
                    "logged_at": turn.said_at,
                }
        copy += 1


def _varied(text: str, copy: int, place: int) -> str:
    if not copy:
        return text
    words = _WORD.findall(text)
    chosen = {word for n, word in enumerate(words) if (n + copy + place) % _CHANGED == 0}
    return _WORD.sub(lambda m: f"{m[0]}{copy}" if m[0] in chosen else m[0], text)
