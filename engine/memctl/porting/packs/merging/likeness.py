"""Likeness: which components and states of two memories are the same thing, by what they look like.

Whichever memory is named first, the answer is the same. Where it is in doubt, two things stay two.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import cv2
import numpy as np

from memctl.visual.boxes import Box
from memctl.visual.graph.naming import folded
from memctl.visual.identity.glyphs import OWN, GlyphRun, strangeness
from memctl.visual.match_results import DEFAULT
from memctl.visual.reading.image import decode_png

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from memctl.porting.packs.app_memory import AppMemory, Entry
    from memctl.visual.frame import Pixels

_Pair = tuple[int, int]

_BESIDE = 4  # pixels at scale 1 by which a component's last place may be off


@dataclass
class Alike:
    """Places in the lists of two memories that are one thing, and those of which that is in doubt."""

    pairs: dict[int, int] = field(default_factory=dict)
    doubts: list[_Pair] = field(default_factory=list)


class _Picture:
    """A decoded picture, described once."""

    def __init__(self, png: bytes) -> None:
        self.bgr = decode_png(png)
        self.gray: Pixels = np.asarray(cv2.cvtColor(self.bgr, cv2.COLOR_BGR2GRAY), np.uint8)
        self.colour = self.bgr.reshape(-1, 3).mean(axis=0)

    @cached_property
    def run(self) -> GlyphRun:
        """Its ink."""
        return GlyphRun.of(self.gray)

    def shows(self, other: _Picture) -> bool:
        """Return whether another picture, of this one's size to a pixel, shows the same label."""
        fits = all(abs(a - b) <= 1 for a, b in zip(self.gray.shape, other.gray.shape, strict=True))
        if not fits or np.abs(self.colour - other.colour).max() > DEFAULT.max_colour:
            return False
        sides = [min(a, b) for a, b in zip(self.gray.shape, other.gray.shape, strict=True)]
        whole = cv2.copyMakeBorder(other.gray, 1, 1, 1, 1, cv2.BORDER_REPLICATE)
        part = self.gray[: sides[0], : sides[1]]
        score = np.nan_to_num(cv2.matchTemplate(whole, part, cv2.TM_CCOEFF_NORMED)).max()
        if score < DEFAULT.min_score:
            return False
        height, width = self.run.size
        return strangeness(self.run, other.gray, Box(0, 0, width, height), OWN) <= 1


class _Looks:
    """The pictures of two memories, each decoded once."""

    def __init__(self, mine: AppMemory, theirs: AppMemory) -> None:
        self._pngs = {**theirs.pngs, **mine.pngs}
        self._read: dict[str, _Picture] = {}

    def alike(self, one: Entry, other: Entry) -> bool:
        """Return whether two components share a picture, or one shows what the other does."""
        ours = {look["sha256"]: look for look in one["pictures"]}
        others = {look["sha256"]: look for look in other["pictures"]}
        if ours.keys() & others.keys():
            return True
        return any(
            self._of(a).shows(self._of(b)) and self._of(b).shows(self._of(a))
            for a, look in ours.items()
            for b, seen in others.items()
            if look["scale"] == seen["scale"]
        )

    def _of(self, sha256: str) -> _Picture:
        if sha256 not in self._read:
            self._read[sha256] = _Picture(self._pngs[sha256])
        return self._read[sha256]


def alike_components(mine: AppMemory, theirs: AppMemory, known: Mapping[int, int]) -> Alike:
    """Return which components of two memories are one, besides those that are known to be.

    They are of one kind, label and look, and stand at one place, or on pages that may be one
    while neither memory has another of that look there.

    Parameters
    ----------
    known
        Place in their list to the place in mine, of components whose keys say so.
    """
    looks = _Looks(mine, theirs)
    groups: dict[tuple[str, ...], tuple[list[int], list[int]]] = defaultdict(lambda: ([], []))
    for side, memory in enumerate((mine, theirs)):
        for at, entry in enumerate(memory.components):
            told = entry["type"], entry["label"] or "", entry.get("row_text") or ""
            groups[tuple(map(folded, told))][side].append(at)
    found = Alike()
    taken = set(known.values())
    for ours, others in groups.values():
        pairs = [
            (a, b)
            for b in others
            for a in ours
            if looks.alike(mine.components[a], theirs.components[b])
        ]
        free = [(a, b) for a, b in pairs if a not in taken and b not in known]
        near = [(a, b) for a, b in free if _beside(mine.components[a], theirs.components[b])]
        _settle(found, near, near)
        left = [(a, b) for a, b in free if b not in found.pairs and a not in found.pairs.values()]
        alone = [(a, b) for a, b in left if _one_page(mine.components[a], theirs.components[b])]
        _settle(found, alone, pairs)
        found.doubts += [
            (a, b) for a, b in alone if b not in found.pairs and a not in found.pairs.values()
        ]
    return found


def _settle(found: Alike, wanted: list[_Pair], among: list[_Pair]) -> None:
    """Take the pairs of which neither side has another choice."""
    mine, theirs = Counter(a for a, _ in among), Counter(b for _, b in among)
    for a, b in wanted:
        if mine[a] == theirs[b] == 1:
            found.pairs[b] = a


def _beside(one: Entry, other: Entry) -> bool:
    """Return whether two components were last seen at one place, at scale 1."""
    return all(
        abs(one[side] / one["scale"] - other[side] / other["scale"]) <= _BESIDE
        for side in ("rel_x", "rel_y")
    )


def _one_page(one: Entry, other: Entry) -> bool:
    return len({one["page"], other["page"]} - {None}) <= 1


def alike_states(
    mine: AppMemory,
    theirs: AppMemory,
    same: Mapping[int, int | None],
    known: Mapping[int, int],
    least: float,
) -> dict[int, int]:
    """Return which states of two memories are one, besides those that are known to be.

    Parameters
    ----------
    same
        Place of a component in their list to its place in mine; ``None`` for one that I lack.
        One that is missing is mine, but stays out of the comparison.
    least
        Similarity above which two states are one, 0 to 1.
    """
    ours = [{("mine", at) for at in _defining(state)} for state in mine.states]
    others = [set(_told(state, same)) for state in theirs.states]
    holding = Counter(key for one in [*ours, *others] for key in one)
    weights = {key: _rarity(len(ours) + len(others), count) for key, count in holding.items()}
    likely = []
    for b, other in enumerate(others):
        for a, own in enumerate(ours):
            if b in known or a in known.values():
                continue
            pages = {mine.states[a]["page"], theirs.states[b]["page"]} - {None}
            union = sum(weights[key] for key in own | other)
            alike = sum(weights[key] for key in own & other) / union if union else 0.0
            if not union and _same_words(mine.states[a], theirs.states[b]):
                alike = 1.0
            if len(pages) <= 1 and alike > least:
                keys = sorted((min(mine.states[a]["keys"]), min(theirs.states[b]["keys"])))
                likely.append((-alike, keys, a, b))
    pairs: dict[int, int] = {}
    for _, _, a, b in sorted(likely):
        if b not in pairs and a not in pairs.values():
            pairs[b] = a
    return pairs


def _defining(state: Entry) -> Iterator[int]:
    return (at for at, defining, _, _ in state["components"] if defining)


def _told(state: Entry, same: Mapping[int, int | None]) -> Iterator[tuple[str, int]]:
    for at in _defining(state):
        if at in same:
            here = same[at]
            yield ("theirs", at) if here is None else ("mine", here)


def _same_words(one: Entry, other: Entry) -> bool:
    return bool(one.get("words")) and one["words"] == other.get("words")


def _rarity(states: int, holding: int) -> float:
    """Return the weight ``log(1 + states / holding) ** 2``.

    The smoothed inverse document frequency, with states for documents, squared as it is in a
    product of two tf-idf vectors: what every state holds (a navigation bar) says little, what
    one state holds says much. The square widens the margin between the same page and another.
    """
    return math.log1p(max(states, 1) / max(holding, 1)) ** 2
