"""Two screenshots compared: what appeared, went, moved, scrolled or changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

import memctl
from memctl.base.errors import NotFoundError, UnusableInputError, UsageError
from memctl.visual.boxes import Box
from memctl_cli.demo import bundle
from tests.each import each
from tests.visual.drawn import Drawn, Widget, enlarged, numbered

if TYPE_CHECKING:
    from memctl.memory import Memory
    from memctl.visual.comparing import Difference

PAGE = numbered("Page", 6)


def told(found: Difference) -> list[tuple[str, tuple[int, int, int, int]]]:
    return [(one.kind, one.box) for one in found.changes]


def near(place: tuple[int, ...] | None, other: Box) -> bool:
    return Box(*(place or ())).iou(other) > 0.7


def bundled(first: str, second: str) -> Difference:
    return memctl.diff(bundle.shot(first).png, bundle.shot(second).png)


def test_equal_screenshots_do_not_differ() -> None:
    found = memctl.diff(PAGE.image, PAGE.image)
    assert (found.changes, found.similarity, found.share) == ([], 1.0, 0.0)
    assert found.first == found.second == (480, 320)


def test_a_thing_that_came_appeared_and_one_that_is_gone_went() -> None:
    more = PAGE.plus(Widget("New", 20, 200))
    (came,) = memctl.diff(PAGE.image, more.image).changes
    (went,) = memctl.diff(more.image, PAGE.image).changes
    assert (came.kind, came.was) == ("appeared", None)
    assert (went.kind, went.was) == ("went", None)
    assert near(came.box, Box(20, 200, 90, 28))
    assert near(went.box, Box(20, 200, 90, 28))


def test_a_thing_that_stands_elsewhere_moved() -> None:
    moved = PAGE.without("Page a").plus(Widget("Page a", 200, 250))
    (change,) = memctl.diff(PAGE.image, moved.image).changes
    assert change.kind == "moved"
    assert near(change.box, Box(200, 250, 90, 28))
    assert near(change.was, Box(20, 20, 90, 28))
    assert change.similarity > 0.95


def test_another_thing_at_the_same_place_is_a_change() -> None:
    other = PAGE.without("Page a").plus(Widget("Other", 20, 20))
    (change,) = memctl.diff(PAGE.image, other.image).changes
    assert change.kind == "changed"
    assert near(change.box, Box(20, 20, 90, 28))


def test_another_colour_of_the_same_brightness_is_a_change() -> None:
    red, green = (np.full((80, 80, 3), 200, np.uint8) for _ in range(2))
    red[20:60, 20:60] = (0, 0, 200)
    green[20:60, 20:60] = (0, 102, 0)
    ((kind, _),) = told(memctl.diff(red, green))
    assert kind == "changed"


def test_a_page_that_scrolled_is_one_move() -> None:
    found = bundled("customers", "customers-scrolled")
    first, *rest = found.changes
    assert (first.kind, first.was and first.y - first.was[1]) == ("scrolled", -132)
    assert {one.kind for one in rest} == {"appeared", "went"}
    assert len(rest) == 2


def test_a_dialog_over_a_dimmed_page_appeared() -> None:
    found = bundled("invoices", "delete-dialog")
    ((kind, box),) = told(found)
    assert kind == "appeared"
    assert near(box, Box(409, 249, 462, 184))
    assert "dimmer" in found.notes[0]


@each(
    ("first", "second", "kind"),
    [
        ("dashboard", "account-menu", "appeared"),
        ("dashboard", "dashboard-gone", "went"),
        ("invoices", "invoices-hover", "changed"),
    ],
)
def test_one_thing_that_differs_is_one_change(first: str, second: str, kind: str) -> None:
    assert [one.kind for one in bundled(first, second).changes] == [kind]


def test_another_scale_is_compared_at_the_smaller_one() -> None:
    larger = enlarged(PAGE.plus(Widget("New", 20, 200)).image, 2)
    found = memctl.diff(PAGE.image, larger)
    assert found.notes == ["the pictures are 480 x 320 and 960 x 640: compared at 480 x 320"]
    ((kind, box),) = told(found)
    assert kind == "appeared"
    assert near(box, Box(40, 400, 180, 56))


def test_noise_of_a_lossy_format_is_no_difference() -> None:
    shot = bundle.shot("settings").png
    pixels = cv2.imdecode(np.frombuffer(shot, np.uint8), cv2.IMREAD_COLOR)
    assert pixels is not None
    lossy = cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, 92])[1].tobytes()
    assert memctl.diff(shot, lossy).changes == []


def test_screenshots_of_other_shapes_are_refused() -> None:
    with pytest.raises(UsageError, match="differ in size: 480 x 320 and 480 x 300"):
        memctl.diff(PAGE.image, Drawn(height=300).image)
    with pytest.raises(UsageError, match="too small to compare"):
        memctl.diff(PAGE.image[:5], PAGE.image[:5])
    with pytest.raises(UnusableInputError):
        memctl.diff(PAGE.image, b"no picture")


def test_a_store_names_what_changed(memory: Memory) -> None:
    memory.learn(*PAGE.given)
    moved = PAGE.without("Page a").without("Page b").plus(Widget("Page a", 200, 250))
    found = memory.diff(PAGE.image, moved.image)
    assert {(one.kind, one.name) for one in found.changes} == {
        ("moved", "Page_a"),
        ("went", "Page_b"),
    }
    assert memory.components.get("Page_b").consecutive_misses == 0


def test_a_component_is_compared_with_its_first_look(memory: Memory) -> None:
    memory.learn(*PAGE.given, page="inbox")
    assert memory.diff("Page_a").notes == ["it has one look only"]
    hover = PAGE.without("Page a").plus(Widget("Page a", 20, 20, look="hover"))
    memory.learn(*hover.given, page="inbox")
    found = memory.diff("Page_a")
    assert [one.kind for one in found.changes] == ["changed"]
    assert found.notes == []
    with pytest.raises(NotFoundError):
        memory.diff("nothing")
    with pytest.raises(UsageError, match="two images, or the looks of one component"):
        memory.diff(PAGE.image)
