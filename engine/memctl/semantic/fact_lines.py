"""Recalled facts as lines of a fenced block."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memctl.text.fences import block, escaped, fitting

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memctl.semantic.records import Fact, Hit

__all__ = ["fenced", "line"]


def line(fact: Fact) -> str:
    """Return one fact as a line of a block: id, text, and what to trust it by."""
    kind = f"{fact.tag} {fact.category}" if fact.tag else "- uncategorised"
    facets = [kind, f"{fact.importance:.0%}", _age(fact)]
    if fact.source:
        facets.append(f"from {escaped(fact.source)}")
    if fact.status == "superseded" and fact.valid_to:
        facets.append(f"until {fact.valid_to[:10]}")
    if fact.doubt:
        facets.append(f"to be checked: {escaped(fact.doubt)}")
    return f"- [{fact.id}] {escaped(fact.text)} ({', '.join(facets)})"


def fenced(hits: Sequence[Hit], *, max_tokens: int, max_facts: int) -> tuple[str, list[Hit]]:
    """Return a block of at most `max_tokens`, fence included, and the facts in it.

    Facts are taken in their order; one that does not fit leaves room for the next. Where
    none fits, the block is empty.
    """
    lines = [line(hit.fact) for hit in hits]
    taken = fitting(lines, max_tokens=max_tokens, most=max_facts)
    return (block(lines[i] for i in taken) if taken else "", [hits[i] for i in taken])


def _age(fact: Fact) -> str:
    return "today" if not fact.age_days else f"{fact.age_days} d old"
