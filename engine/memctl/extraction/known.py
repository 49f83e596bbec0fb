"""Duplicates: facts that the store has already, and those that were found just before."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memctl.text.relation import relation

if TYPE_CHECKING:
    from memctl.extraction.extracted import FactCandidate
    from memctl.semantic.facts import Facts

__all__ = ["Known"]


class Known:
    """What is known already: the facts of a store, and the candidates that were added.

    Parameters
    ----------
    facts
        The facts of the store, within a scope.
    """

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self._found: list[FactCandidate] = []

    def add(self, one: FactCandidate) -> None:
        """Let a candidate be known."""
        self._found.append(one)

    def why_not(self, one: FactCandidate) -> str:
        """Return why a candidate is not worth storing; empty where it is.

        The gates of `triage` decide, and what was found just before.
        """
        if any(_says_the_same(one.text, other.text) for other in self._found):
            return "said twice"
        verdict = self._facts.triage(one.text, category=one.category)
        return next((gate.why for gate in verdict.gates if not gate.passed), "")


def _says_the_same(one: str, other: str) -> bool:
    return relation(one, other).kind == "same" or relation(other, one).kind == "adds"
