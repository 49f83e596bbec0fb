"""Screens that repeat one thing without end are answered in bounded memory and time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from memctl.visual.recognition.shown_screen import MOST_WORDS, WORD, words_in
from memctl.visual.recognition.word_index import AS_DRAWN, alike, paired

if TYPE_CHECKING:
    from memctl.visual.frame import Pixels

SOME = 600  # equal words: more than one is compared with further


def dots(side: int = 1600) -> Pixels:
    """Draw the same speck every 18 pixels."""
    tile = np.full((18, 18), 255, np.uint8)
    tile[:10, :10][np.random.default_rng(1).random((10, 10)) > 0.5] = 20
    return np.tile(tile, (side // 18 + 1, side // 18 + 1))[:side, :side].copy()


def test_of_a_pattern_the_largest_words_are_kept() -> None:
    assert len(words_in(dots())) == MOST_WORDS


def test_a_word_among_many_equal_ones_is_compared_with_some_and_paired_in_place() -> None:
    words = np.zeros(SOME, WORD)
    words["x"], words["w"], words["h"] = np.arange(SOME) * 20, 12, 12
    first, _, bits = alike(words, words, AS_DRAWN)
    assert (np.bincount(first) == 256).all()
    assert not bits.any()
    pairs = paired(words, words, (0, 0), AS_DRAWN)
    assert pairs.placed.all()
    assert (pairs.one == pairs.other).all()
    assert len(pairs.one) == SOME
