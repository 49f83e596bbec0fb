from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from memctl.visual.reading.image import load_frame
from memctl_cli.demo import bundle
from tests.visual.drawn import Drawn, Widget, named, numbered, rows

if TYPE_CHECKING:
    from memctl.memory import Memory
    from memctl.visual.frame import Pixels
    from tests.visual.conftest import Query


def names(memory: Memory) -> list[str]:
    return [component.name for component in memory.components.list()]


def test_every_box_becomes_a_component_named_by_its_label(memory: Memory) -> None:
    screen = rows("Save", "Save as", "Close")
    learned = memory.learn(*screen.given).learned
    assert [(one.name, one.label, one.type) for one in learned] == [
        ("Save", "Save", "button"),
        ("Save_as", "Save as", "button"),
        ("Close", "Close", "button"),
    ]
    assert [(one.x, one.y) for one in learned] == [(20, 20), (170, 20), (320, 20)]


def test_a_screen_learned_again_adds_nothing(memory: Memory) -> None:
    screen = numbered("Page")
    memory.learn(*screen.given)
    again = memory.learn(*screen.given)
    assert again.learned == []
    assert len(again.sightings) == 6
    assert len(memory.components.list()) == 6


def test_a_moved_component_is_found_and_is_no_new_one(memory: Memory) -> None:
    screen = numbered("Page")
    memory.learn(*screen.given)
    kept = screen.widgets[:-1]
    moved = Drawn((*kept, screen.widgets[-1].moved(60, 40)))
    answer = memory.learn(*moved.given)
    assert answer.learned == []
    assert answer.absent == []
    last = memory.components.get("Page_f")
    assert (last.rel_x, last.rel_y) == (380, 110)
    assert (last.seen_count, last.consecutive_misses) == (2, 0)


def test_a_screenshot_that_is_shown_again_is_not_searched_again(memory: Memory) -> None:
    screen = numbered("Page")
    memory.learn(*screen.given)
    memory.match(screen.image)  # what is seen a second time defines its state from now on
    moved = screen.moved(7, 33).image
    first, again = memory.match(moved), memory.match(moved)
    assert again.sightings == first.sightings
    assert "fuzzy" in first.ms
    assert "fuzzy" not in again.ms


def test_what_was_learned_in_between_is_found_on_a_screenshot_shown_again(memory: Memory) -> None:
    screen = numbered("Page")
    few = screen.given[1][:3]
    memory.learn(screen.image, few)
    assert len(memory.match(screen.image).sightings) == 3
    memory.learn(*screen.given)
    assert len(memory.match(screen.image).sightings) == 6


def test_three_equal_delete_buttons_stay_three(memory: Memory) -> None:
    anchors = rows("Top", "Title", "Help")
    three = [Widget("Delete", 320, y) for y in (80, 130, 180)]
    screen = anchors.plus(*three)
    memory.learn(*screen.given)
    assert names(memory)[3:] == ["Delete", "Delete_2", "Delete_3"]
    places = named(memory.learn(*screen.given).sightings)
    assert [places[name] for name in ("Delete", "Delete_2", "Delete_3")] == [
        (320, 80),
        (320, 130),
        (320, 180),
    ]
    assert len(memory.components.list()) == 6


def test_of_three_equal_buttons_the_one_whose_row_is_gone_is_absent(
    memory: Memory,
) -> None:
    anchors = rows("Top", "Title", "Help", top=240)
    table = [
        (Widget(name, 20, y), Widget("Delete", 320, y))
        for name, y in (("Ann", 20), ("Bob", 70), ("Eve", 120))
    ]
    memory.learn(*anchors.plus(*table[0], *table[1], *table[2]).given)
    without = anchors.plus(*table[0], *table[2]).image
    assert named(memory.match(without).sightings)["Delete_by_Eve"] == (320, 120)
    assert memory.locate("Delete_by_Bob", without).how == "its row is not here"


def test_of_equal_buttons_that_nothing_tells_apart_none_is_given_out_once_one_is_gone(
    memory: Memory,
) -> None:
    anchors = rows("Top", "Title", "Help", top=300)
    three = [Widget("Delete", 320, y) for y in (20, 90, 160)]
    memory.learn(*anchors.plus(*three).given)
    assert {"Delete", "Delete_2", "Delete_3"} <= named(
        memory.match(anchors.plus(*three).image).sightings
    ).keys()
    answer = memory.locate("Delete_3", anchors.plus(three[0], three[1]).image)
    assert not answer.found
    assert answer.how.startswith("several places look like it")


def test_a_fourth_equal_button_is_a_fourth_component(memory: Memory) -> None:
    anchors = rows("Top", "Title", "Help")
    four = [Widget("Delete", 320, y) for y in (80, 130, 180, 230)]
    memory.learn(*anchors.plus(*four[:3]).given)
    learned = memory.learn(*anchors.plus(*four).given).learned
    assert [(one.name, one.y) for one in learned] == [("Delete_4", 230)]


def test_another_picture_at_the_same_place_is_another_component(memory: Memory) -> None:
    save, discard = Widget("Save", 20, 200), Widget("Discard", 20, 200)
    memory.learn(*numbered("One").plus(save).given)
    before = memory.components.templates("Save")
    memory.learn(*numbered("Two").plus(discard).given)
    assert memory.components.templates("Save") == before
    assert memory.components.get("Discard").id != memory.components.get("Save").id


@pytest.mark.parametrize(
    ("box", "why"),
    [
        ((200, 200, 60, 30), "flat: contrast 0.0 is below 6"),
        ((200, 261, 57, 33), "no structure in two directions"),
        ((30, 24, 7, 20), "smaller than 8 x 8 pixels"),
        ((0, 0, 400, 300), "covers more than a quarter of the screen"),
    ],
)
def test_a_box_that_makes_no_template_is_refused_and_the_rest_is_learned(
    memory: Memory, box: tuple[int, int, int, int], why: str
) -> None:
    screen = numbered("Page", 3)
    image = screen.image
    image[270:272] = 0
    answer = memory.learn(image, [*screen.boxes, dict(zip("xywh", box, strict=True))])
    assert [(one.box, one.why) for one in answer.refused] == [(box, why)]
    assert len(answer.learned) == 3


def test_of_two_boxes_at_one_place_the_labelled_one_is_kept(memory: Memory) -> None:
    screen = numbered("Page", 3)
    nameless = [{**box, "label": ""} for box in screen.boxes]
    answer = memory.learn(screen.image, [*nameless, *screen.boxes])
    assert [one.label for one in answer.learned] == ["Page a", "Page b", "Page c"]
    assert {one.why for one in answer.refused} == {"another box is at the same place"}


@pytest.mark.parametrize("label", ["12:45", "Yesterday", "3 minutes ago"])
def test_text_that_changes_by_itself_is_not_learned(memory: Memory, label: str) -> None:
    screen = numbered("Page", 3).plus(Widget(label, 20, 200))
    answer = memory.learn(*screen.given)
    assert [one.why.split(":")[0] for one in answer.refused] == ["dynamic text"]
    assert len(answer.learned) == 3


@pytest.mark.parametrize(
    "label",
    ["..", "../../etc/passwd", "a|b", "x/y", "'; drop table component; --", "con", "%s", "*"],
)
def test_a_label_that_is_no_file_name_is_a_name_all_the_same(memory: Memory, label: str) -> None:
    memory.learn(*rows(label, "Other", "Third").given)
    component = memory.components.list()[0]
    assert component.label == label
    assert memory.components.get(component.name).id == component.id
    assert memory.locate(component.name, rows(label).image).found


@pytest.mark.parametrize("asked", ["Ändern", "ändern", "ÄNDERN"])
def test_a_name_is_found_whatever_its_case_in_any_alphabet(memory: Memory, asked: str) -> None:
    memory.learn(*rows("Ändern", "Öffnen", "Drucken").given)
    assert memory.components.get(asked).name == "Ändern"


def test_an_unlabelled_component_is_listed_with_its_picture_and_can_be_named(
    memory: Memory,
) -> None:
    screen = numbered("Page", 3)
    memory.learn(screen.image, [{**box, "label": ""} for box in screen.boxes])
    unlabelled = memory.components.list(unlabelled=True)
    assert [one.name for one in unlabelled] == [
        "button_at_65_34",
        "button_at_215_34",
        "button_at_365_34",
    ]
    png = memory.components.picture(unlabelled[0].id)
    assert png.startswith(b"\x89PNG")
    assert memory.components.rename(unlabelled[0].id, "Play").name == "Play"


def test_a_hovered_button_is_a_second_look_of_the_same_component(memory: Memory) -> None:
    plain, hover = bundle.shot("invoices"), bundle.shot("invoices-hover")
    memory.learn(plain.png, plain.boxes_file())
    answer = memory.learn(hover.png, hover.boxes_file())
    (look,) = answer.learned
    assert look.new_look
    assert memory.components.get(look.component_id).looks == 2
    found = {one.component_id: one.template_id for one in memory.match(hover.png).sightings}
    assert found[look.component_id] == look.template_id
    back = {one.component_id: one.template_id for one in memory.match(plain.png).sightings}
    assert back[look.component_id] != look.template_id


def test_another_look_is_only_taken_for_the_component_of_the_same_label_and_place(
    memory: Memory,
) -> None:
    screen = numbered("Page", 15)
    memory.learn(*screen.given)
    strange = replace(screen.widgets[0], look="quite another picture", label="Other")
    answer = memory.learn(*Drawn((strange, *screen.widgets[1:])).given)
    assert [(one.name, one.new_look) for one in answer.learned] == [("Other", False)]
    assert [one.name for one in answer.absent] == ["Page_a"]


def test_a_dark_theme_is_a_second_look_of_a_page_that_the_caller_names(memory: Memory) -> None:
    light, dark = bundle.shot("login"), inverted(bundle.shot("login").png)
    memory.learn(light.png, light.boxes_file(), page="login")
    before = len(memory.components.list())
    learned = memory.learn(dark, light.boxes_file(), page="login").learned
    assert all(one.new_look for one in learned)
    assert len(learned) == len(memory.components.list()) == before
    memory.learn(light.png, light.boxes_file(), page="login")
    memory.learn(dark, light.boxes_file(), page="login")
    assert len(memory.states.list()) == 1
    for shot in (light.png, dark):
        answer = memory.match(shot)
        assert answer.state is not None
        assert len(answer.sightings) == before


def inverted(png: bytes) -> Pixels:
    return np.asarray(255 - load_frame(png).bgr, dtype=np.uint8)


def test_the_proposer_finds_components_where_no_boxes_are_given(memory: Memory) -> None:
    login = bundle.shot("login")
    answer = memory.learn(login.png)
    assert {one.label for one in answer.learned} == {None}
    assert {component.source for component in memory.components.list()} == {"proposer"}
    again = memory.match(login.png)
    assert again.state is not None
    assert len(again.sightings) == len(answer.learned)


def test_an_empty_screen_is_no_state(memory: Memory, query: Query) -> None:
    answer = memory.learn(Drawn().image)
    assert (answer.state, answer.learned, answer.state_created) == (None, [], False)
    assert query("select found, learned from observation") == [(0, 0)]


def test_what_is_absent_is_false_and_has_no_place_but_that_which_was_refused(
    memory: Memory,
) -> None:
    screen = numbered("Page")
    memory.learn(*screen.given)
    pale = screen.image.copy()
    pale[10:60, 160:300] = pale[10:60, 160:300] * 0.5 + 120
    answer = memory.locate("Page_b", pale)
    assert not answer
    assert (answer.x, answer.y, answer.center) == (None, None, None)
    assert answer.refused_at == (170, 20)
    assert answer.score is not None
    assert answer.score > 0.99
    assert answer.how.startswith("perhaps disabled: ")
