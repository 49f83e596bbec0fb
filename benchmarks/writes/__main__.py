"""Measure writing: one commit per turn, against a bare insert of the same text into FTS5.

    python -m benchmarks.writes [--rows 2000] [--text FILE]

The bare insert has the same pragmas and the same tokenizer. Both are done in turns, batch by
batch, so that a busy machine slows both. memctl's turns reach the index 64 at a time: the sums
hold that, and what is still to be indexed at the end; the medians do not. The ratio of processor
time is that of the sums without what others do on the machine. ``--text`` names a file with a
text a line; without it the sentences are made up.
"""

from __future__ import annotations

import argparse
import random
import sqlite3
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import memctl
from benchmarks.keeping import FOLDER, keep
from benchmarks.retrieval.measures import percentile

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_BATCH = 100
# As a store's connection has them.
_PRAGMAS = (
    "journal_mode = wal",
    "synchronous = normal",
    "secure_delete = on",
    "foreign_keys = on",
    "mmap_size = 1073741824",
)
_WORDS = [
    "ferry",
    "lighthouse",
    "saffron",
    "paella",
    "ticket",
    "harbour",
    "neighbour",
    "violin",
    "garden",
    "window",
    "kettle",
    "letter",
    "bought",
    "wrote",
    "walked",
    "carried",
    "painted",
    "cooked",
    "repaired",
    "forgot",
    "quickly",
    "yesterday",
    "together",
    "often",
]


def main() -> None:
    """Time both ways of adding, single commits and one batch, and print the ratios."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.writes")
    parser.add_argument("--rows", type=int, default=2000)
    parser.add_argument("--text", type=Path, help="a text a line")
    parser.add_argument("--out", type=Path, default=FOLDER, help="folder of the raw figures")
    options = parser.parse_args()
    texts = _texts(options.text, options.rows)
    with tempfile.TemporaryDirectory() as folder:
        figures = _measure(Path(folder), texts)
    for name, ms in figures.items():
        if isinstance(ms, list):
            shown = (f"p{share} {percentile(ms, share / 100):7.4f} ms" for share in (50, 95, 99))
            print(f"{name:34}{'   '.join(shown)}   mean {sum(ms) / len(ms):7.4f} ms")
    for name, ratio in figures.items():
        if isinstance(ratio, float):
            print(f"{name:34}{ratio:7.2f}")
    print(f"raw figures: {keep('writes', figures, options.out)}")


def _measure(folder: Path, texts: list[str]) -> dict[str, list[float] | float]:
    bare = _bare(folder / "bare.db")
    with memctl.open("agent", folder) as memory:
        memory.log("the first turn makes the file")
        ours: list[float] = []
        theirs: list[float] = []
        cpu_ours = cpu_theirs = 0.0
        for start in range(0, len(texts), _BATCH):
            batch = texts[start : start + _BATCH]
            begun = time.process_time()
            theirs += _each(lambda text: _insert(bare, text), batch)
            between = time.process_time()
            ours += _each(lambda text: memory.log(text, session="s"), batch)
            cpu_ours += time.process_time() - between
            cpu_theirs += between - begun
        begun = time.process_time()
        last = _once(memory.close)
        cpu_ours += time.process_time() - begun
        many_theirs = _once(lambda: _insert_many(bare, texts))
        turns = [{"text": text, "session": "s"} for text in texts]
        many_ours = _once(lambda: memory.turns.add_many(turns))
    bare.close()
    return {
        "memctl, one commit a turn": ours,
        "bare FTS5, one commit a row": theirs,
        "ratio of the sums, single commits": (sum(ours) + last) / sum(theirs),
        "ratio of their processor time": cpu_ours / cpu_theirs,
        "ratio of the medians": percentile(ours, 0.5) / percentile(theirs, 0.5),
        "ratio of the p95": percentile(ours, 0.95) / percentile(theirs, 0.95),
        "ratio, one transaction": many_ours / many_theirs,
        "memctl rows/s, one transaction": len(texts) / many_ours * 1000,
    }


def _each(call: Callable[[str], object], texts: Sequence[str]) -> list[float]:
    return [_once(lambda text=text: call(text)) for text in texts]  # type: ignore[misc]


def _once(call: Callable[[], object]) -> float:
    started = time.perf_counter()
    call()
    return (time.perf_counter() - started) * 1000


def _bare(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None)
    for pragma in _PRAGMAS:
        connection.execute(f"pragma {pragma}")
    connection.execute(
        "create virtual table turn using fts5("
        "words, tokenize=\"porter unicode61 remove_diacritics 2 categories 'L* N* Co M*'\")"
    )
    return connection


def _insert(connection: sqlite3.Connection, text: str) -> None:
    connection.execute("begin immediate")
    connection.execute("insert into turn (words) values (?)", (text,))
    connection.execute("commit")


def _insert_many(connection: sqlite3.Connection, texts: list[str]) -> None:
    connection.execute("begin immediate")
    connection.executemany("insert into turn (words) values (?)", [(text,) for text in texts])
    connection.execute("commit")


def _texts(file: Path | None, rows: int) -> list[str]:
    if file is not None:
        lines = [line for line in file.read_text("utf-8").splitlines() if line.strip()]
        return [lines[n % len(lines)] for n in range(rows)]
    generator = random.Random(3)
    return [" ".join(generator.choices(_WORDS, k=generator.randint(8, 40))) for _ in range(rows)]


if __name__ == "__main__":
    main()
