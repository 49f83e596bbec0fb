"""The four stages that propose places for templates, the cheapest first.

1. last: every template where it was last seen.
2. hash: windows of the screen whose hash is that of a template's window.
3. fuzzy: keypoints of the screen that look like a keypoint of a template.
4. coarse, for thorough searches: templates of straight lines, at half the resolution. An empty
   box shares no window and no keypoint with its look-alikes. Such templates are few, sixteen in
   a thousand of admin pages, so they can be correlated with a half-size copy of the screen, for a
   tenth of the time of brute force.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

from memctl.visual.boxes import Box
from memctl.visual.frame import Frame, Ints
from memctl.visual.matching.candidates import Candidates, SearchArea, joined
from memctl.visual.matching.keypoints import brief, fingerprint

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from memctl.visual.frame import Pixels
    from memctl.visual.matching.keypoints import Keypoints
    from memctl.visual.matching.match_settings import MatchSettings
    from memctl.visual.matching.template_set import ExactAnchors, FuzzyAnchors, TemplateSet

__all__ = ["propose_alike", "propose_coarse", "propose_hashed", "propose_last"]


def propose_last(known: TemplateSet, area: SearchArea) -> Candidates:
    """Propose, for every template that has one, its last place."""
    owner, x, y = known.last
    return Candidates.by("last", owner, x - area.box.x, y - area.box.y)


RARE = 6
"""Places of one anchor that are proposed even if another anchor of the template is rarer."""


def propose_hashed(known: TemplateSet, area: SearchArea) -> tuple[Candidates, Candidates]:
    """Propose places whose windows hash alike.

    Returns
    -------
    complete
        Every place where a template could be pixel-identical: those of its rarest anchor,
        if all its anchors are on the screen.
    partial
        Places that another rare anchor of a template proposes.
    """
    anchors = known.exact
    places, first, last = _lookup(anchors, area)
    count = last - first
    fewest = np.full(len(known), np.iinfo(np.intp).max)
    np.minimum.at(fewest, anchors.owner, count)
    rarest = np.full(len(known), -1)
    candidates = np.flatnonzero((count == fewest[anchors.owner]) & (count > 0))
    rarest[anchors.owner[candidates]] = candidates
    rarest = rarest[rarest >= 0]
    rare = (count > 0) & (count <= RARE)
    rare[rarest] = False
    return tuple(  # type: ignore[return-value]
        _spread(stage, anchors, chosen, places, first, count, area)
        for stage, chosen in (("hash", rarest), ("near", np.flatnonzero(rare)))
    )


def _lookup(
    anchors: ExactAnchors, area: SearchArea
) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.intp]]:
    """Find the places of each anchor's fingerprint: ``places[first[i] : last[i]]``."""
    places = area.windows(anchors.alignments)
    known = anchors.table[brief(area.gray, places)]
    places = places[known]
    found = fingerprint(area.gray, places)
    order = np.argsort(found, kind="stable")
    ordered = found[order]
    first = np.searchsorted(ordered, anchors.whole, side="left")
    last = np.searchsorted(ordered, anchors.whole, side="right")
    return places[order], first, last


def _spread(
    stage: str,
    anchors: ExactAnchors,
    chosen: NDArray[np.intp],
    places: NDArray[np.intp],
    first: NDArray[np.intp],
    count: NDArray[np.intp],
    area: SearchArea,
) -> Candidates:
    """Write out every place of the chosen anchors."""
    repeats = count[chosen]
    starts = np.repeat(first[chosen] - (np.cumsum(repeats) - repeats), repeats)
    rows, columns = np.divmod(places[starts + np.arange(starts.size)], area.gray.shape[1])
    anchor = np.repeat(chosen, repeats)
    left, top = columns - anchors.x[anchor], rows - anchors.y[anchor]
    return Candidates.by(stage, anchors.owner[anchor], left, top)


BLOCK = 128
"""Anchors compared in one matrix product ..."""

ROWS = 80
"""... and descriptions. OpenBLAS wakes its threads for products of more than 262,144
multiplications (``interface/gemm.c``: SMP_THRESHOLD_MIN times GEMM_MULTITHREAD_THRESHOLD);
128 x 80 x 24 stays below. Waking them for so little costs more than it saves, thirty times
as much when the other cores are busy."""

SPREAD = 0.5
"""Largest ``|ln|`` of the ratio of two patches' standard deviations ..."""

SPREAD_FLOOR = 4.0
"""... each with this many gray levels added, for quiet patches."""

REPEATS = 24
"""Places of one description that are proposed."""


def propose_alike(
    known: TemplateSet, area: SearchArea, settings: MatchSettings
) -> tuple[Candidates, int]:
    """Propose places for all templates.

    Also for those that an exact stage has found: what is found must not depend on what
    else is on the screen, and the same button may stand elsewhere in another crop.

    Returns
    -------
    candidates
        Not yet distinct, some may stick out of the screen.
    dropped
        How many the cap left out.
    """
    anchors = known.fuzzy
    chosen = np.flatnonzero(anchors.rank < settings.anchors)
    points = area.keypoints
    if not chosen.size or not points.rows.size:
        return Candidates.none(), 0
    rows = _in_blocks(points.described.vectors)
    found = [
        _compare(anchors, chosen[start : start + BLOCK], points, rows, settings)
        for start in range(0, chosen.size, BLOCK)
    ]
    anchor, description = (np.concatenate(part) for part in zip(*found, strict=True))
    return _expand(anchors, anchor, description, points, settings.max_candidates)


def _in_blocks(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return descriptions as ``(blocks, ROWS, DIMENSIONS)``, filled up with zeros."""
    count, size = vectors.shape
    filled = np.zeros((-(-count // ROWS), ROWS, size), np.float32)
    filled.reshape(-1, size)[:count] = vectors
    return filled


def _compare(
    anchors: FuzzyAnchors,
    block: Ints,
    points: Keypoints,
    rows: NDArray[np.float32],
    settings: MatchSettings,
) -> tuple[Ints, Ints]:
    """Pairs of anchor and description that look alike; both are sorted by brightness."""
    described = points.described
    low, high = np.searchsorted(
        described.mean,
        [anchors.mean[block[0]] - settings.max_shade, anchors.mean[block[-1]] + settings.max_shade],
    )
    low //= ROWS
    alike = rows[low : -(-high // ROWS)] @ anchors.vectors[block].T > settings.likeness
    row, column = np.divmod(np.flatnonzero(alike), block.size)
    anchor, description = block[column], row + low * ROWS
    near = np.abs(anchors.mean[anchor] - described.mean[description]) <= settings.max_shade
    ratio = (anchors.spread[anchor] + SPREAD_FLOOR) / (described.spread[description] + SPREAD_FLOOR)
    near &= np.abs(np.log(ratio)) <= SPREAD
    return anchor[near], description[near]


def _expand(
    anchors: FuzzyAnchors, anchor: Ints, description: Ints, points: Keypoints, limit: int
) -> tuple[Candidates, int]:
    """Write out the places of every pair."""
    first = points.first[description]
    repeats = np.minimum(points.first[description + 1] - first, REPEATS)
    total = int(repeats.sum())
    starts = np.repeat(first - (np.cumsum(repeats) - repeats), repeats)[:limit]
    point = starts + np.arange(starts.size)
    owner = np.repeat(anchor, repeats)[:limit]
    candidates = Candidates.by(
        "fuzzy",
        anchors.owner[owner],
        points.columns[point] - anchors.x[owner],
        points.rows[point] - anchors.y[owner],
    )
    return candidates, max(total - limit, 0)


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


def propose_coarse(known: TemplateSet, area: SearchArea, limit: int) -> tuple[Candidates, int]:
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
    left, top = area.box.x % 2, area.box.y % 2
    small = halved(area.bgr[top:, left:])
    if not small.size:
        return Candidates.none(), straight.size
    half = SearchArea(Frame(small), Box(0, 0, small.shape[1], small.shape[0]))
    c = joined([_search(half, known.gray(owner), owner) for owner in chosen])
    around = [
        Candidates(c.owner, c.x * 2 + left + across, c.y * 2 + top + down, c.stage)
        for across, down in AROUND
    ]
    return joined(around), straight.size - len(chosen)


def _search(half: SearchArea, gray: Pixels, owner: int) -> Candidates:
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
    spread = np.sqrt(np.maximum(half.variance(columns, rows, width, height), 0))
    drawn = spread >= PALE * contrast
    rows, columns = rows[drawn], columns[drawn]
    best = np.argsort(-scores[rows, columns], kind="stable")[:MOST]
    return Candidates.by("coarse", np.full(best.size, owner), columns[best], rows[best])


def halved(pixels: Pixels) -> Pixels:
    """Average every two by two pixels; an odd last row or column is left out."""
    height, width = pixels.shape[0] // 2, pixels.shape[1] // 2
    even = pixels[: height * 2, : width * 2]
    if not even.size:
        return even
    return np.asarray(cv2.resize(even, (width, height), interpolation=cv2.INTER_AREA), np.uint8)
