"""How often a fact is taken for a contradiction of another, and how often one is missed.

``python -m benchmarks.facts.contradictions`` stores pairs of facts, each in a store of its
own, and compares what becomes of the second with what it is to the first: of lists that the
rules were improved on, and of one by a hand that had not read them, which is only measured.
"""

from __future__ import annotations

import tempfile
import tomllib
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import memctl
from benchmarks.keeping import keep

if TYPE_CHECKING:
    from memctl.semantic.records import Written

LISTS = {"improved on": ("first", "second"), "only measured": ("third",)}
# What a store may make of the second fact. Nothing of a refinement may wait or be lost.
EVENTS = {
    "contradiction": {"UNDECIDED", "SUPERSEDE"},
    "compatible": {"ADD"},
    "equal": {"SKIP"},
    "refinement": {"ADD", "SUPERSEDE"},
    # The two cannot both hold, and no form of a sentence says so.
    "undecided": {"ADD", "UNDECIDED", "SUPERSEDE"},
}


class Pair(NamedTuple):
    """The first fact, the second, and what it is to the first."""

    relation: str
    first: str
    second: str


Wrong = list[tuple[Pair, str]]


def pairs(names: tuple[str, ...]) -> list[Pair]:
    """Return every pair of lists beside this file."""
    here = Path(__file__)
    lists = [
        tomllib.loads(here.with_name(f"contradictions_{name}.toml").read_text(encoding="utf-8"))
        for name in names
    ]
    return [
        Pair(relation, first, second)
        for one in lists
        for relation, listed in one.items()
        for first, second in listed
    ]


def became(written: Written) -> str:
    """Return what became of a second fact: its event, or that it holds beside an older one, undecided."""
    undecided = written.other is not None or any(one.may_replace for one in written.related)
    return "UNDECIDED" if written.event == "ADD" and undecided else written.event


def main() -> None:
    """Run, print, keep."""
    figures = {}
    for title, names in LISTS.items():
        listed = pairs(names)
        with tempfile.TemporaryDirectory() as folder:
            answers = [
                (pair, _answer(pair, Path(folder) / str(i))) for i, pair in enumerate(listed)
            ]
        wrong = [(pair, event) for pair, event in answers if event not in EVENTS[pair.relation]]
        figures[title] = _figures(listed, wrong)
        _print(title, figures[title], wrong)
    keep("facts-contradictions", figures)


def _answer(pair: Pair, home: Path) -> str:
    with memctl.open("agent", home) as memory:
        memory.facts.store(pair.first)
        return became(memory.facts.store(pair.second).written[0])


def _figures(listed: list[Pair], wrong: Wrong) -> dict[str, int]:
    counts = Counter(pair.relation for pair in listed)
    contradictions = counts["contradiction"]
    missed = sum(pair.relation == "contradiction" for pair, _ in wrong)
    held = [event for pair, event in wrong if pair.relation in {"compatible", "refinement"}]
    return {
        "contradictions": contradictions,
        "missed": missed,
        "others": len(listed) - contradictions,
        "false": len(held),
        "false_and_replaced": held.count("SUPERSEDE"),
        "equal_not_known": sum(pair.relation == "equal" for pair, _ in wrong),
    }


def _print(title: str, figures: dict[str, int], wrong: Wrong) -> None:
    print(
        f"{title}: missed {figures['missed']} of {figures['contradictions']} contradictions; "
        f"false ones {figures['false']} of {figures['others']} other pairs, "
        f"{figures['false_and_replaced']} of them replaced anything; "
        f"{figures['equal_not_known']} equal ones not known as such"
    )
    for pair, event in wrong:
        print(f"  {pair.relation}, {event}: {pair.first} / {pair.second}")


if __name__ == "__main__":
    main()
