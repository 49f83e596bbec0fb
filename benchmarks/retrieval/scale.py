"""Times recall at several sizes against bm25(), which searches the same cleaned words.

Each question goes to both in turns, so that a busy machine slows both; what is compared is the time
of the processor. The store is grown out of real turns; growing to a million takes minutes, so what
was grown may be kept and measured again.
"""

from __future__ import annotations

import random
import re
import shutil
import sqlite3
import tempfile
import time
from itertools import count, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import memctl
from benchmarks.retrieval.engines import cleaned_words
from benchmarks.running import Took, percentile, print_table, timed
from memctl.guard import door

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from benchmarks.retrieval.sets import Conversation

_BATCH = 5_000
# Of each copy of a turn, one word in so many becomes a word of that copy alone.
_CHANGED = 12
_WORD = re.compile(r"[A-Za-z]{4,}")
_ROWS = 10  # that each search returns
_SUFFIXES = {"k": 1_000, "m": 1_000_000}
_SEED = 5
# bm25() sorts every row that matches: at a million rows it is asked fewer questions.
_MOST_EXACT = 60
_LARGE = 500_000
# The conversations were held before.
_NOW = "2024-01-01T00:00:00Z"
_WARM = 5  # questions that are asked before any is timed


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
    figures = []
    with tempfile.TemporaryDirectory() as folder:
        growing = Growing(Path(folder), grown(conversations))
        for size in sizes:
            place = kept / str(size) if kept else Path(folder)
            speed = None if kept and place.exists() else growing.grow(size, place)
            figures.append({"rows": size, "rows/s": speed, **_measured(place, size, chosen)})
    heads = ("rows", "rows/s", "MB", "recall p50", "p95", "bm25 p50", "p95", "p50 x", "p95 /")
    cells = [
        [
            *(one["rows"], one["rows/s"] or "kept", one["MB"]),
            *(f"{ms:.2f}" for side in ("recall", "bm25") for ms in one[side]),
            *(f"{ratio:.1f}" for ratio in one["ratios"]),
        ]
        for one in figures
    ]
    caption = "p50 x: recall in times of bm25(); p95 /: bm25() in times of recall."
    print_table("recall, ms of the processor", heads, cells, caption)
    return figures


def _measured(place: Path, size: int, questions: list[str]) -> dict[str, Any]:
    took: dict[str, list[Took]] = {"recall": [], "bm25": []}
    with memctl.open("agent", place) as memory, exact_store(place) as exact:
        searches: dict[str, Callable[[str], object]] = {
            "recall": lambda question: memory.recall(question, _ROWS, now=_NOW),
            "bm25": lambda question: _bm25(exact, question),
        }
        for search in searches.values():
            for question in questions[:_WARM]:
                search(question)
        for number, question in enumerate(questions):
            for name, search in searches.items():
                if name != "bm25" or size < _LARGE or number < _MOST_EXACT:
                    took[name].append(timed(lambda: search(question))[0])  # noqa: B023  (called here)
        megabytes = round(memory.store.path.stat().st_size / 1e6, 1)
    exact.close()
    both = {
        name: [percentile([one.cpu for one in some], share) for share in (0.5, 0.95)]
        for name, some in took.items()
    }
    ratios = both["recall"][0] / both["bm25"][0], both["bm25"][1] / both["recall"][1]
    return {"MB": megabytes, **both, "ratios": ratios}


def _bm25(connection: sqlite3.Connection, question: str) -> None:
    match = " OR ".join(f'"{word}"' for word in cleaned_words(question))
    connection.execute(
        "select rowid from turn where turn match ? order by bm25(turn) limit ?", (match, _ROWS)
    ).fetchall()


class Growing:
    """A store that grows, and the same words in a bare FTS5 table."""

    def __init__(self, folder: Path, turns: Iterator[dict[str, Any]]) -> None:
        self._folder = folder
        self._turns = turns
        self._rows = 0

    def grow(self, size: int, place: Path) -> float:
        """Add turns up to `size`, copy both to `place`; return memctl's rows a second."""
        spent, added = 1e-9, size - self._rows
        with memctl.open("agent", self._folder) as memory, exact_store(self._folder) as exact:
            while self._rows < size:
                batch = list(islice(self._turns, min(_BATCH, size - self._rows)))
                started = time.perf_counter()
                memory.turns.add_many(batch)
                spent += time.perf_counter() - started
                self._rows += len(batch)
                words = [(f"{turn['text']} {turn['details']}",) for turn in batch]
                exact.executemany("insert into turn (words) values (?)", words)
                exact.commit()
        exact.close()
        if place != self._folder:
            shutil.copytree(self._folder, place)
        return round(added / spent, 1)


def exact_store(folder: Path) -> sqlite3.Connection:
    """Open the bare FTS5 table of a folder; the words are those that a store indexes."""
    connection = sqlite3.connect(folder / "exact.db")
    connection.execute("pragma journal_mode = wal")
    connection.execute(
        "create virtual table if not exists turn using fts5("
        "words, tokenize=\"porter unicode61 remove_diacritics 2 categories 'L* N* Co M*'\")"
    )
    return connection


def grown(conversations: list[Conversation]) -> Iterator[dict[str, Any]]:
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
