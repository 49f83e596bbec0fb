from __future__ import annotations

import numpy as np
import pytest

from memctl.visual.boxes import Box
from memctl.visual.frame import Frame
from memctl.visual.match_results import DEFAULT, ComponentHit
from memctl.visual.matching.checks import thin
from memctl.visual.matching.find import find, locate
from memctl.visual.matching.template import Template
from tests.visual.matching.screens import draw, widget


def place(x: int, score: float, *, identical: bool = False) -> ComponentHit:
    return ComponentHit(1, 1, Box(x, 0, 20, 20), score, identical=identical, how="full")


def test_the_score_is_the_correlation_coefficient() -> None:
    one, other = draw(1).frame, draw(1, shift=1).frame
    expected = np.corrcoef(one.gray.ravel(), other.gray.ravel())[0, 1]
    located = locate(other, Template(1, 1, one.bgr))
    assert located.score == pytest.approx(expected, abs=1e-5)


def test_one_changed_colour_value_is_not_identical() -> None:
    learned = widget(np.random.default_rng(1), 60, 24)
    shown = learned.copy()
    shown[3, 3, 0] ^= 1
    assert not find(Frame(shown), [Template(1, 1, learned)]).hits[0].identical


def test_a_constant_place_scores_nothing() -> None:
    learned = widget(np.random.default_rng(1), 60, 24)
    located = locate(Frame(np.full_like(learned, 200)), Template(1, 1, learned))
    assert (located.why, located.score) == ("below 0.8", 0.0)


def test_of_overlapping_places_the_best_stays() -> None:
    kept = thin([place(0, 0.85), place(3, 0.95), place(40, 0.82)], DEFAULT)
    assert [p.box.x for p in kept] == [3, 40]


def test_identical_places_stay_even_if_they_overlap() -> None:
    places = [place(x, 1.0, identical=True) for x in (0, 4, 8)]
    assert thin(places, DEFAULT) == places
