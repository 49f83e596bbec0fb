"""Templates: the stored pictures of components, and the features that a search needs of them.

Features are computed once and stored beside the picture. A blob is one record of fixed size, so
that a thousand of them become one array in a millisecond, followed by the compressed luma, which
is unpacked only for templates that something was proposed for. No PNG is decoded.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np

from memctl.visual.boxes import Box
from memctl.visual.matching.keypoints import (
    ALIGNMENTS,
    CONTEXT,
    DIMENSIONS,
    REACH_X,
    REACH_Y,
    SIDE,
    Structure,
    brief,
    describe,
    fingerprint,
    sample,
    windows,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from memctl.visual.frame import Frame, Pixels


def digest(bgr: Pixels) -> int:
    """Return the CRC-32 of the colour values, taken where all gray values are equal already."""
    return zlib.crc32(np.ascontiguousarray(bgr).data)


def moments(gray: Pixels) -> tuple[float, float]:
    """Return the sum of the gray values and of their squares: whole numbers."""
    return cv2.sumElems(gray)[0], cv2.norm(gray, cv2.NORM_L2SQR)


@dataclass(frozen=True, eq=False)
class Crop:
    """Pixels cut out of a screenshot, with the sums that a comparison needs."""

    load_gray: Callable[[], Pixels]  # returns the ``(h, w)`` uint8 luma
    colour: tuple[float, float, float]  # mean of the blue, green and red channel, 0 to 255
    # total, power: `moments` of the luma
    total: float
    power: float
    contrast: float  # standard deviation of the luma
    fingerprint: int  # `digest` of the colour pixels

    @classmethod
    def of(cls, bgr: Pixels) -> Crop:
        """Measure a picture."""
        gray = np.asarray(cv2.cvtColor(bgr, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
        blue, green, red = cv2.mean(bgr)[:3]
        total, power = moments(gray)
        contrast = float(np.sqrt(max(gray.size * power - total**2, 0.0)) / gray.size)
        return cls(lambda: gray, (blue, green, red), total, power, contrast, digest(bgr))

    @cached_property
    def gray(self) -> Pixels:
        """``(h, w)`` uint8 luma, contiguous."""
        return self.load_gray()


@dataclass(frozen=True, eq=False)
class Template:
    """A picture to search for."""

    # template_id, component_id: names in the answers. Several templates of one component are its
    # variants.
    template_id: int
    component_id: int
    # ``(h, w, 3)`` uint8 blue-green-red, or a function that returns them: then they are decoded
    # only if a stored feature blob cannot answer
    pixels: Pixels | Callable[[], Pixels]
    # what `extract` returned when the template was learned; None, or a blob that is cut short or of
    # another version, is made again from the pixels
    features: bytes | None = None
    scale: float = 1.0  # device-pixel ratio of the screenshot it was learned on
    # left and top where it was last seen, in image pixels at its own scale
    last: tuple[int, int] | None = None
    # pixels without ink beyond its left and right edge, where it was learned; None: unknown
    blank: tuple[int, int] | None = None

    @cached_property
    def bgr(self) -> Pixels:
        """``(h, w, 3)`` uint8, blue-green-red."""
        return self.pixels() if callable(self.pixels) else self.pixels

    @cached_property
    def crop(self) -> Crop:
        """The picture as the checks compare it."""
        return Crop.of(self.bgr)

    @property
    def gray(self) -> Pixels:
        """``(h, w)`` uint8 luma."""
        return self.crop.gray


FEATURE_VERSION = 4
MAGIC = b"mctl"
PROBES = 96
EXACT = 12
FUZZY = 12
EXACT_GAP = 6
FUZZY_GAP = 4
"""Anchors of one template keep this distance, in pixels: they must not fail together."""

BY_HEIGHT = 3
FAR = 64
"""The first anchors are the highest keypoints; the others also count their distance, in
pixels, from those chosen, up to this."""

FEW = 4
"""With fewer keypoints than this, those whose patch sticks out of the template serve too."""

HEAD = np.dtype(
    [
        ("magic", "S4"),
        ("version", "<u2"),
        ("exact_count", "u1"),
        ("fuzzy_count", "u1"),
        ("checksum", "<u4"),
        ("w", "<u2"),
        ("h", "<u2"),
        ("colour", "<f8", 3),
        ("contrast", "<f8"),
        ("total", "<f8"),
        ("power", "<f8"),
        ("fingerprint", "<u4"),
        ("probe_x", "<u2", PROBES),
        ("probe_y", "<u2", PROBES),
        ("probe", "u1", PROBES),
        ("exact_alignment", "u1"),
        ("exact_brief", "<u4", EXACT),
        ("exact_whole", "<u8", EXACT),
        ("exact_x", "<u2", EXACT),
        ("exact_y", "<u2", EXACT),
        ("fuzzy_x", "<u2", FUZZY),
        ("fuzzy_y", "<u2", FUZZY),
        ("fuzzy_mean", "<f4", FUZZY),
        ("fuzzy_spread", "<f4", FUZZY),
        ("fuzzy", "i1", (FUZZY, DIMENSIONS)),
    ]
)
"""Layout of the record; descriptions are stored as signed bytes, length 127."""

CHECKED_FROM = 12
"""The checksum covers everything behind itself."""


def extract(frame: Frame, box: Box) -> bytes:
    """Describe a template, seen in the screenshot that it is learned from.

    ``frame``: the whole screenshot: pixels around the box decide where its keypoints are. ``box``:
    the template, inside the screenshot. Returns the blob to store; `FEATURE_VERSION` says how it is
    read.
    """
    return _pack(frame.crop(box), Structure.of(frame), box)


def extract_alone(bgr: Pixels) -> bytes:
    """Describe a template of which only its own pixels are left; its edges are repeated."""
    gray = cv2.cvtColor(bgr, cv2.COLOR_BGR2GRAY)
    edges = (CONTEXT, CONTEXT, CONTEXT, CONTEXT)
    around = np.asarray(cv2.copyMakeBorder(gray, *edges, cv2.BORDER_REPLICATE), dtype=np.uint8)
    return _pack(bgr, Structure(around), Box(CONTEXT, CONTEXT, gray.shape[1], gray.shape[0]))


def is_current(blob: bytes | None) -> bool:
    """Return True if a blob is whole and of this version."""
    if blob is None or len(blob) <= HEAD.itemsize or blob[:4] != MAGIC:
        return False
    version = int.from_bytes(blob[4:6], "little")
    checksum = int.from_bytes(blob[8:CHECKED_FROM], "little")
    return version == FEATURE_VERSION and zlib.crc32(memoryview(blob)[CHECKED_FROM:]) == checksum


def record(blobs: Sequence[bytes]) -> NDArray[Any]:
    """Read the records of current blobs into one structured array of type `HEAD`."""
    heads = b"".join(blob[: HEAD.itemsize] for blob in blobs)
    return np.frombuffer(heads, HEAD) if heads else np.zeros(0, HEAD)


def crop_of(blob: bytes, head: Any) -> Crop:
    """Return the picture that a current blob carries; its luma is unpacked when asked for."""
    shape = (int(head["h"]), int(head["w"]))

    def load() -> Pixels:
        return np.frombuffer(zlib.decompress(blob[HEAD.itemsize :]), np.uint8).reshape(shape)

    blue, green, red = (float(value) for value in head["colour"])
    total, power, contrast = (float(head[name]) for name in ("total", "power", "contrast"))
    return Crop(load, (blue, green, red), total, power, contrast, int(head["fingerprint"]))


def pixels_of(blob: bytes) -> bytes:
    """Return the luma that a current blob carries, packed: equal for equal pictures."""
    return blob[HEAD.itemsize :]


def _pack(bgr: Pixels, structure: Structure, box: Box) -> bytes:
    """Fill in the record of a template, whose pixels are in a box of a picture."""
    gray = np.ascontiguousarray(structure.gray[box.y : box.bottom, box.x : box.right])
    crop = Crop.of(bgr)
    head = np.zeros(1, HEAD)
    row = head[0]
    row["magic"], row["version"] = MAGIC, FEATURE_VERSION
    row["w"], row["h"] = box.w, box.h
    row["colour"], row["contrast"] = crop.colour, crop.contrast
    row["total"], row["power"], row["fingerprint"] = crop.total, crop.power, crop.fingerprint
    _add_probes(row, gray)
    _add_exact(row, gray, structure, box)
    _add_fuzzy(row, structure, box)
    tail = head.tobytes()[CHECKED_FROM:] + zlib.compress(gray.tobytes(), 1)
    row["checksum"] = zlib.crc32(tail)
    return head.tobytes()[:CHECKED_FROM] + tail


def _add_probes(row: Any, gray: Pixels) -> None:
    """Half of the probes anywhere, half where the picture differs from its mean."""
    rng = np.random.default_rng(gray.size)
    values = gray.ravel()
    ink = np.cumsum(np.abs(values.astype(np.float64) - values.mean()))
    anywhere = rng.integers(0, gray.size, PROBES // 2)
    inked = np.searchsorted(ink, rng.random(PROBES - anywhere.size) * ink[-1], side="right")
    chosen = np.concatenate([anywhere, np.minimum(inked, gray.size - 1)])
    row["probe_y"], row["probe_x"] = np.divmod(chosen, gray.shape[1])
    row["probe"] = values[chosen]


def _add_exact(row: Any, gray: Pixels, structure: Structure, box: Box) -> None:
    """Windows around corners, the most varied first, some pixels apart."""
    found = np.flatnonzero(structure.corners[box.y : box.bottom, box.x : box.right])
    for alignment in range(len(ALIGNMENTS)):
        places = windows(found, alignment, gray.shape)
        # Those that lie inside the template.
        places = places[places % box.w <= box.w - SIDE]
        if places.size:
            row["exact_alignment"] = alignment
            _add_windows(row, gray, places)
            return


def _add_windows(row: Any, gray: Pixels, places: NDArray[np.intp]) -> None:
    rows, columns = np.divmod(places, gray.shape[1])
    values = gray.astype(np.float32)
    mean, power = (
        cv2.blur(some, (SIDE, SIDE), anchor=(0, 0)) for some in (values, values * values)
    )
    spread = (power - mean * mean)[rows, columns]
    chosen = _apart(rows, columns, spread, EXACT, EXACT_GAP)
    count = len(chosen)
    row["exact_count"] = count
    row["exact_y"][:count], row["exact_x"][:count] = rows[chosen], columns[chosen]
    row["exact_brief"][:count] = brief(gray, places[chosen])
    row["exact_whole"][:count] = fingerprint(gray, places[chosen])


def _add_fuzzy(row: Any, structure: Structure, box: Box) -> None:
    """Keypoints inside the template, the highest first, some pixels apart."""
    rows, columns, heights = structure.keypoints(box)
    x, y = columns - box.x, rows - box.y
    whole = _inside(x, box.w, REACH_X) & _inside(y, box.h, REACH_Y)
    if whole.sum() >= FEW:
        rows, columns, heights = rows[whole], columns[whole], heights[whole]
    chosen = _spread_out(rows, columns, heights, FUZZY)
    found = describe(sample(structure.smoothed, rows[chosen], columns[chosen]))
    count = len(chosen)
    row["fuzzy_count"] = count
    row["fuzzy_y"][:count], row["fuzzy_x"][:count] = rows[chosen] - box.y, columns[chosen] - box.x
    row["fuzzy_mean"][:count], row["fuzzy_spread"][:count] = found.mean, found.spread
    row["fuzzy"][:count] = np.rint(found.vectors * 127)


def _inside(at: NDArray[np.intp], size: int, margin: int) -> NDArray[np.bool_]:
    """Mark the keypoints inside the template, this far from its edges."""
    return (at >= margin) & (at < size - margin)


def _spread_out(
    rows: NDArray[np.intp], columns: NDArray[np.intp], heights: NDArray[Any], limit: int
) -> list[int]:
    """Choose the highest few, then those that are high and far from the others.

    Where a template is only half the same, say its frame with another text, some anchor
    has to stand in the half that is.
    """
    chosen = _apart(rows, columns, heights, BY_HEIGHT, FUZZY_GAP)
    away = np.full(rows.size, FAR)
    for index in chosen:
        away = np.minimum(away, _distance(rows, columns, index))
    while len(chosen) < min(limit, rows.size) and away.max() >= FUZZY_GAP:
        best = int(np.argmax(np.where(away >= FUZZY_GAP, away * heights.astype(np.float64), -1.0)))
        chosen.append(best)
        away = np.minimum(away, _distance(rows, columns, best))
    return chosen


def _distance(rows: NDArray[np.intp], columns: NDArray[np.intp], index: int) -> NDArray[np.intp]:
    away = np.maximum(abs(rows - rows[index]), abs(columns - columns[index]))
    return np.asarray(away, dtype=np.intp)


def _apart(
    rows: NDArray[np.intp],
    columns: NDArray[np.intp],
    worth: NDArray[Any],
    limit: int,
    gap: int,
) -> list[int]:
    """Choose up to ``limit`` places, the worthiest first, none within ``gap`` of another."""
    chosen: list[int] = []
    free = np.ones(rows.size, bool)
    order = np.argsort(-worth.astype(np.float64), kind="stable")
    for index in order:
        if free[index]:
            chosen.append(int(index))
            if len(chosen) == limit:
                break
            free &= _distance(rows, columns, index) >= gap
    return chosen
