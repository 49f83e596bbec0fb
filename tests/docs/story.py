"""Two stores as a fortnight of use leaves them, made by the calls that an agent makes.

The views ask what holds *now*, so the fortnight ends today.
"""

from __future__ import annotations

import os
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING
from unittest import mock

import pytest

import memctl
from memctl.base.errors import MemctlError
from memctl_cli.demo import bundle

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from memctl.memory import Memory

__all__ = ["tell"]

# What is seen on which day before today: "Import statement" disappears from the dashboard, and
# "Unsaved changes" is not there when nothing was changed.
_SCREENS = {
    14: "login",
    13: "dashboard",
    12: "invoices",
    11: "new-invoice",
    10: "new-invoice-edited",
    9: "dashboard-gone",
    8: "invoices",
    7: "dashboard-gone",
    6: "settings-edited",
    5: "settings",
}
_CLICKS = (
    ("login", "Sign_in", "dashboard", 3, 0),
    ("dashboard", "Invoices", "invoices", 4, 1),
    ("invoices", "New_invoice", "new-invoice", 2, 1),
)


def tell(home: Path) -> None:
    """Make the stores ``harbor``, an app that is learned, and ``agent``, what is said of it."""
    with memctl.open("harbor", home, settings={"forget_threshold": "2"}) as memory:
        _learn(memory)
        _click(memory)
    with memctl.open("agent", home) as memory:
        _talk(memory)
        _believe(memory)
        _ask(memory)


@contextmanager
def _days_ago(days: int) -> Iterator[None]:
    moment = datetime.now(UTC) - timedelta(days=days)
    with mock.patch.dict(os.environ, {"MEMCTL_NOW": moment.isoformat(timespec="seconds")}):
        yield


def _learn(memory: Memory) -> None:
    for day, name in _SCREENS.items():
        shot = bundle.shot(name)
        with _days_ago(day):
            learned = memory.learn(shot.png, shot.boxes_file())
            if learned.state_created and learned.state is not None:
                memory.states.rename(learned.state.id, shot.page)
    with _days_ago(4):
        memory.match(bundle.shot("reports").png)  # a screen that it was never shown
        memory.match(bundle.shot("invoices").png)


def _click(memory: Memory) -> None:
    for start, name, end, successes, failures in _CLICKS:
        for attempt in range(successes + failures):
            with _days_ago(3):
                noted = memory.transitions.record(start, f"click:{name}", end, elapsed_ms=300)
                assert noted.id is not None
                memory.transitions.commit([noted.id], failed=attempt >= successes)


def _talk(memory: Memory) -> None:
    with _days_ago(12):
        memory.log("Let us move the launch to 3 March.", speaker="Ann", session="planning")
        memory.log("Noted: the launch is on 3 March.", role="assistant", session="planning")
    with _days_ago(8):
        memory.log("The harbour demo broke on the new login page.", speaker="Bob", session="demo")
        memory.remember(
            "Ann and Bob agreed to show the demo without the login",
            tags=["demo"],
            participants=["Ann", "Bob"],
        )


def _believe(memory: Memory) -> None:
    facts = memory.facts
    with _days_ago(13):
        facts.store(text="Falcon's deadline is 2026-11-01", category="project", source="Ann")
        facts.store(text="Ann's timezone is Europe/Lisbon", category="identity", source="Ann")
        facts.store(text="Invoices are sent as PDF, never as a link", category="rule")
        for text, days in (("The office is closed for repairs", 10), ("The ferry is late", 5)):
            ends = datetime.now(UTC) - timedelta(days=days)
            facts.store(text=text, category="project", expires_at=ends)
    with _days_ago(6):
        facts.store(text="Falcon's deadline is 2026-12-01", category="project", source="Bob")
        facts.store(text="The staging server is in Frankfurt", category="technical", source="Bob")
    with _days_ago(5):
        facts.store(text="Ann's timezone is Europe/Madrid", category="identity", source="Bob")
        facts.store(text="Bob is on call until Friday", category="operational")
    with _days_ago(2):
        facts.store(text="The demo runs on the staging server today", category="operational")
        with pytest.raises(MemctlError):
            facts.store(text="The staging password is hunter2-Xk9!qq", category="technical")


def _ask(memory: Memory) -> None:
    with _days_ago(4):
        memory.recall("where is the zeppelin parked?")
        memory.recall("who agreed to show the demo?")
    with _days_ago(3):
        found = memory.recall("when is the launch?")
        assert found.id is not None
        memory.feedback(found.id, used=[f"{found[0].kind}:{found[0].id}"], outcome="ok")
