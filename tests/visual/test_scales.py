"""Screens of displays of other densities, through the face."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

from tests.visual.drawn import enlarged, numbered

if TYPE_CHECKING:
    from memctl.memory import Memory

HOME, OTHER = numbered("Home", 9), numbered("Other", 9)


def test_a_vote_outlives_what_is_learned_after_it(memory: Memory) -> None:
    memory.learn(*HOME.given)
    first = memory.match(enlarged(HOME.image, 2))
    memory.learn(*OTHER.given)
    again = memory.match(enlarged(HOME.image, 2))
    assert "vote" in first.ms
    assert "vote" not in again.ms
    assert (first.image.scale, again.image.scale) == (2.0, 2.0)
    assert len(again.sightings) == len(HOME.widgets)


def test_a_store_learned_on_a_finer_display_knows_the_screen_on_a_coarser_one(
    memory: Memory,
) -> None:
    finer = np.asarray(cv2.resize(HOME.image, (960, 640), interpolation=cv2.INTER_CUBIC), np.uint8)
    learned = memory.learn(finer, [box | {"scale": 2} for box in HOME.boxes])
    found = memory.match(HOME.image)
    assert found.image.scale == 0.5
    assert found.state is not None
    assert learned.state is not None
    assert found.state.id == learned.state.id
    assert len(found.sightings) == len(HOME.widgets)
