"""The bundled screenshots, their boxes and the story agree with each other."""

from __future__ import annotations

import hashlib
import io
import json
from functools import cache
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
import pytest
from PIL import Image

from memctl.base.errors import NotFoundError
from memctl_cli.demo.bundle import (
    DemoBox,
    Shot,
    clicks,
    path_ends,
    shot,
    shots,
    story,
)
from tests.each import each as each_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

every_shot = each_of("each", shots())


@cache
def pixels(each: Shot) -> NDArray[np.uint8]:
    with Image.open(io.BytesIO(each.png)) as picture:
        return np.asarray(picture)


def crop(each: Shot, box: DemoBox) -> NDArray[np.int16]:
    left, top, width, height = box.pixels
    return pixels(each)[top : top + height, left : left + width].astype(np.int16)


def difference(one: tuple[Shot, DemoBox], other: tuple[Shot, DemoBox]) -> int:
    first, second = crop(*one), crop(*other)
    return 255 if first.shape != second.shape else int(np.abs(first - second).max())


def same_element_twice() -> Iterator[tuple[tuple[Shot, DemoBox], tuple[Shot, DemoBox]]]:
    """Every element that stands on two screenshots of the same device scale."""
    for first, second in combinations(shots(), 2):
        if first.dpr == second.dpr:
            others = {box.element: box for box in second.boxes}
            for box in first.boxes:
                if box.element in others:
                    yield (first, box), (second, others[box.element])


@every_shot
def test_a_screenshot_is_an_rgb_png_of_the_size_and_bytes_that_the_manifest_says(
    each: Shot,
) -> None:
    with Image.open(io.BytesIO(each.png)) as picture:
        assert (picture.format, picture.mode) == ("PNG", "RGB")
        assert picture.size == (each.width, each.height)
    assert hashlib.sha256(each.png).hexdigest() == each.sha256


@every_shot
def test_every_box_lies_inside_its_screenshot_and_is_no_flat_spot(each: Shot) -> None:
    for box in each.boxes:
        left, top, width, height = box.pixels
        assert left >= 0
        assert top >= 0
        assert left + width <= each.width
        assert top + height <= each.height
        assert crop(each, box).std() > 6, box.element


@every_shot
def test_boxes_are_handed_over_as_the_boxes_file_that_learn_takes(each: Shot) -> None:
    rows = json.loads(json.dumps(each.boxes_file()))
    assert len(rows) == len(each.boxes) > 0
    assert set(rows[0]) == {"x", "y", "w", "h", "label", "type", "source", "scale"}
    assert {row["scale"] for row in rows} == {each.dpr}


def test_the_same_ident_at_the_same_place_has_the_same_pixels() -> None:
    compared = [
        difference(one, other)
        for one, other in same_element_twice()
        if one[1].ident == other[1].ident and one[1].pixels == other[1].pixels
    ]
    assert len(compared) > 500
    assert max(compared) == 0


def test_the_moved_button_is_the_same_one_at_another_place() -> None:
    (step,) = [step for step in story() if step.act == "moved"]
    before, after = shot("invoices").box(step.target), shot(step.shot).box(step.target)
    assert before.ident == after.ident
    assert abs(before.x - after.x) > 500


def test_the_gone_feature_was_there_and_is_visited_often_enough_to_be_forgotten() -> None:
    (step,) = [step for step in story() if step.act == "gone"]
    assert shot("dashboard").box(step.target).label == "Import statement"
    with pytest.raises(NotFoundError, match="Import statement"):
        shot(step.shot).box(step.target)
    assert step.times > 15


def test_what_the_demo_meets_was_never_learned_and_what_it_recognises_was() -> None:
    learned: set[str] = set()
    for step in story():
        page = shot(step.shot).page
        assert (page in learned) is (step.act not in {"learn", "meet"})
        learned.add(page)


def test_the_clicks_lead_from_the_start_of_the_path_to_its_end() -> None:
    start, end = path_ends()
    reached = {start}
    for click in clicks():
        assert click.element in {box.element for box in shot(click.from_shot).boxes}
        if click.from_page in reached:
            reached.add(click.to_page)
    assert end in reached


def test_a_box_is_clicked_inside_at_every_scale() -> None:
    for name in ("settings", "settings-at-1.5", "invoices-at-2"):
        for box in shot(name).boxes:
            left, top, width, height = box.pixels
            x, y = box.center
            assert left <= x < left + width
            assert top <= y < top + height


def test_an_unknown_screenshot_is_named_and_the_known_ones_are_listed() -> None:
    with pytest.raises(NotFoundError, match='"nowhere"') as raised:
        shot("nowhere")
    assert "invoices-hover" in raised.value.hint


def test_all_pictures_together_stay_small_enough_for_a_wheel() -> None:
    assert sum(len(each.png) for each in shots()) < 2_000_000
