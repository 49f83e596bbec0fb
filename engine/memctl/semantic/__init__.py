"""What is true: facts with their categories, scopes, validity and history."""

from memctl.scope import Scope
from memctl.semantic.facts import Facts
from memctl.semantic.reading import FactReader
from memctl.semantic.records import Change, Fact, Forgotten, Hit, Stored, Written
from memctl.semantic.triage import Gate, Verdict
from memctl.semantic.turns import TurnRecall

__all__ = [
    "Change",
    "Fact",
    "FactReader",
    "Facts",
    "Forgotten",
    "Gate",
    "Hit",
    "Scope",
    "Stored",
    "TurnRecall",
    "Verdict",
    "Written",
]
