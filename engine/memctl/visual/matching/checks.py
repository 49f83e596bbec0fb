"""The checks of proposed places, from cheap to exact: brightness, probe pixels, all pixels.

Normalised cross-correlation is blind to brightness and contrast: an active and an inactive
menu item score 0.9999. Comparing the contrast (the gray standard deviation) and the mean of
each colour channel afterwards costs microseconds and takes away four false places of five.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np

from memctl.visual.boxes import SAME_PLACE, Box, PlaceIndex
from memctl.visual.match_results import ComponentHit, Miss
from memctl.visual.matching.stages import (
    Candidates,
    Mask,
    best_per_template,
    distinct,
    fits,
    joined,
)
from memctl.visual.matching.template import digest

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from memctl.visual.frame import Frame, Ints, Pixels
    from memctl.visual.match_results import MatchSettings
    from memctl.visual.matching.stages import SearchArea
    from memctl.visual.matching.template import Crop, Template
    from memctl.visual.matching.template_set import Claimants, TemplateSet

AROUND = np.array([(dx, dy) for dy in (-1, 0, 1) for dx in (-1, 0, 1) if dx or dy])
"""Steps to the eight pixels around one: columns and rows."""

CLEAR = 0.1
"""A candidate whose neighbours' estimates are all this much lower need not climb."""

GLANCE_EVERY = 4
GLANCE_SLACK = 0.3
"""A first estimate takes every fourth probe and must come this close to the least one."""

CLIMB_EVERY = 2
"""The climb compares every second probe."""

GLANCED, CLAIMS = (32, 8), (8, 3)
"""Templates of one size that are compared with one place, after the first glance and after all
probes; fewer where one has every probe equal. More than so many are alike in rows only, whose own
rows tell them apart."""

MOST_PLACES = 64
"""Places of one template that are looked at exactly if their probes are not all equal."""


def as_bright(c: Candidates, area: SearchArea, known: TemplateSet, settings: MatchSettings) -> Mask:
    """Test the brightness of the whole window, exactly as verification will.

    The luma is a weighted mean of the channels, so its mean cannot differ by more than the
    worst channel; rounding adds one gray level at most.
    """
    w, h = known.w[c.owner], known.h[c.owner]
    mean = area.totals(c.x, c.y, w, h) / (w * h)
    return np.asarray(np.abs(mean - known.brightness[c.owner]) <= settings.max_colour + 1.0)


def promising(
    c: Candidates, area: SearchArea, known: TemplateSet, settings: MatchSettings
) -> tuple[Candidates, Mask]:
    """Return places worth an exact crop: all whose probes are equal, else those alike.

    The second result tells which need not climb: their probes correlate clearly better than
    those of every neighbour.
    """
    glance, equal = estimate(c, area, known, every=GLANCE_EVERY)
    worth = np.flatnonzero(equal | (glance >= settings.min_estimate - GLANCE_SLACK))
    worth = worth[_nearest(c.where(worth), glance[worth], equal[worth], known, GLANCED)]
    c = c.where(worth)
    likeness, equal = estimate(c, area, known)
    alike = np.flatnonzero(equal | (likeness >= settings.min_estimate))
    alike = alike[_nearest(c.where(alike), likeness[alike], equal[alike], known, CLAIMS)]
    rest = alike[~equal[alike]]
    climbed, likeness, clear = _uphill(c.where(rest), area, known, settings.strides)
    best = best_per_template(climbed.owner, likeness, MOST_PLACES)
    same = c.where(equal)
    both = joined([same, climbed.where(best)])
    clear = np.concatenate([np.zeros(len(same), bool), clear[best]])
    once = np.sort(distinct(both, area))
    return both.where(once), clear[once]


def _nearest(
    c: Candidates,
    likeness: NDArray[np.float32],
    equal: Mask,
    known: TemplateSet,
    most: tuple[int, int],
) -> Ints:
    """Return the indices of the equal candidates, and of the most alike others of each place.

    On a sheet of cells every picture is a little like every cell; who is nearer to it has it.

    ``most``: so many others of one size, and so many where one is equal.
    """
    place = _corners(c, known)
    others = np.flatnonzero(~equal)
    owned = np.isin(place[others], place[equal])
    kept = [np.flatnonzero(equal)]
    for some, limit in zip((others[~owned], others[owned]), most, strict=True):
        kept.append(some[best_per_template(place[some], likeness[some], limit)])
    return np.sort(np.concatenate(kept))


def identical(frame: Frame, c: Candidates, known: TemplateSet) -> Mask:
    """Mark places of a screenshot that have the colours of their pictures, too."""
    places = zip(*(some.tolist() for some in (c.owner, c.x, c.y)), strict=True)
    return np.array(
        [
            digest(frame.bgr[y : y + known.h[owner], x : x + known.w[owner]])
            == known.crop(owner).fingerprint
            for owner, x, y in places
        ],
        bool,
    )


def outdone(c: Candidates, equal: Candidates, known: TemplateSet, claimants: Claimants) -> Mask:
    """Mark the candidates at places that a rival's picture of their size fits pixel by pixel.

    Whatever they look like, that rival has the place.
    """
    if not len(equal) or claimants.twin.all():
        return np.zeros(len(c), bool)
    # A rival is looked up in the eight pixels square of a corner, and known in those around, too.
    here = [(0, 0), *AROUND.tolist()]
    taken = np.concatenate([_corners(equal.moved(8 * dx, 8 * dy), known, 3) for dx, dy in here])
    asked = _corners(c, known, 3)
    order = np.argsort(taken, kind="stable")
    at = order[np.minimum(np.searchsorted(taken[order], asked), taken.size - 1)]
    rival = equal.where(at % len(equal))
    w, h = known.w[c.owner], known.h[c.owner]
    shared = (w - np.abs(c.x - rival.x)) * (h - np.abs(c.y - rival.y))
    there = (taken[at] == asked) & (shared > SAME_PLACE * (2 * w * h - shared))
    apart = (claimants.twin[c.owner] & claimants.twin[rival.owner]) | (
        claimants.varied[c.owner] & claimants.varied[rival.owner]
    )
    return np.asarray(there & ~apart & (c.owner != rival.owner))


def _corners(c: Candidates, known: TemplateSet, bits: int = 2) -> Ints:
    """Return one number for the size of a template and a square of ``2**bits`` pixels there."""
    size = known.w[c.owner] << 16 | known.h[c.owner]
    y, x = c.y >> bits & 0xFFFF, c.x >> bits & 0xFFFF
    return np.asarray(size << 32 | y << 16 | x, np.intp)


def estimate(
    c: Candidates, area: SearchArea, known: TemplateSet, *, every: int = 1
) -> tuple[NDArray[np.float32], Mask]:
    """Compare the probe pixels, or only every second, third, ... of them.

    Returns ``likeness``: correlation over the probes, -1 to 1. Returns ``equal``: whether every
    probe has the template's value.
    """
    width = area.gray.shape[1]
    probes = known.probes(width, every)
    corners = (c.y * width + c.x).astype(np.int32)
    seen = area.gray.reshape(-1)[probes.offsets[c.owner] + corners[:, None]]
    equal = (seen == probes.values[c.owner]).all(axis=1)
    return _correlate(seen, probes.directions[c.owner]), equal


def _correlate(seen: NDArray[Any], directions: NDArray[np.float32]) -> NDArray[np.float32]:
    """Pearson's r of rows with directions: vectors of mean 0 and length 1."""
    values = seen.astype(np.float32)
    mean = values.mean(axis=1)
    power = np.einsum("ij,ij->i", values, values) - values.shape[1] * mean * mean
    along = np.einsum("ij,ij->i", values, directions)
    return np.asarray(along / np.sqrt(np.maximum(power, 1.0)), np.float32)


def _uphill(
    c: Candidates,
    area: SearchArea,
    known: TemplateSet,
    strides: int,
) -> tuple[Candidates, NDArray[np.float32], Mask]:
    """Move every candidate to the neighbour whose probes correlate best, some times."""
    clear = np.ones(len(c), bool)
    likeness, _ = estimate(c, area, known, every=CLIMB_EVERY)
    for _ in range(strides):
        around = c.where(np.repeat(np.arange(len(c)), len(AROUND)))
        around = around.moved(*np.tile(AROUND, (len(c), 1)).T)
        inside = np.flatnonzero(fits(around, area, known))
        others = np.full(len(around), -1.0, np.float32)
        others[inside], _ = estimate(around.where(inside), area, known, every=CLIMB_EVERY)
        table = others.reshape(len(c), len(AROUND))
        best = table.argmax(axis=1)
        highest = table[np.arange(len(c)), best]
        clear &= highest < likeness - CLEAR
        step = np.where((highest > likeness)[:, None], AROUND[best], 0)
        c = c.moved(*step.T)
        likeness = np.maximum(likeness, highest)
    return c, likeness, clear


def verdict(
    frame: Frame,
    template: Template,
    crop: Crop,
    spot: tuple[int, int],
    settings: MatchSettings,
    how: str,
    measures: Measures,
    number: int,
) -> ComponentHit | Miss:
    """Decide about one of the measured places. Every search ends here, so that all agree."""
    score, contrast = float(measures.score[number]), float(measures.contrast[number])
    x, y = spot
    height, width = crop.gray.shape
    box = Box(x, y, width, height)
    pixels = frame.crop(box)
    same = bool(measures.equal[number]) and digest(pixels) == crop.fingerprint
    why = None if same else _objection(crop, pixels, score, contrast, settings)
    if why is not None:
        return Miss(why, score, x, y)
    score = 1.0 if same else score
    return ComponentHit(template.template_id, template.component_id, box, score, same, how)


def correlate(
    size: Any, total: Any, power: Any, own_total: Any, own_power: Any, difference: Any
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Correlate gray values by their sums, of one place or of many at once.

    Whole numbers that double precision holds exactly, so that whoever asks gets the same.

    ``size``: pixels of the template. ``total``, ``power``: `moments` of the place; ``own_total``
    and ``own_power`` of the template. ``difference``: sum of the squared differences of the two.
    Returns ``score``: pearson's r, at most 1; 0 where one side is constant. Returns ``contrast``:
    standard deviation of the place.
    """
    product = (power + own_power - difference) / 2
    variance = np.maximum(size * power - total**2, 0.0)
    own = np.maximum(size * own_power - own_total**2, 0.0)
    scale = np.sqrt(variance * own)
    score = (size * product - total * own_total) / np.where(scale > 0, scale, np.inf)
    return np.minimum(score, 1.0), np.sqrt(variance) / size


def _objection(
    crop: Crop, pixels: Pixels, score: float, contrast: float, settings: MatchSettings
) -> str | None:
    if score < settings.min_score:
        return f"below {settings.min_score:g}"
    if abs(math.log(contrast / crop.contrast)) > settings.max_contrast:
        return "contrast differs"
    seen = cv2.mean(pixels)[:3]
    worst = max(abs(a - b) for a, b in zip(seen, crop.colour, strict=True))
    return "colour differs" if worst > settings.max_colour else None


def thin(places: list[ComponentHit], settings: MatchSettings) -> list[ComponentHit]:
    """Keep, of overlapping places of one template, the best; keep every identical one."""
    kept: list[ComponentHit] = []
    taken = PlaceIndex(settings.max_overlap)
    for place in sorted(places, key=lambda p: (not p.identical, -p.score, p.box.y, p.box.x)):
        if place.identical or taken.owner(place.box) is None:
            kept.append(place)
            taken.add(place.box, place.template_id)
    return kept


STEPS = 4
"""Pixels that a place may climb."""


@dataclass(eq=False)
class Measures:
    """``(n,)`` each: correlation, contrast of the place, and whether its luma is equal."""

    score: NDArray[np.float64]
    contrast: NDArray[np.float64]
    equal: Mask

    def replace(self, at: Ints, other: Measures, chosen: Ints) -> None:
        """Take over some of another's."""
        self.score[at] = other.score[chosen]
        self.contrast[at] = other.contrast[chosen]
        self.equal[at] = other.equal[chosen]


def measure(c: Candidates, area: SearchArea, known: TemplateSet) -> Measures:
    """Compare all pixels of templates with the places proposed for them."""
    w, h = known.w[c.owner], known.h[c.owner]
    whole, gray, norm, squared = area.gray, known.gray, cv2.norm, cv2.NORM_L2SQR
    found = np.empty((2, len(c)))
    places = zip(*(some.tolist() for some in (c.owner, c.x, c.y, w, h)), strict=True)
    for number, (owner, x, y, width, height) in enumerate(places):
        crop = whole[y : y + height, x : x + width]
        found[0, number] = norm(crop, gray(owner), squared)
        found[1, number] = norm(crop, squared)
    difference, power = found
    total = area.totals(c.x, c.y, w, h).astype(np.float64)
    own = known.total[c.owner], known.power[c.owner]
    score, contrast = correlate(w * h, total, power, *own, difference)
    return Measures(score, contrast, difference == 0)


def climb_all(
    c: Candidates, measures: Measures, moving: Ints, area: SearchArea, known: TemplateSet
) -> Candidates:
    """Walk some places uphill, pixel by pixel, to a local maximum of the score.

    ``measures`` follow them.
    """
    x, y = c.x.copy(), c.y.copy()
    for _ in range(STEPS):
        if not moving.size:
            break
        here = Candidates(c.owner, x, y, c.stage).where(moving)
        around = here.where(np.repeat(np.arange(len(here)), len(AROUND)))
        around = around.moved(*np.tile(AROUND, (len(here), 1)).T)
        inside = np.flatnonzero(fits(around, area, known))
        found = measure(around.where(inside), area, known)
        number = np.full(len(around), -1)
        number[inside] = np.arange(inside.size)
        scores = np.full(len(around), -1.0)
        scores[inside] = found.score
        best = scores.reshape(-1, len(AROUND)).argmax(axis=1) + np.arange(len(here)) * len(AROUND)
        better = scores[best] > measures.score[moving]
        moving, best = moving[better], best[better]
        x[moving], y[moving] = around.x[best], around.y[best]
        measures.replace(moving, found, number[best])
    return Candidates(c.owner, x, y, c.stage)
