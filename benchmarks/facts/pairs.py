"""Pairs of plain statements, the second told later: what a store makes of the second.

Each pair has a store of its own, and its question is asked. A line of a file is an object: ``id``,
``kind``, ``lang``, ``old``, ``new``, ``old_at``, ``new_at``, ``relation`` (same, adds, replaces,
contradicts, independent), ``question``, ``answer``, ``reworded``. The rules were improved on half of
the pairs beside this file.
"""

from __future__ import annotations

import os
import tempfile
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import memctl

if TYPE_CHECKING:
    from collections.abc import Iterator

OWN = [Path(__file__).with_name(f"own_pairs{part}.jsonl") for part in ("", "_second")]
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
