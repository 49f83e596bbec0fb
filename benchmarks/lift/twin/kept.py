"""A store that a generated app is used with: what looks, acts and runs write, by the engine itself.

Screens have no pixels here, so components, states and looks are written by the statements of the
visual memory, and runs by those of the runner; acts and skills go through the public methods.
"""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from memctl.procedural.skill_records import SkillDraft, SkillStep
from memctl.store import statements

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from contextlib import AbstractContextManager

    from benchmarks.lift.twin.app import App, Way
    from memctl.memory import Memory
    from memctl.procedural.twin import Twin

__all__ = ["Kept"]

_COMPONENT = statements.load("store/component")
_STATE = statements.load("store/state")
_LOOK = statements.load("store/observation")
_SKILL = statements.load("store/skill")
_BEGINS = datetime(2026, 1, 1, tzinfo=UTC)
_PLACE = {"x": 10, "y": 10, "w": 80, "h": 24}


class Kept:
    """The store of one app.

    Parameters
    ----------
    memory
        An open memory.
    app
        What it is the memory of.
    """

    def __init__(self, memory: Memory, app: App) -> None:
        self._memory = memory
        self._store = memory.store
        self._app = app
        at(0)
        with self._store.transaction():
            for screen in sorted({way.start for way in app.ways} | {way.end for way in app.ways}):
                self._store.execute(_STATE.insert_state, _state(screen))
            self._components = [
                self._store.insert(_COMPONENT.insert_component, _component(way)) for way in app.ways
            ]

    def together(self) -> AbstractContextManager[None]:
        """Return a transaction: what a run writes is kept at once, for speed."""
        return self._store.transaction()

    def look(self, screen: int, day: float, *, kind: str = "match") -> None:
        """Write what is found on a screen, and what is absent."""
        ways = self._app.leaving(screen)
        there = {way.number: way.at(day).there for way in ways}
        seen = {
            **dict.fromkeys(("page", "window_box", "stages", "app_version")),
            "kind": kind,
            "observed_at": at(day),
            "img_sha256": f"{screen}",
            "img_w": 1280,
            "img_h": 800,
            "scale": 1.0,
            "state_id": _id(screen),
            "similarity": 1.0,
            "found": sum(there.values()),
            "absent": len(there) - sum(there.values()),
            "learned": 0,
            "duration_ms": 0.0,
        }
        with self._store.transaction():
            number = self._store.insert(_LOOK.insert_observation, seen)
            rows = [
                {
                    "observation_id": number,
                    "component_id": self._components[way],
                    "found": int(found),
                    **(_PLACE if found else dict.fromkeys(_PLACE)),
                    "score": 1.0 if found else 0.3,
                    "template_id": None,
                    "how": "pixels" if found else "not found",
                }
                for way, found in there.items()
            ]
            self._store.execute_many(_LOOK.insert_sighting, rows)

    def act(self, way: Way, day: float, *, failed: bool) -> None:
        """Write that a way was gone, as the runner teaches the graph."""
        at(day)
        made = self._memory.transitions.record(
            _id(way.start), f"click:{_name(way)}", _id(way.end), elapsed_ms=800.0
        )
        self._memory.transitions.commit([made.id or 0], failed=failed)

    def teach(self, name: str, walk: Iterable[Way]) -> None:
        """Add a skill of a walk, and let it be used."""
        steps = tuple(
            SkillStep(
                number, "click", self._components[way.number], _name(way),
                from_state=_id(way.start), to_state=_id(way.end), mean_ms=800.0,
            )
            for number, way in enumerate(walk, 1)
        )  # fmt: skip
        self._memory.skills.approve(self._memory.skills.add(SkillDraft(name, steps)).id)

    def foresee(self, name: str, day: float) -> Twin:
        """Return what the twin says at a moment."""
        at(day)
        return self._memory.skills.foresee(name)

    def ran(self, name: str, twin: Twin, day: float, outcomes: Sequence[str]) -> None:
        """Write a run as the runner does: its steps' outcomes, and how it ended."""
        now = at(day)
        begun = {
            "skill": self._memory.skills.get(name).id,
            "params": "{}",
            "predicted": twin.probability,
            "owner": "",
            "now": now,
        }
        run = self._store.insert(_SKILL.begin_run, begun)
        blank = {
            "why": "",
            "seconds": 0.8,
            "look": "target",
            "before_png": None,
            "after_png": None,
            "proposal": None,
        }
        for number, outcome in enumerate(outcomes, 1):
            row = {"run": run, "number": number, "outcome": outcome, **blank}
            self._store.execute(_SKILL.add_run_step, row)
        done = sum(outcome == "done" for outcome in outcomes)
        ended = {"id": run, "step": done, "looks": 0, "seconds": 1.0, "outputs": "{}"}
        self._store.execute(_SKILL.advance, ended)
        status = {"id": run, "status": outcomes[-1], "why": "", "now": now}
        self._store.execute(_SKILL.end_run, status)


def at(day: float) -> str:
    """Stop the engine's clock at a day of the generated year; return the time."""
    now = (_BEGINS + timedelta(days=day)).strftime("%Y-%m-%dT%H:%M:%SZ")
    os.environ["MEMCTL_NOW"] = now
    return now


def _id(screen: int) -> str:
    return f"s_{screen:08x}"


def _name(way: Way) -> str:
    return f"Button_{way.number}"


def _state(screen: int) -> dict[str, object]:
    size = {"img_w": 1280, "img_h": 800}
    made = {"id": _id(screen), "page": None, "seen_at": at(0), "words": None}
    return {**made, **size, "known_by": "components"}


def _component(way: Way) -> dict[str, object]:
    empty = dict.fromkeys(("page", "row_text", "section", "changing_at"))
    place = {"scale": 1.0, "rel_x": 10, "rel_y": 10, "w": 80, "h": 24, "confidence": 1.0}
    named = {"name": _name(way), "type": "button", "source": "dom", "label": _name(way)}
    return {**empty, **place, **named, "cut": 0, "field": 0, "seen_at": at(0)}
