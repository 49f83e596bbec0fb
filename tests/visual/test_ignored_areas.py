"""Areas that a person leaves out: nothing is learned of them, and nothing is missed there."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from memctl.base.errors import UsageError
from tests.visual.drawn import Widget, numbered

if TYPE_CHECKING:
    from memctl.memory import Memory
    from tests.visual.conftest import Query

PAGE = numbered("Page")
CLOCK = Widget("Clock face", 20, 200)
SCREEN = PAGE.plus(CLOCK)
AREA = (10, 190, 120, 50)


def whys(answer: Any) -> list[str]:
    return [one.why for one in answer.refused]


def test_nothing_is_learned_of_an_ignored_area(memory: Memory) -> None:
    answer = memory.learn(*SCREEN.given, ignore=[AREA])
    assert whys(answer) == ["ignored by you"]
    assert len(answer.learned) == len(PAGE.widgets)


def test_ignored_areas_are_kept_with_the_state(memory: Memory, query: Query) -> None:
    answer = memory.learn(*SCREEN.given, ignore=[AREA])
    assert answer.state is not None
    assert memory.states.get(answer.state.id).ignored == [AREA]
    assert query("select ignored from state") == [("[[10, 190, 120, 50]]",)]


def test_learning_again_adds_areas_and_keeps_the_others_out(memory: Memory) -> None:
    state = memory.learn(*PAGE.given, ignore=[AREA]).state
    assert state is not None
    again = memory.learn(*SCREEN.given, ignore=[(300, 200, 40, 40), AREA])
    assert memory.states.get(state.id).ignored == [AREA, (300, 200, 40, 40)]
    third = memory.learn(*SCREEN.given)
    assert (again.learned, third.learned) == ([], [])
    assert whys(third) == ["ignored by you"]


def test_a_component_in_an_area_that_is_ignored_later_is_not_missed(memory: Memory) -> None:
    memory.learn(*SCREEN.given)
    memory.learn(*SCREEN.given)
    memory.learn(*PAGE.given, ignore=[AREA])
    assert memory.match(PAGE.image).absent == []


def test_areas_are_kept_from_the_windows_corner_at_ratio_one(memory: Memory) -> None:
    x, y, w, h = AREA
    wide = SCREEN.moved(30, 40)
    wide = type(wide)(wide.widgets, 600, 400)
    state = memory.learn(
        *wide.given, window=(30, 40, 480, 320), ignore=[(x + 30, y + 40, w, h)]
    ).state
    assert state is not None
    assert memory.states.get(state.id).ignored == [AREA]


def test_an_area_is_cut_to_the_screen(memory: Memory) -> None:
    state = memory.learn(*PAGE.given, ignore=[(400, 300, 500, 500)]).state
    assert state is not None
    assert memory.states.get(state.id).ignored == [(400, 300, 80, 20)]


@pytest.mark.parametrize(
    ("area", "message"),
    [
        ((500, 10, 20, 20), "the ignored area 500,10,20,20 lies outside of the 480 x 320 screen"),
        ((-30, 10, 20, 20), "the ignored area -30,10,20,20 lies outside of the 480 x 320 screen"),
        ((10, 10, 0, 20), "the ignored area 10,10,0,20 is empty"),
        ((10, 10, 20, -1), "the ignored area 10,10,20,-1 is empty"),
        ((0, 0, 480, 320), "all of the screen is ignored"),
    ],
)
def test_an_area_that_makes_no_sense_is_refused(
    memory: Memory, area: tuple[int, int, int, int], message: str
) -> None:
    with pytest.raises(UsageError) as error:
        memory.learn(*PAGE.given, ignore=[area])
    assert error.value.message == message
    assert len(memory.components) == 0


def test_areas_that_leave_nothing_together_are_refused(memory: Memory) -> None:
    with pytest.raises(UsageError, match="all of the screen"):
        memory.learn(*PAGE.given, ignore=[(0, 0, 480, 200), (0, 150, 480, 170)])


def test_without_areas_all_of_a_state_counts_again(memory: Memory) -> None:
    state = memory.learn(*SCREEN.given, ignore=[AREA]).state
    assert state is not None
    assert memory.states.ignore(state.id, []).ignored == []
    assert [one.label for one in memory.learn(*SCREEN.given).learned] == ["Clock face"]


@pytest.mark.parametrize("bad", [(1, 2, 3), 5, ("a", 1, 2, 3), (1.5, 2, 3, 4), (1, 2, 0, 4)])
def test_an_area_that_is_no_box_is_refused_by_learn_and_by_states(memory: Memory, bad: Any) -> None:
    state = memory.learn(*SCREEN.given).state
    assert state is not None
    with pytest.raises(UsageError):
        memory.states.ignore(state.id, [bad])
    with pytest.raises(UsageError):
        memory.learn(*SCREEN.given, ignore=[bad])


def test_what_a_needle_excludes_is_ignored(memory: Memory) -> None:
    match = [
        {"xpos": one.x, "ypos": one.y, "width": one.w, "height": one.h, "type": "match"}
        for one in SCREEN.widgets
    ]
    x, y, w, h = AREA
    left_out = {"xpos": x, "ypos": y, "width": w, "height": h, "type": "exclude"}
    needle = {"area": [*match, left_out], "tags": ["page"], "properties": []}
    answer = memory.learn(SCREEN.image, json.dumps(needle))
    assert whys(answer) == ["ignored by you"]
    assert answer.state is not None
    assert memory.states.get(answer.state.id).ignored == [AREA]
