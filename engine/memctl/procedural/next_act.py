"""What now: the next act of a skill on a screenshot, for hosts that act with their own hands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from memctl.base.errors import NotFoundError, UsageError
from memctl.procedural.parameters import checked_values, filled
from memctl.store import statements

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memctl.procedural.skill_records import Skill
    from memctl.store.store import Store
    from memctl.visual.reading.boxes_file import BoxesSource
    from memctl.visual.reading.image import ImageSource
    from memctl.visual.visual import Visual

__all__ = ["NextAct", "next_act"]

SQL = statements.load("store/arrival")


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
    image: ImageSource,
    *,
    boxes: BoxesSource | None = None,
    after: int = 0,
) -> NextAct:
    """Return the act that follows a step on a screenshot; reads only.

    The screen must be the one that the step led to, where that is known: else it halts.

    Raises
    ------
    UsageError
        When a parameter is wrong, or there is no such step.
    """
    values = checked_values(skill, given)
    if not 0 <= after <= len(skill.steps):
        raise UsageError(f"there is no step {after}", hint=f"there are {len(skill.steps)}")
    match = visual.match(image, boxes=boxes, record=False)
    shown = match.state.id if match.state else None
    expected = skill.steps[after - 1].to_state if after else skill.steps[0].from_state
    asked = {"one": shown, "other": expected}
    if expected is not None and shown != expected and not store.value(SQL.one_root, asked):
        named = (match.state.name or match.state.id) if match.state else "an unknown screen"
        return _halted(after, f"{named} is on the screen, {expected} was expected")
    if after == len(skill.steps):
        return NextAct(after, "", None, None, "", "", done=True, halt="")
    step = skill.steps[after]
    text, words = filled(step.detail, values) or "", filled(step.words, values) or ""
    if step.component_id is None:
        return NextAct(step.number, step.action, None, None, text, words, done=False, halt="")
    try:
        beside = filled(step.beside, values)
        place = visual.locate(step.component_id, image, boxes=boxes, beside=beside)
    except NotFoundError as error:
        return _halted(after, error.message)
    if not place.found or place.x is None or place.y is None:
        return _halted(after, f"{place.name}: {place.how}")
    x, y = place.x + place.w // 2, place.y + place.h // 2
    return NextAct(step.number, step.action, x, y, text, words, done=False, halt="")


def _halted(after: int, why: str) -> NextAct:
    return NextAct(after, "", None, None, "", "", done=False, halt=why)
