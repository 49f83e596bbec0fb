"""Habits are found where acts come again in order, and nowhere else."""

from __future__ import annotations

import random
from itertools import pairwise, permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.mining.planted import planted, scored
from memctl.base.errors import UsageError
from memctl.procedural.mining import Act, chance_rate, mined, near_misses

NAMES = [f"click:{number}" for number in range(30)]
HABIT = ("type:Search", "click:Go", "click:First", "click:Save")


def _log(
    *habits: tuple[str, ...], held: int = 40, empty: int = 60, gaps: int = 1, seed: int = 1
) -> list[list[Act]]:
    """Return sequences of chance, of which each habit is in as many as ``held``."""
    rng = random.Random(seed)  # noqa: S311 -- a seeded example
    log = []
    for habit in (*(one for one in habits for _ in range(held)), *[()] * empty):
        names = [name for act in habit for name in (act, *_some(rng, 0, gaps))]
        log.append([*_some(rng, 3, 8), *names, *_some(rng, 3, 8)])
    return [[Act(name, {"text": str(rng.random()), "kind": "x"}) for name in one] for one in log]


def _some(rng: random.Random, fewest: int, most: int) -> list[str]:
    return rng.choices(NAMES, k=rng.randint(fewest, most))


def _acts(*names: str) -> list[Act]:
    return [Act(name, {}) for name in names]


@pytest.mark.parametrize("skewed", [False, True])
def test_planted_habits_are_found_and_nothing_else(skewed: bool) -> None:
    log = planted(1_000, skewed=skewed, seed=77)
    hits, drafts = scored([habit.names for habit in mined(log.sequences)], log.habits)
    assert (hits, drafts) == (10, 10)


def test_a_habit_is_found_across_gaps_with_the_sequences_that_hold_it() -> None:
    (habit,) = mined(_log(HABIT))
    assert habit.names == HABIT
    assert habit.count == 40
    assert habit.expected < 1
    assert habit.p_value < 1e-6


def test_a_wider_gap_than_allowed_is_no_habit() -> None:
    log = _log(("click:Open", *["click:0"] * 4, "click:Shut"))
    assert not [habit for habit in mined(log) if {"click:Open", "click:Shut"} == {*habit.names}]


def test_values_that_differ_are_parameters_and_those_that_do_not_are_none() -> None:
    habit = mined(_log(HABIT))[0]
    assert [(one.step, one.key) for one in habit.parameters] == [(at, "text") for at in range(4)]
    assert all(len(one.values) == 40 for one in habit.parameters)


def test_a_value_that_is_missing_at_times_is_a_parameter() -> None:
    log = _log(HABIT)
    log[0] = [Act(act.name, {}) for act in log[0]]
    assert {one.key for one in mined(log)[0].parameters} == {"text", "kind"}


def test_acts_that_come_together_in_any_order_are_no_habit() -> None:
    rng = random.Random(3)  # noqa: S311 -- a seeded example
    log = [_acts(*rng.sample([*HABIT, *NAMES[:10]], 14)) for _ in range(300)]
    assert mined(log) == []


def test_shuffled_logs_give_nothing() -> None:
    assert chance_rate(_log(HABIT), shuffles=20) == 0


def test_a_very_frequent_act_is_neither_a_habit_nor_a_part_of_one() -> None:
    rng = random.Random(6)  # noqa: S311 -- a seeded example
    log = [
        [one for act in acts for one in (act, *_acts(*["click:OK"] * (rng.random() < 0.3)))]
        for acts in _log(HABIT, empty=300)
    ]
    assert [habit.names for habit in mined(log)] == [HABIT]


def test_habits_that_are_nearly_the_same_are_one() -> None:
    log = _log(HABIT, held=60) + _log(HABIT[:2] + HABIT[3:], held=5, empty=0, seed=2)
    assert [habit.names for habit in mined(log)] == [HABIT]


def test_a_part_that_comes_without_the_whole_is_a_habit_of_its_own() -> None:
    log = _log(HABIT, (*HABIT, "click:Share", "click:Send"))
    found = {habit.names: habit.count for habit in mined(log)}
    assert found == {(*HABIT, "click:Share", "click:Send"): 40, HABIT: 80}


def test_two_habits_side_by_side_by_chance_are_two() -> None:
    other = ("click:Mail", "click:New", "type:Text", "click:Send")
    log = _log(HABIT, other, held=200) + _log(HABIT + other, held=8, empty=0, seed=2)
    assert {habit.names for habit in mined(log)} == {HABIT, other}


def test_the_same_act_again_and_again_is_part_of_a_habit() -> None:
    wizard = ("click:Setup", "click:Next", "click:Next", "click:Next", "click:Finish")
    assert [habit.names for habit in mined(_log(wizard, gaps=0))] == [wizard]


def test_sequences_that_are_nothing_but_the_habit_show_it() -> None:
    other = ("click:Mail", "click:New", "type:Text", "click:Send")
    log = [_acts(*HABIT)] * 12 + [_acts(*other)] * 12
    assert {habit.names for habit in mined(log)} == {HABIT, other}


@pytest.mark.parametrize(("acts", "fewest"), [(2, 21), (3, 9), (4, 7), (6, 7)])
def test_a_log_of_nothing_but_one_task_shows_it_once_its_order_is_no_chance(
    acts: int, fewest: int
) -> None:
    task = NAMES[:acts]
    assert mined([_acts(*task)] * (fewest - 1)) == []
    assert [habit.names for habit in mined([_acts(*task)] * fewest)] == [tuple(task)]


def test_equal_tasks_of_one_act_alone_have_no_order() -> None:
    assert mined([_acts("click:OK", "click:OK", "click:OK")] * 50) == []


def test_a_task_in_every_order_is_no_habit() -> None:
    log = [_acts(*names) for names in permutations(HABIT)] * 7
    assert mined(log) == []


@pytest.mark.parametrize(
    ("log", "missed"),
    [
        ([_acts(*HABIT)] * 6, "too few tasks: 7 are needed"),
        ([_acts(*HABIT[:3])] * 8, "chance is not ruled out: p is above 1e-06"),
    ],
)
def test_a_near_miss_says_which_gate_it_missed(log: list[list[Act]], missed: str) -> None:
    (near,) = near_misses(log)
    assert near.names == tuple(act.name for act in log[0])
    assert (near.count, near.missed) == (len(log), missed)
    assert near.expected < 2
    assert near.p_value < 1e-4


def test_near_misses_are_no_habits_and_no_more_than_asked() -> None:
    log = _log(HABIT)
    near = near_misses(log, limit=3)
    assert len(near) == 3
    assert HABIT not in {one.names for one in near}


def test_the_order_of_habits_is_the_same_each_time_the_least_likely_first() -> None:
    log = planted(300, skewed=False, seed=4).sequences
    found = mined(log)
    assert found == mined(log)
    assert [one.p_value for one in found] == sorted(one.p_value for one in found)


@pytest.mark.parametrize("log", [[], [[]], [_acts("click:a")], [[], _acts("click:a", "click:b")]])
def test_a_log_with_nothing_in_it_has_no_habits(log: list[list[Act]]) -> None:
    assert mined(log) == []
    assert near_misses(log) == []


def test_one_task_alone_is_no_habit() -> None:
    with pytest.raises(UsageError):
        mined([], floor=1)


@settings(max_examples=25)
@given(
    st.lists(st.lists(st.sampled_from("abcdef"), max_size=12), max_size=40),
    st.lists(st.sampled_from("abcdef"), min_size=2, max_size=4),
)
def test_every_habit_is_where_it_says_in_enough_sequences(
    noise: list[list[str]], habit: list[str]
) -> None:
    log = [_acts(*one) for one in noise] + [_acts(*noise_act, *habit) for noise_act in noise]
    for found in mined(log):
        assert len({number for number, _ in found.places}) == found.count >= 7
        for number, positions in found.places:
            assert tuple(log[number][at].name for at in positions) == found.names
            steps = [b - a for a, b in pairwise(positions)]
            assert all(1 <= step <= 4 for step in steps)
