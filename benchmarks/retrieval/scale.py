"""Grows a store out of real turns and times recall at each size."""

from __future__ import annotations

import random
import re
import sqlite3
import tempfile
import time
from dataclasses import asdict, dataclass
from itertools import count, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import memctl
from benchmarks.retrieval.engines import cleaned_words
from benchmarks.retrieval.measures import percentile
from memctl import guard

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from benchmarks.retrieval.locomo import Conversation
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
# The conversations were held before.
_NOW = "2024-01-01T00:00:00Z"


@dataclass(frozen=True)
class Times:
    """Times of one way of searching, in ms: as a clock sees them, and of the processor alone."""

    p50: float
    p95: float
    cpu_p50: float
    cpu_p95: float


@dataclass(frozen=True)
class Size:
    """What was measured at one size."""

    rows: int
    added_per_second: float
    megabytes: float
    recall: Times
    exact: Times

    @property
    def ratios(self) -> tuple[float, float]:
        """How many times recall's p95 goes into that of exact bm25(): clock, processor."""
        return self.exact.p95 / self.recall.p95, self.exact.cpu_p95 / self.recall.cpu_p95


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
    heads = ("rows", "rows/s", "MB", "recall p50", "p95", "bm25 p50", "p95", "ratio", "cpu ratio")
    print("".join(f"{head:>11}" for head in heads))
    with tempfile.TemporaryDirectory() as folder, memctl.open("agent", folder) as memory:
        exact = _exact(Path(folder) / "exact.db")
        present = 0
        for size in sizes:
            measured = _measure(memory, exact, grown, present, size, chosen)
            present = size
            figures.append({**asdict(measured), "ratios": measured.ratios})
            print(_line(measured), flush=True)
        exact.close()
    return figures


def _line(size: Size) -> str:
    cells = [f"{size.rows}", f"{size.added_per_second:.0f}", f"{size.megabytes:.1f}"]
    times = (size.recall.p50, size.recall.p95, size.exact.p50, size.exact.p95)
    cells += [f"{ms:.2f}" for ms in times] + [f"{ratio:.1f}x" for ratio in size.ratios]
    return "".join(f"{cell:>11}" for cell in cells)


def _measure(
    memory: Memory,
    exact: sqlite3.Connection,
    grown: Iterator[dict[str, Any]],
    present: int,
    size: int,
    questions: list[str],
) -> Size:
    spent, added = 1e-9, size - present
    while present < size:
        batch = list(islice(grown, min(_BATCH, size - present)))
        started = time.perf_counter()
        memory.episodic.turns.add_many(batch)
        spent += time.perf_counter() - started
        present += len(batch)
        words = [(f"{turn['text']} {turn['details']}",) for turn in batch]
        with exact:
            exact.executemany("insert into turn (words) values (?)", words)
    memory.recall(questions[0], now=_NOW)  # the first call prepares the connection
    _bm25(exact, questions[0])
    return Size(
        size,
        round(added / spent, 1),
        round(memory.store.path.stat().st_size / 1e6, 1),
        _times(lambda question: memory.recall(question, 10, now=_NOW), questions),
        _times(lambda question: _bm25(exact, question), questions[:_MOST_EXACT]),
    )


def _times(search: Callable[[str], object], questions: list[str]) -> Times:
    clock, processor = [], []
    for question in questions:
        started, busy = time.perf_counter(), time.process_time()
        search(question)
        clock.append((time.perf_counter() - started) * 1000)
        processor.append((time.process_time() - busy) * 1000)
    return Times(*(percentile(ms, share) for ms in (clock, processor) for share in (0.5, 0.95)))


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
    """Yield turns without end: first the real ones, then copies with words of their own.

    Turns that look like secrets are left out: they would be refused.
    """
    for copy in count():
        for conversation in conversations:
            for place, turn in enumerate(conversation.turns):
                text = _varied(turn.text, copy, place)
                if guard.secret_rule(f"{text}\n{turn.caption}") is None:
                    yield {
                        "text": text,
                        "details": turn.caption,
                        "speaker": turn.speaker + (_letters(copy % 500) if copy else ""),
                        "session": f"{conversation.name}-{copy}-{turn.session}",
                        "logged_at": turn.said_at,
                    }


def _varied(text: str, copy: int, place: int) -> str:
    if not copy:
        return text
    words = _WORD.findall(text)
    chosen = {word for n, word in enumerate(words) if (n + copy + place) % _CHANGED == 0}
    return _WORD.sub(lambda m: m[0] + _letters(copy) if m[0] in chosen else m[0], text)


def _letters(number: int) -> str:
    """Return a number in letters, so that a varied word is still a word."""
    letters = ""
    while number:
        number, rest = divmod(number, 26)
        letters += chr(ord("a") + rest)
    return letters
