"""A store as it is after some use: screens, turns, facts, episodes, skills, a journal."""

from __future__ import annotations

from typing import TYPE_CHECKING

import memctl
from memctl_cli.demo import bundle

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["APP", "SCREENS", "make_store"]

APP = "harbor"
SCREENS = ("login", "settings", "archive")
_PLACES = ("quay", "lighthouse", "ferry", "warehouse", "crane", "customs house", "dry dock")
_PEOPLE = ("Ann", "Bo", "Chidi", "Dana", "Emeka", "李雷")


def make_store(home: Path, turns: int = 150) -> Path:
    """Make a store with the shipped calls; return its file, closed and without a log."""
    with memctl.open(APP, home, session="monday") as memory:
        names = {shot.name for shot in bundle.shots()}
        for name in [one for one in SCREENS if one in names] * 2:
            shot = bundle.shot(name)
            memory.learn(shot.png, shot.boxes_file(), page=name)
        for state in memory.states.list():
            memory.states.rename(state.id, f"the {state.page}")
        states = [state.id for state in memory.states.list()]
        for _ in range(12):
            for one, other in zip(states, [*states[1:], states[0]], strict=True):
                memory.transitions.record(one, "click:go", other, session="monday")
                memory.transitions.commit()
        memory.skills.detect()
        for n in range(turns):
            who, where = _PEOPLE[n % len(_PEOPLE)], _PLACES[n % len(_PLACES)]
            memory.log(f"Berth {n}: {who} waits at the {where} since {n % 12} o'clock", speaker=who)
        for n in range(turns // 3):
            memory.facts.store(f"Berth {n} belongs to {_PEOPLE[n % len(_PEOPLE)]}'s company")
        for n in range(turns // 10):
            memory.remember(f"The {_PLACES[n % len(_PLACES)]} was inspected, round {n}", tags=["x"])
        memory.recall("who waits at the quay?")
        memory.journal.task("Load the ferry")
        memory.journal.decide("The crane goes first")
        memory.cache.set("berth", "7")
        memory.dream.run(apply=True)
    path = home / "apps" / f"{APP}.db"
    with memctl.open(APP, home) as memory:
        memory.vacuum()
    return path
