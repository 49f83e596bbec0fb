"""What is done again and again becomes a draft with its proof; what chance brings does not."""

from __future__ import annotations

import json
import random
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from memctl.memory import Memory

BEGUN = datetime(2026, 3, 2, 8, tzinfo=UTC)
NOISE = [f"look_{number}" for number in range(12)]


class Log:
    """Sessions of tool calls, minutes apart."""

    def __init__(self, memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
        self._memory = memory
        self._patch = monkeypatch
        self._at = BEGUN

    def session(self, name: str, *calls: tuple[str, dict[str, Any]]) -> None:
        for tool, given in calls:
            self._at += timedelta(seconds=20)
            self._patch.setenv("MEMCTL_NOW", self._at.strftime("%Y-%m-%dT%H:%M:%SZ"))
            self._memory.tool_calls.add(tool, given, session=name, ok=True)
        self._at += timedelta(hours=1)


@pytest.fixture
def log(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> Log:
    return Log(memory, monkeypatch)


def habit(customer: str) -> list[tuple[str, dict[str, str]]]:
    return [("open", {"page": "invoices"}), ("fill", {"name": customer}), ("send", {})]


def noise(chosen: random.Random, most: int) -> list[tuple[str, dict[str, str]]]:
    return [(chosen.choice(NOISE), {}) for _ in range(chosen.randint(1, most))]


@pytest.fixture
def busy(memory: Memory, log: Log) -> Memory:
    """Thirty sessions: noise, and in half of them an invoice for somebody else each time."""
    chosen = random.Random(7)  # noqa: S311  (drawn alike each time)
    for number in range(30):
        calls = noise(chosen, 4)
        if number % 2:
            first, *rest = habit(f"Customer {number}")
            calls += [first, *noise(chosen, 1), *rest]
        log.session(f"s{number}", *calls, *noise(chosen, 4))
    return memory


def test_what_is_done_again_and_again_is_a_draft_with_its_proof(busy: Memory) -> None:
    (found,) = busy.skills.detect()
    assert [step.action for step in found.steps] == ["open", "fill", "send"]
    assert found.support == 15
    assert found.p_value is not None
    assert found.p_value < 1e-6
    assert found.chance_rate == 0


def test_what_varies_is_a_parameter(busy: Memory) -> None:
    (found,) = busy.skills.detect()
    assert list(found.parameters) == ["name"]
    assert found.steps[1].detail == '{"name": "{name}"}'
    assert found.steps[0].detail == '{"page": "invoices"}'


def test_what_varies_inside_an_input_is_a_parameter_and_the_rest_stays(
    memory: Memory, log: Log
) -> None:
    for n in range(8):
        told = {"to": [{"who": f"Ann {n}", "copies": n}], "draft": False, "by": {"x": [1, None]}}
        log.session(f"s{n}", ("open", {}), ("fill", told), ("send", {}), ("close", {}))
    (made,) = memory.skills.detect(keep=True)
    memory.skills.approve(made.name)
    given = {"to_0_who": "Bob", "to_0_copies": "2"}
    assert json.loads(memory.skills.next(made.name, params=given, after=1).text) == {
        "to": [{"who": "Bob", "copies": 2}], "draft": False, "by": {"x": [1, None]},
    }  # fmt: skip


def test_a_preview_adds_nothing(busy: Memory) -> None:
    busy.skills.detect()
    assert len(busy.skills) == 0


def test_a_kept_draft_knows_its_rows(busy: Memory) -> None:
    (found,) = busy.skills.detect(keep=True)
    (kept,) = busy.skills
    assert (kept.name, kept.status) == (found.name, "draft")
    assert len(kept.sources) == 45
    assert {kind for kind, _ in kept.sources} == {"tool call"}


def test_what_was_rejected_is_not_found_again(busy: Memory) -> None:
    (found,) = busy.skills.detect(keep=True)
    busy.skills.reject(found.name, why="no")
    assert busy.skills.detect(keep=True) == []
    assert busy.skills.detect() == []


def test_noise_alone_is_no_habit(memory: Memory, log: Log) -> None:
    chosen = random.Random(8)  # noqa: S311  (drawn alike each time)
    for number in range(40):
        log.session(f"s{number}", *noise(chosen, 10))
    assert memory.skills.detect() == []


def test_too_few_times_are_no_habit_but_near_one(memory: Memory, log: Log) -> None:
    for number in range(6):
        log.session(f"s{number}", *habit("Ann"))
    assert memory.skills.detect() == []
    (near,) = memory.skills.near_habits()
    assert (near.names, near.count) == (("open", "fill", "send"), 6)
    assert "too few tasks" in near.missed


def test_eight_pure_repeats_of_four_acts_are_a_draft(memory: Memory, log: Log) -> None:
    for number in range(8):
        log.session(f"s{number}", *habit("Ann"), ("close", {}))
    (found,) = memory.skills.detect()
    assert [step.action for step in found.steps] == ["open", "fill", "send", "close"]


def test_what_was_decided_is_named_among_the_near_ones(busy: Memory) -> None:
    (found,) = busy.skills.detect(keep=True)
    busy.skills.reject(found.name, why="no")
    first = busy.skills.near_habits(limit=1)[0]
    assert (first.count, first.missed) == (15, "a skill already, or rejected")


def test_an_empty_store_has_nothing_near(memory: Memory) -> None:
    assert memory.skills.near_habits() == []
