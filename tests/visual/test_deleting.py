from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from memctl.base.errors import NotFoundError, UsageError
from tests.visual.drawn import Drawn, Widget, numbered, rows
from tests.visual.graph.test_states import state_of

if TYPE_CHECKING:
    from memctl.memory import Memory
    from tests.visual.conftest import OpenMemory, Query


def stored_bytes(memory: Memory) -> bytes:
    """Return every byte of the store's files: database, WAL, shared memory."""
    path = memory.store.path
    return b"".join(file.read_bytes() for file in sorted(path.parent.glob(path.name + "*")))


def test_deleted_pictures_are_gone_from_every_file(memory: Memory) -> None:
    secret = Widget("Unmistakable label 4711", 20, 200, w=200, h=60)
    memory.learn(*numbered("Page", 3).plus(secret).given)
    (look,) = memory.components.templates("Unmistakable_label_4711")
    png = memory.components.picture(look.id)
    pieces = [png[at : at + 40] for at in range(100, len(png) - 40, 150)]
    before = stored_bytes(memory)
    assert all(piece in before for piece in pieces)
    assert b"Unmistakable" in before
    deleted = memory.components.erase("Unmistakable_label_4711")
    assert deleted.erased
    after = stored_bytes(memory)
    assert not any(piece in after for piece in pieces)
    assert b"Unmistakable" not in after


def test_a_delete_waits_for_nobody_and_says_that_a_reader_still_sees_the_bytes(
    memory: Memory,
) -> None:
    memory.learn(*numbered("Page", 3).given)
    with closing(sqlite3.connect(memory.store.path, timeout=0.1)) as reader:
        reader.execute("begin")
        reader.execute("select count(*) from component").fetchone()
        memory.store.connection().execute("pragma busy_timeout = 50")
        assert not memory.components.erase("Page_a").erased
    assert memory.components.erase("Page_b").erased


def test_a_kept_screenshot_goes_with_the_component_it_shows(
    opened: OpenMemory, query: Query
) -> None:
    memory = opened(keep_screenshots="9")
    memory.learn(*numbered("One", 3).given)
    memory.learn(*numbered("Two", 3).given)
    memory.components.erase("Two_a")
    assert query("select observation_id from screenshot") == [(1,)]


def test_a_deleted_component_is_nowhere(memory: Memory, query: Query) -> None:
    screen = numbered("Page", 3)
    start = state_of(memory.learn(*screen.given))
    end = state_of(memory.learn(*numbered("Next", 3).given))
    memory.transitions.record(start, "click:Page_a", end)
    memory.transitions.commit()
    memory.match(screen.image)
    gone = memory.components.get("Page_a").id
    memory.components.erase("page_A")
    tables = {"template": "component_id", "sighting": "component_id"}
    tables |= {"state_component": "component_id", "transition": "component_id", "component": "id"}
    for table, column in tables.items():
        assert query(f"select count(*) from {table} where {column} = ?", gone) == [(0,)]
    assert query("select count(*) from state_text where text = 'Page a'") == [(0,)]
    assert query("pragma foreign_key_check") == []
    assert [one.name for one in memory.states.get(start).components] == ["Page_b", "Page_c"]
    with pytest.raises(NotFoundError):
        memory.components.get("Page_a")


def test_a_state_goes_with_the_last_component_that_defines_it(memory: Memory) -> None:
    state = state_of(memory.learn(*numbered("Page", 2).given))
    end = state_of(memory.learn(*numbered("Next", 2).given))
    memory.transitions.record(state, "key:Enter", end)
    memory.transitions.commit()
    assert memory.components.erase("Page_a").states_emptied == 0
    assert memory.components.erase("Page_b").states_emptied == 1
    assert [one.id for one in memory.states.list()] == [end]
    assert memory.transitions.list() == []


def test_an_id_is_not_given_twice(memory: Memory) -> None:
    memory.learn(*numbered("Page", 3).given)
    last = memory.components.get("Page_c").id
    memory.components.erase(last)
    memory.learn(*numbered("Other", 3).given)
    assert min(c.id for c in memory.components.list() if c.name.startswith("Other")) > last
    with pytest.raises(NotFoundError):
        memory.components.get(last)


def test_another_memory_of_the_same_file_does_not_take_the_next_component_for_the_deleted_one(
    opened: OpenMemory,
) -> None:
    memory, other = opened(), opened()
    screen = numbered("Page", 6)
    memory.learn(*screen.given)
    other.match(screen.image)
    memory.components.erase("Page_f")
    memory.components.lift(1)
    replaced = screen.without("Page f").plus(Widget("Other", 320, 70))
    memory.learn(*replaced.given)
    assert {one.name for one in other.match(replaced.image).sightings} == {
        *(f"Page_{letter}" for letter in "abcde"),
        "Other",
    }
    assert "Other" not in {one.name for one in other.match(screen.image).sightings}


def test_one_of_three_equal_buttons_can_be_deleted(memory: Memory) -> None:
    three = Drawn(tuple(Widget("Delete", 320, y) for y in (80, 130, 180)))
    screen = rows("Top", "Title", "Help").plus(*three.widgets)
    memory.learn(*screen.given)
    memory.components.erase("Delete_2")
    places = {one.name: one.y for one in memory.match(screen.image).sightings}
    assert places["Delete"] == 80
    assert places["Delete_3"] == 180


def test_a_renamed_component_is_known_by_its_new_name_everywhere(memory: Memory) -> None:
    screen = numbered("Page", 3)
    state = state_of(memory.learn(*screen.given))
    memory.components.rename("Page_a", "Play")
    assert "Play" in {one.name for one in memory.match(screen.image).sightings}
    assert memory.states.get(state).components[0].name == "Play"
    assert memory.locate("play", screen.image).found
    with pytest.raises(NotFoundError):
        memory.components.get("Page_a")


@pytest.mark.parametrize("taken", ["Page_b", "page_B"])
def test_a_name_of_another_component_is_refused(memory: Memory, taken: str) -> None:
    memory.learn(*numbered("Page", 3).given)
    with pytest.raises(UsageError, match="there is already a component"):
        memory.components.rename("Page_a", taken)
    assert [c.name for c in sorted(memory.components, key=lambda c: c.id)] == [
        "Page_a",
        "Page_b",
        "Page_c",
    ]


@pytest.mark.parametrize(
    "key", ["nothing", "", 99, 0, -1, 10**30, "9" * 30, "9" * 5000, "\ud800", "x\x00y", True + 98]
)
def test_an_unknown_component_is_one_clear_line(memory: Memory, key: str | int) -> None:
    memory.learn(*numbered("Page", 3).given)
    for call in (memory.components.get, memory.components.erase, memory.components.pin):
        with pytest.raises(NotFoundError, match="there is no component") as caught:
            call(key)
        assert len(caught.value.message) < 200
        assert "\n" not in caught.value.message


def test_a_name_that_is_nearly_right_is_offered(memory: Memory) -> None:
    memory.learn(*rows("Settings", "Other", "Third").given)
    with pytest.raises(NotFoundError) as caught:
        memory.components.get("Setings")
    assert "Settings" in caught.value.hint


def test_a_name_of_digits_is_a_name_and_a_number_is_an_id(memory: Memory) -> None:
    memory.learn(*numbered("Page", 3).given)
    memory.components.rename(3, "7")
    assert memory.components.get("7").id == 3
    assert memory.components.get(1).id == 1
    assert memory.components.get("2").id == 2
