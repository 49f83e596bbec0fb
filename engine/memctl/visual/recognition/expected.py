"""Expected components: where they should be on a screen, and why one was not found there."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from memctl.store import statements
from memctl.visual.reading.screen_look import alike_in
from memctl.visual.recognition.covering import framed_areas, on_screen, overlays
from memctl.visual.recognition.recognition import components_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from memctl.config.settings import Settings
    from memctl.store.store import Store
    from memctl.visual.boxes import Box
    from memctl.visual.frame import Frame
    from memctl.visual.matching.search_result import ComponentHit
    from memctl.visual.recognition.recognition import Recognised
    from memctl.visual.recognition.shown_screen import ShownScreen
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
    moved off the screen, and those learned on the named page; under ``everywhere`` all.
    """
    everything = set(seen.misses)
    if settings.get("forgetting") == "everywhere":
        return sorted(everything)
    expected: set[int] = set()
    if recognised is not None:
        expected |= components_of(index, seen, recognised)
    elif page is not None:
        expected |= {row["id"] for row in store.rows(COMPONENTS.learned_on, {"page": page})}
    return sorted(expected & everything)


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
    """Return the sightings with the reason "covered" for missed components that are.

    They are absent, but nothing says that they are gone: such an absence is no miss.

    Parameters
    ----------
    screen
        The screenshot.
    missed
        The expected components that were not found.
    """
    if recognised is None:
        return seen
    places, layout = index.places(recognised.state_id), index.layouts[recognised.state_id]
    stands = recognised.move == (0, 0) and layout.size == screen.size
    asked = {
        key: on_screen(seen, recognised.place(places[key])).clipped(frame.width, frame.height)
        for key in missed
        if key in places
        # Nothing lies over a place that looks as it did.
        and not (
            stands and layout.look is not None and alike_in(layout.look, screen.look, places[key])
        )
    }
    why: dict[int, str] = {}
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
    """Return where the components of a recognised state stood, moved by its scroll.

    Returns
    -------
    dict
        Component id to its bounding box in pixels of the screenshot; those outside left out.
    """
    layout = index.layouts[recognised.state_id]
    known = {**layout.optional, **layout.defining, **layout.changing}
    places = {key: on_screen(seen, recognised.place(box)) for key, box in known.items()}
    return {key: box for key, box in places.items() if box.inside(seen.window)}


def undisturbed(
    hits: Mapping[int, ComponentHit],
    places: Mapping[int, Box],
    key: int,
    words: Iterable[tuple[Box, bool]] = (),
) -> bool:
    """Return True if two of the three things nearest to a component stand where they stood.

    Only there does another look at its place mean that the place shows something else: where
    the neighbours have moved as well, the component has moved with them.

    Parameters
    ----------
    hits, places
        Component id to what was found, and to where it stood.
    words
        Where words stood, and whether they do still: they are asked where few components are.
    """
    own = places[key]
    others = [
        (place, one in hits and _is_still(hits[one].box, place))
        for one, place in places.items()
        if one != key and place != own
    ]
    if len(others) < _ASKED:
        others += [(box, still) for box, still in words if not box.overlap(own)]
    x, y = own.center
    others.sort(key=lambda one: abs(one[0].center[0] - x) + abs(one[0].center[1] - y))
    nearest = others[:_ASKED]
    return bool(nearest) and sum(still for _, still in nearest) >= min(_STILL, len(nearest))


def _is_still(box: Box, place: Box) -> bool:
    return abs(box.x - place.x) <= _OFF and abs(box.y - place.y) <= _OFF
