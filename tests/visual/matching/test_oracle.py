"""The matcher against brute force, written independently of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from benchmarks.matching.oracle import Truth, brute_force, passes
from memctl.visual.frame import Frame, Pixels
from memctl.visual.matching.find import find
from tests.visual.matching.screens import draw, paint

if TYPE_CHECKING:
    from memctl.visual.match_results import SearchResult
    from memctl.visual.matching.template import Template

Spots = dict[int, set[tuple[int, int]]]


def scenes() -> dict[str, tuple[list[Template], Pixels]]:
    """Memories and screens: same, moved, repeated, disturbed, of another page."""
    home, other = draw(1), draw(2)
    moved = draw(1, shift=23).frame.bgr
    repeated = home.frame.bgr.copy()
    for i, (x, y) in enumerate([(290, 200), (20, 215), (160, 220)]):
        paint(repeated, home.crop(i), x, y)
    noisy = cv2.add(
        home.frame.bgr, np.random.default_rng(3).integers(0, 6, home.frame.bgr.shape, np.uint8)
    )
    memory = home.templates(remember=True)
    return {
        "same": (memory, home.frame.bgr),
        "moved": (memory, moved),
        "repeated": (memory, repeated),
        "noisy": (memory, np.asarray(noisy)),
        "other page": (memory, other.frame.bgr),
    }


def places(findings: SearchResult) -> Spots:
    found: Spots = {}
    for hit in findings.hits:
        found.setdefault(hit.template_id, set()).update({(hit.box.x, hit.box.y), *hit.also_at})
    for place in findings.outranked:
        found.setdefault(place.template_id, set()).add((place.box.x, place.box.y))
    return found


@pytest.fixture(scope="module")
def answers() -> dict[str, Spots]:
    return {
        name: places(find(Frame(screen), memory)) for name, (memory, screen) in scenes().items()
    }


def truth_of(screen: Pixels, template: Template) -> Truth:
    return brute_force(screen, Frame(screen).gray, template.bgr)


def test_every_pixel_identical_place_is_found(answers: dict[str, Spots]) -> None:
    total = 0
    for name, (memory, screen) in scenes().items():
        for template in memory:
            truth = truth_of(screen, template).identical
            total += len(truth)
            assert truth <= answers[name].get(template.template_id, set()), (name, template)
    assert total > 40


def test_98_percent_of_the_verified_hits_are_found(answers: dict[str, Spots]) -> None:
    truth = {
        (name, template.template_id, spot)
        for name, (memory, screen) in scenes().items()
        for template in memory
        for spot in truth_of(screen, template).verified
    }
    found = {
        (name, key, spot)
        for name in answers
        for key in answers[name]
        for spot in answers[name][key]
    }
    assert len(truth) > 70
    assert len(truth & found) >= 0.98 * len(truth)


def test_no_hit_fails_the_definition(answers: dict[str, Spots]) -> None:
    for name, (memory, screen) in scenes().items():
        pictures = {template.template_id: template.bgr for template in memory}
        for key, spots in answers[name].items():
            for spot in spots:
                assert passes(screen, pictures[key], spot), (name, key, spot)
