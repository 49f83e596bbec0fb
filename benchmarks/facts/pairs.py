"""Pairs of plain statements, the second told later: what a store makes of the second.

``python -m benchmarks.facts.pairs [FILE]`` gives each pair a store of its own and asks its question.
A line of the file is an object: ``id``, ``kind``, ``lang``, ``old``, ``new``, ``old_at``, ``new_at``,
``relation`` (same, adds, replaces, contradicts, independent), ``question``, ``answer``, ``reworded``.
Without one, the pairs beside this file are measured; the rules were improved on half of these. The last
lines say what reading, comparing and storing take, in microseconds of processor time.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import memctl
from benchmarks.keeping import keep
from memctl.text.relation import relation
from memctl.text.statement import read

if TYPE_CHECKING:
    from collections.abc import Iterator

OWN = Path(__file__).with_name("own_pairs.jsonl")
_CHANGE = ("replaces", "contradicts")
Pair = dict[str, Any]


def measure(pairs: list[Pair]) -> dict[str, str]:
    """Return each figure as hits of trials."""
    hits: Counter[str] = Counter()
    trials: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as home:
        for number, pair in enumerate(pairs):
            for name, hit in _outcome(pair, Path(home) / str(number)):
                hits[name] += hit
                trials[name] += 1
    os.environ.pop("MEMCTL_NOW", None)
    return {name: f"{hits[name]}/{trials[name]}" for name in trials}


def _outcome(pair: Pair, home: Path) -> Iterator[tuple[str, bool]]:
    with memctl.open("agent", home) as memory:
        os.environ["MEMCTL_NOW"] = pair["old_at"]
        memory.facts.store(pair["old"])
        os.environ["MEMCTL_NOW"] = pair["new_at"]
        (written,) = memory.facts.store(pair["new"]).written
        rows = [row.text for row in memory.recall(pair["question"], limit=5, record=False)]
    ended = written.event == "SUPERSEDE"
    seen = ended or written.event == "PENDING" or any(one.may_replace for one in written.related)
    if pair["relation"] in _CHANGE:
        yield "change seen", seen
        if pair.get("reworded"):
            yield "change seen, reworded", seen
    else:
        yield "false alarm", seen
        yield "wrongly ended", ended
    if pair["relation"] == "replaces":
        places = [
            rows.index(text) if text in rows else len(rows) for text in (pair["old"], pair["new"])
        ]
        yield "older above newer", places[0] < places[1]
    yield "right answer first", bool(rows) and pair["answer"] in rows[0]


def took(pairs: list[Pair]) -> dict[str, int]:
    """Return the microseconds that a reading, a relation and a store take, of the processor."""
    texts = [pair[name] for pair in pairs for name in ("old", "new")]
    read(texts[0])
    read.cache_clear()
    start = time.process_time()
    for text in texts:
        read(text)
    reading = time.process_time() - start
    relation.cache_clear()
    start = time.process_time()
    for pair in pairs:
        relation(pair["new"], pair["old"])
    comparing = time.process_time() - start
    with tempfile.TemporaryDirectory() as home, memctl.open("agent", home) as memory:
        memory.facts.store("The first one opens the file")
        start = time.process_time()
        for text in dict.fromkeys(texts):
            memory.facts.store(text)
        storing = time.process_time() - start
    return {
        "read": round(1e6 * reading / len(texts)),
        "relation": round(1e6 * comparing / len(pairs)),
        "store": round(1e6 * storing / len(dict.fromkeys(texts))),
    }


def main() -> None:
    """Run, print, keep."""
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("file", nargs="?", type=Path, default=OWN)
    lines = parser.parse_args().file.read_text(encoding="utf-8").splitlines()
    pairs = [json.loads(line) for line in lines if line.strip()]
    figures: dict[str, Any] = {**measure(pairs), "microseconds": took(pairs)}
    for name, value in figures.items():
        print(f"{name:<24}{value}")
    keep("facts-pairs", figures)


if __name__ == "__main__":
    main()
