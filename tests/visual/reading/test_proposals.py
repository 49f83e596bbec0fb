"""What the model-free proposer finds on drawn screens, and what it leaves out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageDraw, ImageFont

from memctl.visual.boxes import Box
from memctl.visual.frame import Frame, Pixels
from memctl.visual.reading.proposals import (
    LARGEST_SHARE,
    LEAST_SIDE,
    LEAST_STD,
    propose,
)
from tests.each import each

if TYPE_CHECKING:
    from memctl.visual.reading.boxes_file import GivenBox

BLUE = (255, 120, 0)
GREY = (210, 206, 202)


class Screen:
    """A blank page to draw on."""

    def __init__(self, width: int = 640, height: int = 480) -> None:
        self.bgr: Pixels = np.full((height, width, 3), 255, dtype=np.uint8)

    def rectangle(self, box: Box, colour: tuple[int, int, int], *, border: bool = False) -> Screen:
        corner = (box.right - 1, box.bottom - 1)
        cv2.rectangle(self.bgr, (box.x, box.y), corner, colour, 1 if border else -1)
        return self

    def text(self, x: int, y: int, words: str, size: int = 16, colour: int = 0) -> Box:
        """Write words and return where their ink is."""
        picture = Image.fromarray(self.bgr)
        font = ImageFont.load_default(size)
        ImageDraw.Draw(picture).text((x, y), words, fill=(colour,) * 3, font=font)
        changed = (np.asarray(picture) != self.bgr).any(axis=2)
        self.bgr = np.array(picture, dtype=np.uint8)
        rows, columns = np.flatnonzero(changed.any(axis=1)), np.flatnonzero(changed.any(axis=0))
        left, top = int(columns[0]), int(rows[0])
        return Box(left, top, int(columns[-1]) + 1 - left, int(rows[-1]) + 1 - top)

    def proposals(self) -> list[GivenBox]:
        return propose(Frame(self.bgr))


def nearest(proposals: list[GivenBox], box: Box) -> GivenBox:
    return max(proposals, key=lambda proposal: proposal.box.iou(box))


def test_an_empty_screen_has_nothing_to_propose() -> None:
    assert Screen().proposals() == []


def test_a_label_is_one_box_around_its_words() -> None:
    screen = Screen()
    ink = screen.text(100, 100, "Save the file as")
    (found,) = screen.proposals()
    assert found.kind == "text"
    assert found.box.iou(ink) > 0.9


def test_entries_of_a_menu_bar_stay_apart() -> None:
    screen = Screen()
    inks = [screen.text(x, 20, words) for x, words in ((20, "File"), (80, "Edit"), (140, "View"))]
    found = screen.proposals()
    assert len(found) == 3
    assert all(nearest(found, ink).box.iou(ink) > 0.8 for ink in inks)


def test_lines_of_a_list_stay_apart() -> None:
    screen = Screen()
    inks = [screen.text(20, 40 + 36 * row, f"Entry of the list {row}") for row in range(4)]
    found = screen.proposals()
    assert all(nearest(found, ink).box.iou(ink) > 0.8 for ink in inks)


@each("border", [False, True])
def test_a_button_is_one_box_with_its_border(border: bool) -> None:
    button = Box(200, 150, 120, 36)
    screen = Screen().rectangle(button, GREY if border else BLUE, border=border)
    screen.text(240, 158, "Save", colour=0 if border else 255)
    (found,) = screen.proposals()
    assert found.kind == "button"
    assert found.box == button


def test_a_field_is_a_long_box_without_a_label_in_its_middle() -> None:
    empty, filled = Box(100, 100, 300, 34), Box(100, 200, 300, 34)
    screen = Screen().rectangle(empty, GREY, border=True).rectangle(filled, GREY, border=True)
    screen.text(110, 208, "Search")
    for field in (empty, filled):
        found = nearest(screen.proposals(), field)
        assert (found.kind, found.box) == ("input", field)


def test_an_icon_is_a_small_square() -> None:
    screen = Screen()
    cv2.circle(screen.bgr, (100, 100), 11, (0, 0, 200), 2)
    cv2.line(screen.bgr, (92, 92), (108, 108), (0, 0, 200), 2)
    (found,) = screen.proposals()
    assert found.kind == "icon"
    assert found.box.iou(Box(88, 88, 25, 25)) > 0.8


def test_a_picture_is_one_box() -> None:
    screen = Screen()
    screen.bgr[100:180, 200:300] = np.random.default_rng(3).integers(0, 256, (80, 100, 3))
    found = nearest(screen.proposals(), Box(200, 100, 100, 80))
    assert found.kind == "image"
    assert found.box.iou(Box(200, 100, 100, 80)) > 0.9


def test_what_is_smaller_than_a_template_may_be_is_left_out() -> None:
    screen = Screen()
    screen.rectangle(Box(50, 50, 5, 5), BLUE)
    assert screen.proposals() == []


def test_a_card_is_left_out_and_its_button_is_not() -> None:
    button = Box(300, 300, 100, 32)
    screen = Screen().rectangle(Box(40, 40, 560, 400), (247, 240, 240))
    screen.rectangle(Box(40, 40, 560, 400), GREY, border=True).rectangle(button, BLUE)
    screen.text(330, 306, "OK", colour=255)
    assert [found.box for found in screen.proposals()] == [button]


def test_a_rectangle_too_pale_to_be_a_template_is_left_out() -> None:
    assert Screen().rectangle(Box(100, 100, 120, 40), (245, 245, 245)).proposals() == []


def page() -> Screen:
    screen = Screen()
    for row in range(6):
        screen.text(20, 30 + 60 * row, f"Row number {row}")
        button = Box(300, 24 + 60 * row, 90, 30)
        screen.rectangle(button, BLUE).text(button.x + 24, button.y + 5, "Open", colour=255)
    return screen


def test_a_change_leaves_the_boxes_elsewhere_as_they_are() -> None:
    before, after = page(), page()
    after.text(480, 30, "12:31", size=24)
    after.rectangle(Box(470, 400, 120, 60), (0, 0, 0))
    elsewhere = [each for each in after.proposals() if each.box.x < 420]
    assert elsewhere == before.proposals()


@settings(max_examples=4, deadline=None)
@given(st.integers(0, 60), st.integers(0, 60))
def test_what_moves_keeps_its_box(dx: int, dy: int) -> None:
    before = page()
    after = Screen(700, 540)
    after.bgr[dy : dy + 480, dx : dx + 640] = before.bgr
    moved = [each.box.moved(dx, dy) for each in before.proposals()]
    assert [each.box for each in after.proposals()] == moved


def test_noise_is_bounded() -> None:
    dots = np.full((1080, 1920, 3), 255, np.uint8)
    tile = np.random.default_rng(5).integers(0, 256, (12, 12, 3))
    for y, x in np.ndindex(30, 60):
        dots[y * 36 + 8 : y * 36 + 20, x * 32 + 8 : x * 32 + 20] = tile
    assert len(propose(Frame(dots))) == 1_000


def test_the_most_trusted_stay_when_there_are_too_many() -> None:
    some = propose(Frame(page().bgr), most=6)
    assert [each.kind for each in some] == ["button"] * 6


@settings(max_examples=4, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(1, 90), st.integers(1, 90), st.integers(1, 12))
def test_every_proposal_is_inside_and_fit_to_be_a_template(
    seed: int, width: int, height: int, grain: int
) -> None:
    small = np.random.default_rng(seed).integers(
        0, 256, (height // grain + 1, width // grain + 1, 3), dtype=np.uint8
    )
    bgr = np.ascontiguousarray(small.repeat(grain, 0).repeat(grain, 1)[:height, :width])
    for found in propose(Frame(bgr)):
        box = found.box
        assert box.inside(Box(0, 0, width, height))
        assert min(box.w, box.h) >= LEAST_SIDE
        assert box.area <= LARGEST_SHARE * width * height
        crop = Frame(bgr).gray[box.y : box.bottom, box.x : box.right]
        assert crop.std() >= LEAST_STD - 1e-6
        assert 0 <= found.confidence <= 1
        assert found.source == "proposer"


def test_the_label_of_a_button_too_pale_to_keep_is_kept() -> None:
    pale = Box(100, 100, 240, 90)
    screen = Screen().rectangle(pale, (250, 250, 250)).rectangle(pale, (245, 245, 245), border=True)
    ink = screen.text(200, 135, "Go on", size=14, colour=170)
    assert nearest(screen.proposals(), ink).box.iou(ink) > 0.8
