"""Pairs of facts and what the second is to the first, for tests and `benchmarks.facts`."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import NamedTuple

__all__ = ["EVENTS", "Pair", "pairs"]

# What a store may make of the second fact. Nothing of a refinement may wait or be lost.
EVENTS = {
    "contradiction": {"PENDING", "SUPERSEDE"},
    "compatible": {"ADD"},
    "equal": {"SKIP"},
    "refinement": {"ADD", "SUPERSEDE"},
}


class Pair(NamedTuple):
    """The first fact, the second, and what it is to the first."""

    relation: str
    first: str
    second: str


def pairs(name: str = "claim_pairs") -> list[Pair]:
    """Return every pair of a list beside this file."""
    text = Path(__file__).with_name(f"{name}.toml").read_text(encoding="utf-8")
    return [
        Pair(relation, first, second)
        for relation, listed in tomllib.loads(text).items()
        for first, second in listed
    ]
