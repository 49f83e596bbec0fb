"""What the model-free proposer finds on screens, and what it leaves out.

Maps, photos and wallpapers are no components, windows above them keep theirs, dialogs dim.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageDraw, ImageFont

from memctl.visual.boxes import Box
from memctl.visual.frame import Frame, Pixels
from memctl.visual.reading import proposals
from memctl.visual.reading.proposals import LARGEST_SHARE, LEAST_SIDE, LEAST_STD, propose
from tests.each import each

if TYPE_CHECKING:
    import pytest

    from memctl.memory import Memory
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


SIZE = (1024, 768)
FONT = ImageFont.load_default(15)
SCREEN = Box(0, 0, *SIZE)
WINDOW = Box(280, 150, 520, 420)


def blank(shade: int = 255) -> Pixels:
    return np.full((SIZE[1], SIZE[0], 3), shade, np.uint8)


def written(picture: Pixels, *texts: tuple[int, int, str], ink: int = 30) -> Pixels:
    image = Image.fromarray(picture)
    draw = ImageDraw.Draw(image)
    for x, y, text in texts:
        draw.text((x, y), text, fill=(ink,) * 3, font=FONT)
    return np.array(image)


def wavy(rng: Any, picture: Pixels, width: int, colour: Any, steps: int = 40) -> None:
    """Draw a road or a river from a place at random, in a direction that wanders."""
    place, course = rng.uniform(0, 700, 2), rng.uniform(0, 6.3)
    way = [place]
    for _ in range(steps):
        course += rng.normal(0, 0.25)
        way.append(way[-1] + 40 * np.array([np.cos(course), np.sin(course)]))
    points = np.array(way, np.int32)
    cv2.polylines(picture, [points], isClosed=False, color=(150, 150, 150), thickness=width + 2)
    cv2.polylines(picture, [points], isClosed=False, color=colour, thickness=width)


def street_map(seed: int) -> Pixels:
    rng = np.random.default_rng(seed)
    picture = blank(238)
    for _ in range(40):
        wavy(rng, picture, 4, (255, 255, 255))
    for _ in range(10):
        wavy(rng, picture, 8, (120, 190, 250))
    names = [(*rng.integers(0, 700, 2).tolist(), f"Road {at}") for at in range(40)]
    return written(picture, *names)


def photo(seed: int) -> Pixels:
    rng = np.random.default_rng(seed)
    made = np.zeros((SIZE[1], SIZE[0], 3), np.float32)
    for size in (2, 4, 8, 16, 32, 64):
        noise = rng.normal(0, 1, (SIZE[1] // size + 2, SIZE[0] // size + 2, 3)).astype(np.float32)
        made += cv2.resize(noise, SIZE, interpolation=cv2.INTER_CUBIC) * size**0.5
    return np.asarray(cv2.normalize(made, made, 0, 255, cv2.NORM_MINMAX), np.uint8)


def hills(seed: int) -> Pixels:
    rng = np.random.default_rng(seed)
    shades = np.linspace(150, 240, SIZE[1])[:, None, None] * np.ones((1, SIZE[0], 3))
    picture = np.asarray(shades, np.uint8)
    across = np.arange(SIZE[0])
    for at in range(9):
        top = 150 + 60 * at + 30 * np.sin(across / rng.uniform(20, 90) + rng.uniform(0, 6))
        top += rng.normal(0, 3, SIZE[0])
        line = np.stack([across, top], 1)
        colour = rng.integers(30, 200, 3).tolist()
        cv2.fillPoly(picture, [np.vstack([line, [[1024, 768], [0, 768]]]).astype(np.int32)], colour)
    return picture


def window(picture: Pixels, at: Box = WINDOW) -> Pixels:
    """Draw a window with a bar, five entries, a field and two buttons."""
    picture = picture.copy()
    corner = (at.right - 1, at.bottom - 1)
    cv2.rectangle(picture, (at.x, at.y), corner, (250, 250, 250), -1)
    cv2.rectangle(picture, (at.x, at.y), (at.right - 1, at.y + 35), (232, 232, 232), -1)
    cv2.rectangle(picture, (at.x, at.y), corner, (160, 160, 160), 1)
    field = (at.x + 190, at.y + 60), (at.right - 30, at.y + 93)
    cv2.rectangle(picture, *field, (150, 150, 150), 1)
    for x in (at.right - 210, at.right - 110):
        place = (x, at.bottom - 46), (x + 89, at.bottom - 15)
        cv2.rectangle(picture, *place, (215, 215, 215), -1)
    entries = ("General", "Network", "Display", "Privacy", "About")
    return written(
        picture,
        (at.x + at.w // 2 - 35, at.y + 8, "My program"),
        *((at.x + 20, at.y + 60 + 34 * row, text) for row, text in enumerate(entries)),
        (at.right - 187, at.bottom - 40, "Close"),
        (at.right - 87, at.bottom - 40, "Apply"),
    )


def found_in(picture: Pixels, part: Box = SCREEN) -> list[GivenBox]:
    return [one for one in propose(Frame(picture)) if one.box.inside(part)]


@each("made", [street_map, photo, hills])
def test_a_picture_has_no_components(made: Any) -> None:
    picture = blank()
    part = Box(200, 60, 800, 680)
    picture[60:740, 200:1000] = made(1)[60:740, 200:1000]
    menu = [(20, 60 + 40 * row, text) for row, text in enumerate(("Hotels", "Fuel", "Parking"))]
    picture = written(picture, *menu)
    assert len(found_in(picture, part)) <= 15
    assert len(found_in(picture, Box(0, 0, 200, 768))) == 3


@each("made", [street_map, photo, hills])
def test_a_window_above_a_wallpaper_keeps_its_components(made: Any) -> None:
    alone = {one.box for one in found_in(window(blank(120)), WINDOW)}
    assert len(alone) >= 9
    picture = window(made(1))
    found = {one.box for one in found_in(picture, WINDOW)}
    assert len(alone & found) >= len(alone) - 1
    outside = [one for one in propose(Frame(picture)) if not one.box.overlap(WINDOW)]
    assert len(outside) <= 30


@each("dim", [0.4, 0.6])
def test_what_a_dialog_dims_is_not_proposed(dim: float) -> None:
    page = window(blank(), Box(40, 30, 940, 700))
    dimmed = (page * dim).astype(np.uint8)
    found = propose(Frame(window(dimmed)))
    assert len(found) >= 9
    assert all(one.box.overlap(WINDOW) for one in found)


def test_a_window_on_a_dark_page_dims_nothing() -> None:
    menu = [(20, 60 + 60 * row, f"Entry {row}") for row in range(10)]
    page = written(blank(40), *menu, ink=255)
    beside = found_in(window(page), Box(0, 0, WINDOW.x, SIZE[1]))
    assert len(beside) == len(menu)


def test_white_lists_on_a_grey_dialog_dim_nothing() -> None:
    page = blank(192)
    page[200:500, 300:700] = 255
    page = written(page, *((20, 60 + 60 * row, f"Entry {row}") for row in range(10)))
    assert len(found_in(page, Box(0, 0, 290, SIZE[1]))) == 10


def test_the_bar_of_a_window_is_no_field_and_its_title_is_read() -> None:
    found = found_in(window(blank(120)), WINDOW)
    bar = Box(WINDOW.x, WINDOW.y, WINDOW.w, 36)
    kinds = {one.kind for one in found if one.box.iou(bar) > 0.7}
    assert kinds <= {"area"}
    title = [one for one in found if one.box.inside(bar) and one.kind == "text"]
    assert len(title) == 1


def test_a_button_with_an_icon_is_one_button() -> None:
    picture = blank(240)
    cv2.rectangle(picture, (100, 100), (219, 131), (205, 205, 205), -1)
    cv2.circle(picture, (124, 116), 8, (40, 90, 200), 2)
    picture = written(picture, (142, 107, "Details"))
    button = Box(100, 100, 120, 32)
    assert [one.kind for one in propose(Frame(picture)) if one.box.iou(button) > 0.9] == ["button"]


def test_a_field_with_an_icon_at_its_end_is_a_field() -> None:
    picture = blank(240)
    cv2.rectangle(picture, (100, 100), (419, 135), (120, 120, 120), 1)
    cv2.circle(picture, (402, 118), 7, (60, 60, 60), 2)
    picture = written(picture, (110, 108, "a search that was typed"))
    field = Box(100, 100, 320, 36)
    assert [one.field for one in propose(Frame(picture)) if one.box.iou(field) > 0.9] == [True]


def test_the_title_of_a_bar_is_learned(memory: Memory) -> None:
    picture = window(blank(120))
    memory.learn(picture)
    bar = Box(WINDOW.x, WINDOW.y, WINDOW.w, 36)
    shown = memory.match(picture)
    titles = [one for one in shown.sightings if Box(one.x, one.y, one.w, one.h).inside(bar)]
    assert titles


@each("made", [street_map, photo, hills])
def test_photos_that_fill_the_screen_are_known_by_label_as_by_outline(
    made: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    screen = Frame(window(made(2)))
    by_outline = propose(screen)
    monkeypatch.setattr(proposals, "MOST_EDGES", 0)
    assert propose(screen) == by_outline
