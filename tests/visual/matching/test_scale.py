from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from memctl.visual.boxes import Box
from memctl.visual.frame import Frame
from memctl.visual.matching.find import find
from memctl.visual.matching.template import Template, extract
from memctl.visual.matching.template_set import TemplateSet
from tests.visual.matching.screens import Screen, draw


@pytest.fixture(scope="module")
def home() -> Screen:
    return draw(1)


@pytest.fixture(scope="module")
def known(home: Screen) -> TemplateSet:
    return TemplateSet(
        [
            replace(template, features=extract(home.frame, box))
            for template, box in zip(home.templates(remember=True), home.boxes, strict=True)
        ]
    )


def enlarge(screen: Screen, scale: float) -> Frame:
    size = (round(screen.frame.width * scale), round(screen.frame.height * scale))
    bigger = cv2.resize(screen.frame.bgr, size, interpolation=cv2.INTER_CUBIC)
    return Frame(np.asarray(bigger, dtype=np.uint8))


def near(box: Box, other: Box, scale: float) -> bool:
    return abs(box.x - other.x * scale) <= 3 and abs(box.y - other.y * scale) <= 3


@pytest.mark.parametrize("scale", [1.25, 1.5, 2.0])
def test_the_scale_is_voted_for_and_everything_is_found_there(
    home: Screen, known: TemplateSet, scale: float
) -> None:
    findings = find(enlarge(home, scale), known)
    right = [hit for hit in findings.hits if near(hit.box, home.boxes[hit.template_id], scale)]
    assert findings.scale == scale
    assert len(right) >= 0.95 * len(home.boxes)


def test_an_unknown_page_votes_once_for_each_size(home: Screen) -> None:
    known = TemplateSet(home.templates())
    bigger = enlarge(home, 1.5)
    assert "vote" in find(bigger, known).ms
    assert known.voted == {(bigger.width, bigger.height): 1.5}
    assert "vote" not in find(bigger, known).ms


def test_unknown_pages_vote_ever_more_rarely(home: Screen) -> None:
    known = TemplateSet(home.templates())
    page = Frame(np.full((300, 300, 3), 200, np.uint8))
    votes = ["vote" in find(page, known).ms for _ in range(9)]
    assert votes == [True, True, False, True, False, False, False, True, False]


def test_a_look_learned_at_the_scale_is_used_as_it_is(home: Screen) -> None:
    bigger = enlarge(home, 2)
    learned = home.boxes[3]
    box = Box(2 * learned.x, 2 * learned.y, 2 * learned.w, 2 * learned.h)
    native = bigger.bgr[box.y : box.bottom, box.x : box.right].copy()
    looks = [Template(1, 7, home.crop(3)), Template(2, 7, native, scale=2.0)]
    hits = find(bigger, looks, scale=2.0).hits
    assert [(hit.template_id, hit.box, hit.identical) for hit in hits] == [(2, box, True)]


def test_a_window_holds_at_another_scale(home: Screen, known: TemplateSet) -> None:
    window = Box(0, 0, 400, 300)
    hits = find(enlarge(home, 2), known, scale=2.0, window=window).hits
    assert hits
    assert all(hit.box.inside(Box(-2, -2, 404, 304)) for hit in hits)


def test_a_larger_screen_at_the_memorys_scale_is_searched_after_a_denser_one_of_its_size(
    home: Screen, known: TemplateSet
) -> None:
    dense = enlarge(home, 2)
    assert find(dense, known).scale == 2.0
    wide = np.full_like(dense.bgr, 255)
    wide[: home.frame.height, : home.frame.width] = home.frame.bgr
    findings = find(Frame(wide), known)
    assert findings.scale == 1.0
    assert len(findings.hits) == len(home.boxes)
