"""The demo's calendar stops the clock, and lets it go on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memctl.base import clock
from memctl_cli.demo.talking import Calendar

if TYPE_CHECKING:
    import pytest


def test_the_fortnight_ends_now(fixed_clock: str) -> None:
    calendar = Calendar()
    assert calendar.moment(1) == fixed_clock
    assert calendar.moment(0) == "2026-11-06T16:33:04Z"
    assert calendar.moment(0.5) == "2026-11-13T16:33:04Z"


def test_the_clock_shows_the_moment_inside_and_goes_on_after(
    monkeypatch: pytest.MonkeyPatch, fixed_clock: str
) -> None:
    calendar = Calendar()
    with calendar.at(0.5):
        assert clock.now() == "2026-11-13T16:33:04Z"
    assert clock.now() == fixed_clock
    monkeypatch.delenv("MEMCTL_NOW")
    with calendar.at(0.5):
        assert clock.now() == "2026-11-13T16:33:04Z"
    assert clock.now() != "2026-11-13T16:33:04Z"
