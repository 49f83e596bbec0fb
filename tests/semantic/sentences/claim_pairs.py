"""Pairs of facts and what the second is to the first, for tests and `benchmarks.facts`."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from memctl.semantic.records import Written

__all__ = ["EVENTS", "IMPROVED_ON", "MEASURED", "Pair", "became", "pairs"]

# The lists that the rules are improved on, and the one that is only measured.
IMPROVED_ON = ("claim_pairs", "claim_pairs_second")
MEASURED = ("claim_pairs_third",)

# What a store may make of the second fact. Nothing of a refinement may wait or be lost.
EVENTS = {
    "contradiction": {"UNDECIDED", "SUPERSEDE"},
    "compatible": {"ADD"},
    "equal": {"SKIP"},
    "refinement": {"ADD", "SUPERSEDE"},
    # The two cannot both hold, and no form of a sentence says so: the caller decides.
    "undecided": {"ADD"},
}


class Pair(NamedTuple):
    """The first fact, the second, and what it is to the first."""

    relation: str
    first: str
    second: str


def became(written: Written) -> str:
    """Return what became of a second fact: its event, or that it holds beside an older one, undecided."""
    undecided = written.event == "ADD" and written.other is not None
    return "UNDECIDED" if undecided else written.event


def pairs(names: tuple[str, ...] = IMPROVED_ON) -> list[Pair]:
    """Return every pair of lists beside this file."""
    here = Path(__file__)
    lists = [
        tomllib.loads(here.with_name(f"{name}.toml").read_text(encoding="utf-8")) for name in names
    ]
    return [
        Pair(relation, first, second)
        for one in lists
        for relation, listed in one.items()
        for first, second in listed
    ]
