"""What read_boxes takes, how it rounds and clips, and what it refuses."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memctl.base.errors import UnusableInputError
from memctl.visual.boxes import Box
from memctl.visual.reading.boxes_file import GivenBox, read_boxes
from tests.each import each

if TYPE_CHECKING:
    from pathlib import Path

SQUARE = {"x": 10, "y": 20, "w": 30, "h": 40}


def read(boxes: Any, **options: Any) -> list[GivenBox]:
    return read_boxes(boxes, width=options.pop("width", 200), height=100, **options)


def refusal(boxes: Any, **options: Any) -> str:
    with pytest.raises(UnusableInputError) as caught:
        read(boxes, **options)
    assert "\n" not in caught.value.message
    return caught.value.message


def test_a_box_needs_only_its_place() -> None:
    assert read([SQUARE]) == [GivenBox(Box(10, 20, 30, 40))]


def test_everything_else_is_taken_over() -> None:
    entry = {**SQUARE, "label": "Save", "type": "button", "source": "ax", "confidence": 0.5}
    assert read([entry]) == [GivenBox(Box(10, 20, 30, 40), "Save", "button", "ax", 0.5)]


def test_text_and_kind_are_other_words_for_label_and_type() -> None:
    assert read([{**SQUARE, "text": "Save", "kind": "link"}])[0].label == "Save"
    assert read([{**SQUARE, "text": "Save", "kind": "link"}])[0].kind == "link"
    assert read([{**SQUARE, "text": "b", "label": "a"}])[0].label == "a"


def test_unknown_keys_and_nulls_are_ignored() -> None:
    entry = {**SQUARE, "tag": "A", "ident": [1], "label": None, "scale": None, "confidence": None}
    assert read([entry]) == [GivenBox(Box(10, 20, 30, 40))]


def test_the_same_list_comes_as_file_text_bytes_or_list(tmp_path: Path) -> None:
    text = json.dumps([SQUARE])
    path = tmp_path / "boxes.json"
    path.write_text("\ufeff" + text, encoding="utf-8")
    for source in ([SQUARE], (SQUARE,), text, f"\n {text}", text.encode(), path, str(path)):
        assert read(source) == [GivenBox(Box(10, 20, 30, 40))]


def test_scale_multiplies_all_four_numbers() -> None:
    assert read([{**SQUARE, "scale": 1.5}])[0].box == Box(15, 30, 45, 60)


def test_a_boxs_own_scale_wins_over_the_calls() -> None:
    boxes = [SQUARE, {**SQUARE, "scale": 1}]
    assert [given.box.x for given in read(boxes, scale=2)] == [20, 10]


def test_edges_are_rounded_not_sizes() -> None:
    # 10.4 .. 20.6 covers 10 .. 21: rounding x and w apart would lose the last column.
    assert read([{"x": 10.4, "y": 0.5, "w": 10.2, "h": 1}])[0].box == Box(10, 1, 11, 1)


def test_a_sliver_keeps_the_pixels_that_it_touches() -> None:
    assert read([{"x": 10.6, "y": 5, "w": 0.2, "h": 3}])[0].box == Box(10, 5, 1, 3)


@each(
    ("entry", "inside"),
    [
        ({"x": -5, "y": -5, "w": 10, "h": 10}, Box(0, 0, 5, 5)),
        ({"x": 195, "y": 95, "w": 10, "h": 10}, Box(195, 95, 5, 5)),
        ({"x": -1, "y": -1, "w": 900, "h": 900}, Box(0, 0, 200, 100)),
    ],
)
def test_a_box_over_the_edge_is_clipped_and_says_so(entry: Any, inside: Box) -> None:
    assert read([entry]) == [GivenBox(inside, clipped=True)]


number = st.floats(-500, 500, allow_nan=False)


@given(number, number, st.floats(0.001, 500), st.floats(0.001, 500))
def test_whatever_is_accepted_lies_inside_the_image(x: float, y: float, w: float, h: float) -> None:
    try:
        box = read([{"x": x, "y": y, "w": w, "h": h}])[0].box
    except UnusableInputError as error:
        assert "outside" in error.message  # noqa: PT017 - the other outcome is as good
        return
    assert box.inside(Box(0, 0, 200, 100))
    assert box.w >= 1
    assert box.h >= 1


@each(
    ("change", "words"),
    [
        ({"w": 0}, "size 0x40"),
        ({"h": -3}, "size 30x-3"),
        ({"x": float("nan")}, '"x" that is not finite'),
        ({"y": float("inf")}, '"y" that is not finite'),
        ({"w": 10**400}, '"w" that is not finite'),
        ({"w": 1e308, "scale": 1e308}, "larger than any screen"),
        ({"x": 1e308, "w": 1e308}, "larger than any screen"),
        ({"x": "12"}, "'12'"),
        ({"x": True}, "True"),
        ({"x": None}, 'has no "x"'),
        ({"x": "z" * 500}, "zz..."),
        ({"x": 200}, "outside the image of 200x100"),
        ({"y": -40}, "outside"),
        ({"scale": 0}, '"scale" 0'),
        ({"scale": -2}, '"scale" -2'),
        ({"confidence": 1.1}, '"confidence" 1.1'),
        ({"confidence": "high"}, "'high'"),
        ({"label": 5}, '"label" that is no text'),
        ({"type": ["a"]}, '"type" that is no text'),
    ],
)
def test_a_wrong_box_is_named_by_its_index(change: dict[str, object], words: str) -> None:
    message = refusal([SQUARE, {**SQUARE, **change}])
    assert message.startswith("box 1 ")
    assert words in message


@each("entry", [5, "box", None])
def test_an_entry_that_is_no_object_is_refused(entry: object) -> None:
    assert refusal([entry]) == "box 0 is no object with x, y, w and h"


@each("boxes", [[(5, 5, 10, 20)], iter([(5, 5, 10, 20)]), np.array([[5, 5, 10, 20]])])
def test_a_box_may_be_four_numbers_in_any_iterable(boxes: Any) -> None:
    (box,) = read_boxes(boxes, width=100, height=100)
    assert (box.box, box.label) == (Box(5, 5, 10, 20), "")


def test_a_box_of_numbers_may_have_a_label() -> None:
    (box,) = read_boxes([(5, 5.4, 10, 20, "Save")], width=100, height=100)
    assert (box.box, box.label) == (Box(5, 5, 10, 20), "Save")


@each("entry", [(), (1, 2, 3), (1, 2, 3, 4, "Save", "button")])
def test_a_box_of_too_few_or_many_numbers_is_refused(entry: tuple[object, ...]) -> None:
    assert f"box 0 has {len(entry)} members" in refusal([entry])


@each("source", ['{"boxes": []}', b'"x"', b"5", {"x": 1}, 5, None])
def test_what_is_no_list_is_refused(source: object) -> None:
    assert "should hold a list" in refusal(source)


def test_broken_json_says_where() -> None:
    assert "line 1, column 9" in refusal('[{"x": 1')


def test_json_that_is_no_utf8_is_refused() -> None:
    assert "UTF-8" in refusal(b"[\xff]")


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    assert "nothing.json" in refusal(tmp_path / "nothing.json")
    assert "nothing.json" in refusal("nothing.json")


def test_ten_thousand_boxes_are_read_and_one_more_is_refused() -> None:
    assert len(read([SQUARE] * 10_000)) == 10_000
    assert "10,001 boxes" in refusal([SQUARE] * 10_001)
    assert "at most 2" in refusal([SQUARE] * 3, max_boxes=2)
