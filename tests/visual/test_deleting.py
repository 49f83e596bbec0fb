"""What is erased is gone: from the store, its files, and other components' pictures."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
import pytest

from memctl.base.errors import MemctlError, NotFoundError, UsageError
from memctl.visual.reading.image import decode_png
from tests.visual.drawn import Drawn, Widget, numbered, rows
from tests.visual.graph.test_states import state_of

if TYPE_CHECKING:
    from memctl.memory import Memory
    from memctl.visual.frame import Pixels
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


ACCOUNT = Widget("Account 4711", 60, 220, w=120, h=40)
OTHER = Widget("Transfer", 220, 225, w=90, h=28)
BAR = {"x": 40, "y": 210, "w": 300, "h": 60, "label": "Bar", "type": "image"}
PART = {"x": 70, "y": 225, "w": 60, "h": 30, "label": "Part", "type": "text"}
SCREEN = rows("Top", "Title", "Help").plus(ACCOUNT, OTHER)


def learned_with(memory: Memory, *more: dict[str, Any]) -> None:
    memory.learn(SCREEN.image, [*SCREEN.boxes, *more])


def shows(haystack: Pixels, needle: Pixels) -> bool:
    """Whether a picture of the same screen holds a large enough piece of another."""
    height, width = needle.shape[:2]
    pieces = [
        needle[y : y + 16, x : x + 16]
        for y in range(0, height - 15, 12)
        for x in range(0, width - 15, 12)
    ]
    return any(
        float(cv2.matchTemplate(haystack, piece, cv2.TM_SQDIFF).min()) < 1
        for piece in pieces
        if piece.std() > 3 and min(haystack.shape[:2]) >= 16
    )


def pictures(memory: Memory) -> dict[str, list[Pixels]]:
    return {
        one.name: [
            decode_png(memory.components.picture(look.id))
            for look in memory.components.templates(one.id)
        ]
        for one in memory.components.list()
    }


def stored_luma(query: Query) -> list[Pixels]:
    """Return the luma that each look's features carry."""
    from memctl.visual.matching.template import crop_of, record

    blobs = [row[0] for row in query("select features from template")]
    heads = record(blobs)
    return [crop_of(blob, head).gray for blob, head in zip(blobs, heads, strict=True)]


def test_a_picture_that_holds_the_deleted_one_is_painted_over_there(memory: Memory) -> None:
    learned_with(memory, BAR)
    assert shows(pictures(memory)["Bar"][0], ACCOUNT.picture())
    deleted = memory.components.erase("Account_4711")
    assert (deleted.looks_masked, deleted.looks_removed) == (1, 0)
    for name, looks in pictures(memory).items():
        assert not any(shows(look, ACCOUNT.picture()) for look in looks), name


def test_what_lies_inside_of_the_erased_one_is_erased_with_it(memory: Memory) -> None:
    learned_with(memory, BAR, PART)
    erased = memory.components.erase("Bar")
    assert (erased.looks_masked, erased.inside) == (0, 3)
    assert set(pictures(memory)) == {"Top", "Title", "Help"}


def test_what_matching_keeps_of_the_picture_is_made_anew(memory: Memory, query: Query) -> None:
    learned_with(memory, BAR)
    memory.components.erase("Account_4711")
    gray = np.asarray(cv2.cvtColor(ACCOUNT.picture(), cv2.COLOR_BGR2GRAY), np.uint8)
    assert not any(shows(luma, gray) for luma in stored_luma(query))


def test_a_picture_of_which_nothing_is_left_goes_and_its_component_with_it(
    memory: Memory,
) -> None:
    frame = {"x": 45, "y": 205, "w": 150, "h": 70, "label": "Frame", "type": "image"}
    learned_with(memory, frame)
    assert memory.components.erase("Account_4711").looks_removed == 1
    (gone,) = memory.components.list(forgotten=True)
    assert gone.name == "Frame"
    assert "picture" in (gone.forgotten_why or "")


def test_a_component_learned_later_is_painted_over_in_earlier_pictures(memory: Memory) -> None:
    without = [box for box in SCREEN.boxes if box["label"] != ACCOUNT.label]
    memory.learn(SCREEN.image, [*without, BAR])
    learned_with(memory)
    memory.components.erase("Account_4711")
    looks = pictures(memory)
    assert "Bar" in looks
    assert not any(shows(look, ACCOUNT.picture()) for one in looks.values() for look in one)


def test_a_kept_screenshot_whose_state_knows_the_component_goes_too(
    opened: OpenMemory, query: Query
) -> None:
    memory = opened(keep_screenshots="9")
    without = [box for box in SCREEN.boxes if box["label"] != ACCOUNT.label]
    memory.learn(SCREEN.image, without)
    learned_with(memory)
    memory.learn(*numbered("Far", 4).given)
    memory.components.erase("Account_4711")
    assert query("select observation_id from screenshot") == [(3,)]


def test_a_delete_that_fails_paints_nothing(memory: Memory, query: Query) -> None:
    learned_with(memory, BAR)
    before = query("select id, sha256 from template order by id")
    with closing(sqlite3.connect(memory.store.path, isolation_level=None)) as other:
        other.execute("begin immediate")
        memory.store.connection().execute("pragma busy_timeout = 20")
        with pytest.raises(MemctlError):
            memory.components.erase("Account_4711")
        other.execute("rollback")
    assert query("select id, sha256 from template order by id") == before
