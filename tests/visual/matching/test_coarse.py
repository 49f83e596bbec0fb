from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from memctl.visual.boxes import Box
from memctl.visual.frame import Frame, Pixels
from memctl.visual.matching import DEFAULT, THOROUGH, Previous, Template, TemplateSet, find

WHITE = (255, 255, 255)
LINE = (190, 180, 180)
PALER = (196, 186, 186)


def outline(w: int, h: int) -> Pixels:
    """Draw an empty box, one pixel wide: lines and corners, nothing else."""
    picture = np.full((h, w, 3), 255, np.uint8)
    cv2.rectangle(picture, (0, 0), (w - 1, h - 1), LINE, 1)
    return picture


def ruled(x: int, y: int, w: int, h: int, *, width: int = 400, height: int = 260) -> Frame:
    """Draw a table cell of that size whose lines, a little paler, run on: no window is the same."""
    picture = np.full((height, width, 3), WHITE, np.uint8)
    for row in (y, y + h - 1):
        picture[row, x - 30 : x + w + 30] = PALER
    for column in (x, x + w - 1):
        picture[y - 30 : y + h + 30, column] = PALER
    return Frame(picture)


def poor(count: int = 1) -> TemplateSet:
    """Boxes of different sizes without any keypoint."""
    known = TemplateSet([Template(i, i, outline(60 + 4 * i, 30)) for i in range(count)])
    known.heads = known.heads.copy()
    known.heads["fuzzy_count"] = 0
    known.fuzzy = replace(known.fuzzy, rank=np.full(known.fuzzy.rank.size, 99))
    return known


@pytest.mark.parametrize("x", [100, 101])
@pytest.mark.parametrize("y", [90, 91])
def test_a_box_of_lines_that_run_on_is_found_by_a_thorough_search(x: int, y: int) -> None:
    hits = find(ruled(x, y, 60, 30), poor(), scale=1.0, settings=THOROUGH).hits
    assert [(hit.box, hit.how) for hit in hits] == [(Box(x, y, 60, 30), "coarse")]


def test_the_default_search_leaves_the_half_size_copy_out() -> None:
    findings = find(ruled(100, 90, 60, 30), poor(), scale=1.0, settings=DEFAULT)
    assert "coarse: proposed" not in findings.work


def test_templates_beyond_the_limit_wait_and_are_counted() -> None:
    known, frame = poor(5), ruled(100, 90, 76, 30)
    settings = replace(THOROUGH, coarse=2, audit=0)
    turns = [find(Frame(frame.bgr), known, scale=1.0, settings=settings) for _ in range(3)]
    assert [findings.work["coarse: waiting"] for findings in turns] == [3, 3, 3]
    assert any(place.template_id == 4 for found in turns for place in found.places)


def test_a_part_of_the_screen_is_searched_as_the_whole_is() -> None:
    before = Frame(np.full((260, 400, 3), WHITE, np.uint8))
    settings = replace(THOROUGH, audit=0)
    known, after = poor(), ruled(101, 91, 60, 30)
    first = find(before, known, scale=1.0, settings=settings)
    partly = find(after, known, scale=1.0, settings=settings, previous=Previous(before, first))
    fully = find(Frame(after.bgr), known, scale=1.0, settings=settings)
    assert "changed" in partly.work
    assert set(partly.places) == set(fully.places) != set()


@pytest.mark.parametrize("size", [(1, 1), (1, 40), (9, 400)])
def test_a_screen_smaller_than_the_template_proposes_nothing(size: tuple[int, int]) -> None:
    frame = Frame(np.full((*size, 3), 200, np.uint8))
    assert find(frame, poor(), scale=1.0, settings=THOROUGH).hits == ()
