"""Grows a store out of real turns and times recall at each size.

Growing to a million rows takes minutes, so what was grown may be kept and measured again.
"""

from __future__ import annotations

import random
import re
import shutil
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
from memctl.guard import door

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from benchmarks.retrieval.locomo import Conversation

__all__ = ["parse_sizes", "run_scale"]

_SUFFIXES = {"k": 1_000, "m": 1_000_000}
_BATCH = 5_000
_SEED = 5
# Of each copy of a turn, one word in so many becomes a word of that copy alone.
_CHANGED = 12
_WORD = re.compile(r"[A-Za-z]{4,}")
# bm25() sorts every row that matches: at a million rows it is asked fewer questions.
_MOST_EXACT = 60
_LARGE = 500_000
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
    added_per_second: float | None
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
    conversations: list[Conversation], sizes: list[int], questions: int, kept: Path | None = None
) -> list[dict[str, Any]]:
    """Grow one store through `sizes`, print a line for each, return the figures.

    With `kept`, a folder, a copy of each size is kept there; a size that is there already is
    measured as it is.
    """
    asked = [q.text for c in conversations for q in c.questions if q.category != 5]
    chosen = random.Random(_SEED).sample(asked, min(questions, len(asked)))
    heads = ("rows", "rows/s", "MB", "recall p50", "p95", "bm25 p50", "p95", "ratio", "cpu ratio")
    print("".join(f"{head:>11}" for head in heads))
    figures = []
    with tempfile.TemporaryDirectory() as folder:
        growing = _Growing(Path(folder), _grown(conversations))
        for size in sizes:
            place = kept / str(size) if kept else Path(folder)
            speed = None if kept and place.exists() else growing.grow(size, place)
            measured = _measure(place, size, speed, chosen)
            figures.append({**asdict(measured), "ratios": measured.ratios})
            print(_line(measured), flush=True)
    return figures


def _line(size: Size) -> str:
    speed = "kept" if size.added_per_second is None else f"{size.added_per_second:.0f}"
    cells = [f"{size.rows}", speed, f"{size.megabytes:.1f}"]
    times = (size.recall.p50, size.recall.p95, size.exact.p50, size.exact.p95)
    cells += [f"{ms:.2f}" for ms in times] + [f"{ratio:.1f}x" for ratio in size.ratios]
    return "".join(f"{cell:>11}" for cell in cells)


class _Growing:
    """A store that grows, and the same words in a bare FTS5 table."""

    def __init__(self, folder: Path, turns: Iterator[dict[str, Any]]) -> None:
        self._folder = folder
        self._turns = turns
        self._rows = 0

    def grow(self, size: int, place: Path) -> float:
        """Add turns up to `size`, copy both to `place`; return memctl's rows a second."""
        spent, added = 1e-9, size - self._rows
        with memctl.open("agent", self._folder) as memory, _exact(self._folder) as exact:
            while self._rows < size:
                batch = list(islice(self._turns, min(_BATCH, size - self._rows)))
                started = time.perf_counter()
                memory.episodic.turns.add_many(batch)
                spent += time.perf_counter() - started
                self._rows += len(batch)
                words = [(f"{turn['text']} {turn['details']}",) for turn in batch]
                exact.executemany("insert into turn (words) values (?)", words)
                exact.commit()
        exact.close()
        if place != self._folder:
            shutil.copytree(self._folder, place)
        return round(added / spent, 1)


def _measure(place: Path, size: int, speed: float | None, questions: list[str]) -> Size:
    with memctl.open("agent", place) as memory, _exact(place) as exact:
        memory.recall(questions[0], now=_NOW)  # the first call prepares the connection
        _bm25(exact, questions[0])
        recall = _Stopwatch(lambda question: memory.recall(question, 10, now=_NOW))
        bm25 = _Stopwatch(lambda question: _bm25(exact, question))
        asked_exactly = _MOST_EXACT if size >= _LARGE else len(questions)
        # In turns, so that a busy machine slows both.
        for number, question in enumerate(questions):
            recall.ask(question)
            if number < asked_exactly:
                bm25.ask(question)
        megabytes = round(memory.store.path.stat().st_size / 1e6, 1)
    exact.close()
    return Size(size, speed, megabytes, recall.times(), bm25.times())


class _Stopwatch:
    """Times one way of searching by the clock and by the processor."""

    def __init__(self, search: Callable[[str], object]) -> None:
        self._search = search
        self._clock: list[float] = []
        self._processor: list[float] = []

    def ask(self, question: str) -> None:
        started, busy = time.perf_counter(), time.process_time()
        self._search(question)
        self._clock.append((time.perf_counter() - started) * 1000)
        self._processor.append((time.process_time() - busy) * 1000)

    def times(self) -> Times:
        both = (self._clock, self._processor)
        return Times(*(percentile(ms, share) for ms in both for share in (0.5, 0.95)))


def _exact(folder: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(folder / "exact.db")
    connection.execute("pragma journal_mode = wal")
    connection.execute("pragma mmap_size = 1073741824")  # as a store's connection has it
    connection.execute(
        "create virtual table if not exists turn using fts5("
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
                if door.secret_rule(f"{text}\n{turn.caption}") is None:
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
