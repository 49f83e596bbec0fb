"""The months that a grown store has lived through."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

__all__ = ["Calendar"]


@dataclass(frozen=True, slots=True)
class Calendar:
    """Days before `end`, counted from 0.

    Parameters
    ----------
    days
        How many there are, at least one.
    end
        When they end: ``2026-11-20T00:00:00Z``.
    """

    days: int
    end: str

    def at(self, day: float) -> str:
        """Return the time `day` days after the beginning, in whole seconds."""
        moment = datetime.fromisoformat(self.end) - timedelta(days=self.days - day)
        return moment.isoformat(timespec="seconds").replace("+00:00", "Z")
