"""Screens on which hundreds of words are equal."""

from __future__ import annotations

import numpy as np

from memctl.visual.recognition.shown_screen import WORD
from memctl.visual.recognition.word_index import AS_DRAWN, paired


def test_equal_words_that_moved_are_paired_each_once() -> None:
    words = np.zeros(300, WORD)
    words["x"], words["y"] = np.arange(300) % 20 * 60, np.arange(300) // 20 * 40
    words["w"], words["h"] = 40, 12
    away = words.copy()
    away["y"] += 17

    pairs = paired(words, away, (0, 0), AS_DRAWN)

    assert sorted(pairs.one.tolist()) == sorted(pairs.other.tolist()) == [*range(300)]
    assert not pairs.placed.any()
