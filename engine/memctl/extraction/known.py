"""Duplicates: facts that the store has already, and those that were found just before."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memctl.semantic.sentences.normal import equal_key
from memctl.semantic.sentences.opposites import denies

if TYPE_CHECKING:
    from memctl.extraction.extracted import FactCandidate
    from memctl.semantic.facts import Facts

__all__ = ["Known"]

_ALIKE = 0.8  # of the words of a text, in one that says the same
_NEAREST = 3


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

        The gates of `triage` decide, and how many words it shares with what is known.
        """
        if any(_says_the_same(one.text, other.text) for other in self._found):
            return "said twice"
        verdict = self._facts.triage(one.text, category=one.category)
        failed = next((gate.why for gate in verdict.gates if not gate.passed), "")
        if failed:
            return failed
        for hit in self._facts.search(one.text, limit=_NEAREST, record=False):
            if _says_the_same(one.text, hit.fact.text):
                return f"known already as {hit.fact.id}"
        return ""


def _says_the_same(one: str, other: str) -> bool:
    """Return whether a text holds no word that another one has not, in the same order.

    A word more may be another value, and another order another sense: tea over coffee.
    """
    mine, its = equal_key(one).split(), equal_key(other).split()
    if not mine or len(mine) < _ALIKE * len(its):
        return False
    rest = iter(its)
    return all(word in rest for word in mine) and denies(one) == denies(other)
