"""Acts: what a step does, at the point where its target is."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote, urljoin

from memctl.base.errors import UsageError
from memctl.procedural.parameters import filled

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memctl.procedural.running.body import Body, Button, ViewportPoint
    from memctl.procedural.skill_records import SkillStep

__all__ = ["ACTS", "act"]

_CLICKS: dict[str, tuple[int, Button]] = {
    "click": (1, "left"),
    "double click": (2, "left"),
    "right click": (1, "right"),
}
ACTS = (*_CLICKS, "hover", "drag", "type", "key", "scroll", "goto", "read")
"""The acts that a runner can do; a host does others by itself."""


def act(
    body: Body,
    step: SkillStep,
    point: ViewportPoint | None,
    values: Mapping[str, str],
    url: str | None,
) -> str:
    """Do what a step says; return the text that it reads, empty for none.

    Raises
    ------
    UsageError
        When the step needs a place and has none, or names no act.
    UnusableInputError
        When the app is gone.
    """
    detail = filled(step.detail, values) or ""
    if step.action == "type":
        if point is not None:
            body.hands.click(*point)
        body.hands.type(detail)
    elif step.action == "key":
        body.hands.press(detail)
    elif step.action == "goto":
        plain = {name: quote(value, safe="") for name, value in values.items()}
        body.hands.goto(urljoin(url or "", filled(step.detail, plain) or ""))
    elif step.action == "scroll":
        body.hands.scroll(*(point or (1.0, 1.0)), *_pair(step))
    elif point is None:
        raise UsageError(f'"{step.words}" names no place', hint="record the skill anew")
    else:
        return _act_at(body, step, point)
    return ""


def _act_at(body: Body, step: SkillStep, point: ViewportPoint) -> str:
    if step.action in _CLICKS:
        count, button = _CLICKS[step.action]
        body.hands.click(*point, count=count, button=button)
    elif step.action == "hover":
        body.hands.hover(*point)
    elif step.action == "drag":
        over, down = _pair(step)
        body.hands.drag(*point, point.x + over, point.y + down)
    elif step.action == "read":
        return body.text_at(*point)
    else:
        raise UsageError(f'"{step.action}" is no act of a runner', hint=f"there are: {ACTS}")
    return ""


def _pair(step: SkillStep) -> tuple[float, float]:
    """Return how far a drag or a scroll goes: two numbers of CSS pixels."""
    try:
        over, down = map(float, (step.detail or "").split(","))
    except ValueError:
        raise UsageError(f'"{step.words}" says no distance', hint="such as 0,400") from None
    return over, down
