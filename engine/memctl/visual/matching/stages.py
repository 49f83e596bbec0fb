"""The searched area of a screenshot, and the stages that propose places in it, the cheapest first.

1. last: every template where it was last seen.
2. hash: windows of the screen whose hash is that of a template's window; near: those of a
   template's other windows that are rare.
3. fuzzy: keypoints of the screen that look like a keypoint of a template.
4. full, for single templates: the peaks of the correlation with every place.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
from numpy.typing import NDArray

from memctl.visual.matching.keypoints import (
    Keypoints,
    Structure,
    brief,
    find_keypoints,
    fingerprint,
    windows,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memctl.visual.boxes import Box
    from memctl.visual.frame import Frame, Ints, Pixels
    from memctl.visual.match_results import MatchSettings
    from memctl.visual.matching.template_set import ExactAnchors, FuzzyAnchors, TemplateSet


@dataclass(frozen=True, eq=False)
class SearchArea:
    """The searched part of a screenshot."""

    frame: Frame  # the whole screenshot
    box: Box  # the part that is searched; candidates are given relative to its corner

    @cached_property
    def bgr(self) -> Pixels:
        """``(h, w, 3)`` uint8."""
        return self.frame.crop(self.box)

    @cached_property
    def gray(self) -> Pixels:
        """``(h, w)`` uint8, contiguous."""
        part = self.frame.gray[self.box.y : self.box.bottom, self.box.x : self.box.right]
        return np.ascontiguousarray(part)

    @cached_property
    def sums(self) -> NDArray[np.int32]:
        """Summed-area table of the gray values.

        It may wrap around on screens beyond 8 megapixels; differences of it do not.
        """
        return np.asarray(cv2.integral(self.gray, sdepth=cv2.CV_32S))

    @cached_property
    def squares(self) -> NDArray[np.float64]:
        """Summed-area table of the squares of the gray values."""
        return np.asarray(cv2.integral2(self.gray, sdepth=cv2.CV_32S, sqdepth=cv2.CV_64F)[1])

    def totals(self, x: Ints, y: Ints, w: Ints, h: Ints) -> NDArray[np.int32]:
        """Add up the gray values of many windows at once."""
        return _windows(self.sums, x, y, w, h)

    def variance(self, x: Ints, y: Ints, w: Ints, h: Ints) -> NDArray[np.float64]:
        """Return the variance of the gray values of many windows at once."""
        size, powers = w * h, _windows(self.squares, x, y, w, h)
        return np.asarray(powers / size - (self.totals(x, y, w, h) / size) ** 2)

    @cached_property
    def structure(self) -> Structure:
        """Corners and keypoints; those of a whole screenshot serve a learn, too."""
        whole = self.box == self.frame.part(None)
        return Structure.of(self.frame) if whole else Structure(self.gray)

    @cached_property
    def corners(self) -> NDArray[np.intp]:
        """Flat places of the corners."""
        return np.flatnonzero(self.structure.corners)

    def windows(self, alignments: Iterable[int]) -> NDArray[np.intp]:
        """Flat places of the windows around corners, at some of the `ALIGNMENTS`."""
        return np.concatenate(
            [windows(self.corners, alignment, self.gray.shape) for alignment in alignments]
            or [np.zeros(0, np.intp)]
        )

    @cached_property
    def keypoints(self) -> Keypoints:
        """The keypoints of this area, which the fuzzy stage compares with the templates'."""
        return find_keypoints(self.structure)


def _windows(table: NDArray[Any], x: Ints, y: Ints, w: Ints, h: Ints) -> NDArray[Any]:
    """Return the sums of windows by a summed-area table."""
    stride, sums = table.shape[1], table.reshape(-1)
    top = y * stride + x
    bottom = top + h * stride
    return np.asarray(sums[bottom + w] - sums[bottom] - sums[top + w] + sums[top])


Mask = NDArray[np.bool_]

STAGES = ("last", "hash", "near", "fuzzy", "full")
"""The stages that propose places; of one proposed twice, the earlier stage has found it."""


@dataclass(frozen=True)
class Candidates:
    """``(n,)`` places: index of the template, left and top relative to the searched area.

    ``stage`` is the number of the stage in `STAGES` that proposed the place.
    """

    owner: Ints
    x: Ints
    y: Ints
    stage: Ints

    def __len__(self) -> int:
        return self.owner.size

    def where(self, mask: Mask | Ints) -> Candidates:
        """Keep some."""
        return Candidates(self.owner[mask], self.x[mask], self.y[mask], self.stage[mask])

    def moved(self, dx: Ints | int, dy: Ints | int) -> Candidates:
        """Return the same templates elsewhere."""
        return Candidates(self.owner, self.x + dx, self.y + dy, self.stage)

    @classmethod
    def by(cls, stage: str, owner: Ints, x: Ints, y: Ints) -> Candidates:
        """Let one stage propose places."""
        return cls(owner, x, y, np.full(owner.size, STAGES.index(stage)))

    @classmethod
    def none(cls) -> Candidates:
        """No place at all."""
        empty = np.zeros(0, np.intp)
        return cls(empty, empty, empty, empty)


def joined(parts: Sequence[Candidates]) -> Candidates:
    """Put several lists into one."""
    if not parts:
        return Candidates.none()
    return Candidates(
        *(
            np.concatenate([getattr(part, name) for part in parts])
            for name in ("owner", "x", "y", "stage")
        )
    )


def distinct(c: Candidates, area: SearchArea) -> Ints:
    """Return the indices of different places, by template; of doubles, the earliest stage's."""
    height, width = area.gray.shape
    keys = ((c.owner * height + c.y) * width + c.x) * len(STAGES) + c.stage
    order = np.argsort(keys)
    places = keys[order] // len(STAGES)
    first = np.append(True, places[1:] != places[:-1])[: order.size]
    return np.asarray(order[first], np.intp)


def fits(c: Candidates, area: SearchArea, known: TemplateSet) -> Mask:
    """Mark the candidates that lie inside the searched area."""
    height, width = area.gray.shape
    inside = (c.x >= 0) & (c.x + known.w[c.owner] <= width)
    return np.asarray(inside & (c.y >= 0) & (c.y + known.h[c.owner] <= height))


def best_per_template(owner: Ints, estimate: NDArray[Any], limit: int) -> Ints:
    """Return the indices of each template's ``limit`` best candidates, best first."""
    order = np.lexsort((-estimate, owner))
    grouped = owner[order]
    starts = np.searchsorted(grouped, grouped, side="left")
    return order[np.arange(order.size) - starts < limit]


def propose_last(known: TemplateSet, area: SearchArea) -> Candidates:
    """Propose, for every template that has one, its last place."""
    owner, x, y = known.last
    return Candidates.by("last", owner, x - area.box.x, y - area.box.y)


RARE = 6
"""Places of one anchor that are proposed even if another anchor of the template is rarer."""


def propose_hashed(known: TemplateSet, area: SearchArea) -> tuple[Candidates, Candidates]:
    """Propose places whose windows hash alike.

    Returns ``complete``: every place where a template could be pixel-identical: those of its rarest
    anchor, if all its anchors are on the screen. Returns ``partial``: places that another rare
    anchor of a template proposes.
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

    Returns ``candidates``: not yet distinct, some may stick out of the screen. Returns ``dropped``:
    how many the cap left out.
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


SLACK = 0.01
"""The score map is single precision: peaks this far below the threshold are looked at too."""

NOISE = 0.5
"""Scores up to this are not worth asking whether their window is flat."""

FLAT = 1.0
"""Windows of a smaller standard deviation score noise; they can never pass the contrast check."""

MOST_PEAKS = 500
"""Peaks of one template that are proposed, the best; along straight lines there are thousands."""


def propose_everywhere(
    known: TemplateSet, owners: Sequence[int], area: SearchArea, settings: MatchSettings
) -> Candidates:
    """Propose the best place of some templates, and all that may reach the threshold."""
    return joined([_peaks(known.gray(owner), owner, area, settings) for owner in owners])


def _peaks(gray: Pixels, owner: int, area: SearchArea, settings: MatchSettings) -> Candidates:
    scores = np.asarray(cv2.matchTemplate(area.gray, gray, cv2.TM_CCOEFF_NORMED))
    rows, columns = np.nonzero(~(scores <= NOISE))
    height, width = (np.full(rows.size, side) for side in gray.shape)
    flat = area.variance(columns, rows, width, height) < FLAT**2
    scores[rows[flat], columns[flat]] = -1.0
    least = min(settings.min_score - SLACK, float(scores.max()))
    peaks = (scores >= least) & (scores >= cv2.dilate(scores, np.ones((3, 3), np.uint8)))
    rows, columns = np.nonzero(peaks)
    best = np.argsort(-scores[rows, columns], kind="stable")[:MOST_PEAKS]
    return Candidates.by("full", np.full(best.size, owner), columns[best], rows[best])
