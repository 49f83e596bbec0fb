"""Proposed places and the cheap tests that throw most of them away, many at a time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memctl.visual.matching.prepared import TemplateSet
    from memctl.visual.matching.screen import Screen
    from memctl.visual.matching.settings import Settings

__all__ = ["Candidates", "best_per_template", "distinct", "fits", "gate", "joined", "probe"]

Ints = NDArray[np.intp]
Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class Candidates:
    """``(n,)`` places: index of the template, left and top relative to the searched area."""

    owner: Ints
    x: Ints
    y: Ints

    def __len__(self) -> int:
        return self.owner.size

    def where(self, mask: Mask | Ints) -> Candidates:
        """Keep some."""
        return Candidates(self.owner[mask], self.x[mask], self.y[mask])

    @classmethod
    def none(cls) -> Candidates:
        """No place at all."""
        empty = np.zeros(0, np.intp)
        return cls(empty, empty, empty)


def joined(parts: Sequence[Candidates]) -> Candidates:
    """Put several lists into one."""
    if not parts:
        return Candidates.none()
    owner, x, y = (
        np.concatenate([getattr(part, name) for part in parts]) for name in ("owner", "x", "y")
    )
    return Candidates(owner, x, y)


def distinct(candidates: Candidates, screen: Screen, known: TemplateSet) -> Candidates:
    """Drop doubles and places that stick out of the searched area."""
    height, width = screen.gray.shape
    c = candidates.where(fits(candidates, screen, known))
    keys = np.sort((c.owner * height + c.y) * width + c.x)
    keys = keys[np.append(True, keys[1:] != keys[:-1])[: keys.size]]
    owner, place = np.divmod(keys, height * width)
    y, x = np.divmod(place, width)
    return Candidates(owner, x, y)


def fits(c: Candidates, screen: Screen, known: TemplateSet) -> Mask:
    """Whether candidates lie inside the searched area."""
    height, width = screen.gray.shape
    inside = (c.x >= 0) & (c.x + known.w[c.owner] <= width)
    return np.asarray(inside & (c.y >= 0) & (c.y + known.h[c.owner] <= height))


def gate(c: Candidates, screen: Screen, known: TemplateSet, settings: Settings) -> Mask:
    """Test brightness and contrast of the whole window, exactly as verification will.

    The luma is a weighted mean of the channels, so its mean cannot differ by more than the
    worst channel; rounding adds one gray level at most.
    """
    mean, spread = screen.window_stats(c.x, c.y, known.w[c.owner], known.h[c.owner])
    bright = np.abs(mean - known.brightness[c.owner]) <= settings.max_colour + 1.0
    ratio = np.exp(settings.max_contrast + 1e-6)
    wanted = known.contrast[c.owner]
    return np.asarray(bright & (spread <= wanted * ratio) & (spread >= wanted / ratio))


def probe(
    c: Candidates, screen: Screen, known: TemplateSet, *, every: int = 1
) -> tuple[NDArray[np.float32], Mask]:
    """Compare the probe pixels, or only every second, third, ... of them.

    Returns
    -------
    estimate
        Correlation over the probes, -1 to 1.
    equal
        Whether every probe has the template's value.
    """
    width = screen.gray.shape[1]
    offsets, wanted = known.probes(width, every)
    corners = (c.y * width + c.x).astype(np.int32)
    seen = screen.gray.reshape(-1)[offsets[c.owner] + corners[:, None]]
    aim = wanted[c.owner]
    equal = (seen == aim).all(axis=1)
    return _correlate(seen, aim), equal


def _correlate(one: NDArray[Any], other: NDArray[Any]) -> NDArray[np.float32]:
    """Pearson's r of the rows of two arrays."""
    a, b = one.astype(np.float32), other.astype(np.float32)
    a -= a.mean(axis=1, keepdims=True)
    b -= b.mean(axis=1, keepdims=True)
    scale = np.einsum("ij,ij->i", a, a) * np.einsum("ij,ij->i", b, b)
    return np.asarray(np.einsum("ij,ij->i", a, b) / np.sqrt(np.maximum(scale, 1e-6)), np.float32)


def best_per_template(owner: Ints, estimate: NDArray[np.float32], limit: int) -> Ints:
    """Return the indices of each template's ``limit`` best candidates, best first."""
    order = np.lexsort((-estimate, owner))
    grouped = owner[order]
    starts = np.searchsorted(grouped, grouped, side="left")
    return order[np.arange(order.size) - starts < limit]
