"""Doubt: which facts are marked when one that they rest on gets another value, and which wrongly.

Each statement of ``statements.txt`` and what rests on it is a fact beside one-offs; then one value
after the other changes, by a caller who names the fact that is replaced. A dependent counts as found
where it is doubtful after its own base has changed; any other fact that is, counts as false.
"""

from __future__ import annotations

import random
import re
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import memctl
from benchmarks.consolidation.generator import frames, lines_of, values
from benchmarks.running import wilson
from memctl.extraction.speakers import with_speaker

if TYPE_CHECKING:
    from memctl.memory import Memory

_ONE_OFFS = 300
_DOUBTFUL = "select id from fact where doubt is not null"


class _Base(NamedTuple):
    """A fact with what rests on it, and the text that replaces it."""

    id: str
    resting: str
    replacement: str


def doubted(seeds: int = 5) -> dict[str, Any]:
    """Return recall and false share over some seeds, with 95 % intervals (Wilson)."""
    found = resting = false = others = 0
    for seed in range(seeds):
        with (
            tempfile.TemporaryDirectory(prefix="memctl-doubts-") as home,
            memctl.open("agent", Path(home)) as memory,
        ):
            bases = _stored(memory, random.Random(seed))
            everything = len(memory.facts.list(limit=10_000))
            for base in bases:
                before = _doubtful(memory)
                memory.facts.store(base.replacement, replaces=base.id)
                new = _doubtful(memory) - before
                resting += 1
                found += base.resting in new
                false += len(new - {base.resting})
                others += everything - 2
    return {
        "dependents": resting,
        "found": round(found / resting, 3),
        "found, 95 %": wilson(found, resting),
        "others": others,
        "false": round(false / others, 4),
        "false, 95 %": wilson(false, others),
    }


def _stored(memory: Memory, chance: random.Random) -> list[_Base]:
    found = []
    for frame in frames():
        old, new = chance.sample(values()[frame.pool], 2)
        fact = _store(memory, frame.first.format(old))
        if frame.dependent and fact:
            resting = _store(memory, frame.dependent.format(old))
            if resting:
                found.append(_Base(fact, resting, _told(frame.first.format(new))))
    lines = [line for line in lines_of("one_off") if not line.endswith("?")]
    for _ in range(_ONE_OFFS):
        line = chance.choice(lines)
        _store(memory, re.sub(r"\{(\w+)\}", lambda at: chance.choice(values()[at[1]]), line))
    return found


def _store(memory: Memory, text: str) -> str | None:
    return memory.facts.store(_told(text), keep_both=True).written[0].id


def _told(text: str) -> str:
    return with_speaker(text, "User")


def _doubtful(memory: Memory) -> set[str]:
    return {row[0] for row in memory.store.rows(_DOUBTFUL)}
