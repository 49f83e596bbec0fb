"""Arrivals: whether the screen that a step leads to is there. A quiet page alone is no proof."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memctl.store import statements

if TYPE_CHECKING:
    from memctl.drivers.look import Look
    from memctl.procedural.running.body import Body
    from memctl.procedural.running.targets import Targets
    from memctl.procedural.skill_records import SkillStep
    from memctl.store.store import Store
    from memctl.visual.match_results import StateMatch
    from memctl.visual.visual import Visual

__all__ = ["Arrival", "Arrivals"]

SQL = statements.load("store/arrival")
_TELLING = 3  # components of a state that the one before has not
_PROOFS = 2  # of them, that are enough
_LEAST, _MOST = 2.0, 30.0  # seconds that are waited
_TIMES = 3.0  # of the usual time
_APART = 0.1  # seconds between two glances


@dataclass(frozen=True, slots=True)
class Arrival:
    """Whether the expected screen came.

    Parameters
    ----------
    came
        Whether it did.
    state
        The state that is there, where a full look told it.
    why
        What is there instead.
    seen
        The full look, where one was taken.
    """

    came: bool
    state: StateMatch | None = None
    why: str = ""
    seen: Look | None = None


class Arrivals:
    """Waits for the screens that steps lead to.

    Parameters
    ----------
    store
        The open store.
    visual, body, targets
        The visual memory, the app, and who finds components on it.
    """

    def __init__(self, store: Store, visual: Visual, body: Body, targets: Targets) -> None:
        self._store = store
        self._visual = visual
        self._body = body
        self._targets = targets

    def wait(self, step: SkillStep, following: SkillStep | None) -> Arrival:
        """Wait up to three times the usual time for what a step leads to.

        What proves it: the component of the next step, two of those that tell the state from the
        one before, or, where neither is known, a screen that does not change any more.
        """
        proofs = self._proofs(step, following)
        until = time.monotonic() + min(_MOST, max(_LEAST, _TIMES * (step.mean_ms or 0.0) / 1000))
        before = b""
        while True:
            if proofs:
                enough = min(len(proofs), _PROOFS)
                if sum(self._targets.at_a_glance(one) is not None for one in proofs) >= enough:
                    return Arrival(came=True)
            else:
                now, _ = self._body.glance()
                if now == before:
                    return Arrival(came=True)
                before = now
            if time.monotonic() > until:
                return self._looked(step)
            time.sleep(_APART)

    def here(self, look: Look | None = None) -> tuple[StateMatch | None, Look]:
        """Return the state that the screen shows, by a full look."""
        seen = self._body.look() if look is None else look
        match = self._visual.match(seen.png, boxes=seen.learnable())
        return match.state, seen

    def same(self, one: str | None, other: str | None) -> bool:
        """Return whether two states are one by now."""
        asked = {"one": one, "other": other}
        return one == other or bool(self._store.value(SQL.one_root, asked))

    def _looked(self, step: SkillStep) -> Arrival:
        state, seen = self.here()
        if step.to_state is None:
            return Arrival(came=True, state=state, seen=seen)
        if state is not None and self.same(state.id, step.to_state):
            return Arrival(came=True, state=state, seen=seen)
        shown = (state.name or state.id) if state else f'an unknown screen ("{seen.title}")'
        return Arrival(came=False, state=state, why=f"{shown} is there instead", seen=seen)

    def _proofs(self, step: SkillStep, following: SkillStep | None) -> list[int]:
        """Return the components that prove the arrival; the next step's alone is enough."""
        if step.to_state is not None and not self.same(step.from_state, step.to_state):
            asked = {"to": step.to_state, "from": step.from_state, "most": _TELLING}
            if told := [row["component_id"] for row in self._store.rows(SQL.telling, asked)]:
                return told
        if following is not None and following.component_id is not None:
            return [following.component_id]
        return []
