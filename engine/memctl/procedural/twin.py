"""The twin of a skill: its run in thought, step by step, over the graph of screens.

A step succeeds when its component is there and its act leads where it led before. Both are counted:
the posterior mean of a Beta distribution, whose prior is the store's own rate, so that one success
does not make a certainty. Evidence loses half of its weight in half a year.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from math import prod
from typing import TYPE_CHECKING

from memctl.procedural.parameters import filled
from memctl.store import statements
from memctl.visual.graph.pathfinding import wilson_lower_bound

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memctl.procedural.skill_records import Skill, SkillStep
    from memctl.store.store import Store

__all__ = ["Twin", "TwinStep", "foreseen"]

SQL = statements.load("store/twin")
_PRIOR = 2.0  # tries that the prior is worth
_START = (9, 10)  # successes and tries that a store begins with
_HALF_LIFE = 180.0  # days
_LOOKS = 20  # of a component's last sightings


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
        Posterior mean of its success, 0 to 1.
    bound
        Wilson's 95 % lower bound of the same counts: it gates acts that cannot be undone.
    seconds
        How long it took on the average; ``None`` where nobody timed it.
    succeeded, tried, days
        How often the act led there, of how many tries, and days since the last; ``None`` for never.
    found, looked
        How often its component was found in the last 20 looks at its screen.
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
    """

    skill: str
    steps: tuple[TwinStep, ...]
    probability: float
    seconds: float
    weakest: int


def foreseen(store: Store, skill: Skill, values: Mapping[str, str], as_of: str) -> Twin:
    """Return how a run of a skill would go at a moment; reads only."""
    row = store.row(SQL.pooled)
    tried = _START[1] + (row["tried"] if row else 0)
    rate = (_START[0] + (row["succeeded"] if row else 0)) / tried
    names = {one["id"]: one["name"] or one["id"] for one in store.rows(SQL.state_names)}
    steps = tuple(_step(store, one, values, rate, names, as_of) for one in skill.steps)
    weakest = min(steps, key=lambda one: (one.probability, one.number))
    return Twin(
        skill.name,
        steps,
        round(prod(one.probability for one in steps), 4),
        round(sum(one.seconds or 0.0 for one in steps), 1),
        weakest.number,
    )


def _step(
    store: Store,
    step: SkillStep,
    values: Mapping[str, str],
    rate: float,
    names: Mapping[str, str],
    as_of: str,
) -> TwinStep:
    asked = {
        "from_state": step.from_state,
        "to_state": step.to_state,
        "action": step.action,
        "component": step.component_id,
        "most": _LOOKS,
    }
    (known,), (seen,) = store.rows(SQL.tries, asked), store.rows(SQL.seen, asked)
    tried, succeeded = int(known["tried"] or 0), int(known["succeeded"] or 0)
    days = _days(known["last_used_at"], as_of)
    worth = 1.0 if days is None else 2 ** (-days / _HALF_LIFE)
    acts = (succeeded * worth + _PRIOR * rate) / (tried * worth + _PRIOR)
    found, looked = int(seen["found"] or 0), int(seen["looked"] or 0)
    there = (found + _PRIOR * rate) / (looked + _PRIOR) if looked else 1.0
    mean = known["mean_ms"] if known["mean_ms"] is not None else step.mean_ms
    at, to = (names.get(one or "", "") for one in (step.from_state, step.to_state))
    words = filled(step.words, values) or step.words
    return TwinStep(
        number=step.number,
        words=words,
        at=at,
        to=to,
        probability=round(acts * there, 4),
        bound=round(wilson_lower_bound(succeeded, tried) if tried else 0.0, 4),
        seconds=None if mean is None else round(mean / 1000, 2),
        succeeded=succeeded,
        tried=tried,
        days=days,
        found=found,
        looked=looked,
        irreversible=step.irreversible,
    )


def _days(last: str | None, as_of: str) -> float | None:
    if last is None:
        return None
    passed = datetime.fromisoformat(as_of) - datetime.fromisoformat(last)
    return round(max(0.0, passed.total_seconds() / 86_400), 1)
