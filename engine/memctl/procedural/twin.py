"""The twin of a skill: its run in thought, step by step, over the graph of screens.

A step succeeds when its component is there and its act leads where it led before; what that is known
from is `memctl.procedural.step_evidence`.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING

from memctl.base.errors import UsageError
from memctl.procedural.step_evidence import evidence_of, proven_steps, usual_rates
from memctl.scenes.wording import filled
from memctl.store import statements

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memctl.procedural.skill_records import Skill, SkillStep
    from memctl.procedural.step_evidence import UsualRates
    from memctl.store.store import Store

__all__ = ["Twin", "TwinStep", "foreseen", "refuse_inactive", "too_risky"]

SQL = statements.load("store/twin")


@dataclass(frozen=True, slots=True)
class TwinStep:
    """One step, as it is foreseen.

    Parameters
    ----------
    number, words
        Its place, and the act in words with the values of this run.
    at, to
        Names of the screens before and after it; empty where nobody saw them.
    probability
        The chance of its success, 0 to 1.
    bound
        Wilson's 95 % lower bound of how often it was shown or confirmed, of those and the times that a
        person called it wrong: it gates acts that cannot be undone. What an app refused is no failure
        of the skill.
    seconds
        How long it took on the average; ``None`` where nobody timed it.
    succeeded, tried, days
        How often the act led there, of how many tries, and days since the last; ``None`` for never.
    found, looked
        How often its component was there in the last 20 looks at its screen, those of runs included.
    irreversible
        Whether it cannot be undone.
    """

    number: int
    words: str
    at: str
    to: str
    probability: float
    bound: float
    seconds: float | None
    succeeded: int
    tried: int
    days: float | None
    found: int
    looked: int
    irreversible: bool


@dataclass(frozen=True, slots=True)
class Twin:
    """A whole run, as it is foreseen.

    Parameters
    ----------
    steps
        In order.
    probability
        The product of theirs, 0 to 1.
    seconds
        The sum of those that are known.
    weakest
        The number of the least probable step.
    halts
        Why a run would halt whatever is on the screen: a step that cannot be undone has too small a
        chance; empty where none has.
    """

    skill: str
    steps: tuple[TwinStep, ...]
    probability: float
    seconds: float
    weakest: int
    halts: str = ""

    def chance_after(self, step: int) -> float:
        """Return the chance of what is left behind a step, 0 to 1."""
        return round(prod(one.probability for one in self.steps[step:]), 4)


def foreseen(store: Store, skill: Skill, values: Mapping[str, str], as_of: str) -> Twin:
    """Return how a run of a skill would go at a moment; reads only."""
    usual = usual_rates(store)
    names = {one["id"]: one["name"] or one["id"] for one in store.rows(SQL.state_names)}
    proven = proven_steps(store, skill)
    steps = tuple(_step(store, one, values, usual, names, as_of, proven) for one in skill.steps)
    weakest = min(steps, key=lambda one: (one.probability, one.number))
    return Twin(
        skill.name,
        steps,
        round(prod(one.probability for one in steps), 4),
        round(sum(one.seconds or 0.0 for one in steps), 1),
        weakest.number,
    )


def refuse_inactive(skill: Skill) -> None:
    """Refuse a skill that no person has approved.

    Raises
    ------
    UsageError
        With the command that approves it.
    """
    if skill.status != "active":
        raise UsageError(
            f'"{skill.name}" is {skill.status}', hint=f"memctl skills approve {skill.name}"
        )


def too_risky(twin: Twin, step: SkillStep, least: float) -> str:
    """Return why a step is not done: it cannot be undone, and its bound is below `least`."""
    bound = twin.steps[step.number - 1].bound
    if not step.irreversible or bound >= least:
        return ""
    return (
        f"step {step.number} cannot be undone ({step.words}), and its chance is at least"
        f" {bound:.2f} only, {least:.2f} is wanted"
    )


def _step(
    store: Store,
    step: SkillStep,
    values: Mapping[str, str],
    usual: UsualRates,
    names: Mapping[str, str],
    as_of: str,
    proven: Mapping[int, tuple[int, int]],
) -> TwinStep:
    known = evidence_of(store, step, usual, as_of, proven.get(step.number, (0, 0)))
    at, to = (names.get(one or "", "") for one in (step.from_state, step.to_state))
    return TwinStep(
        number=step.number,
        words=filled(step.words, values) or step.words,
        at=at,
        to=to,
        probability=round(known.probability, 4),
        bound=round(known.bound, 4),
        seconds=None if known.mean_ms is None else round(known.mean_ms / 1000, 2),
        succeeded=known.succeeded,
        tried=known.tried,
        days=known.days,
        found=known.found,
        looked=known.looked,
        irreversible=step.irreversible,
    )
