from __future__ import annotations

import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memctl.visual.graph.transitions import Transition, likeliest_path, wilson_lower_bound
from tests.each import each

STATES = "abcde"


def edge(
    start: str,
    end: str,
    wins: int = 1,
    losses: int = 0,
    ms: float | None = None,
    act: str = "click",
) -> Transition:
    made = None, start, act, end, None, "committed"
    return Transition(*made, wins + losses, wins, losses, ms, "2026-01-02T03:04:05Z")


# Newcombe (1998), Two-sided confidence intervals for the single proportion, Statistics in
# Medicine 17, table I, method 3 (Wilson's score without continuity correction), to four places.
@each(
    ("wins", "trials", "lower"),
    [(81, 263, 0.2553), (15, 148, 0.0624), (0, 20, 0.0), (1, 29, 0.0061)],
)
def test_the_lower_bound_is_the_published_one(wins: int, trials: int, lower: float) -> None:
    assert wilson_lower_bound(wins, trials) == pytest.approx(lower, abs=5e-5)


@each(("wins", "trials"), [(2, 1), (-1, 3)])
def test_more_successes_than_trials_are_refused(wins: int, trials: int) -> None:
    with pytest.raises(ValueError, match="successes in"):
        wilson_lower_bound(wins, trials)


def edges() -> st.SearchStrategy[list[Transition]]:
    state = st.sampled_from(STATES)
    one = st.builds(
        edge,
        state,
        state,
        st.integers(0, 4),
        st.integers(0, 3),
        st.sampled_from([None, 10.0, 20.0, 50.0]),
        st.sampled_from(["click", "key"]),
    )
    return st.lists(
        one.filter(lambda e: e.from_state != e.to_state and e.successes + e.failures > 0),
        max_size=14,
        unique_by=lambda e: (e.from_state, e.to_state, e.action),
    )


def every_path(known: list[Transition], start: str, goal: str) -> list[list[Transition]]:
    """Enumerate all ways without a circle."""
    if start == goal:
        return [[]]
    rest = [e for e in known if start not in {e.from_state, e.to_state}]
    return [
        [first, *further]
        for first in known
        if first.from_state == start and first.successes
        for further in every_path(rest, first.to_state, goal)
    ]


def likelihood(path: list[Transition]) -> float:
    return math.prod(e.probability for e in path)


@given(edges(), st.sampled_from(STATES), st.sampled_from(STATES))
def test_no_other_way_is_more_likely(known: list[Transition], start: str, goal: str) -> None:
    found = likeliest_path(known, start, goal)
    ways = every_path(known, start, goal)
    if found is None:
        assert ways == []
        return
    assert likelihood(found) == pytest.approx(max(map(likelihood, ways)), rel=1e-9)
    places = [start, *(e.to_state for e in found)]
    assert places[-1] == goal
    assert [(e.from_state, e.to_state) for e in found] == list(pairwise(places))


def test_equally_likely_ways_tie_by_time_then_by_steps() -> None:
    slow, fast = edge("a", "b", ms=90, act="key"), edge("a", "b", ms=10)
    assert likeliest_path([slow, fast], "a", "b") == [fast]


def test_a_tie_is_broken_over_the_whole_way() -> None:
    known = [
        edge("a", "b", ms=10),
        edge("b", "d", ms=90),
        edge("a", "c", ms=30),
        edge("c", "d", ms=30),
    ]
    found = likeliest_path(known, "a", "d")
    assert found is not None
    assert [e.to_state for e in found] == ["c", "d"]
