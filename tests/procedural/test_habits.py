"""What is done again and again in order becomes a draft with its proof; what chance brings does not."""

from __future__ import annotations

import json
import random
from datetime import UTC, datetime, timedelta
from itertools import pairwise, permutations
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.mining import planted, scored
from memctl.base.errors import UsageError
from memctl.procedural.mining import Act, mined, near_misses
from tests.each import each

if TYPE_CHECKING:
    from collections.abc import Callable

    from memctl.memory import Memory

    Log = list[list[Act]]
    Calls = list[tuple[str, dict[str, Any]]]
    Session = Callable[[str, Calls], None]

BEGUN = datetime(2026, 3, 2, 8, tzinfo=UTC)
NAMES = [f"click:{number}" for number in range(30)]
HABIT = ("type:Search", "click:Go", "click:First", "click:Save")
OTHER = ("click:Mail", "click:New", "type:Text", "click:Send")
WIZARD = ("click:Setup", "click:Next", "click:Next", "click:Next", "click:Finish")
LONGER = (*HABIT, "click:Share", "click:Send")
APART = ("click:Open", *["click:0"] * 4, "click:Shut")


# -- tool calls of sessions --------------------------------------------------------------------


@pytest.fixture
def session(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> Session:
    """Log the tool calls of a session, an hour after the last one."""
    at = BEGUN

    def log(name: str, calls: Calls) -> None:
        nonlocal at
        for tool, given_values in calls:
            at += timedelta(seconds=20)
            monkeypatch.setenv("MEMCTL_NOW", at.strftime("%Y-%m-%dT%H:%M:%SZ"))
            memory.tool_calls.add(tool, given_values, session=name, ok=True)
        at += timedelta(hours=1)

    return log


def invoice(customer: str) -> Calls:
    return [("open", {"page": "invoices"}), ("fill", {"name": customer}), ("send", {})]


def looks(chosen: random.Random, most: int) -> Calls:
    return [(f"look_{chosen.randrange(12)}", {}) for _ in range(chosen.randint(1, most))]


@pytest.fixture
def busy(memory: Memory, session: Session) -> Memory:
    """Thirty sessions: noise, and in half of them an invoice for somebody else each time."""
    chosen = random.Random(7)  # noqa: S311  (drawn alike each time)
    for number in range(30):
        calls = looks(chosen, 4)
        if number % 2:
            first, *rest = invoice(f"Customer {number}")
            calls += [first, *looks(chosen, 1), *rest]
        session(f"s{number}", [*calls, *looks(chosen, 4)])
    return memory


def test_a_habit_is_previewed_with_its_proof_and_what_varies_is_a_parameter(busy: Memory) -> None:
    (found,) = busy.skills.detect()
    assert [step.action for step in found.steps] == ["open", "fill", "send"]
    assert (found.support, found.chance_rate) == (15, 0)
    assert found.p_value is not None
    assert found.p_value < 1e-6
    assert list(found.parameters) == ["name"]
    assert found.steps[1].detail == '{"name": "{name}"}'
    assert found.steps[0].detail == '{"page": "invoices"}'
    assert len(busy.skills) == 0


def test_what_varies_inside_an_input_is_a_parameter_and_the_rest_stays(
    memory: Memory, session: Session
) -> None:
    for n in range(8):
        told = {"to": [{"who": f"Ann {n}", "copies": n}], "draft": False, "by": {"x": [1, None]}}
        session(f"s{n}", [("open", {}), ("fill", told), ("send", {}), ("close", {})])
    (made,) = memory.skills.detect(keep=True)
    memory.skills.approve(made.name)
    given = {"to_0_who": "Bob", "to_0_copies": "2"}
    assert json.loads(memory.skills.next(made.name, params=given, after=1).text) == {
        "to": [{"who": "Bob", "copies": 2}], "draft": False, "by": {"x": [1, None]},
    }  # fmt: skip


def test_a_kept_draft_knows_its_rows(busy: Memory) -> None:
    (found,) = busy.skills.detect(keep=True)
    (kept,) = busy.skills
    assert (kept.name, kept.status) == (found.name, "draft")
    assert len(kept.sources) == 45
    assert {kind for kind, _ in kept.sources} == {"tool call"}


def test_what_was_rejected_is_not_found_again_but_near(busy: Memory) -> None:
    (found,) = busy.skills.detect(keep=True)
    busy.skills.reject(found.name, why="no")
    assert busy.skills.detect() == busy.skills.detect(keep=True) == []
    first = busy.skills.near_habits(limit=1)[0]
    assert (first.count, first.missed) == (15, "a skill already, or rejected")


# -- logs of chance with habits in them --------------------------------------------------------


def rng(seed: int) -> random.Random:
    return random.Random(seed)  # noqa: S311  (drawn alike each time)


def some(chosen: random.Random, fewest: int, most: int) -> list[str]:
    return chosen.choices(NAMES, k=chosen.randint(fewest, most))


def acts(*names: str) -> list[Act]:
    return [Act(name, {}) for name in names]


def log(*habits: tuple[str, ...], held: int = 40, empty: int = 60, gaps: int = 1) -> Log:
    """Return sequences of chance, of which each habit is in as many as ``held``."""
    chosen, made = rng(held), []
    for habit in (*(one for one in habits for _ in range(held)), *[()] * empty):
        names = [name for act in habit for name in (act, *some(chosen, 0, gaps))]
        made.append([*some(chosen, 3, 8), *names, *some(chosen, 3, 8)])
    return [
        [Act(name, {"text": str(chosen.random()), "kind": "x"}) for name in one] for one in made
    ]


def with_oks() -> Log:
    chosen = rng(6)
    return [
        [act for one in seq for act in (one, *acts(*["click:OK"] * (chosen.random() < 0.3)))]
        for seq in log(HABIT, empty=300)
    ]


# fmt: off
LOGS: dict[str, tuple[Callable[[], Log], dict[tuple[str, ...], int]]] = {
    "across gaps": (lambda: log(HABIT), {HABIT: 40}),
    "without its first and last across a wide gap": (lambda: log(APART), {APART: 40}),
    "beside a very frequent act": (with_oks, {HABIT: 40}),
    "nearly the same": (
        lambda: log(HABIT, held=60) + log(HABIT[:2] + HABIT[3:], held=5, empty=0), {HABIT: 60}),
    "a part without the whole": (lambda: log(HABIT, LONGER), {LONGER: 40, HABIT: 80}),
    "two side by side by chance": (
        lambda: log(HABIT, OTHER, held=200) + log(HABIT + OTHER, held=8, empty=0),
        {HABIT: 208, OTHER: 208}),
    "an act again and again": (lambda: log(WIZARD, gaps=0), {WIZARD: 40}),
    "nothing but habits": (lambda: [acts(*HABIT), acts(*OTHER)] * 12, {HABIT: 12, OTHER: 12}),
    "any order by chance": (
        lambda: [acts(*rng(at).sample([*HABIT, *NAMES[:10]], 14)) for at in range(300)], {}),
    "every order": (lambda: [acts(*names) for names in permutations(HABIT)] * 7, {}),
    "one act alone": (lambda: [acts("click:OK", "click:OK", "click:OK")] * 50, {}),
    "no log": (list, {}),
    "empty ones": (lambda: [[], acts("click:a", "click:b")], {}),
}
# fmt: on


@each("name", LOGS)
def test_a_habit_is_what_comes_in_one_order_more_often_than_by_chance(name: str) -> None:
    made, habits = LOGS[name]
    assert {habit.names: habit.count for habit in mined(made())} == habits


@each("skewed", [False, True])
def test_planted_habits_are_found_and_nothing_else_the_least_likely_first(skewed: bool) -> None:
    sown = planted(1_000, skewed=skewed, seed=77)
    found = mined(sown.sequences)
    assert scored([habit.names for habit in found], sown.habits) == (10, 10)
    assert [one.p_value for one in found] == sorted(one.p_value for one in found)


def test_values_that_differ_or_are_missing_at_times_are_parameters() -> None:
    (habit,) = mined(log(HABIT))
    assert [(one.step, one.key) for one in habit.parameters] == [(at, "text") for at in range(4)]
    assert all(len(one.values) == 40 for one in habit.parameters)
    first, *others = log(HABIT)
    (habit,) = mined([[Act(act.name, {}) for act in first], *others])
    assert {one.key for one in habit.parameters} == {"text", "kind"}


@each(("length", "fewest"), [(2, 21), (3, 9), (4, 7), (6, 7)])
def test_a_log_of_nothing_but_one_task_shows_it_once_its_order_is_no_chance(
    length: int, fewest: int
) -> None:
    task = NAMES[:length]
    assert mined([acts(*task)] * (fewest - 1)) == []
    assert [habit.names for habit in mined([acts(*task)] * fewest)] == [tuple(task)]


def test_one_task_alone_is_no_habit() -> None:
    with pytest.raises(UsageError):
        mined([], floor=1)


def test_near_misses_are_no_habits_and_say_which_gate_they_missed() -> None:
    (near,) = near_misses([acts(*HABIT[:3])] * 8)
    assert (near.names, near.count) == (HABIT[:3], 8)
    assert near.missed == "chance is not ruled out: p is above 1e-06"
    assert HABIT not in {one.names for one in near_misses(log(HABIT))}


@settings(max_examples=10)
@given(
    st.lists(st.lists(st.sampled_from("abcdef"), max_size=12), max_size=40),
    st.lists(st.sampled_from("abcdef"), min_size=2, max_size=4),
)
def test_every_habit_is_where_it_says_in_enough_sequences(
    noise: list[list[str]], habit: list[str]
) -> None:
    made = [acts(*one) for one in noise] + [acts(*one, *habit) for one in noise]
    for found in mined(made):
        assert len({number for number, _ in found.places}) == found.count >= 7
        for number, positions in found.places:
            assert tuple(made[number][at].name for at in positions) == found.names
            assert all(1 <= b - a <= 4 for a, b in pairwise(positions))
