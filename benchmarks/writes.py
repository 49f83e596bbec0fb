"""Time commits against bare ones of the same rows, and kill a process that writes the journal.

    python -m benchmarks.writes [--rows 2000] [--entries 600] [--kills 300]

Turns, one commit each, against a bare insert into FTS5; entries of the journal, each synced, against
a bare commit of the same row. The bare file has the same pragmas and the same tokenizer. Both are
written in turns, batch by batch, so that a busy machine slows both. memctl's turns reach the index
64 at a time: the sums have that, and what is still to be indexed at the end; the medians have not.
"""

from __future__ import annotations

import random
import sqlite3
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import memctl
from benchmarks.corpus import texts
from benchmarks.running import Took, arguments, keep, percentile, print_table, timed

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_BATCH = 100
# As a store's connection has them; a durable entry is written with ``synchronous = full``.
_PRAGMAS = (
    "journal_mode = wal",
    "synchronous = normal",
    "secure_delete = on",
    "foreign_keys = on",
)
_BARE = """
create virtual table turn using fts5(
    words, tokenize="porter unicode61 remove_diacritics 2 categories 'L* N* Co M*'"
);
create table journal (
    id integer primary key, session text, channel text, kind text, name text, text text,
    written_at text, done_at
);
create index journal_session on journal (session, channel, id);
"""
_TURN = "insert into turn (words) values (?)"
_ENTRY = "insert into journal values (null, 's1', '', 'pending', '', ?, '2026-11-20', null)"
# Tells each entry once the call has returned.
_WRITE = """
import sys, memctl
with memctl.open("agent", sys.argv[1], session="s1") as memory:
    number = 0
    while True:
        number += 1
        memory.journal.pending(f"item {number}")
        print(number, flush=True)
"""
_LONGEST_WAIT = 0.1  # seconds after the first entry


class Killed(NamedTuple):
    """What became of one process: the entries it had told, those that are there, those lost."""

    told: int
    kept: int
    lost: int


def main(words: Sequence[str] | None = None) -> None:
    """Time both ways of writing, kill, and print the ratios and what was lost."""
    parser = arguments(__doc__, "writes")
    parser.add_argument("--rows", type=int, default=2000, help="turns")
    parser.add_argument("--entries", type=int, default=600, help="durable entries")
    parser.add_argument("--kills", type=int, default=300, help="processes that are killed")
    options = parser.parse_args(words)
    figures: dict[str, Any] = {}
    with tempfile.TemporaryDirectory(prefix="memctl-writes-") as name:
        folder = Path(name)
        figures["turns"] = _turns(folder, texts(options.rows))
        figures["entries"] = _entries(folder, texts(options.entries))
        kills = [killed(folder / f"kill {seed}", seed) for seed in range(options.kills)]
    print_table(
        "memctl against bare SQLite: how many times its time",
        ("", "ms p50", "p95", "bare p50", "p95", "sums", "cpu", "p50", "p95"),
        [_row(what, **one) for what, one in figures.items()],
    )
    lost, told = sum(one.lost for one in kills), sum(one.told for one in kills)
    print(f"{len(kills)} kills: {lost} of {told} acknowledged entries lost")
    keep("writes", {**figures, "kills": kills}, options.out)


def _row(what: str, ours: list[Took], bare: list[Took]) -> list[str]:
    shown = [
        percentile([one.wall for one in some], at) for some in (ours, bare) for at in (0.5, 0.95)
    ]
    sums = [sum(one[at] for one in ours) / sum(one[at] for one in bare) for at in (0, 1)]
    ratios = [*sums, shown[0] / shown[2], shown[1] / shown[3]]
    return [what, *(f"{ms:.3f}" for ms in shown), *(f"{ratio:.2f}" for ratio in ratios)]


def _turns(folder: Path, said: list[str]) -> dict[str, list[Took]]:
    with closing(_bare(folder / "turns.db", "normal")) as bare:
        memory = memctl.open("agent", folder)
        memory.log("the first turn makes the file")
        both = _alternating(
            said,
            lambda text: memory.log(text, session="s"),
            lambda text: _commit(bare, _TURN, text),
        )
        both["ours"].append(timed(memory.close)[0])
    return both


def _entries(folder: Path, said: list[str]) -> dict[str, list[Took]]:
    with (
        memctl.open("journal", folder, session="s1") as memory,
        closing(_bare(folder / "entries.db", "full")) as bare,
    ):
        memory.journal.task("Book the ferry")  # makes the file
        return _alternating(said, memory.journal.pending, lambda text: _commit(bare, _ENTRY, text))


def _alternating(
    said: list[str], ours: Callable[[str], object], bare: Callable[[str], object]
) -> dict[str, list[Took]]:
    took: dict[str, list[Took]] = {"ours": [], "bare": []}
    for start in range(0, len(said), _BATCH):
        for side, write in (("bare", bare), ("ours", ours)):
            for text in said[start : start + _BATCH]:
                took[side].append(timed(lambda write=write, text=text: write(text))[0])  # type: ignore[misc]
    return took


def _bare(path: Path, synchronous: str) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None)
    for pragma in (*_PRAGMAS, f"synchronous = {synchronous}"):
        connection.execute(f"pragma {pragma}")
    connection.executescript(_BARE)
    return connection


def _commit(connection: sqlite3.Connection, insert: str, text: str) -> None:
    connection.execute("begin immediate")
    connection.execute(insert, (text,))
    connection.execute("commit")


def killed(folder: Path, seed: int) -> Killed:
    """Kill a process that writes entries, at a moment that `seed` draws; read the store after it.

    Raises
    ------
    ValueError
        When what is there are not the entries in the order in which they were written.
    """
    moment = random.Random(seed).uniform(0, _LONGEST_WAIT)
    process = subprocess.Popen(  # noqa: S603  (the script above)
        [sys.executable, "-c", _WRITE, str(folder)], stdout=subprocess.PIPE, text=True
    )
    lines = iter(process.stdout or ())
    told = int(next(lines))
    time.sleep(moment)
    process.kill()
    # A line that was cut is none: its entry was not told.
    told += sum(line.endswith("\n") for line in lines)
    process.communicate(timeout=60)
    with memctl.open("agent", folder, session="s1") as memory:
        kept = [entry.text for entry in memory.journal.get().pending]
    if kept != [f"item {number}" for number in range(1, len(kept) + 1)]:
        raise ValueError(f"other entries than those that were written: {kept[-3:]}")
    return Killed(told, len(kept), max(0, told - len(kept)))


if __name__ == "__main__":
    main()
