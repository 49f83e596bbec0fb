"""Names that mean something, everything that can be found by them, and what a delete by hand leaves."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING, Any

import pytest

from memctl.base.errors import UsageError
from memctl.upkeep.doctor import examine
from tests.visual.drawn import Drawn, Widget, numbered, rows

if TYPE_CHECKING:
    from memctl.memory import Memory


TWO = (Widget("Delete", 320, 20), Widget("Delete", 320, 200))


def names(memory: Memory) -> list[str]:
    return [component.name for component in memory.components.list()]


def learn(memory: Memory, drawn: Drawn, **boxes: Any) -> None:
    """Learn a screen, with more keys for the boxes of the labels that are named."""
    given = [{**box, **boxes.get(box["label"], {})} for box in drawn.boxes]
    memory.learn(drawn.image, given)


def test_an_unlabelled_icon_is_named_after_the_text_beside_it(memory: Memory) -> None:
    icon = Widget("", 115, 24, 20, 20, type="search_icon", look="lens")
    memory.learn(*Drawn((Widget("Orders", 20, 20, type="text"), icon)).given)
    assert names(memory) == ["Orders", "search_icon_by_Orders"]


def test_an_icon_far_from_any_text_is_named_after_its_place(memory: Memory) -> None:
    icon = Widget("", 400, 250, 20, 20, type="icon", look="lens")
    memory.learn(*Drawn((Widget("Orders", 20, 20), icon)).given)
    assert names(memory)[1] == "icon_at_410_260"


def test_a_control_and_its_caption_have_names_of_their_own(memory: Memory) -> None:
    caption = Widget("Name", 20, 20, type="text")
    field = Widget("Name", 20, 60, 90, 40, type="button", look="field")
    memory.learn(*Drawn((caption, field)).given)
    assert names(memory) == ["Name_text", "Name"]


def test_equal_labels_are_told_apart_by_the_rows_that_a_source_names(memory: Memory) -> None:
    given = [{**box, "row": row} for box, row in zip(Drawn(TWO).boxes, ("Ann", "Bob"), strict=True)]
    memory.learn(Drawn(TWO).image, given)
    assert names(memory) == ["Delete_by_Ann", "Delete_by_Bob"]


def test_equal_labels_are_told_apart_by_their_sections(memory: Memory) -> None:
    sections = ("Users", "Groups")
    given = [{**b, "section": s} for b, s in zip(Drawn(TWO).boxes, sections, strict=True)]
    memory.learn(Drawn(TWO).image, given)
    assert names(memory) == ["Delete_in_Users", "Delete_in_Groups"]


def test_a_row_that_is_named_after_a_time_lends_no_name(memory: Memory) -> None:
    given = [
        {**box, "row": row} for box, row in zip(Drawn(TWO).boxes, ("12:30", "12:45"), strict=True)
    ]
    memory.learn(Drawn(TWO).image, given)
    assert names(memory) == ["Delete", "Delete_2"]


def test_a_name_that_a_person_gave_stays_when_a_label_is_read(memory: Memory) -> None:
    screen = numbered("Page")
    memory.learn(screen.image, [{**box, "label": ""} for box in screen.boxes])
    first, second = sorted(memory.components, key=lambda c: c.id)[:2]
    memory.components.rename(first.id, "my_button")
    memory.learn(*screen.given)
    assert memory.components.get(first.id).name == "my_button"
    assert memory.components.get(first.id).label == "Page a"
    assert memory.components.get(second.id).name == "Page_b"


def test_a_cut_label_is_marked_and_never_settled_by_pixels_alone(memory: Memory) -> None:
    screen = rows("report-13...", "Close", "Open")
    learn(memory, screen, **{"report-13...": {"type": "link"}})
    component = memory.components.get("report-13...")
    assert component.cut
    found = memory.locate("report-13...", screen.image)
    assert (found.found, found.how.split(":")[0]) == (False, "its label is cut")
    assert {one.name: one.counted for one in memory.match(screen.image).absent} == {
        "report-13...": False
    }


def test_a_cut_label_is_settled_by_boxes_that_say_all_of_it(memory: Memory) -> None:
    screen = rows("report-13...", "Close", "Open")
    whole = {"report-13...": {"type": "link", "label": "report-13.csv", "cut": True}}
    learn(memory, screen, **whole)
    boxes = [{**box, **whole.get(box["label"], {})} for box in screen.boxes]
    assert memory.visual.locate("report-13.csv", screen.image, boxes=boxes).found
    boxes[0]["label"] = "report-130.ipynb"
    assert not memory.visual.locate("report-13.csv", screen.image, boxes=boxes).found


def test_dots_on_a_command_are_no_cut(memory: Memory) -> None:
    memory.learn(*rows("Save as...").given)
    assert not memory.components.get("Save_as...").cut


def test_a_place_is_not_another_label_of_the_same_look(memory: Memory) -> None:
    one, other = Widget("Keep me", 20, 140, look="box"), Widget("Done", 20, 140, look="box")
    memory.learn(*numbered("Login").plus(one).given)
    memory.learn(*numbered("Tasks").plus(other).given)
    assert {"Keep_me", "Done"} <= set(names(memory))


def test_a_state_is_found_by_its_page_and_its_title(memory: Memory) -> None:
    memory.learn(*numbered("Login").given, page="login", title="Sign in - Harbor")
    memory.learn(*numbered("Orders").given, page="orders")
    state = memory.states.get("LOGIN")
    assert memory.states.get("sign in - harbor").id == state.id
    memory.transitions.record("login", "click:Login_a", "orders")
    memory.transitions.commit()
    assert [step.to_state for step in memory.transitions.path("login", "orders").steps] == [
        memory.states.get("orders").id
    ]


def test_a_page_of_several_states_is_ambiguous(memory: Memory) -> None:
    memory.learn(*numbered("List").given, page="orders")
    memory.learn(*numbered("Dialog").given, page="orders")
    with pytest.raises(UsageError, match='2 states are of the page "orders"'):
        memory.states.get("orders")


def test_a_state_is_described_by_its_page_its_title_and_what_is_on_it(memory: Memory) -> None:
    memory.learn(*rows("Save", "Close").given, page="editor", title="Notes")
    assert memory.states.get("editor").description == "editor. Notes. Save, Close"


def test_a_recall_finds_a_state_by_its_description(memory: Memory) -> None:
    memory.learn(*rows("Send invoice", "Close").given, page="billing")
    memory.learn(*rows("Search", "Open").given, page="start")
    (row,) = memory.recall("where do I send invoices?", kinds=["state"])
    assert (row.kind, row.id) == ("state", memory.states.get("billing").id)
    assert memory.recall("the invoices")[0].matched == ("invoices",)


def test_a_recall_puts_what_was_said_before_the_screens(memory: Memory) -> None:
    memory.learn(*rows("Invoices", "Close").given, page="billing")
    memory.log("The invoices go out on Monday.")
    assert [row.kind for row in memory.recall("invoices")] == ["turn", "state"]


def test_a_recall_of_screens_alone_says_that_none_holds_the_words(memory: Memory) -> None:
    memory.learn(*rows("Invoices", "Close").given, page="billing")
    answer = memory.recall("weather", kinds=["state"])
    assert (len(answer), answer.note) == (0, "no screen holds these words")


def _located(memory: Memory, boxes: list[dict[str, Any]], image: Drawn) -> str:
    """Return how a component is found, or why it is not, where boxes tell what stands there."""
    return memory.visual.locate("Open", image.image, boxes=boxes).how


def test_a_place_in_another_row_is_another_component_where_boxes_tell_rows(memory: Memory) -> None:
    screen = numbered("Page", 3).plus(Widget("Open", 20, 140))
    given = [{**box, "row": "Ann" if box["label"] == "Open" else ""} for box in screen.boxes]
    memory.learn(screen.image, given)
    assert _located(memory, given, screen) == "last"
    given[-1]["row"] = "Bob"
    assert _located(memory, given, screen) == "same look, another row where it stands"
    given[-1]["row"] = "3 minutes ago"
    assert _located(memory, given, screen) == "last"


def test_a_part_of_another_element_is_not_the_component_that_looks_like_it(memory: Memory) -> None:
    screen = numbered("Page", 3).plus(Widget("Open", 20, 140))
    memory.learn(*screen.given)
    around = {"x": 10, "y": 135, "w": 240, "h": 38, "label": "Delete all", "type": "menuitem"}
    given = [*screen.boxes[:3], around]
    assert _located(memory, given, screen) == "same look, another label where it stands"
    given[-1] = {**around, "label": "Open file"}
    kind = "same look, another kind of thing where it stands"
    assert _located(memory, given, screen) == kind
    given[-1] = {**around, "label": "Open file", "type": screen.boxes[-1]["type"]}
    assert _located(memory, given, screen) == "last"


def test_beside_goes_by_the_section_that_a_source_told(memory: Memory) -> None:
    """A heading stands above its buttons, nearer to the section before than the layout tells."""
    buttons = [Widget("Restart", 20, y, look=f"restart {y}") for y in (60, 140, 220)]
    heads = [
        Widget(f"Server {s}", 20, y, type="heading")
        for s, y in zip("ABC", (30, 110, 190), strict=True)
    ]
    screen = Drawn((*heads, *buttons))
    sections = {60: "Server A", 140: "Server B", 220: "Server C"}
    given = [{**box, "section": sections.get(box["y"], "")} for box in screen.boxes]
    memory.learn(screen.image, given)
    assert names(memory)[1::2] == [
        "Restart_in_Server_A",
        "Restart_in_Server_B",
        "Restart_in_Server_C",
    ]
    assert memory.locate("Restart", screen.image, beside="Server B").y == 140


def test_beside_goes_by_the_rows_that_the_boxes_of_the_screen_tell(memory: Memory) -> None:
    screen = Drawn(TWO)
    memory.learn(
        screen.image, [{**box, "row": r} for box, r in zip(screen.boxes, "AB", strict=True)]
    )
    told = [{**box, "row": row} for box, row in zip(screen.boxes, ("C", "D"), strict=True)]
    found = memory.visual.locate("Delete", screen.image, beside="D", boxes=told)
    assert (found.found, found.y) == (True, 200)


def calculator(memory: Memory) -> None:
    """Learn keys whose labels are numbers: "2" is the first component, "9" no component's id."""
    picture, boxes = rows("2", "1", "9").given
    memory.learn(picture, [{**box, "type": "button"} for box in boxes])


def test_a_number_that_is_a_name_and_another_ones_id_is_ambiguous(memory: Memory) -> None:
    calculator(memory)
    assert memory.components.get(1).name == "2"
    with pytest.raises(UsageError, match="the name of component 1 and the id of another"):
        memory.components.erase("2")
    assert len(memory.components.list()) == 3


def test_a_number_that_names_one_component_only_is_its_name(memory: Memory) -> None:
    calculator(memory)
    assert memory.components.get("9").id == 3


def test_a_hash_before_a_number_makes_it_an_id(memory: Memory) -> None:
    calculator(memory)
    assert [memory.components.get(key).name for key in ("#1", "#2", "#3")] == ["2", "1", "9"]


def test_an_act_is_tied_to_the_component_that_bears_the_label(memory: Memory) -> None:
    first = memory.learn(*rows("Sign in", "Help").given).state
    second = memory.learn(*numbered("Home").given).state
    assert first is not None
    assert second is not None
    noted = memory.transitions.record(first.id, "click:Sign in", second.id)
    assert noted.component_id == memory.components.get("Sign_in").id


def _deleted_in_the_shell(memory: Memory, table: str, first: str) -> None:
    """Learn two screens and a click, and delete a row after typing `first`."""
    one = memory.learn(*numbered("Page").given).state
    other = memory.learn(*numbered("Other").given).state
    assert one is not None
    assert other is not None
    memory.transitions.record(one.id, "click:Page a", other.id)
    with closing(sqlite3.connect(memory.store.path)) as shell:
        shell.execute(first)
        shell.execute(f"delete from {table} where rowid = (select min(rowid) from {table})")
        shell.commit()


TABLES = ["component", "template", "state", "observation"]


@pytest.mark.parametrize("table", TABLES)
def test_a_delete_in_the_shell_with_foreign_keys_on_leaves_no_dangling_reference(
    memory: Memory, table: str
) -> None:
    _deleted_in_the_shell(memory, table, "pragma foreign_keys = on")
    assert [one.detail for one in examine(memory.store) if not one.ok] == []


@pytest.mark.parametrize("table", TABLES)
def test_what_a_delete_in_the_shell_leaves_without_them_is_mended(
    memory: Memory, table: str
) -> None:
    _deleted_in_the_shell(memory, table, "pragma foreign_keys = off")
    assert all(one.ok for one in memory.doctor(fix=True))
    assert memory.store.rows("pragma foreign_key_check") == []
