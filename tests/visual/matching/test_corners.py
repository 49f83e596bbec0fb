from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from memctl.visual.matching.keypoints import (
    ALIGNMENTS,
    SIDE,
    brief,
    corner_map,
    fingerprint,
    windows,
)
from tests.each import each


def gray(seed: int, height: int = 40, width: int = 50) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, 256, (height, width), np.uint8)


def test_flat_areas_and_straight_lines_have_no_corner() -> None:
    ruled = np.full((40, 60), 250, np.uint8)
    ruled[10], ruled[20:23] = 20, 120
    assert not corner_map(ruled)[:, :-1].any()
    assert not corner_map(np.ascontiguousarray(ruled.T))[:, :-1].any()


@each(("row", "column"), [(9, 11), (9, 30), (24, 11), (24, 30)])
def test_every_corner_of_a_rectangle_is_one(row: int, column: int) -> None:
    picture = np.full((40, 60), 250, np.uint8)
    picture[10:25, 12:31] = 90
    found = set(zip(*(side.tolist() for side in np.nonzero(corner_map(picture))), strict=True))
    assert (row, column) in found
    assert len(found) == 4


@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 10**6), x=st.integers(0, 40), y=st.integers(0, 30))
def test_a_window_has_the_same_fingerprint_wherever_it_stands(seed: int, x: int, y: int) -> None:
    window = gray(seed, SIDE, SIDE)
    screen = gray(seed + 1, 60, 80)
    screen[y : y + SIDE, x : x + SIDE] = window
    here, alone = np.array([y * 80 + x]), np.array([0])
    assert fingerprint(screen, here) == fingerprint(window, alone)
    assert brief(screen, here) == brief(window, alone)


def test_one_changed_pixel_changes_the_fingerprint() -> None:
    window, alone = gray(1, SIDE, SIDE), np.array([0])
    for place in range(SIDE * SIDE):
        other = window.copy()
        other.reshape(-1)[place] ^= 1
        assert fingerprint(other, alone) != fingerprint(window, alone)


@each("alignment", range(len(ALIGNMENTS)))
def test_windows_hold_their_corner_and_lie_between_the_first_and_the_last_row(
    alignment: int,
) -> None:
    corners = np.arange(40 * 50)
    places = windows(corners, alignment, (40, 50))
    down, across = ALIGNMENTS[alignment]
    assert set((places + down * 50 + across).tolist()) <= set(corners.tolist())
    assert places.min() >= 0
    assert places.max() <= (40 - SIDE) * 50 + 50 - SIDE


def test_an_image_smaller_than_a_window_has_no_corner() -> None:
    assert not corner_map(gray(1, 7, 50)).any()
    assert corner_map(np.zeros((0, 5), np.uint8)).shape == (0, 5)
