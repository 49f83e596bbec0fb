"""Recording: what somebody did on an app becomes the steps of a draft, its screens learned by the way."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from memctl.base.errors import UsageError, WrongTypeError
from memctl.procedural.skill_records import SkillDraft, SkillStep
from memctl.visual.graph.components import Components
from memctl.visual.graph.transitions import Transitions

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from memctl.drivers.look import Look
    from memctl.store.store import Store
    from memctl.visual.match_results import Learn, Learned, Sighting
    from memctl.visual.visual import Visual

__all__ = ["Recorder", "ShownAct"]

_TYPED = ("type", "key")
_PROOFS = 4  # components that prove a step, at most


@runtime_checkable
class ShownAct(Protocol):
    """One act of a demonstration, as a driver saw it; places are CSS pixels of the viewport."""

    @property
    def kind(self) -> str: ...  # noqa: D102
    @property
    def x(self) -> float | None: ...  # noqa: D102
    @property
    def y(self) -> float | None: ...  # noqa: D102
    @property
    def to(self) -> tuple[float, float] | None: ...  # noqa: D102
    @property
    def text(self) -> str: ...  # noqa: D102
    @property
    def secret(self) -> bool: ...  # noqa: D102
    @property
    def before(self) -> Look: ...  # noqa: D102
    @property
    def after(self) -> Look: ...  # noqa: D102
    @property
    def seconds(self) -> float: ...  # noqa: D102


class Recorder:
    """Makes drafts of demonstrations.

    Parameters
    ----------
    store
        The open store.
    visual
        The visual memory: each screen of the demonstration is learned.
    """

    def __init__(self, store: Store, visual: Visual) -> None:
        self._store = store
        self._visual = visual
        self._learned: dict[int, Learn] = {}
        self._took: dict[int, float] = {}  # seconds of each look, with learning it

    def draft(
        self,
        name: str,
        acts: Sequence[ShownAct],
        *,
        url: str | None = None,
        description: str = "",
        triggers: Sequence[str] = (),
        parameters: Mapping[str, str] | None = None,
        outputs: Mapping[str, str | int] | None = None,
    ) -> SkillDraft:
        """Return the draft of a demonstration; the graph learns its acts, too.

        Parameters
        ----------
        parameters
            Names, each with the value that it had: where that was typed, or stands on the target or
            in its row, the parameter takes its place.
        outputs
            Names under which a component's text is read at the end.

        Raises
        ------
        UsageError
            When nothing was done, or an act is none.
        """
        listed = isinstance(acts, (list, tuple))
        if not listed or not all(isinstance(act, ShownAct) for act in acts):
            raise WrongTypeError(
                '"acts" takes acts of a demonstration', hint="those that a Demonstration saw"
            )
        if not acts:
            raise UsageError("nothing was done", hint="press and type in the browser")
        values = dict(parameters or {})
        steps, sources = [], []
        for number, act in enumerate(acts, 1):
            step, transition = self._step(number, act, values)
            steps.append(step)
            sources += [("transition", transition)] if transition else []
        for output, component in (outputs or {}).items():
            steps.append(self._read(len(steps) + 1, steps[-1], output, component))
        return SkillDraft(
            name=name,
            steps=tuple(steps),
            description=description,
            url=url,
            triggers=tuple(triggers) or (name.replace("-", " "),),
            parameters=values,
            sources=tuple(sources),
            **self._cost(acts),
        )

    def _step(
        self, number: int, act: ShownAct, values: dict[str, str]
    ) -> tuple[SkillStep, int | None]:
        before, after = self._learn(act.before), self._learn(act.after)
        component = None if act.kind in _TYPED else self._component_at(act, before)
        came, went = self._differences(before, after, values, component)
        step = SkillStep(
            number=number,
            action=act.kind,
            component_id=component,
            from_state=before.state.id if before.state else None,
            to_state=after.state.id if after.state else None,
            detail=self._detail(act, values),
            mean_ms=round(act.seconds * 1000, 1),
            appearing=came,
            vanishing=went,
        )
        if component is not None:
            step = self._with_target(step, component, values)
        return step, self._taught(step)

    def _cost(self, acts: Sequence[ShownAct]) -> dict[str, Any]:
        """Return what it took with a look first and one after each act; acts may share theirs."""
        longest = {id(acts[0].before): 0.0}
        for act in acts:
            longest[id(act.after)] = max(act.seconds, longest.get(id(act.after), 0.0))
        seconds = sum(wait + self._took[look] for look, wait in longest.items())
        return {"shown_looks": len(longest), "shown_seconds": round(seconds, 3)}

    def _learn(self, look: Look) -> Learn:
        if id(look) not in self._learned:
            began = time.monotonic()
            self._learned[id(look)] = self._visual.learn(
                look.png, look.learnable(), title=look.title or None
            )
            self._took[id(look)] = look.seconds + time.monotonic() - began
        return self._learned[id(look)]

    def _component_at(self, act: ShownAct, seen: Learn) -> int | None:
        """Return the smallest component at the place of an act; ``None`` where none is known."""
        if act.x is None or act.y is None:
            return None
        x, y = act.x * act.before.scale, act.y * act.before.scale
        there = [
            (one.w * one.h, one.component_id)
            for one in _shown(seen)
            if one.x <= x <= one.x + one.w and one.y <= y <= one.y + one.h
        ]
        return min(there)[1] if there else None

    def _differences(
        self, before: Learn, after: Learn, values: Mapping[str, str], acted_on: int | None
    ) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Return the labelled components that came between two looks, and the one pressed if it went.

        What bears the value of a parameter, or stands in a row, proves nothing about another run,
        and what has no label nothing in another theme.
        """
        then, now = ({one.component_id for one in _shown(seen)} for seen in (before, after))
        components = Components(self._store)

        sure = [
            one
            for one in map(components.get, now - then)
            if one.changing_at is None
            and not one.field
            and one.label
            and _with_names(one.label, values) == one.label
        ]
        went = (acted_on,) if acted_on is not None and acted_on not in now else ()
        sure = [one for one in sure if not one.row_text] or ([] if went else sure)
        sure.sort(key=lambda one: (one.cut, -one.w * one.h, one.id))
        return tuple(one.id for one in sure[:_PROOFS]), went

    def _with_target(self, step: SkillStep, component: int, values: dict[str, str]) -> SkillStep:
        """Return a step with what its target is called, and what stands beside it."""
        one = Components(self._store).get(component)
        label = _with_names(one.label or "", values)
        row = _with_names(one.row_text or "", values)
        if label != (one.label or ""):  # what varies is the target itself
            return replace(step, component_id=None, target=label)
        beside = row if one.twins or row != (one.row_text or "") else None
        return replace(step, target=one.name, beside=beside or None)

    @staticmethod
    def _detail(act: ShownAct, values: dict[str, str]) -> str | None:
        if act.secret:
            values.setdefault("password", "")
            return "{password}"
        if act.kind == "drag" and act.to and act.x is not None and act.y is not None:
            return f"{act.to[0] - act.x:g},{act.to[1] - act.y:g}"
        if act.kind == "scroll" and act.to:
            return f"{act.to[0]:g},{act.to[1]:g}"
        return _with_names(act.text, values) or None

    def _read(self, number: int, last: SkillStep, output: str, component: str | int) -> SkillStep:
        one = Components(self._store).living(component)
        return SkillStep(
            number, "read", one.id, one.name, from_state=last.to_state, to_state=last.to_state,
            output=output,
        )  # fmt: skip

    def _taught(self, step: SkillStep) -> int | None:
        """Let the graph know the way; return its transition."""
        if step.from_state is None or step.to_state is None:
            return None
        graph = Transitions(self._store)
        action = step.action if step.component_id is None else f"{step.action}:{step.target}"
        made = graph.record(step.from_state, action, step.to_state, elapsed_ms=step.mean_ms)
        (kept,) = graph.commit([made.id] if made.id else None)
        return kept.id


def _shown(seen: Learn) -> list[Sighting | Learned]:
    """Return what stands on a look."""
    return [*seen.sightings, *seen.learned]


def _with_names(text: str, values: Mapping[str, str]) -> str:
    """Return a text with the names of parameters where their values stand, longest values first."""
    for name, value in sorted(values.items(), key=lambda one: -len(one[1])):
        if value:
            text = text.replace(value, f"{{{name}}}")
    return text
