"""Scope of a search among facts: their owner, their time, and those that are left out."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from memctl.base.arguments import resolvable

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence


@dataclass(slots=True)
class Condition:
    """A condition on the table ``fact``: SQL in brackets, and its parameters."""

    sql: str = "(1)"
    parameters: dict[str, Any] = field(default_factory=dict)

    def bound(self, statement: str) -> str:
        """Return `statement` with the condition in the place of its ``:filters``."""
        return statement.replace(":filters", self.sql)


@resolvable
class FactScope(ABC):
    """Which facts a search may answer with.

    Attributes
    ----------
    parameters
        The scope's, the filter's and the time's, as ``search.sql`` names them.
    condition
        The compiled filter.
    """

    parameters: Mapping[str, Any]
    condition: Condition

    def bound(self, statement: str, *, filtered: bool = True) -> str:
        """Return a statement with the filter in its place; without it, one that all pass."""
        return (self.condition if filtered else Condition()).bound(statement)

    @abstractmethod
    def named(self, question: str, phrases: Iterable[str]) -> frozenset[int]:
        """Return the numbers of the facts whose subject a question names, or one of `phrases`."""

    @abstractmethod
    def hidden(self, numbers: Sequence[int]) -> frozenset[int]:
        """Return the facts that do not answer: overridden in a session, or given twice."""

    @abstractmethod
    def ever_held(self, match: str) -> bool:
        """Return whether a fact in reach matches, valid or not."""
