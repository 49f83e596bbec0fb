"""Stage 3: keypoints of the screen that look like a keypoint of a template."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from memctl.visual.matching.candidates import Candidates, Ints

if TYPE_CHECKING:
    from memctl.visual.matching.prepared import FuzzyAnchors, TemplateSet
    from memctl.visual.matching.screen import Keypoints, Screen
    from memctl.visual.matching.settings import Settings

__all__ = ["propose_alike"]

BLOCK = 128
"""Anchors compared in one matrix product."""

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
    found = [
        _compare(anchors, chosen[start : start + BLOCK], points, settings)
        for start in range(0, chosen.size, BLOCK)
    ]
    anchor, description = (np.concatenate(part) for part in zip(*found, strict=True))
    return _expand(anchors, anchor, description, points, settings.max_candidates)


def _compare(
    anchors: FuzzyAnchors, block: Ints, points: Keypoints, settings: Settings
) -> tuple[Ints, Ints]:
    """Pairs of anchor and description that look alike; both are sorted by brightness."""
    described = points.described
    low, high = np.searchsorted(
        described.mean,
        [anchors.mean[block[0]] - settings.max_shade, anchors.mean[block[-1]] + settings.max_shade],
    )
    alike = anchors.vectors[block] @ described.vectors[low:high].T > settings.likeness
    row, column = np.divmod(np.flatnonzero(alike), max(high - low, 1))
    anchor, description = block[row], column + low
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
    candidates = Candidates(
        anchors.owner[owner],
        points.columns[point] - anchors.x[owner],
        points.rows[point] - anchors.y[owner],
    )
    return candidates, max(total - limit, 0)
