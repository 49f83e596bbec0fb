"""Acting: one act of a step, on what was found a moment ago, under a guard that lets no other be hit."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal
from urllib.parse import quote, urljoin

from memctl.base.errors import MemctlError, UsageError
from memctl.drivers.page_scenes import unguarded
from memctl.procedural.skill_checking import refuse_address
from memctl.scenes.targets import find
from memctl.scenes.wording import filled

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memctl.procedural.running.run_page import RunPage
    from memctl.procedural.running.seeking import Sought
    from memctl.procedural.skill_records import SkillStep
    from memctl.scenes.scene import Scene

Button = Literal["left", "right", "middle"]
CLICKS: dict[str, tuple[int, Button]] = {
    "click": (1, "left"),
    "double click": (2, "left"),
    "right click": (1, "right"),
}
ACTS = (*CLICKS, "hover", "drag", "type", "key", "scroll", "goto", "read")
"""The acts that a runner can do; a host does others by itself."""


class MissedError(Exception):
    """The act was not done: something came between it and its target. It may be sought anew."""


@dataclass(frozen=True, slots=True)
class Acted:
    """An act that was done.

    Parameters
    ----------
    before
        The page right before it.
    node
        What it was done to, in that scene; ``None`` for none.
    read
        The text that it read; empty for none.
    """

    before: Scene
    node: int | None
    read: str = ""


def act(
    page: RunPage,
    step: SkillStep,
    sought: Sought | None,
    values: Mapping[str, str],
    url: str | None,
) -> Acted:
    """Carry out a step's act.

    Raises
    ------
    MissedError
        When the target is covered, moves, or is another by now: nothing was done.
    UsageError, RefusedError, UnusableInputError
        When the step needs a place and has none, names no act, or the page is gone.
    """
    if sought is None:
        return _act_anywhere(page, step, values, url)
    node = sought.found.node
    assert node is not None  # noqa: S101  (only what was found is acted on)
    if step.action == "read":
        return Acted(sought.held.scene, node, sought.held.scene.texts[node])
    if step.action == "key":
        return _pressed(page, step, sought, node, values)
    if step.action == "type":
        return _typed(page, step, sought, node, values)
    return _pointed_at(page, step, sought, node, values)


def _act_anywhere(
    page: RunPage, step: SkillStep, values: Mapping[str, str], url: str | None
) -> Acted:
    before = page.scene()
    detail = filled(step.detail, values) or ""
    if step.action == "goto":
        page.driver.goto(page_address(step, values, url))
    elif step.action == "key":
        page.hands.press(detail)
    elif step.action == "type":
        page.hands.type(detail)
    elif step.action == "scroll":
        width, height = before.size
        page.hands.scroll(width / 2, height / 2, *_pair(step))
    elif step.action in ACTS:
        raise UsageError(f'"{step.words}" names no place', hint="record the skill anew")
    else:
        raise UsageError(f'"{step.action}" is no act of a runner', hint=f"there are: {ACTS}")
    return Acted(before, None)


def page_address(step: SkillStep, values: Mapping[str, str], url: str | None) -> str:
    """Return the URL that a step opens: http or https, and of the skill's own site.

    Raises
    ------
    RefusedError
        When it is another.
    """
    plain = {name: quote(value, safe="") for name, value in values.items()}
    whole = urljoin(url or "", filled(step.detail, plain) or "")
    refuse_address(whole, url)
    return whole


def _aimed(
    page: RunPage, sought: Sought, node: int, values: Mapping[str, str], step: SkillStep
) -> tuple[Sought, int, float, float]:
    """Return the target in view and at rest, read anew where it had to be scrolled to."""
    for _ in range(3):
        aim = sought.held.aim(node, moving=step.action == "hover")
        if aim.why:
            raise MissedError(f"{step.words}: {aim.why}")
        if not aim.scrolled or step.place is None:
            return sought, node, aim.x, aim.y
        held = page.held()
        target_found = find(held.scene, step.place, values)
        if target_found.node is None:
            raise MissedError(target_found.why)
        sought, node = replace(sought, held=held, found=target_found), target_found.node
    return sought, node, aim.x, aim.y


def _pointed_at(
    page: RunPage, step: SkillStep, sought: Sought, node: int, values: Mapping[str, str]
) -> Acted:
    """Press, rest or drag at a target; a guard in the page blocks what would hit another."""
    sought, node, x, y = _aimed(page, sought, node, values, step)
    before = sought.held.scene
    if step.action == "hover":
        page.hands.hover(x, y)
        return Acted(before, node)
    onto = _onto(step, sought, values) if step.action == "drag" else None
    guard = sought.held.guard(node, sought.found.watched)
    try:
        if onto is not None:
            page.hands.drag(x, y, *onto)
        elif step.action in CLICKS:
            count, button = CLICKS[step.action]
            page.hands.click(x, y, count=count, button=button)
        else:
            raise UsageError(f'"{step.action}" is no act of a runner', hint=f"there are: {ACTS}")
    finally:
        hit, why = unguarded(guard)
    if why:
        raise MissedError(f"{step.words}: {why}")
    if not hit:
        raise MissedError(f"{step.words}: it did not take the press")
    return Acted(before, node)


def _onto(step: SkillStep, sought: Sought, values: Mapping[str, str]) -> tuple[float, float]:
    if step.onto is None:
        over, down = _pair(step)
        x, y = sought.held.scene.nodes[sought.found.node or 0].middle
        return x + over, y + down
    target_found = find(sought.held.scene, step.onto, values)
    if target_found.node is None:
        raise MissedError(f"{step.onto.words(values)}: {target_found.why}")
    aim = sought.held.aim(target_found.node)
    if aim.why:
        raise MissedError(f"{step.onto.words(values)}: {aim.why}")
    return aim.x, aim.y


def _pressed(
    page: RunPage, step: SkillStep, sought: Sought, node: int, values: Mapping[str, str]
) -> Acted:
    """Press a key where it was pressed: what has the focus must be the same."""
    before = sought.held.scene
    if before.focus != node:
        sought.held.focus(node)
        held = page.held()
        before = held.scene
    page.hands.press(filled(step.detail, values) or "")
    return Acted(before, node)


def _typed(
    page: RunPage, step: SkillStep, sought: Sought, node: int, values: Mapping[str, str]
) -> Acted:
    """Type into a field, or choose in a list; its text is replaced where it was when shown."""
    detail = filled(step.detail, values) or ""
    before = sought.held.scene
    field = before.nodes[node]
    if "choices" in field.state:
        return _chosen(page, sought, node, detail, before)
    if before.focus != node:
        sought, node, x, y = _aimed(page, sought, node, values, step)
        guard = sought.held.guard(node, sought.found.watched)
        page.hands.click(x, y)
        hit, why = unguarded(guard)
        if why or not hit:
            raise MissedError(f"{step.words}: {why or 'it did not take the press'}")
        before = page.scene()
        if before.focus is None:
            raise MissedError(f"{step.words}: it did not take the focus")
    whole = step.effects.state.get("value", step.detail) == step.detail
    if whole and before.nodes[before.focus or 0].state.get("value"):
        page.hands.clear()
    elif not whole:
        page.hands.press("End")
    page.hands.type(detail)
    return Acted(before, node)


def _chosen(page: RunPage, sought: Sought, node: int, detail: str, before: Scene) -> Acted:
    choices = before.nodes[node].state["choices"].split("\n")
    if detail not in choices:
        raise MissedError(f'the list has no choice "{detail}", but {", ".join(choices[:6])}')
    sought.held.focus(node)
    try:
        page.hands.type(detail)
    except MemctlError as error:
        raise MissedError(error.message) from None
    return Acted(before, node)


def _pair(step: SkillStep) -> tuple[float, float]:
    """Return how far a drag or a scroll goes: two numbers of CSS pixels."""
    try:
        over, down = map(float, (step.detail or "").split(","))
    except ValueError:
        raise UsageError(f'"{step.words}" says no distance', hint="such as 0,400") from None
    return over, down
