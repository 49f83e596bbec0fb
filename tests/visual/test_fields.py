"""Fields: what a person types into them is never remembered, and the field is found all the same."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import cv2
import pytest

from tests.visual.drawn import Drawn, numbered

if TYPE_CHECKING:
    from memctl.memory import Memory
    from memctl.visual.frame import Pixels
    from tests.visual.conftest import Query

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
