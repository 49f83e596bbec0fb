"""Look-alikes: boxes of one screenshot, or remembered templates, that nobody could distinguish.

Equal pixels are found by their bytes. The others are described by their ink in 128 numbers, and
only boxes of about one size and one description are compared stroke by stroke.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

from memctl.visual.boxes import Box
from memctl.visual.identity.glyphs import BESIDE, GlyphRun, strangeness

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from memctl.visual.frame import Frame, Pixels
    from memctl.visual.matching.template_set import TemplateSet

Floats = NDArray[np.float32]

_SIDE = 0.2  # share of a side that a rival for a place may be longer or shorter by
_RIVAL = 0.7  # least correlation of a rival's picture, which at 0.8 would be found there
_ALIKE = 0.8  # least correlation of two boxes of one look
_DESCRIBED = 16, 8  # columns and rows of a description
_INK = 0.35  # of the contrast, from which on a pixel is ink
_FEW = slice(-18, None)  # of its numbers
_RIM = 3  # pixels
_OFF = 2  # pixels by which the ink's sides of one look may differ, when it is cut out
_FAR = 0.5  # of the contrast: descriptions of one look differ by less in each number
_SOFT = 0.5  # likewise for pixels, aligned and blurred by one
_LEAST = 12.0  # gray levels of contrast
_MOST_COMPARED = 60_000_000  # pixels; the densest pages need 45 million


class Effort:
    """Pixels that may still be compared stroke by stroke on one screenshot."""

    def __init__(self) -> None:
        self._left = _MOST_COMPARED

    def allows(self, box: Box) -> bool:
        """Return True, and count it, while a box may be compared once more."""
        self._left -= box.area
        return self._left > 0


def twin_groups(
    frame: Frame, boxes: Mapping[int, Box], effort: Effort | None = None
) -> list[dict[int, Box]]:
    """Group boxes of one look: equal sizes (to a pixel), NCC above 0.8, the same label.

    ``boxes``: component id to its place on the screenshot. ``effort``: what may be spent; after
    that, whatever is described alike is of one look: what nobody compared is told from nothing.
    Returns the groups, each as component id to place; a box without a twin is a group of its own.
    """
    effort = effort or Effort()
    groups: list[_Look] = []
    equal: dict[tuple[int, int, bytes], _Look] = {}
    sizes: dict[tuple[int, int], _LooksOfSize] = {}
    for key, box in sorted(boxes.items(), key=lambda item: (item[1].y, item[1].x, item[0])):
        pixels = frame.gray[box.y : box.bottom, box.x : box.right]
        about = (box.w, box.h, pixels.tobytes())
        look = equal.get(about)
        if look is None:
            described = _description(pixels)
            around = [(box.w + dw, box.h + dh) for dw in (0, -1, 1) for dh in (0, -1, 1)]
            some = (sizes[size] for size in around if size in sizes)
            near = (one for looks in some for one in looks.near(described))
            look = next((one for one in near if not effort.allows(box) or one.shows(box)), None)
            if look is None:
                look = _Look(frame.gray, box)
                groups.append(look)
                sizes.setdefault((box.w, box.h), _LooksOfSize()).add(look, described)
            equal[about] = look
        look.members[key] = box
    return [look.members for look in groups]


def _description(pixels: Pixels) -> Floats:
    """Return the ink of a picture, scaled to one size and contrast.

    The rim is left out, since equal frames would hide the labels in them. The last two numbers
    are the ink's own size.
    """
    rim = min(_RIM, min(pixels.shape) // 6)
    inner = pixels[rim : pixels.shape[0] - rim, rim : pixels.shape[1] - rim]
    away = inner.astype(np.float32) - np.float32(np.median(inner))
    away /= max(float(np.abs(away).max()), _LEAST)
    ink = np.abs(away) > _INK
    rows, columns = np.flatnonzero(ink.any(axis=1)), np.flatnonzero(ink.any(axis=0))
    if rows.size:
        away = away[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    numbers = cv2.resize(away, _DESCRIBED, interpolation=cv2.INTER_AREA).ravel()
    size = np.array(away.shape, np.float32) * np.float32(_FAR / _OFF)
    return np.concatenate([numbers, size])


class _LooksOfSize:
    """The looks of one size, by their descriptions."""

    def __init__(self) -> None:
        self._looks: list[_Look] = []
        self._described = np.empty((8, _DESCRIBED[0] * _DESCRIBED[1] + 2), np.float32)

    def add(self, look: _Look, described: Floats) -> None:
        """Take in another look."""
        count = len(self._looks)
        if count == len(self._described):
            self._described = np.concatenate([self._described, np.empty_like(self._described)])
        self._described[count] = described
        self._looks.append(look)

    def near(self, described: Floats) -> Iterable[_Look]:
        """Return the looks of about this description, the first first."""
        known = self._described[: len(self._looks)]
        # A few numbers turn down nearly all.
        left = np.flatnonzero(np.abs(known[:, _FEW] - described[_FEW]).max(axis=1) <= _FAR)
        far = np.abs(known[left] - described).max(axis=1, initial=0.0)
        return [self._looks[number] for number in left[far <= _FAR].tolist()]


class _Look:
    """The look of a group's first box."""

    def __init__(self, gray: Pixels, first: Box) -> None:
        self._gray = gray
        self._first = first
        self._pixels = gray[first.y : first.bottom, first.x : first.right]
        self.members: dict[int, Box] = {}

    @cached_property
    def _run(self) -> GlyphRun:
        return GlyphRun.of(self._pixels)

    @cached_property
    def _soft(self) -> Floats:
        return _softened(self._pixels)

    @cached_property
    def _spread(self) -> float:
        """The standard deviation, as a share of the contrast."""
        away = np.abs(self._pixels - float(np.median(self._pixels))).max()
        return float(self._pixels.std()) / max(float(away), _LEAST)

    def shows(self, box: Box) -> bool:
        """Return True if a box of this size, to a pixel, looks alike."""
        gray, (height, width) = self._gray, self._pixels.shape
        left, top = max(box.x - 1, 0), max(box.y - 1, 0)
        around = gray[top : box.y + height + 1, left : box.x + width + 1]
        if around.shape[0] < height or around.shape[1] < width:
            return False
        scores = cv2.matchTemplate(around, self._pixels, cv2.TM_CCOEFF_NORMED)
        _, best, _, (dx, dy) = cv2.minMaxLoc(scores)
        if best < _ALIKE:
            return False
        off = cv2.absdiff(_softened(around[dy : dy + height, dx : dx + width]), self._soft)
        if float(off.max()) * self._spread > _SOFT:
            return False
        return strangeness(self._run, gray, self._first.placed(left + dx, top + dy), BESIDE) <= 1


def _softened(pixels: Pixels) -> Floats:
    """Return a picture blurred by a pixel, without its brightness and its contrast."""
    soft = cv2.GaussianBlur(pixels.astype(np.float32), (0, 0), 1.0)
    return np.asarray((soft - soft.mean()) / max(float(soft.std()), 1.0), np.float32)


def look_alikes(known: TemplateSet, component_id: int) -> list[int]:
    """Return the indices of a component's templates and of those that may be found there, too.

    Two boxes claim one place above an IoU of 0.8, so a rival's sides differ by a fifth at most.
    """
    own = [i for i, template in enumerate(known.templates) if template.component_id == component_id]
    result = set(own)
    for index in own:
        width, height = int(known.w[index]), int(known.h[index])
        near = (np.abs(known.w - width) <= _SIDE * width) & (
            np.abs(known.h - height) <= _SIDE * height
        )
        gray = known.gray(index)
        for other in np.flatnonzero(near & known.usable).tolist():
            if other not in result and _alike(gray, known.gray(other)):
                result.add(other)
    return sorted(result)


def twins_of(known: TemplateSet, component_id: int) -> set[int]:
    """Return a component and those of its size and label, on any background."""
    result = {component_id}
    some = look_alikes(known, component_id)
    own = [i for i in some if known.templates[i].component_id == component_id]
    for index in own:
        run = known.glyphs(known.templates[index].template_id, 1.0)
        for other in some:
            gray = known.gray(other)
            fits = all(abs(a - b) <= 1 for a, b in zip(gray.shape, run.size, strict=True))
            height, width = run.size
            if fits and strangeness(run, gray, Box(0, 0, width, height), BESIDE) <= 1:
                result.add(known.templates[other].component_id)
    return result


def _alike(pixels: Pixels, other: Pixels) -> bool:
    """Correlate two pictures where the smaller fits into the larger best."""
    height, width = (min(sides) for sides in zip(pixels.shape, other.shape, strict=True))
    part = pixels[(pixels.shape[0] - height) // 2 :, (pixels.shape[1] - width) // 2 :][
        :height, :width
    ]
    whole = cv2.copyMakeBorder(other, 2, 2, 2, 2, cv2.BORDER_REPLICATE)
    scores = np.nan_to_num(cv2.matchTemplate(whole, part, cv2.TM_CCOEFF_NORMED))
    return float(scores.max()) >= _RIVAL
