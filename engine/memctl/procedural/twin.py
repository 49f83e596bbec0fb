"""The twin of a skill: its run foreseen step by step, and how well such chances fit what happened.

A step succeeds when its component is there and its act leads where it led before. Each of the two
chances is the mean of a Beta distribution at three levels, and each level is the prior of the next:
all tries of the store, those of this step, its last ones. A count is worth five tries at most, since
a way that has always led there may stop to; the last tries fade with each newer one and with time.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from operator import itemgetter
from typing import TYPE_CHECKING

from memctl.base.errors import UsageError
from memctl.scenes.wording import filled
from memctl.store import statements
from memctl.store.results import Result
from memctl.visual.graph.transitions import wilson_lower_bound

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from memctl.procedural.skill_records import Skill, SkillStep
    from memctl.store.store import Store

SQL = statements.load("store/twin")
_START = (9, 10)  # successes and tries that a store begins with
_USUAL, _STEADY = 4.0, 1.0  # tries that each level is worth as the prior of the next
_COUNTED, _HALF_LIFE = 5.0, 180.0  # tries that counts are worth at most, days that halve that
_FADES, _FADES_IN = 0.7, 7.0  # what a try is worth after each newer one, days that halve it
_LAST = 20  # tries and looks that are asked for
_BINS = 10
_ASKED = ("number", "from_state", "to_state", "action", "component_id", "target", "detail")


@dataclass(frozen=True, slots=True)
class TwinStep(Result):
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
class Twin(Result):
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


@dataclass(frozen=True, slots=True)
class ReliabilityBin(Result):
    """The runs whose predicted chance lies in one tenth.

    Parameters
    ----------
    low, high
        Where the tenth begins and ends; the last one holds its end.
    runs
        How many.
    predicted, happened
        Their mean predicted chance, and the share that was done.
    """

    low: float
    high: float
    runs: int
    predicted: float
    happened: float


@dataclass(frozen=True, slots=True)
class Calibration(Result):
    """How well the twin's chances fit what happened.

    Parameters
    ----------
    runs, done
        Ended runs that it predicted, and those that reached their end. What a rule or a person
        stopped is none of them: that says nothing of the app.
    brier, base
        Brier scores, 0 the best: the mean squared difference between a chance and what happened
        (1 or 0); of the twin, and of the share of runs done before each. ``None`` without runs.
    bins
        The reliability table: tenths of the chance in which there is a run.

    References
    ----------
    Brier, G. W. (1950). Verification of forecasts expressed in terms of probability. Monthly
    Weather Review 78, 1-3.
    """

    runs: int
    done: int
    brier: float | None
    base: float | None
    bins: tuple[ReliabilityBin, ...]


def foreseen(store: Store, skill: Skill, values: Mapping[str, str], as_of: str) -> Twin:
    """Return how a run of a skill would go at a moment; reads only."""
    good, tried = _START
    usual = [(good + row["good"]) / (tried + row["tried"]) for row in store.rows(SQL.usual)]
    steps = tuple(_step(store, skill, one, values, usual, as_of) for one in skill.steps)
    return Twin(
        skill.name,
        steps,
        round(prod(one.probability for one in steps), 4),
        round(sum(one.seconds or 0.0 for one in steps), 1),
        min(steps, key=lambda step: (step.probability, step.number)).number,
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


def calibration_of(store: Store) -> Calibration:
    """Return how well the runs of a store were predicted; reads only."""
    rows = store.rows(SQL.predicted_runs) if store.exists else []
    happened = [bool(row["done"]) for row in rows]
    foretold, before = ([float(row[key]) for row in rows] for key in ("predicted", "share"))
    bins = reliability(zip(foretold, happened, strict=True))
    return Calibration(
        len(rows), sum(happened), _brier(foretold, happened), _brier(before, happened), bins
    )


def reliability(pairs: Iterable[tuple[float, bool]]) -> tuple[ReliabilityBin, ...]:
    """Return the reliability table of chances and what happened."""
    tenths: dict[int, list[tuple[float, bool]]] = {}
    for chance, happened in pairs:
        tenths.setdefault(min(int(chance * _BINS), _BINS - 1), []).append((chance, happened))
    return tuple(
        ReliabilityBin(
            tenth / _BINS,
            (tenth + 1) / _BINS,
            len(inside),
            *(round(sum(column) / len(inside), 4) for column in zip(*inside, strict=True)),
        )
        for tenth, inside in sorted(tenths.items())
    )


def _step(
    store: Store,
    skill: Skill,
    step: SkillStep,
    values: Mapping[str, str],
    usual: Sequence[float],
    as_of: str,
) -> TwinStep:
    asked = {key: getattr(step, key) for key in _ASKED}
    asked |= {"skill": skill.id, "most": _LAST, "as_of": as_of}
    (known,) = store.rows(SQL.step, asked)
    runs = [(row["days"], row["outcome"]) for row in store.rows(SQL.runs_of_step, asked)]
    acts = [(ago, how in {"done", "recovered"}) for ago, how in runs if how != "halted"]
    looks = [(row["days"], bool(row["found"])) for row in store.rows(SQL.looks, asked)]
    looks += [(ago, how != "halted") for ago, how in runs]
    looks = sorted(looks, key=itemgetter(0))[:_LAST]
    succeeded, tried, found = known["succeeded"], known["tried"], sum(good for _, good in looks)
    chance = _chance(acts, succeeded, tried, known["days"] or 0.0, usual[0])
    if step.component_id is not None or step.target is not None:  # else nothing has to be there
        since = looks[0][0] if looks else 0.0
        chance *= _chance(looks, found, len(looks), since, usual[1])
    # What was written by hand was never shown; an act may have been called wrong as often as done.
    wrong, shown = known["refuted"], skill.shown_looks is not None
    right = max(shown + known["confirmed"], succeeded - wrong)
    mean = step.mean_ms if known["mean_ms"] is None else known["mean_ms"]
    return TwinStep(
        step.number,
        filled(step.words, values) or step.words,
        at=known["here"],
        to=known["there"],
        probability=round(chance, 4),
        bound=round(wilson_lower_bound(right, right + wrong), 4) if right + wrong else 0.0,
        seconds=None if mean is None else round(mean / 1000, 2),
        succeeded=succeeded,
        tried=tried,
        days=None if known["days"] is None else round(known["days"], 1),
        found=found,
        looked=len(looks),
        irreversible=step.irreversible,
    )


def _chance(
    last: Sequence[tuple[float, bool]], good: int, tried: int, days: float, usual: float
) -> float:
    """Return the posterior mean of the last tries, over counts that are some days old, over the usual.

    With weights w[i] = f^i * 2^(-d[i] / h) of a try that i newer ones follow, d[i] days ago, and
    outcomes y[i] of 0 or 1: (sum w[i] y[i] + s * steady) / (sum w[i] + s).

    References
    ----------
    Jøsang, A. and Ismail, R. (2002). The Beta Reputation System. 15th Bled Electronic Commerce
    Conference: the forgetting factor f.
    """
    worth = min(tried, _COUNTED) * 2 ** (-days / _HALF_LIFE)
    steady = (good / max(tried, 1) * worth + usual * _USUAL) / (worth + _USUAL)
    weights = [_FADES**newer * 2 ** (-ago / _FADES_IN) for newer, (ago, _) in enumerate(last)]
    right = sum(weight for weight, (_, was) in zip(weights, last, strict=True) if was)
    return float((right + steady * _STEADY) / (sum(weights) + _STEADY))


def _brier(chances: Sequence[float], happened: Sequence[bool]) -> float | None:
    pairs = [(chance - was) ** 2 for chance, was in zip(chances, happened, strict=True)]
    return round(sum(pairs) / len(pairs), 4) if pairs else None
