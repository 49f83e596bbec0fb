"""Ways between the screens of a grown store."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence

    from benchmarks.reports.growing.calendar import Calendar

__all__ = ["make_transitions"]

_WAYS = 5  # from each screen


def make_transitions(
    calendar: Calendar, dice: random.Random, states: Sequence[str]
) -> list[dict[str, Any]]:
    """Return committed transitions between states, each to screens beside it; some fail."""
    rows = []
    for number, start in enumerate(states):
        for step in range(1, min(_WAYS, len(states) - 1) + 1):
            committed = step < _WAYS
            successes = dice.randrange(1, 60) if committed else 0
            recorded = dice.uniform(0, calendar.days / 2)
            rows.append(
                {
                    "from_state": start,
                    "action": "click",
                    "detail": f"way {step}",
                    "to_state": states[(number + step) % len(states)],
                    "status": "committed" if committed else "pending",
                    "successes": successes,
                    "failures": int(successes * dice.random() ** 4),
                    "total_ms": successes * dice.randrange(150, 900),
                    "timed": successes,
                    "recorded_at": calendar.at(recorded),
                    "last_used_at": calendar.at(dice.uniform(recorded, calendar.days)),
                }
            )
    return rows
