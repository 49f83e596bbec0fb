"""What is drawn outside of components tells pages apart, and knows a scrolled one again."""

from __future__ import annotations

import numpy as np
import pytest

from memctl.visual.boxes import Box
from memctl.visual.frame import Frame, Pixels
from memctl.visual.learning.ink import EdgeMap, Ink, uncovered_edges
from memctl.visual.learning.similarity import Element, StateLayout, layout_move

WIDTH, HEIGHT, BAR = 640, 480, 160


def page(seed: int, *, scrolled: int = 0) -> Pixels:
    """A page of words beside a bar that never moves."""
    chance = np.random.default_rng(seed)
    words = np.zeros((HEIGHT * 2, WIDTH, 3), np.uint8)
    for row in range(0, HEIGHT * 2, 24):
        for x in np.sort(chance.choice(WIDTH - 50, 6, replace=False)):
            words[row : row + 12, x : x + int(chance.integers(10, 40)) : 3] = 255
    shown = words[scrolled : scrolled + HEIGHT].copy()
    shown[:, :BAR] = 0
    for row in range(10, HEIGHT, 50):
        shown[row : row + 12, 20:120:3] = 255
    return np.ascontiguousarray(shown)


def drawing(pixels: Pixels, covered: tuple[Box, ...] = ()) -> EdgeMap:
    return uncovered_edges(Frame(pixels), Box(0, 0, WIDTH, HEIGHT), covered)


def likeness(counts: tuple[int, int, int]) -> float:
    return counts[0] / sum(counts)


def test_a_screen_agrees_with_itself() -> None:
    shown = drawing(page(1))
    common, missing, extra = shown.agreement(shown.ink, (0, 0))
    assert common > 0
    assert (missing, extra) == (0, 0)


@pytest.mark.parametrize("scrolled", [7, 16, 99, 173])
def test_a_page_scrolled_beside_a_bar_that_stays_agrees(scrolled: int) -> None:
    counts = drawing(page(1, scrolled=scrolled)).agreement(drawing(page(1)).ink, (0, -scrolled))
    assert likeness(counts) > 0.9


def test_a_scroll_that_never_was_makes_no_other_page_alike() -> None:
    shown, other = drawing(page(1)), drawing(page(2)).ink
    assert likeness(shown.agreement(other, (0, -99))) < 0.6


def test_what_a_component_covers_is_not_ink() -> None:
    everything = (Box(0, 0, WIDTH, HEIGHT),)
    assert not drawing(page(1), everything).ink.cells.any()


def test_ink_survives_being_packed() -> None:
    ink = drawing(page(1)).ink
    assert np.array_equal(Ink.unpacked(ink.packed()).cells, ink.cells)


def test_what_moves_with_the_edge_of_a_wider_window_is_no_scroll() -> None:
    layout = StateLayout(
        {n: Element(Box(500, 40 * n, 20, 20)) for n in range(5)}, {}, WIDTH, HEIGHT
    )
    found = {n: Box(660, 40 * n, 20, 20) for n in range(5)}
    assert layout_move(found, layout, WIDTH, HEIGHT) == (160, 0)
    assert layout_move(found, layout, WIDTH + 160, HEIGHT) == (0, 0)
