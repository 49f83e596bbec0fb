"""What now: the next act of a skill on a screenshot, for hosts that act with their own hands."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING

from memctl.base import clock
from memctl.base.errors import NotFoundError, UsageError
from memctl.drivers.look import Look
from memctl.procedural.parameters import checked_values, tool_input
from memctl.procedural.running.runner import target_of
from memctl.procedural.twin import foreseen, refuse_inactive, too_risky
from memctl.scenes.effects import count
from memctl.scenes.scene_boxes import scene_of_boxes
from memctl.scenes.targets import find
from memctl.scenes.wording import filled, in_words
from memctl.store import statements
from memctl.store.results import Result
from memctl.visual.reading.boxes_file import read_boxes
from memctl.visual.reading.image import encode_png, load_frame

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memctl.procedural.skill_records import Skill, SkillStep
    from memctl.scenes.scene import Scene
    from memctl.scenes.targets import Target
    from memctl.store.store import Store
    from memctl.visual.reading.boxes_file import BoxesSource
    from memctl.visual.reading.image import ImageSource
    from memctl.visual.visual import Visual

SQL = statements.load("store/arrival")


@dataclass(frozen=True, slots=True)
class NextAct(Result):
    """The next act, or why there is none.

    Parameters
    ----------
    step
        Its number, to be given as ``after`` once it was done.
    act
        ``click``, ``type``, ... or the name of a host's tool; empty where there is none.
    tool
        Whether it is done by that tool, with `text` as its input, and not on the screen.
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
    tool: bool = False

    @property
    def center(self) -> tuple[int, int] | None:
        """The middle of its target, in pixels of the screenshot: where to click."""
        return None if self.x is None or self.y is None else (self.x, self.y)


def next_act(
    store: Store,
    visual: Visual,
    skill: Skill,
    given: Mapping[str, str],
    look: Look | None,
    *,
    after: int = 0,
    least: float,
) -> NextAct:
    """Return the act that follows a step on a screen; reads only.

    What the step led to must be there; else it halts, and so it does where the act's place is not
    settled, or it cannot be undone and its chance is below `least`.

    Parameters
    ----------
    look
        The screen with its boxes; ``None`` where there is none, as for the tools of a host.

    Raises
    ------
    UsageError, RefusedError
        When a parameter is wrong, the skill is not active, there is no such step, or it needs a screen.
    """
    refuse_inactive(skill)
    values = checked_values(skill, given)
    if not 0 <= after <= len(skill.steps):
        raise UsageError(f"there is no step {after}", hint=f"there are {len(skill.steps)}")
    step = skill.steps[after] if after < len(skill.steps) else None
    scene = None if look is None else scene_of_boxes(look.learnable() or [], look.size, look.url)
    why = ""
    if after and look is not None and scene is not None:
        why = _led_elsewhere(store, visual, skill.steps[after - 1], look, scene, values)
        why = f"step {after} led elsewhere: {why}" if why else ""
    if step is not None and not why:
        why = too_risky(foreseen(store, skill, values, clock.now()), step, least)
    if why:
        return _halted(after, why)
    if step is None:
        return NextAct(after, "", None, None, "", "", done=True, halt="")
    text, words = filled(step.detail, values) or "", filled(step.words, values) or ""
    act = NextAct(
        step.number, step.tool or step.action, None, None, text, words, done=False, halt=""
    )
    if step.tool:
        return replace(act, tool=True, text=tool_input(skill, step, values))
    target = target_of(step)
    if target is None:
        return act
    if look is None or scene is None:
        raise UsageError(f"step {step.number} ({words}) needs the screen", hint="give a screenshot")
    return _placed(visual, step, replace(act, step=after), target, look, scene, values)


def _placed(
    visual: Visual,
    step: SkillStep,
    act: NextAct,
    target: Target,
    look: Look,
    scene: Scene,
    values: Mapping[str, str],
) -> NextAct:
    """Return an act with its place on the screen, by its boxes or else by its picture, or a halt."""
    # Boxes of a screen do not tell what is a dialog, nor how elements lie in one another.
    target_found = find(scene, replace(target, dialog=False, way=""), values)
    if target_found.node is not None:
        x, y = scene.nodes[target_found.node].middle
        return replace(act, step=step.number, x=round(x), y=round(y))
    why = target_found.why
    if step.component_id is not None and not names_held(step):
        try:
            place = visual.locate(step.component_id, look.png)
        except NotFoundError as error:
            why = error.message
        else:
            if place.found and place.x is not None and place.y is not None:
                x, y = place.x + place.w / 2, place.y + place.h / 2
                return replace(act, step=step.number, x=round(x), y=round(y))
            why = place.how
    return _halted(act.step, f"step {step.number} ({act.words}): {why}")


def names_held(step: SkillStep) -> bool:
    """Return whether a step's target depends on a parameter: its picture alone is not enough then."""
    return (step.place is not None and bool(step.place.names)) or "{" in (step.beside or "")


def _led_elsewhere(
    store: Store,
    visual: Visual,
    step: SkillStep,
    look: Look,
    scene: Scene,
    values: Mapping[str, str],
) -> str:
    """Return the evidence against a step having led where it leads; empty for none."""
    for template in (*step.effects.gone, *step.effects.gone_since):
        if count(scene, template, values):
            return f'"{in_words(template, values)}" is still there'
    for template in step.effects.came:
        if scene.folded_texts and not count(scene, template, values):
            return f'"{in_words(template, values)}" is not there'
    if step.to_state is None:
        return ""
    state = visual.match(look.png, boxes=look.learnable(), record=False).state
    asked = {"one": state.id if state else "", "other": step.to_state}
    if state is not None and (state.id == step.to_state or store.value(SQL.one_root, asked)):
        return ""
    return _instead(state)


def _instead(state: object) -> str:
    name = getattr(state, "name", None) or getattr(state, "id", None)
    return f"{name or 'an unknown screen'} is there instead"


def _halted(after: int, why: str) -> NextAct:
    return NextAct(after, "", None, None, "", "", done=False, halt=why)


def still_look(image: ImageSource, boxes: BoxesSource | None = None) -> Look:
    """Return a screenshot with the boxes of a boxes file as a look, for a host with its own hands."""
    frame = load_frame(image)
    size = (frame.width, frame.height)
    given = read_boxes(boxes, width=size[0], height=size[1]) if boxes is not None else ()
    result = [
        {
            **asdict(box.box),
            "label": box.label,
            "type": box.kind,
            "row": box.row,
            "section": box.section,
        }
        for box in given
        if box.covered == 0
    ]
    return Look(encode_png(frame.bgr), result, size=size)
