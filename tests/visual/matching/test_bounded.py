"""Bad input: answered plainly, with bounded work."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from memctl.visual.frame import Frame
from memctl.visual.match_results import MatchSettings
from memctl.visual.matching.find import find
from memctl.visual.matching.template import Template
from tests.each import each
from tests.visual.matching.screens import draw

if TYPE_CHECKING:
    import pytest


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
