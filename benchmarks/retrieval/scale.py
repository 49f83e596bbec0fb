"""Times recall at several sizes against bm25() and tantivy, which search the same cleaned words.

Each question goes to all three in turns, so that a busy machine slows all. What is compared is
the time of the processor: that of this process, all its threads together.
"""

from __future__ import annotations

import random
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import memctl
from benchmarks.retrieval.engines import cleaned_words
from benchmarks.retrieval.growing import Growing, exact_store, grown
from benchmarks.retrieval.measures import CUT, percentile
from benchmarks.retrieval.tantivy_search import tantivy_search

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable

    from benchmarks.retrieval.conversations import Conversation

__all__ = ["parse_sizes", "run_scale"]

_SUFFIXES = {"k": 1_000, "m": 1_000_000}
_SEED = 5
# bm25() sorts every row that matches: at a million rows it is asked fewer questions.
_MOST_EXACT = 60
_LARGE = 500_000
# The conversations were held before.
_NOW = "2024-01-01T00:00:00Z"
_WARM = 5  # questions that are asked before any is timed
_HEADS = ("rows", "rows/s", "MB", "recall p50", "p95", "bm25 p50", "p95", "tantivy p50", "p95")


@dataclass(frozen=True)
class Times:
    """Times of one way of searching, in ms: as a clock sees them, and of the processor alone."""

    p50: float
    p95: float
    cpu_p50: float
    cpu_p95: float


@dataclass(frozen=True)
class Size:
    """What was measured at one size; `tantivy` is None where it is not installed."""

    rows: int
    added_per_second: float | None
    megabytes: float
    recall: Times
    exact: Times
    tantivy: Times | None

    @property
    def ratios(self) -> tuple[float, float]:
        """Recall's processor time: p50 in those of bm25()'s, and bm25()'s p95 in those of recall's."""
        return (
            self.recall.cpu_p50 / self.exact.cpu_p50,
            self.exact.cpu_p95 / self.recall.cpu_p95,
        )


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
    asked = [q.text for c in conversations for q in c.questions if q.answerable]
    chosen = random.Random(_SEED).sample(asked, min(questions, len(asked)))
    print("ms of the processor\n" + "".join(f"{head:>12}" for head in (*_HEADS, "p50 x", "p95 /")))
    figures = []
    with tempfile.TemporaryDirectory() as folder:
        growing = Growing(Path(folder), grown(conversations))
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
    for times in (size.recall, size.exact, size.tantivy):
        cells += [f"{times.cpu_p50:.2f}", f"{times.cpu_p95:.2f}"] if times else ["-", "-"]
    cells += [f"{ratio:.1f}" for ratio in size.ratios]
    return "".join(f"{cell:>12}" for cell in cells)


def _measure(place: Path, size: int, speed: float | None, questions: list[str]) -> Size:
    with memctl.open("agent", place) as memory, exact_store(place) as exact:
        searches: dict[str, Callable[[str], object]] = {
            "recall": lambda question: memory.recall(question, CUT, now=_NOW),
            "exact": lambda question: _bm25(exact, question),
        }
        if tantivy := tantivy_search(place, exact, size):
            searches["tantivy"] = tantivy
        watches = {name: _Stopwatch(search) for name, search in searches.items()}
        for search in searches.values():
            for question in questions[:_WARM]:
                search(question)
        for number, question in enumerate(questions):
            for name, watch in watches.items():
                if name != "exact" or size < _LARGE or number < _MOST_EXACT:
                    watch.ask(question)
        megabytes = round(memory.store.path.stat().st_size / 1e6, 1)
    exact.close()
    times = {name: watch.times() for name, watch in watches.items()}
    return Size(size, speed, megabytes, times["recall"], times["exact"], times.get("tantivy"))


class _Stopwatch:
    """Times one way of searching by the clock and by the processor."""

    def __init__(self, search: Callable[[str], object]) -> None:
        self._search = search
        self._clock: list[float] = []
        self._processor: list[float] = []

    def ask(self, question: str) -> None:
        started, busy = time.perf_counter(), time.process_time()
        self._search(question)
        self._processor.append((time.process_time() - busy) * 1000)
        self._clock.append((time.perf_counter() - started) * 1000)

    def times(self) -> Times:
        both = (self._clock, self._processor)
        return Times(*(percentile(ms, share) for ms in both for share in (0.5, 0.95)))


def _bm25(connection: sqlite3.Connection, question: str) -> None:
    match = " OR ".join(f'"{word}"' for word in cleaned_words(question))
    connection.execute(
        "select rowid from turn where turn match ? order by bm25(turn) limit ?", (match, CUT)
    ).fetchall()
