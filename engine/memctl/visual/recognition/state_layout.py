"""The layout of a known state: what stands where on it, and how it looks."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from memctl.visual.reading.word_shapes import WORD, Words

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from memctl.visual.boxes import Box
    from memctl.visual.reading.screen_look import Look

_SIZE_SLACK = 1  # pixels by which a size may differ when another scale is divided out


@dataclass(frozen=True, slots=True)
class StateLayout:
    """A known state.

    Parameters
    ----------
    defining
        Component id to its place as it was when the state was first seen.
    optional
        Components met there once, or on later visits: their presence and absence say nothing.
    width, height
        The screenshot that the state was first seen on, in pixels.
    words
        The words on it.
    whole
        False where the words of its components alone are known.
    changing
        Components whose places are known to change: neither they nor the words there count.
    look
        Its look; ``None`` where nobody has seen the whole screen as it stands.
    ignored
        Areas that a person wants left out of every comparison.
    """

    defining: Mapping[int, Box]
    optional: Mapping[int, Box]
    width: int
    height: int
    words: Words = field(default_factory=lambda: np.zeros(0, WORD))
    whole: bool = True
    changing: Mapping[int, Box] = field(default_factory=dict)
    look: Look | None = None
    ignored: Sequence[Box] = ()

    @property
    def size(self) -> tuple[int, int]:
        """Width and height."""
        return self.width, self.height


def same_sides(layout: StateLayout, width: float, height: float) -> tuple[bool, bool]:
    """Return whether a screen is as wide, and as high, as a state was.

    A window of another width or height (in pixels at scale 1) was laid out anew along that
    side: what moved there, as things at the right edge do, was not scrolled.
    """
    return abs(width - layout.width) <= _SIZE_SLACK, abs(height - layout.height) <= _SIZE_SLACK
