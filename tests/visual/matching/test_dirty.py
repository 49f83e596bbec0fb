from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from memctl.visual.boxes import Box
from memctl.visual.frame import Frame, Pixels
from memctl.visual.matching import Previous, SearchResult, TemplateSet, find
from memctl.visual.matching.find import changed_boxes, mostly_changed, touched, widened
from memctl.visual.matching.search_result import Detection
from tests.visual.matching.screens import draw, paint, widget

HOME = draw(1)
KNOWN = TemplateSet([*HOME.templates(remember=True)])
BEFORE = find(HOME.frame, KNOWN)


def answer(findings: SearchResult) -> set[tuple[int, Box, bool, float]]:
    return {(p.template_id, p.box, p.identical, p.score) for p in findings.places}


def follow(picture: Pixels) -> SearchResult:
    return find(Frame(picture), KNOWN, previous=Previous(HOME.frame, BEFORE))


@settings(max_examples=12, deadline=None)
@given(
    x=st.integers(0, 330),
    y=st.integers(0, 230),
    seed=st.integers(0, 5),
    known=st.booleans(),
)
def test_searching_what_changed_answers_like_a_full_search(
    x: int, y: int, seed: int, known: bool
) -> None:
    patch = HOME.crop(seed) if known else widget(np.random.default_rng(seed), 40, 24)
    picture = HOME.frame.bgr.copy()
    height, width = min(patch.shape[0], 260 - y), min(patch.shape[1], 400 - x)
    paint(picture, patch[:height, :width], x, y)
    full = find(Frame(picture), KNOWN)
    assert answer(follow(picture)) == answer(full)


def test_an_equal_screenshot_is_answered_without_a_search() -> None:
    findings = follow(HOME.frame.bgr.copy())
    assert answer(findings) == answer(BEFORE)
    assert findings.work == {"changed": 0}


def test_a_small_change_costs_fewer_candidates() -> None:
    picture = paint(HOME.frame.bgr.copy(), widget(np.random.default_rng(9), 30, 20), 10, 220)
    changed = follow(picture)
    assert changed.work["changed"] == 1
    assert changed.work["fuzzy: proposed"] < 0.5 * BEFORE.work["fuzzy: proposed"]


def test_a_colour_that_keeps_its_luma_is_a_change() -> None:
    picture = HOME.frame.bgr.copy()
    picture[100:104, 50:54, 0] ^= 4
    assert changed_boxes(HOME.frame, Frame(picture)) == [Box(50, 100, 4, 4)]


def test_a_screenshot_of_another_size_is_searched_in_full() -> None:
    smaller = np.ascontiguousarray(HOME.frame.bgr[:200])
    findings = follow(smaller)
    assert answer(findings) == answer(find(Frame(smaller), KNOWN))
    assert "changed" not in findings.work


def test_newly_learned_templates_are_searched_in_full() -> None:
    fewer = find(HOME.frame, HOME.templates()[:5])
    findings = find(HOME.frame, KNOWN, previous=Previous(HOME.frame, fewer))
    assert answer(findings) == answer(BEFORE)


def test_a_refusal_does_not_outlive_the_pixels_it_was_about() -> None:
    box, crop = HOME.boxes[4], HOME.crop(4)
    pale = (crop.astype(np.float64) * 0.6 + 90).astype(np.uint8)
    faded = Frame(paint(HOME.frame.bgr.copy(), pale, box.x, box.y))
    before = find(faded, KNOWN)
    assert (before.refusals[4].x, before.refusals[4].y) == (box.x, box.y)
    gone = faded.bgr.copy()
    gone[box.y : box.bottom, box.x : box.right] = 240
    after = find(Frame(gone), KNOWN, previous=Previous(faded, before))
    refusal = after.refusals.get(4)
    assert refusal is None or (refusal.x, refusal.y) != (box.x, box.y)


def test_changes_that_are_far_apart_stay_apart() -> None:
    picture = HOME.frame.bgr.copy()
    picture[10, 20] ^= 255
    picture[200, 300] ^= 255
    assert changed_boxes(HOME.frame, Frame(picture)) == [Box(20, 10, 1, 1), Box(300, 200, 1, 1)]


def test_a_place_beside_a_change_is_not_touched() -> None:
    place = Detection(1, 1, Box(10, 10, 20, 20), 1.0, identical=True, how="full")
    assert not touched(place, [Box(30, 10, 5, 5)])
    assert touched(place, [Box(29, 10, 5, 5)])


def test_the_widened_area_holds_every_template_that_touches_the_change() -> None:
    assert widened(Box(50, 50, 1, 1), 20, 10, Box(0, 0, 100, 100)) == Box(31, 41, 39, 19)


def test_another_screen_needs_no_close_comparison() -> None:
    one = draw(1).frame
    assert mostly_changed(one, Frame(np.asarray(255 - one.bgr)))
    other = one.bgr.copy()
    other[40:90, 30:200] ^= 255
    assert not mostly_changed(one, Frame(other))
    assert not mostly_changed(one, one)
