"""Recalled facts as lines of a fenced block."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memctl.text.fences import escaped

if TYPE_CHECKING:
    from memctl.semantic.records import Fact

__all__ = ["line"]


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


def _age(fact: Fact) -> str:
    return "today" if not fact.age_days else f"{fact.age_days} d old"
