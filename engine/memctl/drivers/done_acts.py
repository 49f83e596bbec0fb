"""Done acts: the events of a page, one at a time, joined to a person's acts."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import hypot
from typing import TYPE_CHECKING, Any

from memctl.drivers.look import Look
from memctl.drivers.page_traffic import PageRequest
from memctl.scenes.scene import Scene
from memctl.store.results import Result

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memctl.drivers.page_traffic import PageTraffic

# A pointer that is let go this near to where it was pressed, in CSS pixels, did not drag.
_NEAR = 8.0
# Two downs within half a second are one double click; wheel events within one are one scroll.
_DOUBLE, _SCROLL = 0.5, 1.0
_BUTTONS = {0: "click", 2: "right click"}


@dataclass(frozen=True, slots=True)
class DoneAct(Result):
    """One act of a person in a page, with the looks before and after it.

    Parameters
    ----------
    kind
        ``click``, ``double click``, ``right click``, ``hover``, ``drag``, ``type``, ``key``,
        ``scroll`` or ``goto``.
    x, y
        The place of the pointer, pressed down, in CSS pixels of the viewport; ``None`` for
        what is done without one.
    to
        The place where a drag was let go; how far a scroll went, right and down.
    text
        What was typed or chosen, the name of the key (``Control+s``) or the path of the URL.
    secret
        Whether it was typed into a field for a secret: its text is empty then.
    label
        The accessible name of what was pressed, or of what had the focus for a key.
    field
        The label of the field that was typed into.
    before, after
        The last look at the settled page before the act, and the first one after it. Acts that
        came faster than the page could be looked at share them.
    seconds
        From the act's end until the page had settled.
    scene, node
        The page just before the act, and the number of what it was done to in it; ``None`` where
        only pictures were taken.
    onto
        The page when a drag was let go, and the number of what that was over.
    then
        The page after it: settled, or as the next act found it.
    requests
        What the page asked for from the act until the next one.
    asked, declined
        The question of the browser's own dialog, which was agreed to, or was not; empty for none.
    """

    kind: str
    x: float | None
    y: float | None
    to: tuple[float, float] | None
    text: str
    secret: bool
    label: str
    field: str
    before: Look
    after: Look
    seconds: float
    scene: Scene | None = None
    node: int | None = None
    onto: tuple[Scene, int] | None = None
    then: Scene | None = None
    requests: tuple[PageRequest, ...] = ()
    asked: str = ""
    declined: str = ""


@dataclass(slots=True)
class _Step:
    """An act that may still go on: another letter, a second click."""

    act: DoneAct
    target: str
    first: float
    last: float
    done: bool = False  # a look was taken after it


class ActJoiner:
    """Joins events of a page to acts: down and up to a click, letters to one text.

    The ``at`` of an event is in milliseconds of the system's clock.
    """

    def __init__(self) -> None:
        self._steps: list[_Step] = []
        self._down: Mapping[str, Any] | None = None

    @property
    def acts(self) -> list[DoneAct]:
        """The acts that were looked at before and after."""
        return [step.act for step in self._steps if step.done]

    @property
    def waiting(self) -> bool:
        """Whether an act waits for the look after it."""
        return any(not step.done for step in self._steps)

    def read(self, event: Mapping[str, Any], before: Look) -> None:
        """Take in the next event; `before` is the last look at the settled page.

        ``left`` tells that the document was left: a press ends there.
        """
        kind = event["kind"]
        if kind == "up":
            self._let_go(event, before)
            return
        if kind not in {"hover", "wheel"}:
            self._let_go(None, before)
        if kind == "down":
            self._down = event
        elif kind == "type":
            self._type(event, before)
        elif kind == "wheel":
            self._scroll(event, before)
        elif kind != "left" and not (self._erased(event) or self._rests(event)):
            self._add(kind, event, before)

    def close(self, after: Look, at: float, scene: Scene | None = None) -> None:
        """Give every act that waits its look; the page had settled at `at`, in seconds."""
        for number, step in enumerate(self._steps):
            if not step.done:
                seconds = max(0.0, at - step.last)
                last = number == len(self._steps) - 1 or step.act.then is None
                then = scene if last and scene is not None else step.act.then
                step.act = replace(step.act, after=after, seconds=seconds, then=then)
                step.done = True

    def hear(self, traffic: PageTraffic) -> None:
        """Give each act the requests and dialogs that came from it until the next one."""
        for number, step in enumerate(self._steps):
            after = self._steps[number + 1 :]
            until = after[0].first if after else float("inf")
            answers = {
                dialog.agreed: dialog.message
                for dialog in traffic.dialogs
                if step.first <= dialog.at < max(until, step.last + 1) and dialog.message
            }
            step.act = replace(
                step.act,
                requests=tuple(traffic.since(step.first, until)),
                asked=answers.get(True, ""),
                declined=answers.get(False, ""),
            )

    def drop_waiting(self) -> None:
        """Forget the acts that no look will follow."""
        self._steps = [step for step in self._steps if step.done]

    def _let_go(self, up: Mapping[str, Any] | None, before: Look) -> None:
        """End a press; one without an end, since its page went away, is a click."""
        down, self._down = self._down, None
        if down is None or down["button"] not in _BUTTONS:
            return
        kind, end = _BUTTONS[down["button"]], up or down
        at = end["at"] / 1000
        if kind == "click" and _apart(down, end) > _NEAR:
            step = self._add("drag", down, before, to=(end["x"], end["y"]))
            step.last = at
            if over := end.get("over"):
                step.act = replace(step.act, onto=(Scene.read(over["scene"]), int(over["node"])))
            return
        last = self._steps[-1] if self._steps else None
        if last and kind == last.act.kind == "click" and _is_second(last, down):
            self._extend(last, at, kind="double click")
            return
        pointed = (
            last.act
            if last and last.act.kind == "hover" and last.target == down["target"]
            else None
        )
        if pointed is not None:  # to press it is to point at it
            self._steps.pop()
            before = pointed.before
        self._add(kind, down, before).last = at

    def _type(self, event: Mapping[str, Any], before: Look) -> None:
        last, whole = self._same_field(event), event.get("whole", False)
        if last is None:
            self._add("type", event, before)
        else:
            text = event["text"] if whole else last.act.text + event["text"]
            secret = last.act.secret or event["secret"]
            text = "" if secret else text
            self._extend(last, event["at"] / 1000, text=text, secret=secret)

    def _erased(self, event: Mapping[str, Any]) -> bool:
        """Take back the last letter that was typed, where the key does just that."""
        last = self._same_field(event)
        if event.get("text") != "Backspace" or last is None:
            return False
        if not last.act.secret and len(last.act.text) <= 1:
            return False
        self._extend(last, event["at"] / 1000, text=last.act.text[:-1])
        return True

    def _rests(self, event: Mapping[str, Any]) -> bool:
        """Go on with a hover over what the pointer is on already."""
        last = self._steps[-1] if self._steps else None
        same = last and event["kind"] == last.act.kind == "hover"
        if not last or not same or last.target != event["target"]:
            return False
        self._extend(last, event["at"] / 1000)
        return True

    def _same_field(self, event: Mapping[str, Any]) -> _Step | None:
        """Return the last step where something was typed into the same field."""
        last = self._steps[-1] if self._steps else None
        same = last and last.act.kind == "type" and last.target == event.get("target")
        return last if same else None

    def _scroll(self, event: Mapping[str, Any], before: Look) -> None:
        last, at = (self._steps[-1] if self._steps else None), event["at"] / 1000
        to = (event["dx"], event["dy"])
        if last and last.act.kind == "scroll" and last.act.to and at - last.last <= _SCROLL:
            self._extend(last, at, to=(last.act.to[0] + to[0], last.act.to[1] + to[1]))
        else:
            self._add("scroll", event, before, to=to)

    def _add(
        self,
        kind: str,
        event: Mapping[str, Any],
        before: Look,
        to: tuple[float, float] | None = None,
    ) -> _Step:
        act = DoneAct(
            kind=kind,
            x=event.get("x"),
            y=event.get("y"),
            to=to,
            text=event.get("text", ""),
            secret=event.get("secret", False),
            label=event.get("label", ""),
            field=event.get("field", ""),
            before=before,
            after=before,
            seconds=0.0,
        )
        at = event["at"] / 1000
        if "scene" in event:
            scene = Scene.read(event["scene"])
            act = replace(act, scene=scene, node=event["node"] if event["node"] >= 0 else None)
            if self._steps and not self._steps[-1].done:
                self._steps[-1].act = replace(self._steps[-1].act, then=scene)
        self._steps.append(_Step(act, event.get("target", ""), at, at))
        return self._steps[-1]

    @staticmethod
    def _extend(step: _Step, at: float, **changes: Any) -> None:
        step.act, step.last, step.done = replace(step.act, **changes), at, False


def _apart(box: Mapping[str, Any], other: Mapping[str, Any]) -> float:
    return hypot(box["x"] - other["x"], box["y"] - other["y"])


def _is_second(first: _Step, down: Mapping[str, Any]) -> bool:
    near = _apart({"x": first.act.x, "y": first.act.y}, down) <= _NEAR
    return near and down["at"] / 1000 - first.first <= _DOUBLE
