"""Marks drawn on real screenshots."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import numpy as np
import pytest
from PIL import Image, ImageColor

from memctl.base.errors import UnusableInputError
from memctl.visual.boxes import Box
from memctl_cli.demo.bundle import shot
from memctl_cli.drawing.marks import Mark, draw_marks
from memctl_cli.drawing.pen import COLOURS, COLOURS_ON_DARK
from tests.each import each

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from memctl_cli.demo.bundle import Shot
    from memctl_cli.drawing.pen import Kind

NEW_INVOICE = "invoices/button:New invoice"


def box_of(screenshot: Shot, element: str) -> Box:
    return Box(*screenshot.box(element).pixels)


def decoded(png: bytes) -> NDArray[np.uint8]:
    with Image.open(io.BytesIO(png)) as picture:
        assert (picture.format, picture.mode) == ("PNG", "RGB")
        return np.asarray(picture)


def inside(picture: NDArray[np.uint8], box: Box) -> NDArray[np.uint8]:
    return picture[box.y : box.bottom, box.x : box.right]


def painted(picture: NDArray[np.uint8], colour: str) -> NDArray[np.bool_]:
    """Where the picture has exactly this colour."""
    red, green, blue = ImageColor.getrgb(colour)[:3]
    same: NDArray[np.bool_] = (
        (picture[..., 0] == red) & (picture[..., 1] == green) & (picture[..., 2] == blue)
    )
    return same


def added(before: Shot, after: bytes, colour: str) -> NDArray[np.bool_]:
    """Where the drawing put a colour on the screenshot."""
    old, new = decoded(before.png), decoded(after)[: before.height]
    return painted(new, colour) & ~painted(old, colour)


def test_the_picture_keeps_its_width_and_grows_by_the_legend() -> None:
    screenshot = shot("invoices")
    drawn = decoded(draw_marks(screenshot.png, []))
    assert drawn.shape == (screenshot.height + 36, screenshot.width, 3)
    assert (drawn[: screenshot.height] == decoded(screenshot.png)).all()


@each("kind", ["found", "new", "moved", "absent"])
def test_nothing_is_drawn_inside_a_marked_box(kind: Kind) -> None:
    screenshot = shot("invoices")
    box = box_of(screenshot, NEW_INVOICE)
    drawn = decoded(draw_marks(screenshot.png, [Mark(box, "New invoice", kind)]))
    assert (inside(drawn, box) == inside(decoded(screenshot.png), box)).all()


def test_marking_everything_leaves_every_box_readable() -> None:
    screenshot = shot("invoices")
    marks = [Mark(Box(*box.pixels), box.label, "found") for box in screenshot.boxes]
    before, after = decoded(screenshot.png), decoded(draw_marks(screenshot.png, marks))
    changed = [
        mark for mark in marks if (inside(before, mark.box) != inside(after, mark.box)).any()
    ]
    # Boxes that stand closer than an outline is wide share a line.
    assert len(changed) <= len(marks) // 10


def test_the_four_kinds_have_their_own_colours() -> None:
    screenshot = shot("invoices")
    box = box_of(screenshot, NEW_INVOICE)
    for kind, colour in COLOURS.items():
        drawn = draw_marks(screenshot.png, [Mark(box, "here", kind)])
        assert added(screenshot, drawn, colour).sum() > 100
        others = [other for name, other in COLOURS.items() if name != kind]
        assert not any(added(screenshot, drawn, other).any() for other in others)


def test_a_frame_on_a_dark_page_is_light() -> None:
    light, dark = shot("invoices"), shot("invoices-dark")
    for screenshot, palette in ((light, COLOURS), (dark, COLOURS_ON_DARK)):
        mark = Mark(box_of(screenshot, NEW_INVOICE), "", "new")
        assert added(screenshot, draw_marks(screenshot.png, [mark]), palette["new"]).sum() > 300


def test_what_is_absent_is_dashed() -> None:
    screenshot, before = shot("dashboard-gone"), shot("dashboard")
    box = box_of(before, "dashboard/button:Import statement")
    drawn = added(
        screenshot, draw_marks(screenshot.png, [Mark(box, "", "absent")]), COLOURS["absent"]
    )
    top_edge = drawn[box.y - 2, box.x : box.right]
    assert top_edge.any()
    assert not top_edge.all()


def test_an_urgent_mark_is_labelled_even_in_a_crowd() -> None:
    screenshot = shot("invoices")
    crowd = [Mark(Box(*box.pixels), box.label, "found") for box in screenshot.boxes]
    target = box_of(screenshot, "invoices/INV-1045/link:INV-1045")
    frame_alone = draw_marks(screenshot.png, [*crowd, Mark(target, "", "new")])
    labelled = draw_marks(screenshot.png, [*crowd, Mark(target, "INV-1045", "new")])
    colour = COLOURS["new"]
    gained = (
        added(screenshot, labelled, colour).sum() - added(screenshot, frame_alone, colour).sum()
    )
    assert gained > 300


def test_a_dense_display_gets_thicker_lines() -> None:
    screenshot = shot("invoices-at-2")
    box = box_of(screenshot, NEW_INVOICE)
    drawn = added(screenshot, draw_marks(screenshot.png, [Mark(box, "", "new")]), COLOURS["new"])
    assert drawn[box.y - 4 : box.y, box.x + 40].all()
    assert not drawn[box.y - 5, box.x + 40]


def test_the_legend_names_only_the_kinds_that_are_there() -> None:
    screenshot = shot("login")
    mark = Mark(box_of(screenshot, "login/button:Sign in"), "", "found")
    legend = decoded(draw_marks(screenshot.png, [mark], title="login"))[screenshot.height :]
    assert painted(legend, COLOURS["found"]).sum() == 14 * 14
    assert not painted(legend, COLOURS["new"]).any()


def test_a_mark_outside_the_picture_harms_neither_picture_nor_legend() -> None:
    screenshot = shot("login")
    outside = [
        Mark(Box(5000, 5000, 40, 20), "far away", "absent"),
        Mark(Box(600, 790, 40, 40), "", "found"),
        Mark(Box(-50, -50, 20, 20), "", "new"),
    ]
    drawn = decoded(draw_marks(screenshot.png, outside))
    plain = decoded(draw_marks(screenshot.png, []))
    assert (drawn[:780] == plain[:780]).all()
    assert not painted(drawn[screenshot.height + 30 :], COLOURS["found"]).any()


def test_a_label_of_letters_that_the_font_lacks_is_still_drawn() -> None:
    screenshot = shot("login")
    box = box_of(screenshot, "login/button:Sign in")
    question_marks = draw_marks(screenshot.png, [Mark(box, "??", "new")])
    assert draw_marks(screenshot.png, [Mark(box, "登录", "new")]) == question_marks


def test_a_long_label_is_shortened_to_one_line() -> None:
    screenshot = shot("login")
    box = box_of(screenshot, "login/button:Sign in")
    long = draw_marks(screenshot.png, [Mark(box, "word " * 40, "new")])
    other = draw_marks(screenshot.png, [Mark(box, "word\n" * 90, "new")])
    assert long == other


def test_the_same_marks_give_the_same_bytes() -> None:
    screenshot = shot("archive")
    marks = [Mark(Box(*box.pixels), box.label, "found") for box in screenshot.boxes]
    assert draw_marks(screenshot.png, marks) == draw_marks(screenshot.png, marks)


@each("broken", [b"", b"no picture", shot("login").png[:2000]])
def test_what_is_no_image_is_refused(broken: bytes) -> None:
    with pytest.raises(UnusableInputError, match="no image"):
        draw_marks(broken, [])
