"""What stands beside twins: cells cut by layout, columns, and the runs that tell them apart."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

from memctl.visual.boxes import Box
from memctl.visual.frame import Frame
from memctl.visual.identity import look_alikes
from memctl.visual.identity.look_alikes import twin_groups
from memctl.visual.identity.row_keys import Row, found_keys

if TYPE_CHECKING:
    import pytest

WIDTH, HEIGHT = 640, 400


def box_of(key: Row) -> Box:
    return Box(*(key[side] for side in "xywh"))


class Page:
    """A page of text and equal buttons."""

    def __init__(self) -> None:
        self.bgr = np.full((HEIGHT, WIDTH, 3), 245, np.uint8)

    def text(self, words: str, x: int, y: int) -> None:
        font = cv2.FONT_HERSHEY_SIMPLEX
        cv2.putText(self.bgr, words, (x, y), font, 0.5, (30, 30, 30), 1, cv2.LINE_AA)

    def button(self, x: int, y: int) -> Box:
        cv2.rectangle(self.bgr, (x, y), (x + 59, y + 21), (180, 90, 20), -1)
        font = cv2.FONT_HERSHEY_SIMPLEX
        cv2.putText(self.bgr, "Edit", (x + 12, y + 16), font, 0.5, (255, 255, 255), 1, cv2.LINE_AA)
        return Box(x, y, 60, 22)

    def line(self, y: int) -> None:
        self.bgr[y, 40:600] = 190

    @property
    def frame(self) -> Frame:
        return Frame(self.bgr)

    def keys(self, boxes: list[Box]) -> list[list[Box]]:
        """Return the keys of each box."""
        window = Box(0, 0, WIDTH, HEIGHT)
        found = found_keys(self.frame, dict(enumerate(boxes)), window)
        return [[box_of(key) for key in found[number].keys] for number in range(len(boxes))]


def table(*rows: tuple[str, ...]) -> tuple[Page, list[Box]]:
    """Draw a table with a line below each row; the columns stand 140 pixels apart."""
    page, boxes = Page(), []
    for number, cells in enumerate(rows):
        top = 40 + 44 * number
        for column, words in enumerate(cells):
            page.text(words, 50 + 140 * column, top + 16)
        boxes.append(page.button(520, top))
        page.line(top + 32)
    return page, boxes


def test_columns_in_which_more_differs_come_first() -> None:
    page, boxes = table(
        ("09:41", "Ann Berg", "Porto"), ("09:41", "Bo Lind", "Oslo"), ("11:37", "Eve Moor", "Rome")
    )
    for box, keys in zip(boxes, page.keys(boxes), strict=True):
        assert [key.x // 140 for key in keys] == [1, 2, 0]
        assert all(abs(key.y - box.y) < 12 for key in keys)


def test_a_column_that_says_the_same_everywhere_tells_nothing() -> None:
    page, boxes = table(("open", "Ann"), ("open", "Bob"), ("open", "Eve"))
    assert [[key.x // 140 for key in keys] for keys in page.keys(boxes)] == [[1], [1], [1]]


def test_two_rows_with_the_same_words_have_no_keys() -> None:
    page, boxes = table(("Ann", "clerk"), ("Ann", "clerk"), ("Bob", "clerk"))
    assert [len(keys) for keys in page.keys(boxes)] == [0, 0, 1]


def test_cards_are_told_by_their_own_titles() -> None:
    page, boxes = Page(), []
    names = iter(("Harbor", "Station", "Museum", "Castle"))
    for top in (30, 200):
        for left in (40, 330):
            cv2.rectangle(page.bgr, (left, top), (left + 250, top + 130), (200, 200, 200), 1)
            page.text(next(names), left + 20, top + 30)
            boxes.append(page.button(left + 20, top + 90))
    for box, keys in zip(boxes, page.keys(boxes), strict=True):
        assert len(keys) == 1
        assert abs(keys[0].x - box.x) < 16
        assert 40 < box.y - keys[0].y < 90


def test_no_key_shows_what_must_not_be_kept() -> None:
    page, boxes = table(("Ann", "4821"), ("Bob", "9377"), ("Eve", "1265"))
    hidden = Box(180, 30, 80, 150)
    window = Box(0, 0, WIDTH, HEIGHT)
    places = dict(enumerate(boxes))
    found = found_keys(page.frame, places, window, hidden=[hidden])
    assert not any(box_of(key).overlap(hidden) for one in found.values() for key in one.keys)


def test_a_row_ends_where_the_row_of_a_control_that_looks_otherwise_begins() -> None:
    page, boxes = Page(), []
    for number, name in enumerate(("Ann Berg", "Bob Cole", "Cy Dunn", "Dee Ek", "Eva Fox")):
        top = 40 + 44 * number
        page.text(name, 50, top + 16)
        boxes.append(Box(520, top, 40, 20))
        cv2.rectangle(page.bgr, (520, top), (559, top + 19), (180, 90, 20), -1)
        x = 522 + 20 * (number % 2)
        cv2.rectangle(page.bgr, (x, top + 2), (x + 15, top + 17), (255, 255, 255), -1)
    for box, keys in zip(boxes, page.keys(boxes), strict=True):
        assert keys
        assert all(abs(key.y - box.y) < 12 for key in keys)


def test_what_nobody_compared_any_more_is_told_from_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    page = Page()
    boxes = {0: page.button(60, 40), 1: page.button(60, 100)}
    page.bgr[107:110, 84:85] = 255  # one has a dot between its letters
    assert len(twin_groups(page.frame, boxes)) == 2
    monkeypatch.setattr(look_alikes, "_MOST_COMPARED", 0)
    assert len(twin_groups(page.frame, boxes)) == 1
