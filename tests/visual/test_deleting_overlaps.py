"""What is deleted is gone from other components' pictures too."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
import pytest

from memctl.base.errors import MemctlError
from memctl.visual.reading.image import decode_png
from tests.visual.drawn import Widget, numbered, rows

if TYPE_CHECKING:
    from memctl.memory import Memory
    from memctl.visual.frame import Pixels
    from tests.visual.conftest import OpenMemory, Query

SECRET = Widget("Account 4711", 60, 220, w=120, h=40)
OTHER = Widget("Transfer", 220, 225, w=90, h=28)
BAR = {"x": 40, "y": 210, "w": 300, "h": 60, "label": "Bar", "type": "image"}
PART = {"x": 70, "y": 225, "w": 60, "h": 30, "label": "Part", "type": "text"}
SCREEN = rows("Top", "Title", "Help").plus(SECRET, OTHER)


def learned(memory: Memory, *more: dict[str, Any]) -> None:
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
    learned(memory, BAR)
    assert shows(pictures(memory)["Bar"][0], SECRET.picture())
    deleted = memory.components.erase("Account_4711")
    assert (deleted.looks_masked, deleted.looks_removed) == (1, 0)
    for name, looks in pictures(memory).items():
        assert not any(shows(look, SECRET.picture()) for look in looks), name


def test_what_lies_inside_of_the_erased_one_is_erased_with_it(memory: Memory) -> None:
    learned(memory, BAR, PART)
    erased = memory.components.erase("Bar")
    assert (erased.looks_masked, erased.inside) == (0, 3)
    assert set(pictures(memory)) == {"Top", "Title", "Help"}


def test_what_matching_keeps_of_the_picture_is_made_anew(memory: Memory, query: Query) -> None:
    learned(memory, BAR)
    memory.components.erase("Account_4711")
    gray = np.asarray(cv2.cvtColor(SECRET.picture(), cv2.COLOR_BGR2GRAY), np.uint8)
    assert not any(shows(luma, gray) for luma in stored_luma(query))


def test_a_picture_of_which_nothing_is_left_goes_and_its_component_with_it(
    memory: Memory,
) -> None:
    frame = {"x": 45, "y": 205, "w": 150, "h": 70, "label": "Frame", "type": "image"}
    learned(memory, frame)
    assert memory.components.erase("Account_4711").looks_removed == 1
    (gone,) = memory.components.list(forgotten=True)
    assert gone.name == "Frame"
    assert "picture" in (gone.forgotten_why or "")


def test_a_component_learned_later_is_painted_over_in_earlier_pictures(memory: Memory) -> None:
    without = [box for box in SCREEN.boxes if box["label"] != SECRET.label]
    memory.learn(SCREEN.image, [*without, BAR])
    learned(memory)
    memory.components.erase("Account_4711")
    looks = pictures(memory)
    assert "Bar" in looks
    assert not any(shows(look, SECRET.picture()) for one in looks.values() for look in one)


def test_a_kept_screenshot_whose_state_knows_the_component_goes_too(
    opened: OpenMemory, query: Query
) -> None:
    memory = opened(keep_screenshots="9")
    without = [box for box in SCREEN.boxes if box["label"] != SECRET.label]
    memory.learn(SCREEN.image, without)
    learned(memory)
    memory.learn(*numbered("Far", 4).given)
    memory.components.erase("Account_4711")
    assert query("select observation_id from screenshot") == [(3,)]


def test_a_delete_that_fails_paints_nothing(memory: Memory, query: Query) -> None:
    learned(memory, BAR)
    before = query("select id, sha256 from template order by id")
    with closing(sqlite3.connect(memory.store.path, isolation_level=None)) as other:
        other.execute("begin immediate")
        memory.store.connection().execute("pragma busy_timeout = 20")
        with pytest.raises(MemctlError):
            memory.components.erase("Account_4711")
        other.execute("rollback")
    assert query("select id, sha256 from template order by id") == before
