"""Stage 3: keypoints of the screen that look like a keypoint of a template."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from memctl.visual.matching.candidates import Candidates

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from memctl.visual.frame import Ints
    from memctl.visual.matching.prepared import FuzzyAnchors, TemplateSet
    from memctl.visual.matching.screen import Keypoints, Screen
    from memctl.visual.matching.settings import Settings

__all__ = ["propose_alike"]

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


def propose_alike(known: TemplateSet, screen: Screen, settings: Settings) -> tuple[Candidates, int]:
    """Propose places for all templates.

    Also for those that an exact stage has found: what is found must not depend on what
    else is on the screen, and the same button may stand elsewhere in another look.

    Returns
    -------
    candidates
        Not yet distinct, some may stick out of the screen.
    dropped
        How many the cap left out.
    """
    anchors = known.fuzzy
    chosen = np.flatnonzero(anchors.rank < settings.anchors)
    points = screen.keypoints
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
    settings: Settings,
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
