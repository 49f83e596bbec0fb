"""Twins: components that look alike are told apart by what stands beside them."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from memctl.base.errors import UsageError
from tests.visual.drawn import Drawn, Widget, named, rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memctl.memory import Memory
    from tests.visual.conftest import Lessons, Query

NAMES = ("Ann", "Bob", "Eve", "Kim")


def table(*names: str, top: int = 20, extra: Sequence[Widget] = ()) -> Drawn:
    """Draw a row for each name, with a button at its end."""
    widgets = [
        one
        for number, name in enumerate(names)
        for one in (
            Widget(name, 20, top + 50 * number, type="text"),
            Widget("Delete", 320, top + 50 * number),
        )
    ]
    return Drawn((*widgets, *extra))


@pytest.fixture
def learned(memory: Memory, lessons: Lessons) -> Memory:
    return lessons(memory, "rows", lambda teacher: teacher.learn(*table(*NAMES).given))


def buttons(memory: Memory, screen: Drawn) -> dict[str, int]:
    """Return the top of each button that is given out."""
    found = named(memory.match(screen.image).sightings)
    return {name: y for name, (_, y) in found.items() if name.startswith("Delete")}


def test_each_button_is_found_in_its_own_row_after_sorting(learned: Memory) -> None:
    assert buttons(learned, table("Kim", "Eve", "Bob", "Ann")) == {
        "Delete_by_Kim": 20,
        "Delete_by_Eve": 70,
        "Delete_by_Bob": 120,
        "Delete_by_Ann": 170,
    }


def test_a_removed_row_makes_its_button_absent_and_moves_the_others(learned: Memory) -> None:
    shorter = table("Ann", "Eve", "Kim")
    assert buttons(learned, shorter) == {
        "Delete_by_Ann": 20,
        "Delete_by_Eve": 70,
        "Delete_by_Kim": 120,
    }
    assert learned.locate("Delete_by_Bob", shorter.image).how == "its row is not here"


def test_two_rows_of_one_name_are_refused_rather_than_guessed(learned: Memory) -> None:
    twice = table("Ann", "Zoe", "Ann")
    assert "Delete_by_Ann" not in buttons(learned, twice)
    assert learned.locate("Delete_by_Ann", twice.image).how == "two rows look like its own"


def test_a_missing_row_is_no_miss(learned: Memory) -> None:
    for _ in range(3):
        learned.learn(*table("Ann", "Eve", "Kim").given)
    assert learned.components.get("Delete_by_Bob").consecutive_misses == 0


def test_beside_chooses_the_row_of_a_label(learned: Memory) -> None:
    screen = table("Kim", "Eve", "Bob", "Ann")
    found = learned.locate("Delete", screen.image, beside="Bob")
    assert (found.found, found.y, found.how) == (True, 120, "beside")


def test_beside_finds_a_row_that_the_component_was_never_in(learned: Memory) -> None:
    learned.learn(*Drawn((Widget("Zoe", 20, 20, type="text"),)).given)
    found = learned.locate("Delete", table("Ann", "Zoe").image, beside="Zoe")
    assert (found.found, found.y) == (True, 70)


def test_beside_something_that_is_not_on_the_screen_is_absent(learned: Memory) -> None:
    found = learned.locate("Delete", table("Ann", "Eve").image, beside="Bob")
    assert (found.found, found.how) == (False, '"Bob" is not on the screen')


def test_what_stood_beside_leaves_the_file_with_what_is_erased(
    learned: Memory, query: Query
) -> None:
    button = learned.components.get("Delete_by_Bob").id
    keys = "select count(*) from row_key where component_id = ?"
    assert query(keys, button) != [(0,)]
    learned.components.erase("Bob")
    assert query(keys, button) == [(0,)]


def test_a_store_of_an_earlier_memctl_asks_to_learn_its_page_again(learned: Memory) -> None:
    with closing(sqlite3.connect(learned.store.path)) as connection, connection:
        connection.execute("delete from row_key")
        connection.execute("update component set twins = null")
    asked = learned.locate("Delete_by_Bob", table(*NAMES).image)
    assert (asked.found, "learn its page again" in asked.how) == (False, True)
    assert not learned.learn(*table(*NAMES).given).learned
    assert buttons(learned, table("Kim", "Bob", "Ann"))["Delete_by_Bob"] == 70


def test_a_label_that_several_bear_is_ambiguous(learned: Memory) -> None:
    with pytest.raises(UsageError, match='4 components on this screen are called "d') as refused:
        learned.locate("delete", table(*NAMES).image)
    assert "Delete_by_Ann, Delete_by_Bob, Delete_by_Eve, Delete_by_Kim" in str(refused.value.hint)


def test_a_label_means_the_only_one_that_stands_on_the_screen(learned: Memory) -> None:
    found = learned.locate("delete", table("Eve").image)
    assert (found.found, found.name) == (True, "Delete_by_Eve")
    none = learned.locate("delete", rows("Save as", "Close").image)
    assert not none
    assert none.how == "none of the 4 that are called so is there"


def test_a_label_with_a_blank_that_one_component_bears_is_as_good_as_its_name(
    memory: Memory,
) -> None:
    screen = rows("Save as", "Close")
    memory.learn(*screen.given)
    assert memory.locate("save as", screen.image).name == "Save_as"
    memory.components.rename("Save_as", "keep_it")
    for asked in ("Save_as", "KEEP IT"):
        assert memory.locate(asked, screen.image).name == "keep_it"


def members(*told: tuple[str, str, str]) -> Drawn:
    """Draw a row of three texts for each member, with a button at its end."""
    widgets = [
        one
        for number, texts in enumerate(told)
        for one in (
            *(Widget(text, 20 + 110 * at, 20 + 50 * number) for at, text in enumerate(texts)),
            Widget("Edit", 360, 20 + 50 * number),
        )
    ]
    return Drawn(tuple(widgets))


def test_a_row_of_which_one_cell_changed_is_found_and_marked(memory: Memory) -> None:
    known = ("Ann", "Porto", "open"), ("Bob", "Oslo", "late"), ("Eve", "Rome", "paid")
    memory.learn(*members(*known).given)
    found = memory.match(members(known[1], ("Ann", "Porto", "gone"), known[2]).image)
    edits = {one.y: one.changed for one in found.sightings if one.name.startswith("Edit")}
    assert edits == {20: "", 70: "row changed", 120: ""}


def test_a_row_with_another_name_is_no_changed_row(memory: Memory) -> None:
    known = ("Ann", "Porto", "open"), ("Bob", "Oslo", "late"), ("Eve", "Rome", "paid")
    memory.learn(*members(*known).given)
    found = memory.match(members(("Zoe", "Porto", "open"), known[1], known[2]).image)
    assert {one.y for one in found.sightings if one.name.startswith("Edit")} == {70, 120}
