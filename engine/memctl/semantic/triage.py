"""The four gates before a text becomes a fact: future utility, novelty, factual, safe."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memctl.base.pattern import Pattern
from memctl.search.fact_scope import Condition
from memctl.semantic.noise import PASSING, noise
from memctl.semantic.sentences.claim import read_claim, relation_of
from memctl.semantic.sentences.normal import same_key, without_opening
from memctl.semantic.sentences.plain_statements import (
    read_statement,
    reason_of,
    replaces,
    same_value,
)
from memctl.text.fences import looks_recalled

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from memctl.semantic.policies import Policy
    from memctl.semantic.records import Fact

    Lookup = Callable[[str, str], Iterable[Fact]]
    Where = Callable[[Condition], Iterable[Fact]]

__all__ = ["Verdict", "judge", "unwanted"]


@dataclass(frozen=True, slots=True)
class Gate:
    """One gate's verdict: its name, whether the text passes, and the reason."""

    gate: str
    passed: bool
    why: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """The verdict of the four gates; a text is worth storing if all let it pass."""

    passed: bool
    gates: tuple[Gate, ...]

    @property
    def failed(self) -> tuple[str, ...]:
        """The gates that do not let it pass."""
        return tuple(gate.gate for gate in self.gates if not gate.passed)


_RELATIONS = {
    "repeats": "says the same as",
    "says more": "says more than",
    "ends": "changes",
    "contradicts": "contradicts",
}
_AUX = r"(?:is|are|was|were|am|do|does|did|can|could|will|would|should|shall|may|has|have)"
_WHO = r"(?:i|you|we|he|she|it|they|there|the|this|that|my|our|your|any)"
_QUESTION_WORD = Pattern(
    rf"\A(?:(?:what|which|who|whom|whose|when|where|why|how)(?:'s)?\s+{_AUX}\b|"
    rf"(?:what|which|whose|how)\s+(?:\S+\s+){{1,2}}{_AUX}\s+{_WHO}\b|{_AUX}\s+{_WHO}\b)",
    re.IGNORECASE,
)
_QUESTION_SIGN = Pattern(r"[?\uff1f\u061f]\s*[\"')\u201d]*\s*\Z")
_IMPRESSION = Pattern(
    r"\b(?:maybe|perhaps|probably|possibly|i guess|i think|not sure|seems?(?: to)?|apparently|might be|"
    r"could be|presumably|kind of|sort of)\b|\u53ef\u80fd|\u4e5f\u8bb8|\u305f\u3076\u3093|\bquiz\u00e1s?\b|"
    r"\bpeut-\u00eatre\b|\bvielleicht\b",
    re.IGNORECASE,
)


def unwanted(text: str, policy: Policy, importance: float) -> str:
    """Return why a text is not kept even when asked to; empty where it is."""
    if policy.exclude or policy.include:
        plain = text.casefold()
        for phrase in policy.exclude:
            if phrase in plain:
                return f'an exclude rule names "{phrase}"'
        if any(phrase in plain for phrase in policy.include):
            return ""
    if importance < policy.threshold:
        return f"importance {importance:g} is below the threshold {policy.threshold:g}"
    return noise(text)


def judge(
    text: str, policy: Policy, lookup: Lookup, where: Where, *, secret_rule: str | None
) -> Verdict:
    """Return the verdict of the four gates.

    `lookup` and `where` return the known facts about a property of a subject, and those that meet a
    condition; `secret_rule` is the rule by which the text holds a secret, if it does.
    """
    novel = _novel(text, lookup, where)
    gates = (_useful(text, policy), novel, _factual(text), _safe(text, secret_rule))
    return Verdict(all(gate.passed for gate in gates), gates)


def _novel(text: str, lookup: Lookup, where: Where) -> Gate:
    key = same_key(without_opening(text.strip()))
    for fact in where(Condition("(fact.equal_key = :equal_key)", {"equal_key": key})):
        return Gate("novelty", passed=False, why=f"known already as {fact.id}")
    known = _stated(text, lookup) or _claimed(text, where)
    return known or Gate("novelty", passed=True, why="not known")


def _stated(text: str, lookup: Lookup) -> Gate | None:
    """Compare a statement with the facts about the same property of the same thing."""
    statement = read_statement(text)
    if statement is None:
        return None
    for fact in lookup(statement.subject, statement.attribute):
        if same_value(statement.value, fact.value or ""):
            new = reason_of(text) not in {"", reason_of(fact.text)}
            why = f"says more than {fact.id}" if new else f"says the same as {fact.id}"
            return Gate("novelty", passed=new, why=why)
        if replaces(statement, fact.value or ""):
            return Gate("novelty", passed=True, why=f"changes {fact.id}: {fact.value}")
    return None


def _claimed(text: str, where: Where) -> Gate | None:
    """Compare a claim with the facts that claim something of the same subject."""
    claim = read_claim(text)
    if claim is None:
        return None
    alike = Condition(
        "(fact.claim_key in (:claim_key, :former_key, :former_place)"
        " or fact.ended_key = :claim_key)",
        dict(claim.keys),
    )
    for fact in where(alike):
        if relation := relation_of(claim, read_claim(fact.text)):
            why = f"{_RELATIONS[relation]} {fact.id}"
            return Gate("novelty", passed=relation != "repeats", why=why)
    return None


def _useful(text: str, policy: Policy) -> Gate:
    why = unwanted(text, policy, policy.importance)
    if not why and PASSING.search(text) and not _included(text, policy):
        why = "a request of the moment"
    return Gate(
        "future utility", passed=not why, why=why or "nothing says that it is of the moment"
    )


def _factual(text: str) -> Gate:
    if _QUESTION_SIGN.search(text) or _QUESTION_WORD.search(text.strip()):
        return Gate("factual", passed=False, why="a question")
    impression = _IMPRESSION.search(text)
    if impression:
        return Gate("factual", passed=False, why=f'an impression: "{impression[0]}"')
    return Gate("factual", passed=True, why="a statement")


def _safe(text: str, secret_rule: str | None) -> Gate:
    if secret_rule:
        return Gate(
            "safe",
            passed=False,
            why=f"looks like a secret ({secret_rule}); store that it is set up",
        )
    if looks_recalled(text):
        return Gate("safe", passed=False, why="recalled memory, not a new fact")
    return Gate("safe", passed=True, why="no secret, no recalled text")


def _included(text: str, policy: Policy) -> bool:
    return any(phrase in text.casefold() for phrase in policy.include)
