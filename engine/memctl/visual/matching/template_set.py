"""All templates at once, as arrays: built from the stored blobs, kept between frames."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar, cast

import numpy as np

from memctl.visual.frame import MIN_CONTRAST
from memctl.visual.identity.glyphs import GlyphRun
from memctl.visual.matching.keypoints import BRIEF_BITS, DIMENSIONS
from memctl.visual.matching.template import (
    EXACT,
    FUZZY,
    crop_of,
    extract_alone,
    is_current,
    pixels_of,
    record,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from numpy.typing import NDArray

    from memctl.visual.frame import Pixels
    from memctl.visual.matching.template import Crop, Template


Judged = TypeVar("Judged")

MOST_JUDGED = 50_000
"""Judgements of places that are kept between screenshots."""


@dataclass(frozen=True)
class ExactAnchors:
    """Fingerprinted windows of all templates, sorted by fingerprint."""

    # whole, owner, x, y: ``(n,)``: the fingerprint, the index of the template, the window's place
    # in it
    whole: NDArray[np.uint64]
    owner: NDArray[np.intp]
    x: NDArray[np.intp]
    y: NDArray[np.intp]
    table: NDArray[np.bool_]  # ``(2**20,)`` bool by brief fingerprint: whether any anchor has it
    alignments: tuple[int, ...]  # how these windows stand around their corners, as in `windows`


@dataclass(frozen=True)
class FuzzyAnchors:
    """Keypoints of all templates, by rising patch mean.

    ``rank`` counts within the template: its best keypoint is 0.
    """

    vectors: NDArray[np.float32]
    mean: NDArray[np.float32]
    spread: NDArray[np.float32]
    owner: NDArray[np.intp]
    rank: NDArray[np.intp]
    x: NDArray[np.intp]
    y: NDArray[np.intp]


@dataclass(frozen=True)
class Probes:
    """Some pixels of each template."""

    # ``(N, k)``: from the template's corner, in an image of some width laid out flat
    offsets: NDArray[np.int32]
    values: NDArray[np.uint8]  # ``(N, k)`` gray values
    # ``(N, k)``: the same without their mean and of length 1; zeros if they are equal
    directions: NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Claimants:
    """``(n,)`` bool each: which pictures of a set compete for a place with any other."""

    twin: NDArray[np.bool_]  # held by twins alone, whom their rows tell apart: they do not compete
    varied: NDArray[np.bool_]  # a component that has it has another: those do not compete either

    @classmethod
    def none(cls, count: int) -> Claimants:
        """Let no picture compete."""
        return cls(np.ones(count, bool), np.ones(count, bool))


class TemplateSet:
    """Templates prepared for matching.

    ``templates``: the templates. Blobs that are missing, cut short or of another version are made
    again from the pixels; ``rebuilt`` lists them, so that they can be stored.
    """

    def __init__(self, templates: Sequence[Template]) -> None:
        self.templates = tuple(templates)
        self.rebuilt: dict[int, bytes] = {}
        self.blobs = [self._current(template) for template in templates]
        self.heads = record(self.blobs)
        self.w = self.heads["w"].astype(np.intp)
        self.h = self.heads["h"].astype(np.intp)
        self.contrast = np.ascontiguousarray(self.heads["contrast"])
        self.total = np.ascontiguousarray(self.heads["total"])
        self.power = np.ascontiguousarray(self.heads["power"])
        self.brightness = self.heads["colour"] @ np.array([0.114, 0.587, 0.299])
        self.exact = _exact_anchors(self.heads)
        self.fuzzy = _fuzzy_anchors(self.heads)
        self.anchorless = (self.heads["exact_count"] == 0) & (self.heads["fuzzy_count"] == 0)
        self.usable = self.contrast >= MIN_CONTRAST
        scales = [template.scale for template in templates]
        # The most frequent scale, the smaller of equals.
        self.scale = max(sorted(set(scales)), key=scales.count, default=1.0)
        self.asked = frozenset(template.template_id for template in templates)
        self.voted: dict[tuple[int, int], float] = {}
        self.attempts: dict[tuple[int, int], int] = {}
        self.last_by_id = {t.template_id: t.last for t in self.templates if t.last is not None}
        self.components = dict.fromkeys(t.component_id for t in self.templates)
        self.scales = {t.template_id: t.scale for t in self.templates}
        self.index = {t.template_id: i for i, t in enumerate(self.templates)}
        self.last = _last_places(self.templates)
        self._others = self._equal_pictures()
        self._crops: dict[int, Crop] = {}
        self._glyphs: dict[tuple[int, float], GlyphRun] = {}
        self._judged: dict[tuple[Any, ...], object] = {}
        self._probes: dict[tuple[int, int], Probes] = {}
        self._derived: dict[tuple[str | float, ...], TemplateSet] = {}

    def __len__(self) -> int:
        return len(self.templates)

    def _current(self, template: Template) -> bytes:
        blob = template.features
        if blob is not None and is_current(blob):
            return blob
        fresh = extract_alone(template.bgr)
        self.rebuilt[template.template_id] = fresh
        return fresh

    def remember(self, last: Mapping[int, tuple[int, int]]) -> None:
        """Take over where templates were just seen, by id; spares preparing the set again.

        Places are pixels at the template's own scale, as in `Template`.
        """
        moved = {
            key: spot
            for key, spot in last.items()
            if key in self.index and self.last_by_id.get(key) != spot
        }
        if moved:
            self.last_by_id.update(moved)
            templates = list(self.templates)
            for key, spot in moved.items():
                templates[self.index[key]] = replace(templates[self.index[key]], last=spot)
            self.templates = tuple(templates)
            self.last = _last_places(self.templates)
        for derived in self._derived.values():
            derived.remember(last)

    def with_features(self, index: int) -> Template:
        """Return a template with the blob that is in use, for a set derived from this one."""
        return replace(self.templates[index], features=self.blobs[index])

    def cached(self, key: tuple[str | float, ...], make: Callable[[], TemplateSet]) -> TemplateSet:
        """Keep a set that was derived from this one."""
        if key not in self._derived:
            self._derived[key] = make()
        return self._derived[key]

    def probes(self, width: int, every: int) -> Probes:
        """Return every n-th probe of each template, for images of this width."""
        key = (width, every)
        if key not in self._probes:
            self._probes[key] = _probes(self.heads, width, every)
        return self._probes[key]

    def crop_by_id(self, template_id: int) -> Crop:
        """Return the picture of one template by its id."""
        return self.crop(self.index[template_id])

    def crop(self, index: int) -> Crop:
        """Return the picture of one template, unpacked once."""
        if index not in self._crops:
            self._crops[index] = crop_of(self.blobs[index], self.heads[index])
        return self._crops[index]

    def _equal_pictures(self) -> dict[int, list[Template]]:
        """Return templates whose pixels another one has, by the id of the first that has them."""
        first: dict[tuple[Any, ...], int] = {}
        others: dict[int, list[Template]] = {}
        for template, blob, head in zip(self.templates, self.blobs, self.heads, strict=True):
            picture = template.scale, template.blank, int(head["fingerprint"]), pixels_of(blob)
            left = first.setdefault((head["w"], head["h"], *picture), template.template_id)
            if left != template.template_id:
                others.setdefault(left, []).append(template)
        return others

    def distinct(self) -> tuple[TemplateSet, Mapping[int, Sequence[Template]]]:
        """Return the set without equal pictures, and by id of the one that is left the others.

        A hundred equal buttons are a hundred templates, each at a hundred places.
        """
        if not self._others:
            return self, {}

        def make() -> TemplateSet:
            again = {one.template_id for some in self._others.values() for one in some}
            indices = [
                i for i, template in enumerate(self.templates) if template.template_id not in again
            ]
            return TemplateSet([self.with_features(index) for index in indices])

        return self.cached(("distinct",), make), self._others

    def claimants(self, twins: AbstractSet[int]) -> Claimants:
        """Return which of the `distinct` pictures compete for places, by who has them."""
        few, others = self.distinct()
        counts = Counter(template.component_id for template in self.templates)
        held = [
            [one.component_id for one in (first, *others.get(first.template_id, ()))]
            for first in few.templates
        ]
        return Claimants(
            np.array([all(key in twins for key in some) for some in held], bool),
            np.array([any(counts[key] > 1 for key in some) for some in held], bool),
        )

    def having(self, pictures: Collection[int]) -> set[int]:
        """Return the templates that have some pictures, given by the first that has each."""
        again = {one.template_id for key in pictures for one in self._others.get(key, ())}
        return again | set(pictures)

    def remembered(self, key: tuple[Any, ...], judge: Callable[[], Judged]) -> Judged:
        """Return how something was judged against pixels, judged now if it never was.

        ``key``: what was judged, and as the last the bytes of the pixels.
        """
        short = (*key[:-1], hash(key[-1]))
        if short not in self._judged:
            if len(self._judged) >= MOST_JUDGED:
                self._judged.clear()
            self._judged[short] = judge()
        return cast("Judged", self._judged[short])

    def glyphs(self, template_id: int, ratio: float) -> GlyphRun:
        """Return the ink of one template by its id, its sides multiplied; found once."""
        key = template_id, ratio
        if key not in self._glyphs:
            self._glyphs[key] = GlyphRun.resized(self.crop_by_id(template_id).gray, ratio)
        return self._glyphs[key]

    def gray(self, index: int) -> Pixels:
        """Return the luma of one template."""
        return self.crop(index).gray


def _last_places(templates: Sequence[Template]) -> tuple[NDArray[np.intp], ...]:
    """Return who was seen before, and left and top where that was."""
    spots = [(i, *t.last) for i, t in enumerate(templates) if t.last is not None]
    return tuple(np.array(spots, np.intp).reshape(-1, 3).T)


def _probes(heads: NDArray[Any], width: int, every: int) -> Probes:
    down = heads["probe_y"][:, ::every].astype(np.int32)
    across = heads["probe_x"][:, ::every].astype(np.int32)
    values = np.ascontiguousarray(heads["probe"][:, ::every])
    directions = values.astype(np.float32)
    directions -= directions.mean(axis=1, keepdims=True)
    length = np.sqrt(np.einsum("ij,ij->i", directions, directions))
    directions /= np.maximum(length, 1e-6)[:, None]
    return Probes(down * np.int32(width) + across, values, directions)


def _exact_anchors(heads: NDArray[Any]) -> ExactAnchors:
    used = np.arange(EXACT) < heads["exact_count"][:, None]
    owner, rank = np.nonzero(used)
    whole = heads["exact_whole"][owner, rank]
    order = np.argsort(whole, kind="stable")
    table = np.zeros(1 << BRIEF_BITS, bool)
    table[heads["exact_brief"][owner, rank]] = True
    return ExactAnchors(
        whole[order],
        owner[order],
        heads["exact_x"][owner, rank][order].astype(np.intp),
        heads["exact_y"][owner, rank][order].astype(np.intp),
        table,
        tuple(sorted(set(heads["exact_alignment"][owner].tolist()))),
    )


def _fuzzy_anchors(heads: NDArray[Any]) -> FuzzyAnchors:
    used = np.arange(FUZZY) < heads["fuzzy_count"][:, None]
    owner, rank = np.nonzero(used)
    mean = heads["fuzzy_mean"][owner, rank]
    order = np.argsort(mean, kind="stable")
    owner, rank = owner[order], rank[order]
    vectors = heads["fuzzy"][owner, rank].astype(np.float32).reshape(-1, DIMENSIONS)
    length = np.sqrt(np.einsum("ij,ij->i", vectors, vectors))[:, None]
    return FuzzyAnchors(
        np.asarray(vectors / np.maximum(length, 1e-6), dtype=np.float32),
        mean[order],
        heads["fuzzy_spread"][owner, rank],
        owner,
        rank,
        heads["fuzzy_x"][owner, rank].astype(np.intp),
        heads["fuzzy_y"][owner, rank].astype(np.intp),
    )
