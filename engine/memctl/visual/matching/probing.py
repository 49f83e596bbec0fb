"""Cheap tests that throw away most proposed places, many at a time: brightness, then probes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from memctl.visual.matching.candidates import (
    Candidates,
    Mask,
    best_per_template,
    distinct,
    fits,
    joined,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from memctl.visual.matching.prepared import TemplateSet
    from memctl.visual.matching.screen import Screen
    from memctl.visual.matching.settings import Settings

__all__ = ["as_bright", "estimate", "promising"]

AROUND = np.array([(dx, dy) for dy in (-1, 0, 1) for dx in (-1, 0, 1) if dx or dy])
"""Steps to the eight pixels around one: columns and rows."""

CLEAR = 0.1
"""A candidate whose neighbours' estimates are all this much lower need not climb."""

GLANCE_EVERY = 4
GLANCE_SLACK = 0.3
"""A first estimate takes every fourth probe and must come this close to the least one."""

CLIMB_EVERY = 2
"""The climb compares every second probe."""

MOST_PLACES = 64
"""Places of one template that are looked at exactly if their probes are not all equal."""


def as_bright(c: Candidates, screen: Screen, known: TemplateSet, settings: Settings) -> Mask:
    """Test the brightness of the whole window, exactly as verification will.

    The luma is a weighted mean of the channels, so its mean cannot differ by more than the
    worst channel; rounding adds one gray level at most.
    """
    w, h = known.w[c.owner], known.h[c.owner]
    mean = screen.totals(c.x, c.y, w, h) / (w * h)
    return np.asarray(np.abs(mean - known.brightness[c.owner]) <= settings.max_colour + 1.0)


def promising(
    c: Candidates, screen: Screen, known: TemplateSet, settings: Settings
) -> tuple[Candidates, Mask]:
    """Return places worth an exact look: all whose probes are equal, else those alike.

    The second result tells which need not climb: their probes correlate clearly better than
    those of every neighbour.
    """
    glance, equal = estimate(c, screen, known, every=GLANCE_EVERY)
    worth = np.flatnonzero(equal | (glance >= settings.min_estimate - GLANCE_SLACK))
    c = c.where(worth)
    likeness, equal = estimate(c, screen, known)
    rest = ~equal & (likeness >= settings.min_estimate)
    climbed, likeness, clear = _uphill(c.where(rest), screen, known, settings.strides)
    best = best_per_template(climbed.owner, likeness, MOST_PLACES)
    same = c.where(equal)
    both = joined([same, climbed.where(best)])
    clear = np.concatenate([np.zeros(len(same), bool), clear[best]])
    once = np.sort(distinct(both, screen))
    return both.where(once), clear[once]


def estimate(
    c: Candidates, screen: Screen, known: TemplateSet, *, every: int = 1
) -> tuple[NDArray[np.float32], Mask]:
    """Compare the probe pixels, or only every second, third, ... of them.

    Returns
    -------
    likeness
        Correlation over the probes, -1 to 1.
    equal
        Whether every probe has the template's value.
    """
    width = screen.gray.shape[1]
    probes = known.probes(width, every)
    corners = (c.y * width + c.x).astype(np.int32)
    seen = screen.gray.reshape(-1)[probes.offsets[c.owner] + corners[:, None]]
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
    screen: Screen,
    known: TemplateSet,
    strides: int,
) -> tuple[Candidates, NDArray[np.float32], Mask]:
    """Move every candidate to the neighbour whose probes correlate best, some times."""
    clear = np.ones(len(c), bool)
    likeness, _ = estimate(c, screen, known, every=CLIMB_EVERY)
    for _ in range(strides):
        around = c.where(np.repeat(np.arange(len(c)), len(AROUND)))
        around = around.moved(*np.tile(AROUND, (len(c), 1)).T)
        inside = np.flatnonzero(fits(around, screen, known))
        others = np.full(len(around), -1.0, np.float32)
        others[inside], _ = estimate(around.where(inside), screen, known, every=CLIMB_EVERY)
        table = others.reshape(len(c), len(AROUND))
        best = table.argmax(axis=1)
        highest = table[np.arange(len(c)), best]
        clear &= highest < likeness - CLEAR
        step = np.where((highest > likeness)[:, None], AROUND[best], 0)
        c = c.moved(*step.T)
        likeness = np.maximum(likeness, highest)
    return c, likeness, clear
