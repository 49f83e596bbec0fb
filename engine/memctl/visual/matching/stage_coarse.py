"""Stage 4, for thorough searches: templates of straight lines, at half the resolution.

An empty box or the outline of a check box has straight lines and hardly anything else: its
look-alikes, say the cell of a table, share no window and no keypoint with it. Such templates are
few, sixteen in a thousand of admin pages, so they can be correlated with a half-size copy of the screen, for a
tenth of the time of brute force; what scores there is looked at exactly.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

from memctl.visual.boxes import Box
from memctl.visual.frame import Frame, Ints
from memctl.visual.matching.candidates import Candidates, joined
from memctl.visual.matching.screen import Screen

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from memctl.visual.frame import Pixels
    from memctl.visual.matching.prepared import TemplateSet

__all__ = ["propose_coarse"]

STRAIGHT = 0.1
"""Corners for each pixel on an edge below which a template is drawn with straight lines: an
outlined box with round corners has 0.04, text a half."""

LEAST = 0.6
"""Least correlation at half the resolution. An equal box of thin lines at an odd row and column
still has 0.68; look-alikes on the test pages have 0.88 and more."""

PALE = 0.6
"""Least contrast of a window, relative to the template's. Full-size contrast may fall to 0.86,
``exp(-max_contrast)``; where a box has its lines at odd rows and columns, averaging takes another
quarter."""

MOST = 500
"""Places proposed of one template, the best; along straight lines there are thousands."""

SMALLEST = 4
"""Templates with fewer rows or columns than this, in half-size pixels, are left out."""

FLAT = 1.0
"""So are those whose gray values hardly differ at half size (standard deviation)."""

AROUND = tuple((across, down) for down in (-1, 0, 1) for across in (-1, 0, 1))
"""The pixels that a half-size pixel may stand for."""


def propose_coarse(known: TemplateSet, screen: Screen, limit: int) -> tuple[Candidates, int]:
    """Propose places of templates that are drawn with straight lines.

    Also of those that are found already: what is found must not depend on what else is on
    the screen.

    Parameters
    ----------
    limit
        Templates that are searched in one frame; the others wait their turn.

    Returns
    -------
    candidates
        Not yet distinct, some may stick out of the screen. The half-size copy starts at an
        even row and column of the screenshot, so a part of it proposes what the whole does.
    waiting
        How many templates were left for other frames.
    """
    straight = np.flatnonzero(known.usable & (known.heads["cornered"] < STRAIGHT))
    chosen = np.roll(straight, -known.turn * limit)[:limit].tolist()
    left, top = screen.area.x % 2, screen.area.y % 2
    small = halved(screen.bgr[top:, left:])
    if not small.size:
        return Candidates.none(), straight.size
    half = Screen(Frame(small), Box(0, 0, small.shape[1], small.shape[0]))
    c = joined([_search(half, known.gray(owner), owner) for owner in chosen])
    around = [
        Candidates(c.owner, c.x * 2 + left + across, c.y * 2 + top + down, c.stage)
        for across, down in AROUND
    ]
    return joined(around), straight.size - len(chosen)


def _search(half: Screen, gray: Pixels, owner: int) -> Candidates:
    """Propose the best local maxima of one template, in half-size pixels.

    A window whose contrast is too small to pass later scores noise and is left out.
    """
    wanted = halved(gray)
    contrast = float(wanted.std()) if wanted.size else 0.0
    too_large = any(own > whole for own, whole in zip(wanted.shape, half.gray.shape, strict=True))
    if too_large or min(wanted.shape) < SMALLEST or contrast < FLAT:
        return Candidates.none()
    scores = np.asarray(cv2.matchTemplate(half.gray, wanted, cv2.TM_CCOEFF_NORMED))
    maxima = (scores >= LEAST) & (scores >= cv2.dilate(scores, np.ones((3, 3), np.uint8)))
    rows, columns = np.divmod(np.flatnonzero(maxima), scores.shape[1])
    height, width = (np.full(rows.size, side) for side in wanted.shape)
    drawn = _spread(half, columns, rows, width, height) >= PALE * contrast
    rows, columns = rows[drawn], columns[drawn]
    best = np.argsort(-scores[rows, columns], kind="stable")[:MOST]
    return Candidates.by("coarse", np.full(best.size, owner), columns[best], rows[best])


def _spread(half: Screen, x: Ints, y: Ints, w: Ints, h: Ints) -> NDArray[np.float64]:
    """Return the standard deviation of the gray values of many windows."""
    size, total = w * h, half.totals(x, y, w, h)
    power = half.powers(x, y, w, h) / size
    return np.asarray(np.sqrt(np.maximum(power - (total / size) ** 2, 0)))


def halved(pixels: Pixels) -> Pixels:
    """Average every two by two pixels; an odd last row or column is left out."""
    height, width = pixels.shape[0] // 2, pixels.shape[1] // 2
    even = pixels[: height * 2, : width * 2]
    if not even.size:
        return even
    return np.asarray(cv2.resize(even, (width, height), interpolation=cv2.INTER_AREA), np.uint8)
