"""The walks of the demo's fortnight, and the skill that they become."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memctl_cli.demo import bundle

if TYPE_CHECKING:
    from memctl.memory import Memory
    from memctl.visual.graph.transitions import Path as Way
    from memctl_cli.demo.calendar import Calendar

WALKS = 18  # as many as show that it is no chance
SKILL = "open-the-delete-dialog"


def practise(memory: Memory, states: dict[str, str], calendar: Calendar) -> Way:
    """Plan a way and walk it, once in vain; keep the habit as a skill, return what the way is worth.

    `states` holds the state of each screenshot, by its name.
    """
    start, goal = (states[shot] for shot in bundle.path_ends())
    for walk in range(WALKS):
        with calendar.at((walk + 1) / WALKS):
            _walk(memory, start, goal, failing=walk == WALKS // 2)
    for drafted in memory.skills.detect(keep=True):
        kept = memory.skills.update(
            drafted.name,
            name=SKILL,
            description="Opens the dialog that asks whether an invoice is to be deleted",
            triggers=("delete an invoice",),
        )
        memory.skills.approve(kept.name)
    return memory.transitions.path(start, goal)


def _walk(memory: Memory, start: str, goal: str, *, failing: bool) -> None:
    for number, step in enumerate(memory.transitions.path(start, goal).steps):
        noted = memory.transitions.record(
            step.from_state, step.action, step.to_state, elapsed_ms=280 + 20 * number
        )
        failed = failing and number == 1
        memory.transitions.commit([noted.id] if noted.id else None, failed=failed)
