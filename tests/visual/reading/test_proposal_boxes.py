"""Pairs, groups and duplicates of boxes, held against the plain definition."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from memctl.visual.boxes import Box
from memctl.visual.reading.proposal_boxes import blocks, near_pairs, strongest, text_lines

if TYPE_CHECKING:
    from memctl.visual.reading.proposal_masks import Boxes

sides = st.tuples(st.integers(0, 60), st.integers(0, 60), st.integers(1, 30), st.integers(1, 30))
some_boxes = st.lists(sides, max_size=25)


def edges(listed: list[tuple[int, int, int, int]]) -> Boxes:
    return np.array([(x, y, x + w, y + h) for x, y, w, h in listed], dtype=np.int32).reshape(-1, 4)


@given(some_boxes, st.integers(-1, 12))
def test_pairs_are_all_boxes_within_so_many_rows(
    listed: list[tuple[int, int, int, int]], within: int
) -> None:
    pairs = near_pairs(edges(listed), within)
    expected = {
        (i, j)
        for j, (_, y, _, h) in enumerate(listed)
        for i, (_, top, _, high) in enumerate(listed[:j])
        if max(y, top) - min(y + h, top + high) <= within
    }
    assert set(zip(pairs.i.tolist(), pairs.j.tolist(), strict=True)) == expected


@given(some_boxes)
def test_no_two_boxes_that_stay_overlap_too_much(
    listed: list[tuple[int, int, int, int]],
) -> None:
    boxes = [Box(*each) for each in listed]
    stays = strongest(edges(listed), 0.5).tolist()
    for at, box in enumerate(boxes):
        stronger = [boxes[other] for other in stays if other < at]
        assert (at in stays) == all(box.iou(other) <= 0.5 for other in stronger)


def test_words_a_blank_apart_are_a_line_and_words_further_apart_are_not() -> None:
    words = edges([(0, 0, 40, 16), (48, 0, 40, 16), (120, 0, 40, 16)])
    assert text_lines(words, near_pairs(words, 8)).tolist() == [[0, 0, 88, 16], [120, 0, 160, 16]]


def test_words_of_another_height_are_another_line() -> None:
    words = edges([(0, 0, 40, 12), (44, 0, 40, 60)])
    assert len(text_lines(words, near_pairs(words, 8))) == 2


def test_a_frame_joins_no_line_with_what_stands_beside_it() -> None:
    frame, label, beside = (0, 0, 80, 36), (20, 10, 40, 16), (90, 8, 40, 20)
    words = edges([frame, label, beside])
    assert text_lines(words, near_pairs(words, 8)).tolist() == [[20, 10, 60, 26], [90, 8, 130, 28]]


def test_parts_that_are_close_are_one_block() -> None:
    parts = edges([(0, 0, 20, 20), (0, 26, 20, 20), (30, 0, 9, 9), (0, 80, 20, 20)])
    assert blocks(parts, near_pairs(parts, 8)).tolist() == [[0, 0, 39, 46], [0, 80, 20, 100]]


def test_no_boxes_make_no_groups() -> None:
    none = edges([])
    assert len(blocks(none, near_pairs(none, 8))) == 0
    assert len(strongest(none, 0.5)) == 0
