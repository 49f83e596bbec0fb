"""Budgets: how often a packed answer holds a turn of the evidence.

Packed by ``max_tokens``, against the same rows taken whole in their order, those skipped that do
not fit. A turn counts as packed when any passage of it is.
"""

from __future__ import annotations

from contextlib import closing
from statistics import fmean
from typing import TYPE_CHECKING

from benchmarks.retrieval.engines import Memctl
from benchmarks.retrieval.measures import interval
from benchmarks.retrieval.quality import keys_of
from benchmarks.retrieval.sets import halves

if TYPE_CHECKING:
    from typing import Any

    from benchmarks.retrieval.quality import Key
    from benchmarks.retrieval.sets import Conversation, Question

_BUDGETS = (400, 800, 1600, 4000)
# Rows in order: more than the largest budget holds.
_MANY = 200


def run_budget(conversations: list[Conversation]) -> list[dict[str, Any]]:
    """Ask every answerable question with each budget, print the shares, return them."""
    packed: dict[tuple[Key, int], tuple[bool, bool]] = {}
    for conversation in conversations:
        with closing(Memctl(conversation)) as engine:
            for key, question in _asked([conversation]).items():
                for budget, hits in _found(engine, question).items():
                    packed[key, budget] = hits
    figures = []
    print(f"{'gold packed, %':28}{'tokens':>8}{'max_tokens':>12}{'in order':>10}   difference")
    for half, chosen in halves(conversations).items():
        for kind in dict.fromkeys(each.kind for each in chosen):
            keys = _asked([each for each in chosen if each.kind == kind])
            for budget in _BUDGETS:
                found = [packed[key, budget] for key in keys]
                figures.append({"half": half, "set": kind, **_figures(budget, found)})
                print(_line(figures[-1]))
    return figures


def in_order(rows: list[tuple[str, int]], budget: int) -> list[str]:
    """Return the names of the rows that fit, in their order; `rows` are names and tokens."""
    taken, spent = [], 0
    for name, tokens in rows:
        if spent + tokens <= budget:
            taken.append(name)
            spent += tokens
    return taken


def _asked(conversations: list[Conversation]) -> dict[Key, Question]:
    return {key: each for key, each in keys_of(conversations).items() if each.answerable}


def _found(engine: Memctl, question: Question) -> dict[int, tuple[bool, bool]]:
    """Return for each budget whether `max_tokens`, and rows in order, pack the evidence."""
    rows = engine.recall(question.text, limit=_MANY)
    whole = list(zip(engine.names(rows), (row.tokens for row in rows), strict=True))
    found = {}
    for budget in _BUDGETS:
        packed = engine.names(engine.recall(question.text, max_tokens=budget))
        ordered = in_order(whole, budget)
        found[budget] = (
            not question.evidence.isdisjoint(packed),
            not question.evidence.isdisjoint(ordered),
        )
    return found


def _figures(budget: int, found: list[tuple[bool, bool]]) -> dict[str, Any]:
    differences = [100.0 * (packed - ordered) for packed, ordered in found]
    return {
        "tokens": budget,
        "questions": len(found),
        "max_tokens": 100 * fmean(packed for packed, _ in found),
        "in order": 100 * fmean(ordered for _, ordered in found),
        "difference": interval(differences),
    }


def _line(figures: dict[str, Any]) -> str:
    low, high = figures["difference"]
    title = f"{figures['set']} {figures['half']}, {figures['questions']}"
    return (
        f"{title:28}{figures['tokens']:8}{figures['max_tokens']:12.1f}{figures['in order']:10.1f}"
        f"   ({low:.1f}, {high:.1f})"
    )
