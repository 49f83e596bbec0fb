"""The uplift of the lift benchmark: a ratio of costs, with an interval that covers the truth."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from benchmarks.lift.uplift import uplift, uplifts


def test_the_uplift_is_the_ratio_of_what_each_task_takes() -> None:
    found = uplift(
        {"open": [10, 14], "delete": [6, 6]},
        {"open": [(2, True), (4, True)], "delete": [(1, True), (1, True)]},
    )
    assert (found["without"], found["with"], found["times"]) == (18, 4, 4.5)
    assert found["n"] == [4, 4]
    assert found["low"] < 4.5 < found["high"]


def test_what_never_varies_has_an_interval_without_width() -> None:
    found = uplift({"open": [12] * 3}, {"open": [(3, True)] * 5})
    assert (found["low"], found["times"], found["high"]) == (4, 4, 4)


def test_what_a_halted_run_took_is_added_to_what_the_done_ones_took() -> None:
    runs = [(2, True), (2, True), (4, False)]
    assert uplift({"open": [12]}, {"open": runs})["times"] == 3


def test_runs_of_which_none_was_done_are_worth_nothing() -> None:
    found = uplift({"open": [12, 12]}, {"open": [(2, False), (3, False)]})
    assert (found["with"], found["times"], found["high"]) == (None, 0, 0)


def test_runs_that_took_nothing_have_no_ratio() -> None:
    found = uplift({"open": [4]}, {"open": [(0, True)]})
    assert (found["with"], found["times"], found["low"]) == (0, None, None)


def test_one_time_has_no_interval() -> None:
    found = uplift({"open": [12]}, {"open": [(2, True), (4, True)]})
    assert (found["times"], found["low"], found["high"]) == (4, None, None)


def test_only_tasks_that_were_done_both_ways_are_compared() -> None:
    both = {"open": [(2.0, True)], "delete": [(50.0, True)]}
    assert uplift({"open": [8]}, both)["times"] == 4
    assert uplift({}, both)["n"] == [0, 0]


def test_the_interval_covers_the_true_ratio_as_often_as_it_says() -> None:
    random, covered = np.random.default_rng(11), 0
    for _ in range(60):
        without = random.normal(12, 1, 20).tolist()
        runs = [(seconds, True) for seconds in random.normal(3, 0.3, 20)]
        found = uplift({"open": without}, {"open": runs})
        covered += found["low"] <= 4 <= found["high"]
    assert covered / 60 == pytest.approx(0.95, abs=0.08)


def test_rows_of_the_benchmark_are_held_against_each_other() -> None:
    shown: dict[str, Any] = {"task": "open", "outcome": "done", "own_seconds": 9, "acts": 3}
    without = [{**shown, "looks": 4}, {**shown, "outcome": "not done", "looks": 99}]
    run = {"task": "open", "seconds": 3.0, "looks": 0, "outcome": "done"}
    found = uplifts(without, [run, {**run, "looks": 1}], decider=4)
    assert [found[name]["times"] for name in found] == [3, 7, 8]
