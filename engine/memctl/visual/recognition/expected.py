"""Expected components: where they should be, why one was not found there, and a second look.

The search asks everywhere, so it believes nearly equal pixels alone. At the one place where a
component should stand, among neighbours that stand still, less will do: its strokes in other
colours, under a caret, beside another icon; of a field, the frame.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import cv2
import numpy as np

from memctl.store import statements
from memctl.visual.box_arrays import as_array
from memctl.visual.boxes import SAME_PLACE, Box, lies_in
from memctl.visual.identity.dress import PALE, dressed
from memctl.visual.identity.glyphs import resized
from memctl.visual.identity.row_check import RowCheck
from memctl.visual.match_results import ComponentHit
from memctl.visual.reading.image import decode_png
from memctl.visual.reading.sifting import emptied
from memctl.visual.recognition.recognition import Recognised, components_of
from memctl.visual.recognition.shown_screen import alike_in, boxes_of
from memctl.visual.recognition.views import framed_areas, on_screen, overlays
from memctl.visual.recognition.word_index import near_to

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from memctl.config.settings import Settings
    from memctl.store.store import Store
    from memctl.visual.frame import Frame, Pixels
    from memctl.visual.identity.row_check import RowPicture
    from memctl.visual.ignored_areas import IgnoredArea
    from memctl.visual.recognition.shown_screen import ShownScreen, Words
    from memctl.visual.recognition.sightings import Sightings
    from memctl.visual.recognition.state_index import StateIndex


COMPONENTS = statements.load("store/component")

_SURE = 0.25  # of the way from the threshold of a state's similarity to 1
_ASKED = 3  # components nearest to a place ...
_STILL = 2  # ... of which so many stand where they stood
_OFF = 3  # pixels


def expected_on(
    store: Store,
    settings: Settings,
    index: StateIndex,
    seen: Sightings,
    recognised: Recognised | None,
    page: str | None,
) -> list[int]:
    """Return the components that should be on this screen and were not found.

    Under ``forgetting = expected`` those are the recognised state's, except what a scroll
    moved off the screen, and those learned on the named page; under ``everywhere`` all. Nothing
    is expected in an area that does not count.
    """
    expected = set(seen.misses)
    if settings.get("forgetting") != "everywhere":
        own = components_of(index, seen, recognised) if recognised is not None else set[int]()
        if recognised is None and page is not None:
            own = {row["id"] for row in store.rows(COMPONENTS.learned_on, {"page": page})}
        expected &= own
    return sorted(expected - _in_ignored_areas(store, index, seen, recognised))


def _in_ignored_areas(
    store: Store, index: StateIndex, seen: Sightings, recognised: Recognised | None
) -> set[int]:
    """Return the components whose places lie in areas that do not count."""
    areas = [*seen.ignored, *(area.box for area in kept_areas(index, seen, recognised))]
    if not areas:
        return set()
    sides = ("rel_x", "rel_y", "w", "h")
    places = {
        row["id"]: Box(*(row[side] for side in sides)).times(1 / row["scale"])
        for row in store.rows(COMPONENTS.living)
    }
    if recognised is not None:
        layout = index.layouts[recognised.state_id]
        known = {**layout.optional, **layout.defining}
        places |= {key: recognised.place(box) for key, box in known.items()}
    return {key for key, place in places.items() if lies_in(on_screen(seen, place), areas)}


def kept_areas(
    index: StateIndex, seen: Sightings, recognised: Recognised | None
) -> list[IgnoredArea]:
    """Return the ignored areas of a state as they are on the screenshot, in its pixels."""
    kept = index.layouts[recognised.state_id].ignored if recognised is not None else ()
    areas = (
        replace(one, box=on_screen(seen, recognised.place(one.box)).within(seen.window))
        for one in kept
        if recognised is not None
    )
    return [area for area in areas if area.box.area]


def surely_missed(
    settings: Settings,
    index: StateIndex,
    seen: Sightings,
    recognised: Recognised | None,
    missed: Iterable[int],
) -> list[int]:
    """Return the missed components whose absence a match may count.

    A learn comes with somebody who wants this screen known; a match may only look alike. So the
    state must be on the screen for sure: its similarity is a quarter of the way above the
    threshold (0.7 where 0.6 is enough to be recognised), and at least as many of its components
    are found as are missing, which are few in another theme or at another scale. Under
    ``forgetting = everywhere`` every absence counts.
    """
    counted = [key for key in missed if seen.misses[key].counted]
    if settings.get("forgetting") == "everywhere":
        return counted
    threshold = settings.number("state_match")
    sure = threshold + _SURE * (1 - threshold)
    if recognised is None or recognised.similarity < sure:
        return []
    found = components_of(index, seen, recognised) & seen.hits.keys()
    return counted if len(counted) <= len(found) else []


def with_covered(
    index: StateIndex,
    frame: Frame,
    seen: Sightings,
    screen: ShownScreen,
    missed: Iterable[int],
    recognised: Recognised | None,
) -> Sightings:
    """Return the sightings with the reason for missed components that something covers.

    They are absent, but nothing says that they are gone: such an absence is no miss. Nor is that
    of a component of which a part does not count.

    ``screen``: the screenshot. ``missed``: the expected components that were not found.
    """
    if recognised is None:
        return seen
    places, layout = index.places(recognised.state_id), index.layouts[recognised.state_id]
    stands = recognised.move == (0, 0) and layout.size == screen.size
    shown = {
        key: on_screen(seen, recognised.place(places[key])).clipped(frame.width, frame.height)
        for key in missed
        if key in places
    }
    asked = {
        key: place
        for key, place in shown.items()
        # Nothing lies over a place that looks as it did.
        if not (
            stands and layout.look is not None and alike_in(layout.look, screen.look, places[key])
        )
    }
    left_out = [*seen.ignored, *(area.box for area in kept_areas(index, seen, recognised))]
    why = {key: PARTLY for key, place in shown.items() if any(map(place.overlap, left_out))}
    covers: list[Box] = []
    if asked:
        state = recognised.state_id, recognised.move
        covers = overlays(index, framed_areas(frame.gray), seen, screen.words, *state)
    for key, place in asked.items():
        if 2 * sum(map(place.overlap, covers)) > place.area:
            x, y, w, h = max(covers, key=place.overlap).xywh
            why[key] = f"covered by something at {x}, {y}, {w}, {h}"
    covered = {key: replace(seen.misses[key], why=why[key], counted=False) for key in why}
    return replace(seen, misses={**seen.misses, **covered})


def remembered_places(index: StateIndex, seen: Sightings, recognised: Recognised) -> dict[int, Box]:
    """Return the remembered places of a recognised state's components, moved by its scroll.

    Returns component id to its bounding box in pixels of the screenshot; those outside left out.
    """
    layout = index.layouts[recognised.state_id]
    known = {**layout.optional, **layout.defining, **layout.changing}
    places = {key: on_screen(seen, recognised.place(box)) for key, box in known.items()}
    return {
        key: box
        for key, box in places.items()
        if box.inside(seen.window) and not lies_in(box, seen.ignored)
    }


def undisturbed(
    hits: Mapping[int, ComponentHit],
    places: Mapping[int, Box],
    key: int,
    words: Iterable[tuple[Box, bool]] = (),
) -> bool:
    """Return True if two of the three things nearest to a component have not moved.

    Only there does another look at its place mean that the place shows something else: where
    the neighbours have moved as well, the component has moved with them.

    ``hits``, ``places``: component id to what was found, and to where it stood. ``words``: where
    words stood, and whether they do still: they are asked where few components are.
    """
    own = places[key]
    others = [
        (place, one in hits and _off(hits[one].box, place) <= _OFF)
        for one, place in places.items()
        if one != key and place != own
    ]
    if len(others) < _ASKED:
        others += [(box, still) for box, still in words if not box.overlap(own)]
    x, y = own.center
    others.sort(key=lambda other: abs(other[0].center[0] - x) + abs(other[0].center[1] - y))
    nearest = others[:_ASKED]
    return bool(nearest) and sum(still for _, still in nearest) >= min(_STILL, len(nearest))


def _off(box: Box, place: Box) -> int:
    """Return how many pixels a box is beside its place."""
    return max(abs(box.x - place.x), abs(box.y - place.y))


TEMPLATES = statements.load("store/template")

PARTLY = "partly in an area that you leave out"
DISABLED = "perhaps disabled"
DIMMED = "covered: the page is dimmed here"
DRESSES = ("recoloured", "redrawn", "changed beside", "caret", "pointer")

_VEIL = 0.85  # share of the contrast from which on nothing lies over a page
_TAKEN = 0.5  # IoU with the place of another component
_ALIKE = 0.8  # correlation of a remembered field with one whose contents are painted over
_LEAD = 0.1  # strangeness by which one of two components at one place fits better
_NEAREST = 6  # components that are asked for one


@dataclass(frozen=True, eq=False)
class SecondLook:
    """A second look at one screenshot, at the places of one state's components."""

    store: Store
    # index, recognised: the state
    index: StateIndex
    recognised: Recognised
    # frame, seen, words: the screenshot, what the search found on it, and its words
    frame: Frame
    seen: Sightings
    words: Words
    # component id to what stands beside it, a set for each of its looks
    keys: Mapping[int, Sequence[Sequence[RowPicture]]] = field(default_factory=dict)

    def at(self, missed: Iterable[int], near: int | None = None) -> Sightings:
        """Return the sightings with those of some missed components that are at their places.

        ``near``: only this component is asked for: it and the neighbours that say whether it may
        be.
        """
        places = remembered_places(self.index, self.seen, self.recognised)
        if near in places:
            x, y = places[near].center
            away = {
                k: abs(place.center[0] - x) + abs(place.center[1] - y)
                for k, place in places.items()
            }
            missed = sorted(set(missed) & places.keys(), key=away.__getitem__)[:_NEAREST]
        result = {
            key: hit
            for key in missed
            if key in places and self._is_free(key, places[key])
            for hit in [self._look(key, places[key])]
            if hit is not None
        }
        if not result:
            return self.seen
        hits = dict(self.seen.hits)
        words = self._words_still()
        alone = len(result) + 1
        while len(result) < alone:
            # In another theme the search found nobody: they are one another's neighbours.
            alone, there = len(result), hits | {key: hit for key, (hit, _) in result.items()}
            result = {k: v for k, v in result.items() if undisturbed(there, places, k, words)}
        return self._told(_without_rivals(result), places)

    def _is_free(self, key: int, place: Box) -> bool:
        """Return True if a component was not found anywhere, and nothing else at its place."""
        seen = self.seen
        if key not in seen.misses or key in seen.claims:
            return False
        return all(hit.box.iou(place) <= _TAKEN for hit in seen.hits.values())

    def _look(self, key: int, place: Box) -> tuple[ComponentHit, float] | None:
        """Return the hit of a component at its place, and the share of contrast that is left."""
        best: tuple[ComponentHit, float] | None = None
        for row in self.store.rows(TEMPLATES.templates_of, {"component_id": key}):
            own = resized(
                decode_png(self.store.value(TEMPLATES.pixels, {"id": row["id"]})),
                self.seen.scale / row["scale"],
            )
            at = Box(place.x, place.y, own.shape[1], own.shape[0])
            if not at.inside(self.frame.part(None)):
                continue
            if key in self.index.fields and (score := self._as_field(own, at)) >= _ALIKE:
                hit = ComponentHit(
                    row["id"], key, at, round(score, 4), identical=False, how="emptied"
                )
                return hit, 1.0
            blank = row["blank_left"], row["blank_right"]
            look = dressed(own, self.frame, at, None if blank[0] is None else blank)
            if look is None or not self._in_its_row(key, look.box):
                continue
            if best is None or look.strangeness < (best[0].strangeness or 0.0):
                about = row["id"], key, look.box, round(look.score, 4)
                hit = ComponentHit(*about, identical=False, how=look.how, changed=look.changed)
                best = replace(hit, strangeness=look.strangeness), look.contrast
        return best

    def _as_field(self, own: Pixels, place: Box) -> float:
        """Correlate a field with a place, both without contents."""
        crop = emptied(self.frame, [place]).crop(place)
        return float(cv2.matchTemplate(crop, own, cv2.TM_CCOEFF_NORMED)[0, 0])

    def _in_its_row(self, key: int, place: Box) -> bool:
        """Return True if a component's row keys are beside its place, as far as it has twins."""
        looks = self.keys.get(key, ())
        if not looks or not looks[0][0].twin:
            return True
        check = RowCheck(self.frame, self.seen.scale)
        if any(check.agreeing(keys, [place]) for keys in looks):
            return True
        return any(self._dressed_alike(keys, place) for keys in looks)

    def _dressed_alike(self, keys: Sequence[RowPicture], place: Box) -> bool:
        """Return True if some row keys are beside a place in another dress."""
        for key in keys:
            ratio = self.seen.scale / key.scale
            own = np.asarray(cv2.cvtColor(key.at(ratio)[0], cv2.COLOR_GRAY2BGR), np.uint8)
            x, y = place.x + round(key.dx * ratio), place.y + round(key.dy * ratio)
            at = Box(x, y, own.shape[1], own.shape[0])
            if not at.inside(self.frame.part(None)) or dressed(own, self.frame, at) is None:
                return False
        return True

    def _words_still(self) -> list[tuple[Box, bool]]:
        """Return the places of the state's words, and whether a word is still there."""
        words = self.index.layouts[self.recognised.state_id].words
        before = [self.recognised.place(Box(*box)) for box in boxes_of(words).tolist()]
        close = near_to(as_array(before), boxes_of(self.words), _OFF).any(axis=1)
        boxes = [on_screen(self.seen, box) for box in before]
        return list(zip(boxes, np.asarray(close).tolist(), strict=True))

    def _told(
        self, found: Mapping[int, tuple[ComponentHit, float]], places: Mapping[int, Box]
    ) -> Sightings:
        """Return the sightings with what was found, and why what is pale was not."""
        hits, misses = dict(self.seen.hits), dict(self.seen.misses)
        veiled = [key for key, (_, contrast) in found.items() if contrast < _VEIL]
        dimmed = len(veiled) > len(hits.keys() & places.keys())
        if dimmed:  # what else is missed on such a page says nothing
            for key in misses.keys() & places.keys():
                misses[key] = replace(misses[key], why=DIMMED, counted=False)
        for key, (hit, contrast) in found.items():
            if contrast >= (_VEIL if dimmed else PALE):
                hits[key] = hit
                del misses[key]
                continue
            why = DIMMED if dimmed else f"{DISABLED}: {contrast:.0%} of its contrast is left"
            misses[key] = hit.missed(why)
        return replace(self.seen, hits=hits, misses=misses)


def only_plain(seen: Sightings) -> Sightings:
    """Return the sightings with only what looks as it was learned; the rest is absent."""
    changed = {key: hit for key, hit in seen.hits.items() if hit.changed}
    hits = {key: hit for key, hit in seen.hits.items() if key not in changed}
    misses = {key: hit.missed(f"{hit.how}: {hit.changed}") for key, hit in changed.items()}
    return replace(seen, hits=hits, misses={**seen.misses, **misses})


def likeliest(
    index: StateIndex, seen: Sightings, key: int, recognised: Recognised | None
) -> Recognised | None:
    """Return the state with a component whose other components have moved least, if any has.

    ``recognised``: the state recognised, which has not got it: its scroll is the screen's.
    """
    move = recognised.move if recognised else (0, 0)
    best: tuple[int, Recognised] | None = None
    for state_id, layout in index.layouts.items():
        if key not in {**layout.defining, **layout.optional}:
            continue
        shown = Recognised(state_id, 0.0, move, Box(0, 0, *layout.size))
        places = remembered_places(index, seen, shown)
        still = sum(
            _off(hit.box, places[one]) <= _OFF for one, hit in seen.hits.items() if one in places
        )
        if best is None or still > best[0]:
            best = still, shown
    return best[1] if best else None


def _without_rivals(
    found: Mapping[int, tuple[ComponentHit, float]],
) -> dict[int, tuple[ComponentHit, float]]:
    """Leave out components at whose place another one fits as well or better."""
    return {
        key: (hit, contrast)
        for key, (hit, contrast) in found.items()
        if not any(
            other != key
            and hit.box.iou(rival.box) > SAME_PLACE
            and (rival.strangeness or 0.0) < (hit.strangeness or 0.0) + _LEAD
            for other, (rival, _) in found.items()
        )
    }
