"""What was done in Flow's demo app is judged by what the app holds, whatever a runner says."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from benchmarks.flow.__main__ import DRIFTS, judged, verdict
from tests.each import each

if TYPE_CHECKING:
    from collections.abc import Mapping

NOTE = "Pain is better."
RIGHT = {"type": "Triage", "note": NOTE}
BY_NAME = {drift.name: drift for drift in DRIFTS}


@each(
    ("saved", "was"),
    [
        ({}, "not done"),
        ({"p1": []}, "not done"),
        ({"p1": [RIGHT]}, "done"),
        ({"p1": [RIGHT, RIGHT]}, "wrong"),
        ({"p1": [{**RIGHT, "type": "Consult"}]}, "wrong"),
        ({"p1": [{**RIGHT, "note": ""}]}, "wrong"),
        ({"p0": [RIGHT]}, "wrong"),
        ({"p1": [RIGHT], "p2": [RIGHT]}, "wrong"),
    ],
)
def test_only_the_one_record_that_was_asked_for_is_done(
    saved: Mapping[str, list[Mapping[str, Any]]], was: str
) -> None:
    assert judged(saved, NOTE) == was


@each(
    ("drift", "status", "was", "told"),
    [
        ("theme", "halted", "not done", "wrongly halted"),
        ("rename", "halted", "not done", "rightly halted"),
        ("missing", "failed", "not done", "rightly halted"),
        ("missing", "done", "not done", "claimed"),
        ("sort", "done", "wrong", "wrong"),
        ("slow", "halted", "done", "done"),
    ],
)
def test_a_halt_is_right_only_where_something_is_not_as_it_was_called(
    drift: str, status: str, was: str, told: str
) -> None:
    assert verdict(BY_NAME[drift], status, was) == told
