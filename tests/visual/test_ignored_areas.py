"""What a person leaves out, and what a person types: nothing of it is remembered."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import cv2
import pytest

from memctl.base.errors import UsageError
from tests.each import each
from tests.visual.drawn import Drawn, Widget, numbered

if TYPE_CHECKING:
    from memctl.memory import Memory
    from memctl.visual.frame import Pixels
    from tests.visual.conftest import Query


PAGE = numbered("Page")
CLOCK = Widget("Clock face", 20, 200)
SCREEN = PAGE.plus(CLOCK)
AREA = (10, 190, 120, 50)


def whys(answer: Any) -> list[str]:
    return [one.why for one in answer.refused]


def needle() -> str:
    """Return the screen's boxes and the ignored area as openQA writes them."""
    names = ("xpos", "ypos", "width", "height")
    areas = [((one.x, one.y, one.w, one.h), "match") for one in SCREEN.widgets] + [
        (AREA, "exclude")
    ]
    listed = [{**dict(zip(names, box, strict=True)), "type": kind} for box, kind in areas]
    return json.dumps({"area": listed, "tags": ["page"], "properties": []})


@pytest.mark.parametrize(("boxes", "ignore"), [(SCREEN.boxes, [AREA]), (needle(), [])])
def test_nothing_is_learned_of_an_ignored_area_which_is_kept_with_the_state(
    memory: Memory, query: Query, boxes: Any, ignore: Any
) -> None:
    answer = memory.learn(SCREEN.image, boxes, ignore=ignore)
    assert whys(answer) == ["ignored by you"]
    assert len(answer.learned) == len(PAGE.widgets)
    assert answer.state is not None
    assert memory.states.get(answer.state.id).ignored == [AREA]
    assert query("select state_id, x, y, w, h, label from ignored_area") == [
        (answer.state.id, *AREA, None)
    ]


def test_learning_again_adds_areas_and_keeps_the_others_out(memory: Memory) -> None:
    state = memory.learn(*PAGE.given, ignore=[AREA]).state
    assert state is not None
    again = memory.learn(*SCREEN.given, ignore=[(300, 200, 40, 40), AREA])
    assert memory.states.get(state.id).ignored == [AREA, (300, 200, 40, 40)]
    third = memory.learn(*SCREEN.given)
    assert (again.learned, third.learned) == ([], [])
    assert whys(third) == ["ignored by you"]


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


@each(
    ("areas", "message"),
    [
        ([(500, 10, 20, 20)], "the ignored area 500,10,20,20 lies outside of the 480 x 320 screen"),
        ([(-30, 10, 20, 20)], "the ignored area -30,10,20,20 lies outside of the 480 x 320 screen"),
        ([(10, 10, 0, 20)], "the ignored area 10,10,0,20 is empty"),
        ([(10, 10, 20, -1)], "the ignored area 10,10,20,-1 is empty"),
        ([(0, 0, 480, 320)], "all of the screen is ignored"),
        ([(0, 0, 480, 200), (0, 150, 480, 170)], "all of the screen is ignored"),
    ],
)
def test_areas_that_make_no_sense_are_refused(memory: Memory, areas: Any, message: str) -> None:
    with pytest.raises(UsageError) as error:
        memory.learn(*PAGE.given, ignore=areas)
    assert error.value.message == message
    assert len(memory.components) == 0


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


PLACE = (20, 180, 260, 32)


def form(value: str, around: Drawn | None = None) -> Pixels:
    """Draw a screen of buttons with a framed field that holds a value."""
    picture = (around or numbered("Form")).image
    x, y, w, h = PLACE
    cv2.rectangle(picture, (x, y), (x + w - 1, y + h - 1), (255, 255, 255), -1)
    cv2.rectangle(picture, (x, y), (x + w - 1, y + h - 1), (90, 90, 90), 1)
    at = (x + 8, y + 21)
    cv2.putText(picture, value, at, cv2.FONT_HERSHEY_SIMPLEX, 0.5, (20, 20, 20), 1, cv2.LINE_AA)
    return picture


def boxes(**field: Any) -> list[dict[str, Any]]:
    x, y, w, h = PLACE
    return [*numbered("Form").boxes, {"x": x, "y": y, "w": w, "h": h, "type": "input", **field}]


def test_the_picture_of_a_field_is_the_same_whatever_is_typed(memory: Memory, query: Query) -> None:
    memory.learn(form("ann@example.org"), boxes(label="E-mail"))
    (first,) = query(
        "select png from template where component_id = (select max(id) from component)"
    )
    memory.components.erase("E-mail")
    memory.components.lift(memory.components.erased()[0].id)
    memory.learn(form("+49 170 1234567"), boxes(label="E-mail"))
    assert query("select png from template order by id desc limit 1") == [first]


def test_the_text_in_a_field_is_no_label(memory: Memory) -> None:
    memory.learn(form("ann@example.org"), boxes(text="ann@example.org"))
    assert "ann@example.org" not in {c.label for c in memory.components.list()}
    assert not [c.name for c in memory.components.list() if "ann" in c.name]


def test_a_text_that_stands_in_a_field_is_refused(memory: Memory) -> None:
    x, y, _, _ = PLACE
    inside = {"x": x + 6, "y": y + 6, "w": 130, "h": 20, "type": "text", "label": "Ann Berg"}
    answer = memory.learn(form("Ann Berg"), [*boxes(label="Name"), inside])
    assert [one.why for one in answer.refused] == ["contents of a field"]


@pytest.mark.parametrize("value", ["", "Bob", "a much longer value than"])
def test_a_field_is_found_with_another_value_in_it(memory: Memory, value: str) -> None:
    memory.learn(form("Ann Berg"), boxes(label="Name"))
    seen = {one.name: (one.x, one.y) for one in memory.match(form(value)).sightings}
    assert seen["Name"] == PLACE[:2]
    assert memory.locate("Name", form(value)).found


def test_a_field_is_not_found_where_its_surroundings_have_gone(memory: Memory) -> None:
    memory.learn(form("Ann Berg"), boxes(label="Name"))
    assert not memory.locate("Name", form("Bob", numbered("Other"))).found


def test_the_contents_of_a_known_field_are_not_learned_without_boxes(
    memory: Memory, query: Query
) -> None:
    memory.learn(form("Ann Berg"), boxes(label="Name"))
    memory.learn(form("Roberta Example"))
    x, y, w, _ = PLACE
    inside = "select count(*) from component where rel_x > ? and rel_y > ? and rel_x + w < ?"
    assert query(inside, x + 1, y + 1, x + w) == [(0,)]


def test_a_field_that_was_emptied_by_its_source_keeps_its_placeholder(memory: Memory) -> None:
    memory.learn(form("Search..."), boxes(label="Search", field=True, emptied=True))
    assert memory.match(form("Search...")).sightings[-1].score == 1.0


def test_a_check_box_that_a_source_calls_an_input_is_no_field(memory: Memory) -> None:
    square = {"x": 300, "y": 184, "w": 20, "h": 20, "type": "input", "label": "Agree"}
    memory.learn(form(""), [*boxes(label="Name"), square])
    assert {c.name for c in memory.components.list() if c.field} == {"Name"}
