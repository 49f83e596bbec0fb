"""What a person erased is in no picture, word or text of the store, and does not come back."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
import pytest

from memctl.base.errors import NotFoundError
from memctl.visual.boxes import Box
from memctl.visual.reading.image import decode_png
from memctl_cli.demo import bundle
from tests.visual.drawn import Widget, numbered
from tests.visual.graph.test_states import state_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memctl.memory import Memory
    from memctl.visual.frame import Pixels
    from memctl.visual.match_results import Learn
    from tests.visual.conftest import OpenMemory, Query

# CSS pixels: columns of a picture that hold more than one letter, and from one piece to the next.
_PIECE, _STEP = 28, 12


class Erased:
    """One element of the bundled app, erased, and all that a store still holds of it."""

    def __init__(self, memory: Memory, first: str, element: str) -> None:
        self.memory = memory
        shot = bundle.shot(first)
        self.element, self.page = element, shot.page
        self.label = shot.box(element).label
        self.learned = memory.learn(shot.png, shot.boxes_file())
        (name,) = [c.name for c in memory.components.list() if c.label == self.label]
        assert next(self._found(first)), "what is looked for is there before"
        self.done = memory.components.erase(name)

    def again(self, name: str, *, boxes: bool = True) -> Learn:
        shot = bundle.shot(name)
        return self.memory.learn(shot.png, shot.boxes_file() if boxes else None)

    def traces(self, *shots: str) -> list[str]:
        """Return where the store holds a piece of the element as one of these shots shows it."""
        return list(self._found(*shots))

    def _found(self, *shots: str) -> Iterator[str]:
        needles = [piece for name in shots for piece in self._pieces(name)]
        with closing(sqlite3.connect(self.memory.store.path)) as file:
            for where, picture in _pictures(file):
                if any(_holds(picture, needle) for needle in needles):
                    yield where
            yield from (where for where, text in _texts(file) if self.label in text)

    def _pieces(self, name: str) -> Iterator[Pixels]:
        shot = bundle.shot(name)
        pixels = _gray(decode_png(shot.png))
        x, y, w, h = shot.box(self.element).pixels
        crop = pixels[y : y + h, x : x + w]
        yield crop
        columns, step = (int(css * shot.dpr) for css in (_PIECE, _STEP))
        for left in range(0, w - columns, step):
            piece = crop[:, left : left + columns]
            if piece.std() > 20:
                yield piece


def _gray(bgr: Pixels) -> Pixels:
    return np.asarray(cv2.cvtColor(bgr, cv2.COLOR_BGR2GRAY), np.uint8)


def _holds(picture: Pixels, needle: Pixels) -> bool:
    if picture.shape[0] < needle.shape[0] or picture.shape[1] < needle.shape[1]:
        return False
    return float(cv2.matchTemplate(picture, needle, cv2.TM_CCOEFF_NORMED).max()) > 0.98


def _rows(file: sqlite3.Connection) -> Iterator[tuple[str, Any]]:
    tables = file.execute("select name from sqlite_schema where type = 'table'").fetchall()
    for (table,) in tables:
        rows = file.execute(f'select * from "{table}"')
        names = [column[0] for column in rows.description]
        for row in rows:
            yield from zip((f"{table}.{name}" for name in names), row, strict=True)


def _pictures(file: sqlite3.Connection) -> Iterator[tuple[str, Pixels]]:
    from memctl.visual.matching.template import crop_of, record

    pngs = {value: where for where, value in _rows(file) if isinstance(value, bytes)}
    for value, where in pngs.items():
        if value.startswith(b"\x89PNG"):
            yield where, _gray(decode_png(value))
    blobs = [row[0] for row in file.execute("select features from template")]
    for blob, head in zip(blobs, record(blobs), strict=True):
        yield "template.features", crop_of(blob, head).gray


def _texts(file: sqlite3.Connection) -> Iterator[tuple[str, str]]:
    for where, value in _rows(file):
        if isinstance(value, str):
            yield where, value


def words_at(query: Query, place: Box) -> list[Box]:
    from memctl.visual.recognition.shown_screen import boxes_of, unpacked_words

    every = [
        unpacked_words(row[0]) for row in query("select words from state where words is not null")
    ]
    boxes = [Box(*box) for words in every for box in boxes_of(words).tolist()]
    return [box for box in boxes if 2 * box.overlap(place) > box.area]


@pytest.fixture
def customer(opened: OpenMemory) -> Erased:
    memory = opened(keep_screenshots="9")
    return Erased(memory, "customers", "customers/BF/link:Bramble Foods")


def test_nothing_of_an_erased_element_is_left_in_the_store(customer: Erased, query: Query) -> None:
    assert customer.traces("customers") == []
    assert words_at(query, Box(321, 307, 102, 20)) == []


@pytest.mark.parametrize(
    ("shot", "boxes"),
    [("customers", True), ("customers-scrolled", False)],
    ids=["boxes", "proposals"],
)
def test_an_erased_element_does_not_come_back(
    customer: Erased, query: Query, shot: str, boxes: bool
) -> None:
    answer = customer.again(shot, boxes=boxes)
    assert any(one.why.startswith("erased by you on 20") for one in answer.refused)
    customer.again(shot, boxes=boxes)
    assert customer.traces("customers", "customers-scrolled") == []
    assert words_at(query, Box(321, 307, 102, 20)) == []


@pytest.mark.parametrize(
    ("first", "second", "element", "boxes"),
    [
        ("settings-at-1.5", "settings", "settings/digest/text:Weekly summary by email", False),
    ],
)
def test_an_erased_element_does_not_come_back_at_another_scale(
    opened: OpenMemory, first: str, second: str, element: str, boxes: bool
) -> None:
    erased = Erased(opened(keep_screenshots="9"), first, element)
    erased.again(second, boxes=boxes)
    assert erased.traces(first, second) == []


def test_the_rows_of_a_table_are_told_without_the_erased_name(customer: Erased) -> None:
    shot = bundle.shot("customers")
    boxes = shot.boxes_file()
    for box in boxes:
        if box["type"] == "icon" and box["y"] == 303:
            box["row"] = "Bramble Foods"
    customer.memory.learn(shot.png, boxes)
    assert customer.traces("customers") == []


def test_the_other_elements_are_learned_as_before(customer: Erased) -> None:
    answer = customer.again("customers")
    assert {one.box for one in answer.refused if "erased" in one.why} == {(321, 307, 102, 20)}
    assert customer.memory.locate("Juniper_&_Finch", bundle.shot("customers").png).found


def test_erased_places_are_listed_without_content_and_can_be_lifted(memory: Memory) -> None:
    page = numbered("Page", 6)
    state = state_of(memory.learn(*page.given, page="inbox"))
    memory.components.erase("Page_e")
    (place,) = memory.components.erased()
    assert (place.state_id, place.x, place.y, place.w, place.h) == (state, 170, 70, 90, 28)
    assert place.pictures == 1
    assert [one.box for one in memory.learn(*page.given).refused] == [(170, 70, 90, 28)]
    assert memory.components.lift(place.id) == [place]
    assert memory.components.erased() == []
    assert [one.name for one in memory.learn(*page.given).learned] == ["Page_e"]
    with pytest.raises(NotFoundError, match="there is no erasure 1"):
        memory.components.lift(1)


def test_the_pixels_of_an_erased_component_are_known_on_any_page(memory: Memory) -> None:
    secret = Widget("Account 4711", 20, 200)
    memory.learn(*numbered("Page", 6).plus(secret).given)
    memory.components.erase("Account_4711")
    other = numbered("Other", 6).plus(secret.moved(130, 40))
    answer = memory.learn(*other.given)
    assert [one.box for one in answer.refused] == [(150, 240, 90, 28)]
    wider = {"x": 146, "y": 236, "w": 98, "h": 36, "type": "image"}
    assert len(memory.learn(other.image, [wider]).refused) == 1


def test_one_of_equal_buttons_is_erased_by_its_place_alone(memory: Memory) -> None:
    page = numbered("Page", 6).plus(Widget("Delete", 20, 150), Widget("Delete", 20, 200))
    memory.learn(*page.given)
    memory.components.erase("Delete_2")
    assert memory.components.erased()[0].pictures == 0
    answer = memory.learn(*page.plus(Widget("Delete", 20, 250)).given)
    assert [one.box for one in answer.refused] == [(20, 200, 90, 28)]
    assert [one.y for one in answer.learned] == [250]


def test_a_box_that_shows_the_erased_one_among_others_is_refused(memory: Memory) -> None:
    page = numbered("Page", 9)
    memory.learn(*page.given)
    memory.components.erase("Page_e")
    bar = {"x": 10, "y": 60, "w": 260, "h": 50, "label": "Page d Page e", "type": "image"}
    answer = memory.learn(page.image, [*page.boxes, bar])
    assert {one.why.split(" on ")[0] for one in answer.refused} == {
        "erased by you",
        "shows what you erased",
    }
    assert all("Page e" not in (one.label or "") for one in memory.components.list())


def test_a_page_whose_last_component_is_erased_is_known_by_its_words(memory: Memory) -> None:
    shot = bundle.shot("login")
    learned = memory.learn(shot.png, [shot.box("login/heading:Sign in to Harbor").as_dict()])
    assert memory.components.erase(1).states_emptied == 0
    answer = memory.learn(shot.png, [{"x": 460, "y": 200, "w": 215, "h": 34, "label": "Sign in"}])
    assert answer.learned == []
    assert state_of(answer) == state_of(learned)


def test_texts_around_an_erased_component_lose_its_label(memory: Memory, query: Query) -> None:
    page = numbered("Page", 6).plus(Widget("Ann Smith", 20, 200))
    boxes = page.boxes
    boxes[0]["row"] = "Ann Smith, Porto"
    card = {"x": 10, "y": 190, "w": 300, "h": 50, "label": "Ann Smith, Porto", "type": "card"}
    memory.learn(page.image, [*boxes, card], title="Ann Smith - Mail")
    memory.components.erase("Ann_Smith")
    with closing(sqlite3.connect(memory.store.path)) as file:
        assert [where for where, text in _texts(file) if "Ann" in text] == []
    memory.learn(page.image, [*boxes, card], title="Ann Smith - Mail")
    with closing(sqlite3.connect(memory.store.path)) as file:
        assert [where for where, text in _texts(file) if "Ann" in text] == []
    assert query("pragma foreign_key_check") == []


def test_a_match_does_not_keep_the_words_of_an_erased_place(memory: Memory, query: Query) -> None:
    shot = bundle.shot("customers")
    memory.learn(shot.png, shot.boxes_file())
    memory.components.erase("Bramble_Foods")
    memory.store.connection().execute("update state set words_whole = 0")
    memory.match(shot.png)
    assert query("select words_whole from state") == [(1,)]
    assert words_at(query, Box(321, 307, 102, 20)) == []
