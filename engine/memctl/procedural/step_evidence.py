"""Evidence of a step: how often and how lately its component was there, and its act led there.

Each of the two chances is the mean of a Beta distribution at three levels, and each level is the
prior of the next: all tries of the store, those of this step, its last ones. A count is worth five
tries at most, since a way that has always led there may stop to; the last tries fade with each newer
one and with time.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

from memctl.store import statements
from memctl.visual.graph.pathfinding import wilson_lower_bound

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memctl.procedural.skill_records import Skill, SkillStep
    from memctl.store.store import Store

SQL = statements.load("store/twin")
_START = (9, 10)  # successes and tries that a store begins with
_USUAL = 4.0  # tries that the store's own rate is worth
_COUNTED = 5.0  # tries that the counts of a step are worth at most
_HALF_LIFE = 180.0  # days in which counts lose half of that
_STEADY = 1.0  # tries that the level of counts is worth against the last tries
_FADES = 0.7  # what a try is worth after each newer one
_FADES_IN = 7.0  # days in which it loses half
_LAST = 20  # tries and looks that are asked for


class UsualRates(NamedTuple):
    """How often acts of a store lead where they should, and what is looked for is found."""

    led: float
    found: float


@dataclass(frozen=True, slots=True)
class StepEvidence:
    """What is known of a step.

    Parameters
    ----------
    probability
        The chance of its success, 0 to 1.
    succeeded, tried, days
        How often the act led there, of how many tries, and days since the last; ``None`` for never.
    found, looked
        How often its component was there in the last 20 looks, those of runs included.
    mean_ms
        How long it took on the average; ``None`` where nobody timed it.
    bound
        Wilson's 95 % lower bound of how often it was shown or confirmed, against being called wrong.
    """

    probability: float
    succeeded: int
    tried: int
    days: float | None
    found: int
    looked: int
    mean_ms: float | None
    bound: float


class _Outcome(NamedTuple):
    """A try or a look: when, and whether it was good."""

    at: str
    good: bool


def usual_rates(store: Store) -> UsualRates:
    """Return the rates of a store; a new one begins with nine of ten."""
    rows = [store.rows(sql)[0] for sql in (SQL.all_tries, SQL.all_looks)]
    good, tried = _START
    return UsualRates(*((good + row["good"]) / (tried + row["tried"]) for row in rows))


def proven_steps(store: Store, skill: Skill) -> dict[int, tuple[int, int]]:
    """Return how often each step of a skill was shown or confirmed, and called wrong, by its number."""
    shown = int(skill.origin == "recorded")
    rows = {row["number"]: row for row in store.rows(SQL.proven, {"skill": skill.id})}
    return {
        step.number: (
            shown + (rows[step.number]["confirmed"] if step.number in rows else 0),
            rows[step.number]["refuted"] if step.number in rows else 0,
        )
        for step in skill.steps
    }


def evidence_of(
    store: Store, step: SkillStep, usual: UsualRates, as_of: str, proven: tuple[int, int]
) -> StepEvidence:
    """Return what is known of a step at a moment; `proven` is what `proven_steps` says of it."""
    asked = {
        "from_state": step.from_state,
        "to_state": step.to_state,
        "action": step.action,
        "component": step.component_id,
        "target": step.target,
        "detail": step.detail,
        "most": _LAST,
    }
    (known,) = store.rows(SQL.tries, asked)
    succeeded, tried = int(known["succeeded"] or 0), int(known["tried"] or 0)
    days = None if known["last_used_at"] is None else _days(known["last_used_at"], as_of)
    runs = [(one["at"], one["outcome"]) for one in store.rows(SQL.runs_of_step, asked)]
    acts = [
        _Outcome(at, outcome in {"done", "recovered"})
        for at, outcome in runs
        if outcome != "halted"
    ]
    looks = [_Outcome(one["at"], bool(one["found"])) for one in store.rows(SQL.looks, asked)]
    looks += [_Outcome(at, outcome != "halted") for at, outcome in runs]
    looks = sorted(looks, key=lambda one: one.at, reverse=True)[:_LAST]
    found, looked = sum(one.good for one in looks), len(looks)
    led = _last(acts, _counted(succeeded, tried, days or 0.0, usual.led), as_of)
    there = 1.0  # of a step that needs none
    if step.component_id is not None or step.target is not None:
        since = _days(looks[0].at, as_of) if looks else 0.0
        there = _last(looks, _counted(found, looked, since, usual.found), as_of)
    mean = known["mean_ms"] if known["mean_ms"] is not None else step.mean_ms
    wrong = proven[1]
    right = max(proven[0], succeeded - wrong)
    bound = wilson_lower_bound(right, right + wrong) if right + wrong else 0.0
    return StepEvidence(led * there, succeeded, tried, days, found, looked, mean, bound)


def _counted(good: int, tried: int, days: float, usual: float) -> float:
    """Return the posterior mean of counts, whose prior is the store's rate."""
    worth = min(tried, _COUNTED) * _faded(days, _HALF_LIFE)
    share = good / tried if tried else 0.0
    return (share * worth + usual * _USUAL) / (worth + _USUAL)


def _last(outcomes: Sequence[_Outcome], steady: float, as_of: str) -> float:
    """Return the posterior mean of the last tries, the newest first, whose prior is a steady rate.

    With weights w[i] = f^i * 2^(-d[i] / h) of a try that i newer ones follow, d[i] days ago, and
    outcomes y[i] of 0 or 1: (sum w[i] y[i] + s * steady) / (sum w[i] + s).

    References
    ----------
    Jøsang, A. and Ismail, R. (2002). The Beta Reputation System. 15th Bled Electronic Commerce
    Conference: the forgetting factor f.
    """
    weights = [
        _FADES**newer * _faded(_days(one.at, as_of), _FADES_IN)
        for newer, one in enumerate(outcomes)
    ]
    good = sum(weight for weight, one in zip(weights, outcomes, strict=True) if one.good)
    return float((good + steady * _STEADY) / (sum(weights) + _STEADY))


def _faded(days: float, half_life: float) -> float:
    return float(2 ** (-days / half_life))


def _days(at: str, as_of: str) -> float:
    passed = datetime.fromisoformat(as_of) - datetime.fromisoformat(at)
    return round(max(0.0, passed.total_seconds() / 86_400), 1)
