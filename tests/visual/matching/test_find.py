"""Finding templates on small screens; bad input is answered plainly, with bounded work."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from memctl.visual.boxes import Box
from memctl.visual.frame import Frame, Pixels
from memctl.visual.match_results import NOT_SEARCHED, MatchSettings
from memctl.visual.matching.find import MOST_ANCHORLESS, find, locate
from memctl.visual.matching.template import Template
from memctl.visual.matching.template_set import TemplateSet
from tests.each import each
from tests.visual.matching.screens import draw, paint, widget

if TYPE_CHECKING:
    import pytest


def blank(width: int = 300, height: int = 200) -> Pixels:
    return np.full((height, width, 3), 240, np.uint8)


def button(seed: int = 5) -> Pixels:
    return widget(np.random.default_rng(seed), 60, 24)


def test_a_template_at_its_last_place_says_so() -> None:
    screen = paint(blank(), button(), 40, 50)
    hit = find(Frame(screen), [Template(1, 7, button(), last=(40, 50))]).hits[0]
    assert (hit.component_id, hit.box, hit.how, hit.identical) == (
        7,
        Box(40, 50, 60, 24),
        "last",
        True,
    )


def test_all_places_of_a_repeated_template_are_reported() -> None:
    screen = blank()
    for x, y in [(10, 10), (100, 10), (10, 100)]:
        paint(screen, button(), x, y)
    hit = find(Frame(screen), [Template(1, 1, button(), last=(100, 10))]).hits[0]
    assert (hit.box.x, hit.box.y) == (100, 10)
    assert set(hit.also_at) == {(10, 10), (10, 100)}


def test_of_equal_places_the_one_that_moved_with_the_layout_is_the_component() -> None:
    screen = paint(blank(), button(1), 10, 40)
    for y in (70, 100, 130):
        paint(screen, button(2), 10, y)
    memory = [Template(1, 1, button(1), last=(10, 10)), Template(2, 2, button(2), last=(10, 70))]
    hits = {hit.component_id: hit for hit in find(Frame(screen), memory).hits}
    assert (hits[2].box.x, hits[2].box.y) == (10, 100)


def test_a_window_refuses_a_template_that_sticks_out() -> None:
    screen = paint(paint(blank(), button(), 40, 50), button(), 150, 50)
    memory = [Template(1, 1, button())]
    inside = find(Frame(screen), memory, window=Box(140, 40, 100, 60)).hits[0]
    assert (inside.box, inside.also_at) == (Box(150, 50, 60, 24), ())
    assert find(Frame(screen), memory, window=Box(60, 40, 100, 60)).hits == ()


def test_a_paler_button_is_not_the_button() -> None:
    pale = (button().astype(np.float64) * 0.6 + 90).astype(np.uint8)
    screen = paint(blank(), pale, 40, 50)
    findings = find(Frame(screen), [Template(1, 1, button())])
    assert findings.hits == ()
    assert findings.misses[1].why in {"contrast differs", "colour differs"}
    assert findings.misses[1].best_score is not None
    assert findings.misses[1].best_score > 0.99


def test_a_button_of_another_hue_is_not_the_button() -> None:
    blue = button().copy()
    blue[..., 0] = np.minimum(blue[..., 0].astype(int) + 40, 255)
    blue[..., 2] = np.maximum(blue[..., 2].astype(int) - 40, 0)
    findings = find(Frame(paint(blank(), blue, 40, 50)), [Template(1, 1, button())])
    assert findings.hits == ()


def test_of_two_look_alikes_the_identical_one_gets_the_place() -> None:
    twin = button().copy()
    twin[6:18, 30:34] = 200
    screen = paint(blank(), button(), 40, 50)
    findings = find(Frame(screen), [Template(1, 1, button()), Template(2, 2, twin)])
    assert [hit.component_id for hit in findings.hits] == [1]
    assert findings.misses[2].why == "a look-alike fits better"
    assert [place.component_id for place in findings.outranked] == [2]


def test_a_look_alike_keeps_the_place_that_it_fits_itself() -> None:
    twin = button().copy()
    twin[6:18, 30:34] = 200
    screen = paint(paint(blank(), button(), 40, 50), twin, 150, 50)
    findings = find(Frame(screen), [Template(1, 1, button()), Template(2, 2, twin)])
    assert {hit.component_id: hit.box.x for hit in findings.hits} == {1: 40, 2: 150}
    assert all(hit.also_at == () for hit in findings.hits)


def test_two_names_for_one_picture_are_both_found() -> None:
    screen = paint(blank(), button(), 40, 50)
    findings = find(Frame(screen), [Template(1, 1, button()), Template(2, 2, button())])
    assert [hit.component_id for hit in findings.hits] == [1, 2]


def test_a_component_is_found_in_whichever_look_it_wears() -> None:
    dark = np.asarray(255 - button())
    memory = [Template(1, 1, button()), Template(2, 1, dark)]
    findings = find(Frame(paint(blank(), dark, 40, 50)), memory)
    assert [(hit.component_id, hit.template_id) for hit in findings.hits] == [(1, 2)]


def test_a_template_larger_than_the_screen_is_a_miss() -> None:
    memory = [Template(1, 1, draw(1).frame.bgr)]
    assert find(Frame(blank(100, 80)), memory).misses[1].why == "template larger than the screen"


def test_a_flat_template_matches_nothing() -> None:
    memory = [Template(1, 1, np.full((20, 20, 3), 240, np.uint8))]
    assert find(Frame(blank()), memory).misses[1].why == "template is flat"


def stripe(width: int) -> Pixels:
    """Draw a straight line from edge to edge: no corner, no keypoint."""
    picture = blank(width, 20)
    picture[8:12] = 60
    return picture


def test_a_template_without_corner_and_keypoint_is_compared_with_every_place() -> None:
    screen = paint(blank(), stripe(40), 100, 50)
    hit = find(Frame(screen), [Template(1, 1, stripe(40))]).hits[0]
    assert (hit.box, hit.how, hit.identical) == (Box(100, 50, 40, 20), "full", True)


def test_a_template_that_was_not_looked_for_says_so_and_counts_no_miss() -> None:
    screen = paint(blank(), stripe(40), 100, 50)
    memory = [Template(i, i, stripe(20 + i)) for i in range(MOST_ANCHORLESS + 2)]
    misses = find(Frame(screen), memory, scale=1.0).misses
    assert {key for key, miss in misses.items() if not miss.counted} == {16, 17}
    assert {miss.why for miss in misses.values() if not miss.counted} == {NOT_SEARCHED.why}


def test_places_can_be_remembered_without_preparing_again() -> None:
    screen = draw(1)
    known = TemplateSet(screen.templates())
    assert "last" not in {hit.how for hit in find(screen.frame, known).hits}
    known.remember({i: (box.x, box.y) for i, box in enumerate(screen.boxes)})
    assert {hit.how for hit in find(screen.frame, known).hits} == {"last"}


def test_locate_gives_the_exact_best_even_when_refused() -> None:
    pale = (button().astype(np.float64) * 0.6 + 90).astype(np.uint8)
    located = locate(Frame(paint(blank(), pale, 40, 50)), Template(1, 1, button()))
    assert located.box == Box(40, 50, 60, 24)
    assert located.score is not None
    assert located.score > 0.99
    assert located.why in {"contrast differs", "colour differs"}


def test_one_changed_colour_value_is_not_identical() -> None:
    learned = widget(np.random.default_rng(1), 60, 24)
    shown = learned.copy()
    shown[3, 3, 0] ^= 1
    assert not find(Frame(shown), [Template(1, 1, learned)]).hits[0].identical


def test_a_constant_place_scores_nothing() -> None:
    learned = widget(np.random.default_rng(1), 60, 24)
    located = locate(Frame(np.full_like(learned, 200)), Template(1, 1, learned))
    assert (located.why, located.score) == ("below 0.8", 0.0)


def noise(width: int = 1600, height: int = 1300) -> Frame:
    rng = np.random.default_rng(0)
    return Frame(rng.integers(0, 256, (height, width, 3), np.uint8))


def test_pure_noise_is_capped_and_says_so() -> None:
    findings = find(noise(), draw(1).templates(), scale=1.0)
    assert findings.hits == ()
    assert findings.work["fuzzy: dropped"] > 0
    assert findings.work.get("fuzzy: looked at", 0) < 1000


def test_the_cap_on_candidates_is_reported() -> None:
    screen = draw(1)
    findings = find(screen.frame, screen.templates(), settings=MatchSettings(max_candidates=10))
    assert findings.work["fuzzy: proposed"] == 10
    assert findings.work["fuzzy: dropped"] > 0
    assert len(findings.hits) == len(screen.boxes)


def test_a_screen_full_of_one_picture_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memctl.visual.matching.find.MOST_COMPARED", 50)
    tile = draw(1).crop(0)
    screen = np.ascontiguousarray(np.tile(tile, (12, 12, 1)))
    findings = find(Frame(screen), [Template(1, 1, tile)])
    assert findings.work["looks: dropped"] > 0
    assert len(findings.hits[0].also_at) < 143


def test_an_empty_memory_finds_nothing() -> None:
    findings = find(draw(1).frame, [])
    assert (findings.hits, findings.misses) == ((), {})


@each("size", [(1, 1), (3, 200), (12, 12)])
def test_a_tiny_screen_holds_nothing(size: tuple[int, int]) -> None:
    findings = find(Frame(np.full((*size, 3), 9, np.uint8)), draw(1).templates())
    assert findings.hits == ()
    assert {miss.why for miss in findings.misses.values()} == {"template larger than the screen"}


def test_last_places_outside_the_screen_do_no_harm() -> None:
    screen = draw(1)
    memory = [Template(i, i, screen.crop(i), last=(9000, -50)) for i in range(5)]
    assert len(find(screen.frame, memory).hits) == 5


def test_every_component_is_answered_exactly_once() -> None:
    memory = [*draw(1).templates(), *(Template(500 + i, 500, draw(2).crop(i)) for i in range(3))]
    findings = find(draw(1).frame, memory)
    answered = [hit.component_id for hit in findings.hits]
    answered += findings.misses
    assert sorted(answered) == sorted({template.component_id for template in memory})
