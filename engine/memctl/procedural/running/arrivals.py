"""Arrivals: whether the screen that a step leads to is there. A quiet page alone is no proof."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from memctl.store import statements

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from memctl.drivers.look import Look
    from memctl.procedural.running.body import Sight
    from memctl.procedural.running.targets import Targets
    from memctl.procedural.skill_records import SkillStep
    from memctl.store.store import Store
    from memctl.visual.match_results import StateMatch
    from memctl.visual.visual import Visual

    AnyBox = Mapping[str, Any]

__all__ = ["Arrival", "Arrivals"]

SQL = statements.load("store/arrival")
_TELLING = 3  # components of a state that the one before has not
_PROOFS = 2  # of them, that are enough
_LEAST, _MOST = 2.0, 30.0  # seconds that are waited
_TIMES = 3.0  # of the usual time
_UNMOVED = 10.0  # seconds for which the screen before may still be there
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
    looks
        How many were.
    """

    came: bool
    state: StateMatch | None = None
    why: str = ""
    seen: Look | None = None
    looks: int = 0


class _ShownScreen(NamedTuple):
    """A screen: its picture, the pixels to a CSS pixel, and its boxes, read when asked for."""

    png: bytes
    scale: float
    boxes: Callable[[], Sequence[AnyBox]]


class Arrivals:
    """Waits for the screens that steps lead to.

    Parameters
    ----------
    store
        The open store.
    visual, body, targets
        The visual memory, the app, and who finds components on it.
    record
        Whether full looks are kept as observations.
    """

    def __init__(
        self, store: Store, visual: Visual, body: Sight, targets: Targets, *, record: bool = True
    ) -> None:
        self._store = store
        self._visual = visual
        self._body = body
        self._targets = targets
        self._record = record

    def wait(self, step: SkillStep, following: SkillStep | None) -> Arrival:
        """Wait up to three times the usual time for what a step leads to.

        What proves it: two of the components that came with it when it was shown, or that tell its
        state from the one before; else the component of the next step; and that those are gone
        which went. Where none is known, a screen that does not change any more. Where the screen
        before is still there by then, the app is given longer: it may only be slow today.
        """
        proofs = self._proofs(step, following)
        began = time.monotonic()
        until = min(_MOST, max(_LEAST, _TIMES * (step.mean_ms or 0.0) / 1000))
        before, looks = b"", 0
        while True:
            shown = self._glanced()
            there = self._there(proofs, shown) and self._gone(step, shown)
            if there and (proofs or shown.png == before):
                return Arrival(came=True, looks=looks)
            before = shown.png
            if time.monotonic() - began > until:
                looks += 1
                arrival = replace(self._looked(step, proofs), looks=looks)
                if arrival.came or until >= _UNMOVED or not self.unmoved(step, arrival.state):
                    return arrival
                until = _UNMOVED
            time.sleep(_APART)

    def unmoved(self, step: SkillStep, state: StateMatch | None) -> bool:
        """Return whether a step that leads elsewhere has led nowhere yet."""
        here = state is not None and self.same(state.id, step.from_state)
        return here and not self.same(step.from_state, step.to_state)

    def at_once(self, step: SkillStep, following: SkillStep | None) -> Arrival:
        """Return whether what a step leads to is there now, without waiting."""
        proofs = self._proofs(step, following)
        shown = self._glanced()
        if proofs and self._there(proofs, shown) and self._gone(step, shown):
            return Arrival(came=True)
        return self._looked(step, proofs)

    def _glanced(self) -> _ShownScreen:
        return _ShownScreen(*self._body.glance(), self._body.boxes)

    def here(self, look: Look | None = None) -> tuple[StateMatch | None, Look]:
        """Return the state that the screen shows, by a full look."""
        seen = self._body.look() if look is None else look
        match = self._visual.match(seen.png, boxes=seen.learnable(), record=self._record)
        return match.state, seen

    def same(self, one: str | None, other: str | None) -> bool:
        """Return whether two states are one by now."""
        asked = {"one": one, "other": other}
        return one == other or bool(self._store.value(SQL.one_root, asked))

    def _looked(self, step: SkillStep, proofs: Sequence[int]) -> Arrival:
        """Return whether a full look proves the arrival, by the texts of its boxes or its state."""
        state, seen = self.here()
        shown = _ShownScreen(seen.png, seen.scale, lambda: seen.learnable() or [])
        here = state is not None and self.same(state.id, step.to_state)
        if step.appearing:
            here = here and not self.same(step.from_state, step.to_state)
        elif step.vanishing and self.same(step.from_state, step.to_state):
            here = here and not self._targets.present(step.vanishing, *shown, 1)
        if here or not _told(step) or (proofs and self._there(proofs, shown)):
            return Arrival(came=True, state=state, seen=seen)
        instead = (state.name or state.id) if state else f'an unknown screen ("{seen.title}")'
        return Arrival(came=False, state=state, why=f"{instead} is there instead", seen=seen)

    def _there(self, proofs: Sequence[int], shown: _ShownScreen) -> bool:
        """Return whether enough of the proofs are there, by their pixels or as the app says."""
        enough = min(len(proofs), _PROOFS)
        return self._targets.present(proofs, *shown, enough) >= enough

    def _gone(self, step: SkillStep, shown: _ShownScreen) -> bool:
        """Return whether what went with a step is gone, where nothing came with it."""
        if step.appearing or not step.vanishing:
            return True
        return not self._targets.present(step.vanishing, *shown, 1)

    def _proofs(self, step: SkillStep, following: SkillStep | None) -> Sequence[int]:
        """Return the components that prove the arrival; the next step's alone is enough."""
        if step.appearing:
            return step.appearing
        if step.to_state is not None and not self.same(step.from_state, step.to_state):
            asked = {"to": step.to_state, "from": step.from_state, "most": _TELLING}
            if told := [row["component_id"] for row in self._store.rows(SQL.telling, asked)]:
                return told
        if following is not None and following.component_id is not None:
            return [following.component_id]
        return []


def _told(step: SkillStep) -> bool:
    """Return whether anything is known of where a step leads."""
    return bool(step.to_state or step.appearing or step.vanishing)
