"""The four gates before a text becomes a fact: future utility, novelty, factual, safe."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from memctl.base.pattern import patterns_in
from memctl.search.fact_scope import Condition
from memctl.semantic.noise import SHAPES, noise
from memctl.store.results import Result
from memctl.text.fences import looks_recalled
from memctl.text.normal import same_key, without_opening, without_reason
from memctl.text.properties import reason_of
from memctl.text.relation import relation

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from memctl.semantic.policies import Policy
    from memctl.semantic.records import Fact

    Nearest = Callable[[str], Iterable[Fact]]
    Where = Callable[[Condition], Iterable[Fact]]


@dataclass(frozen=True, slots=True)
class Gate(Result):
    """One gate's verdict: its name, whether the text passes, and the reason."""

    gate: str
    passed: bool
    why: str


@dataclass(frozen=True, slots=True)
class Verdict(Result):
    """The verdict of the four gates; a text is worth storing if all let it pass."""

    passed: bool
    gates: tuple[Gate, ...]

    @property
    def failed(self) -> tuple[str, ...]:
        """The gates that do not let it pass."""
        return tuple(gate.gate for gate in self.gates if not gate.passed)


_RELATIONS = {
    "same": "says more than",  # why it is so
    "adds": "says more than",
    "replaces": "changes",
    "contradicts": "contradicts",
}
_SHAPES = patterns_in("memctl.semantic", "triage.txt")


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
    text: str, policy: Policy, where: Where, nearest: Nearest, *, secret_rule: str | None
) -> Verdict:
    """Return the verdict of the four gates.

    `where` returns the known facts that meet a condition, `nearest` those that share words with a
    text; `secret_rule` is the rule by which the text holds a secret, if it does.
    """
    novel = _novel(text, where, nearest)
    gates = (_useful(text, policy), novel, _factual(text), _safe(text, secret_rule))
    return Verdict(all(gate.passed for gate in gates), gates)


def _novel(text: str, where: Where, nearest: Nearest) -> Gate:
    said = without_opening(text.strip())
    for fact in where(Condition("(fact.equal_key = :equal_key)", {"equal_key": same_key(said)})):
        return Gate("novelty", passed=False, why=f"known already as {fact.id}")
    bare = without_reason(said)
    near = [
        (relation(bare, without_reason(without_opening(fact.text))), fact) for fact in nearest(said)
    ]
    near.sort(key=lambda pair: -pair[0].score)  # stable: the nearest first
    for link, fact in near:
        if link.kind == "same" and reason_of(said) in {"", reason_of(fact.text)}:
            return Gate("novelty", passed=False, why=f"says the same as {fact.id}")
    for link, fact in near:
        if link.kind in _RELATIONS:
            return Gate("novelty", passed=True, why=f"{_RELATIONS[link.kind]} {fact.id}")
    return Gate("novelty", passed=True, why="not known")


def _useful(text: str, policy: Policy) -> Gate:
    why = unwanted(text, policy, policy.importance)
    included = any(phrase in text.casefold() for phrase in policy.include)
    if not why and SHAPES["passing"].search(text) and not included:
        why = "a request of the moment"
    return Gate(
        "future utility", passed=not why, why=why or "nothing says that it is of the moment"
    )


def _factual(text: str) -> Gate:
    if _SHAPES["question sign"].search(text) or _SHAPES["question word"].search(text.strip()):
        return Gate("factual", passed=False, why="a question")
    impression = _SHAPES["impression"].search(text)
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
