"""Whether a place shows a picture's own label, or another one in the same frame."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import cv2
import numpy as np

from memctl.visual.identity.glyphs import CONTEXT

if TYPE_CHECKING:
    from memctl.visual.boxes import Box
    from memctl.visual.frame import Pixels
    from memctl.visual.identity.glyphs import GlyphRun

ANOTHER_LABEL = "same frame, another label"


class Allowance(NamedTuple):
    """How far a pixel may differ, in units of the ink's contrast: ``base + share * usual``.

    ``usual`` is the upper quartile of the differences on the ink: a shift, a compression or
    another rendering moves all edges alike, another letter moves a few pixels far.
    """

    base: float
    share: float
    most: float


OWN = Allowance(0.14, 1.0, 0.30)
"""At the picture's own scale: siblings differ by 0.35 and more, true ones by 0.26 at most."""

RESIZED = Allowance(0.33, 0.0, 0.33)
"""For a picture learned at another device-pixel ratio, where every stroke differs."""

DRESSED = Allowance(0.14, 4.0, 0.28)
"""For a picture at its own place in another dress, letter by letter: siblings differ by 0.33."""

BESIDE = Allowance(0.14, 2.0, 0.30)
"""For what stands beside a component: it may have been laid out anew, by part of a pixel."""


def strangeness(run: GlyphRun, gray: Pixels, box: Box, allowance: Allowance) -> float:
    """Return how far a place differs from a picture: up to 1 it shows the same, above another.

    Parameters
    ----------
    run
        The picture's ink.
    gray
        ``(H, W)`` uint8: the screenshot, or another picture.
    box
        The place, of the picture's size.
    """
    worst, usual = run.difference(surroundings_of(gray, box), redrawn=allowance is DRESSED)
    return worst / min(allowance.base + allowance.share * usual, allowance.most)


def surroundings_of(gray: Pixels, box: Box) -> Pixels:
    """Return a box and `CONTEXT` pixels around it; beyond the screenshot, its edge repeated."""
    top, left = box.y - CONTEXT, box.x - CONTEXT
    bottom, right = box.bottom + CONTEXT, box.right + CONTEXT
    height, width = gray.shape
    cut = gray[max(top, 0) : min(bottom, height), max(left, 0) : min(right, width)]
    if cut.shape == (bottom - top, right - left):
        return cut
    beyond = max(-top, 0), max(bottom - height, 0), max(-left, 0), max(right - width, 0)
    return np.asarray(cv2.copyMakeBorder(cut, *beyond, cv2.BORDER_REPLICATE), np.uint8)
