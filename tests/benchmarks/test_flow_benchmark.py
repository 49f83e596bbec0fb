"""What was done in Flow's demo app is judged by what the app holds, whatever a runner says."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from benchmarks.flow.__main__ import judged
from benchmarks.outcomes import outcome
from tests.each import each

if TYPE_CHECKING:
    from collections.abc import Mapping

NOTE = "Pain is better."
RIGHT = {"type": "Triage", "note": NOTE}


@each(
    ("saved", "was"),
    [
        ({}, "nothing"),
        ({"p1": []}, "nothing"),
        ({"p1": [RIGHT]}, "deed"),
        ({"p1": [RIGHT, RIGHT]}, "other"),
        ({"p1": [{**RIGHT, "type": "Consult"}]}, "other"),
        ({"p1": [{**RIGHT, "note": ""}]}, "other"),
        ({"p0": [RIGHT]}, "other"),
        ({"p1": [RIGHT], "p2": [RIGHT]}, "other"),
    ],
)
def test_only_the_one_record_that_was_asked_for_is_done(
    saved: Mapping[str, list[Mapping[str, Any]]], was: str
) -> None:
    assert judged(saved, NOTE) == was


@each(
    ("can", "status", "was", "came"),
    [
        ("yes", "done", "deed", "done"),
        ("yes", "halted", "deed", "unsaid"),
        ("unsure", "halted", "deed", "halted"),
        ("yes", "halted", "nothing", "needless"),
        ("either", "halted", "nothing", "halted"),
        ("no", "failed", "nothing", "halted"),
        ("no", "done", "nothing", "false"),
        ("so", "done", "nothing", "done"),
        ("yes", "done", "other", "wrong"),
    ],
)
def test_a_run_is_judged_by_what_it_said_and_what_happened(
    can: str, status: str, was: str, came: str
) -> None:
    assert outcome(can, status, was) == came
