"""What now: the next act of a skill on a screenshot, for hosts that act with their own hands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from memctl.base import clock
from memctl.base.errors import UsageError
from memctl.procedural.parameters import checked_values, filled
from memctl.procedural.running.arrivals import Arrivals
from memctl.procedural.running.targets import Targets
from memctl.procedural.twin import foreseen, refuse_inactive, too_risky
from memctl.visual.graph.components import Components

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memctl.procedural.running.body import Sight
    from memctl.procedural.skill_records import Skill
    from memctl.store.store import Store
    from memctl.visual.visual import Visual

__all__ = ["NextAct", "next_act"]


@dataclass(frozen=True, slots=True)
class NextAct:
    """The next act, or why there is none.

    Parameters
    ----------
    step
        Its number, to be given as ``after`` once it was done.
    act
        ``click``, ``type``, ...; empty where there is none.
    x, y
        The middle of its target, in pixels of the screenshot; ``None`` where it needs none.
    text
        What is typed or pressed.
    words
        The same for people.
    done
        Whether the skill is at its end.
    halt
        Why it must not go on; empty where it may.
    """

    step: int
    act: str
    x: int | None
    y: int | None
    text: str
    words: str
    done: bool
    halt: str


def next_act(
    store: Store,
    visual: Visual,
    skill: Skill,
    given: Mapping[str, str],
    sight: Sight,
    *,
    after: int = 0,
    least: float,
) -> NextAct:
    """Return the act that follows a step on a screenshot; reads only.

    What the step led to must be there, as for a run; else it halts, and so it does where the act's
    place is not settled, or it cannot be undone and its chance is below `least`.

    Raises
    ------
    UsageError, RefusedError
        When a parameter is wrong, the skill is not active, or there is no such step.
    """
    refuse_inactive(skill)
    values = checked_values(skill, given)
    if not 0 <= after <= len(skill.steps):
        raise UsageError(f"there is no step {after}", hint=f"there are {len(skill.steps)}")
    targets = Targets(Components(store), visual, sight)
    step = skill.steps[after] if after < len(skill.steps) else None
    if after:
        arrivals = Arrivals(store, visual, sight, targets, record=False)
        arrival = arrivals.at_once(skill.steps[after - 1], step)
        if not arrival.came:
            return _halted(after, f"step {after} led elsewhere: {arrival.why}")
    if step is None:
        return NextAct(after, "", None, None, "", "", done=True, halt="")
    if why := too_risky(foreseen(store, skill, values, clock.now()), step, least):
        return _halted(after, why)
    text, words = filled(step.detail, values) or "", filled(step.words, values) or ""
    target = targets.find(step, values)
    if not target.found:
        return _halted(after, f"step {step.number} ({words}): {target.why}")
    x, y = (round(target.point.x), round(target.point.y)) if target.point else (None, None)
    return NextAct(step.number, step.action, x, y, text, words, done=False, halt="")


def _halted(after: int, why: str) -> NextAct:
    return NextAct(after, "", None, None, "", "", done=False, halt=why)
