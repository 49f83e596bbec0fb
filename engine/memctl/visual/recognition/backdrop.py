"""The backdrop of a screen: a wallpaper, which many states share and which says nothing of any.

A desktop on another wallpaper has the same windows. What several states have in common, and what
is different now in one large region, is left out of a comparison; what is left must agree well.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

import cv2
import numpy as np

from memctl.visual.reading.screen_look import HIDDEN, SAME
from memctl.visual.recognition.views import in_open

if TYPE_CHECKING:
    from memctl.visual.reading.screen_look import Look
    from memctl.visual.recognition.state_index import StateIndex
    from memctl.visual.recognition.word_pairs import Mask

_EQUAL = 3  # gray levels by which the wallpaper of two states may differ
_SHARED = 2  # other states that must have it
_ASKED = 64  # states that are looked at: a wallpaper is behind many
_LARGE = 0.1  # of the screen that must have changed
_OWN, _KEPT = 3, 0.4  # words that few other states have: how many must be left, and what share
_RIM = np.ones((5, 5), np.uint8)  # cells around it that a shadow reaches


def without_backdrop(index: StateIndex, state_id: str, mask: Look, shown: Look) -> Look | None:
    """Return a state's look without a wallpaper that is another one now.

    Parameters
    ----------
    mask
        The state's look, without what is not compared.
    shown
        The screen's.

    Returns
    -------
    look
        ``None`` where no large region that other states share has changed, or where too little is
        left of what the state alone has.
    """
    if mask.shape != shown.shape:
        return None
    changed = (cv2.absdiff(mask, shown) > SAME) & (mask != HIDDEN) & (shown != HIDDEN)
    backdrop = (changed & _shared(index, state_id)).astype(np.uint8)
    # A closed region: on a busy wallpaper some cells are alike by chance.
    backdrop = np.asarray(cv2.morphologyEx(backdrop, cv2.MORPH_CLOSE, _RIM), np.uint8)
    if np.count_nonzero(backdrop) < _LARGE * backdrop.size:
        return None
    left = mask.copy()
    left[cv2.dilate(backdrop, _RIM) > 0] = HIDDEN
    words = index.layouts[state_id].words
    own = index.words.rare(state_id)
    kept = in_open(words, left) & own
    return left if kept.sum() >= max(_OWN, _KEPT * own.sum()) else None


def _shared(index: StateIndex, state_id: str) -> Mask:
    """Return which cells of a state look the same in several states of other pages."""
    layout, page = index.layouts[state_id], index.states[state_id].page
    own = layout.look
    assert own is not None  # noqa: S101  (only such states are asked)
    others = (
        other.look
        for key, other in index.layouts.items()
        if key != state_id and (page is None or index.states[key].page != page)
        if other.look is not None and other.look.shape == own.shape
    )
    counts = np.zeros(own.shape, np.int32)
    for look in islice(others, _ASKED):
        counts += (cv2.absdiff(look, own) <= _EQUAL) & (look != HIDDEN)
    return np.asarray(counts >= _SHARED)
