"""What narrows a recall: time, thread, people, tags, status, and the day it is asked as of."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from memctl.base import clock
from memctl.base.errors import UsageError

__all__ = ["Filters"]

_STATUSES = ("living", "archived", "all")


@dataclass(frozen=True, slots=True)
class Filters:
    """What a row must be to come back.

    Parameters
    ----------
    since, until
        When it happened, ISO-8601, both included.
    tags
        All of these must be on it; turns have none.
    participants
        One of these must have said it or taken part, whatever the case.
    thread
        The session or thread that it belongs to.
    status
        ``"living"``, ``"archived"`` or ``"all"``.
    as_of
        Only what had happened by then, and was not archived yet.
    kinds
        Of these kinds, ``"turn"`` and ``"episode"``; empty for both.
    """

    since: str | None = None
    until: str | None = None
    tags: tuple[str, ...] = ()
    participants: tuple[str, ...] = ()
    thread: str | None = None
    status: str = "living"
    as_of: str | None = None
    kinds: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.status not in _STATUSES:
            raise UsageError(
                f'status "{self.status}" is unknown', hint=f"it is one of {', '.join(_STATUSES)}"
            )

    @property
    def narrows(self) -> bool:
        """Whether it leaves out more than archived rows."""
        return self != Filters()

    def parameters(self) -> dict[str, Any]:
        """Return the parameters that the statements of episodic_recall.sql name.

        Raises
        ------
        UsageError
            When a time is none.
        """
        return {
            "since": _time(self.since, "since"),
            "until": _end(self.until, "until"),
            "tags": json.dumps([tag.lower() for tag in self.tags]),
            "participants": json.dumps([name.lower() for name in self.participants]),
            "thread": self.thread,
            "status": self.status,
            "as_of": _end(self.as_of, "as_of"),
            "turns": not self.kinds or "turn" in self.kinds,
            "episodes": not self.kinds or "episode" in self.kinds,
        }


def _time(text: str | None, what: str) -> str | None:
    return clock.parse_time(text, what=what) if text else None


def _end(text: str | None, what: str) -> str | None:
    """Return the last second that `text` means: all of a day that is named without an hour."""
    moment = _time(text, what)
    whole_day = text is not None and len(text.strip()) <= len("2026-11-20")
    return moment.replace("T00:00:00Z", "T23:59:59Z") if moment and whole_day else moment
