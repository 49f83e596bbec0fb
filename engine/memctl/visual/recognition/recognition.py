"""Recognition: the known state that a screen shows, by its words and cells, against its rivals."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from memctl.visual.matching.scale import SCALES
from memctl.visual.reading.screen_look import framed_alike, without
from memctl.visual.recognition.backdrop import without_backdrop
from memctl.visual.recognition.covering import framed_areas, overlays
from memctl.visual.recognition.rivals import (
    LOOKS_ALIKE,
    LOOKS_THE_SAME,
    beats,
    on_other_pages,
    overlap,
    rivals,
)
from memctl.visual.recognition.shown_screen import as_screen, shown_screen
from memctl.visual.recognition.state_layout import same_sides
from memctl.visual.recognition.views import Viewer
from memctl.visual.recognition.word_index import AS_DRAWN, RESIZED

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from memctl.config.settings import Settings
    from memctl.visual.boxes import Box
    from memctl.visual.frame import Frame
    from memctl.visual.recognition.shown_screen import ShownScreen
    from memctl.visual.recognition.sightings import Sightings
    from memctl.visual.recognition.state_index import StateIndex
    from memctl.visual.recognition.views import View

Point = tuple[int, int]

FAR_AHEAD, TIMES, COMPARED = 0.55, 3, 2
"""Similarity that is enough where at least two other pages are known, and none has a third of it:
where few are, a page that was never learned has no better one to be like."""

VOUCHED = 0.75
"""Share of the similarity that is enough where a caller says which page it is."""

HALF, NEARLY_ALL = 0.5, 0.85
"""Similarity of the words, and share of the components, that are enough for a state of which only
the components are known."""

LOOKED_FOR = 8
"""States, the most alike ones, that are looked for scrolled, moved or on another wallpaper."""

BEFORE = 0.1
"""Similarity by which a page that has moved must be ahead of one that stands."""

GLIMPSED, LEFT, UNDER_POPUP = 0.3, 0.6, 0.85
"""Least similarity of a page that may lie under a popup, least share of its words, by weight, that
the popup leaves, and least similarity of those: what a strange page shares weighs less."""


@dataclass(frozen=True, slots=True)
class Recognised:
    """A known state on a screen.

    Parameters
    ----------
    similarity
        0 to 1: of the words, or of the looks where these decided.
    move
        How far it has scrolled or moved since it was remembered, ``(dx, dy)``.
    area
        The part of the screen that shows it, in pixels at device-pixel ratio 1.
    port
        The region that scrolled; ``None``: all of it moved, or nothing.
    also
        Other pages beside it: of another window, or on another monitor.
    """

    state_id: str
    similarity: float
    move: Point
    area: Box
    port: Box | None = None
    also: tuple[Recognised, ...] = ()

    def place(self, box: Box) -> Box:
        """Return where a remembered box is now: outside of a scrolled region it stands."""
        if self.port is None or self.port.holds_middle(box):
            return box.moved(*self.move)
        return box

    def remembered(self, box: Box) -> Box:
        """Return where a box of the screen would have been when the state was remembered."""
        if self.port is None or self.port.holds_middle(box):
            return box.moved(-self.move[0], -self.move[1])
        return box


@dataclass(frozen=True, slots=True)
class Recognition:
    """The known state that a screen shows; ``doubt`` says why none is given, if one is near."""

    found: Recognised | None
    doubt: str = ""


def recognise(
    settings: Settings,
    index: StateIndex,
    frame: Frame,
    seen: Sightings,
    screen: ShownScreen,
    page: str | None,
) -> Recognition:
    """Return the known state that a screenshot shows.

    Never one that was learned under another page's name than `page`: a caller that names
    pages knows them apart.
    """
    slack = RESIZED if screen.resized else AS_DRAWN
    weights, shared = index.words.met(screen.words, slack)
    may_show = index.may_show(page)
    by_words = index.words.likely(shared, float(weights.sum()), may_show)
    by_page = index.called_like(screen.labels, may_show)
    likely = dict.fromkeys([*by_words, *by_page, *index.looking_like(screen.look, may_show)])
    viewer = Viewer(index, screen, weights, slack, seen.hits.keys())
    least = settings.number("state_match")
    if page is not None:
        # A caller who names the page vouches for it.
        least *= VOUCHED
    views = [viewer.standing(state_id) for state_id in likely]
    if not any(_looks_the_same(view) and view.similarity > least for view in views):
        views.sort(key=lambda view: -view.similarity)
        views = [*(viewer.best(view) for view in views[:LOOKED_FOR]), *views[LOOKED_FOR:]]
    enough = [view for view in views if _enough(index, seen, views, view, least)]
    nearest = views
    if not enough:
        views, enough = _on_another_backdrop(index, viewer, views)
    if not enough:
        views, enough = _under_popups(index, viewer, frame, seen, views)
    found = _winners(index, screen, views, enough)
    if not found:
        return Recognition(None, _doubt(index, screen, views, enough, nearest))
    first, *others = (_recognised(view) for view in found)
    return Recognition(replace(first, also=tuple(others)))


def recognised_scale(settings: Settings, index: StateIndex, frame: Frame, seen: Sightings) -> float:
    """Return the device-pixel ratio that a screenshot was searched at, or a better one.

    Where no page is recognised at that ratio, those are tried that displays have and that make
    the screenshot as large as a remembered one was.
    """
    layouts = {layout.size: layout for layout in index.layouts.values()}.values()
    others = [
        scale
        for scale in SCALES
        for layout in layouts
        if scale != seen.scale
        and all(same_sides(layout, seen.window.w / scale, seen.window.h / scale))
    ]
    for scale in (seen.scale, *dict.fromkeys(others)) if others else ():
        there = seen if scale == seen.scale else replace(seen, scale=scale, hits={})
        if recognise(settings, index, frame, there, shown_screen(frame, there), None).found:
            return scale
    return seen.scale


def states_alike(index: StateIndex, one: str, other: str) -> float:
    """Return how alike two states are, in words and looks, 0 to 1; 0 where either is unknown."""
    layouts = index.layouts[one], index.layouts[other]
    if not (index.knows(one) and index.knows(other)) or layouts[0].size != layouts[1].size:
        return 0.0
    alike = []
    for state_id, layout in zip((other, one), layouts, strict=True):
        screen = as_screen(layout)
        weights, _ = index.words.met(screen.words, AS_DRAWN)
        view = Viewer(index, screen, weights, AS_DRAWN).standing(state_id)
        alike += [view.similarity if len(screen.words) else 1.0, view.look or 0.0]
    return min(alike)


def components_of(index: StateIndex, seen: Sightings, recognised: Recognised) -> set[int]:
    """Return the state's components whose corner is on the screen, after the scroll."""
    width, height = seen.size
    places = index.places(recognised.state_id)
    now = {key: recognised.place(box) for key, box in places.items()}
    return {key for key, box in now.items() if 0 <= box.x < width and 0 <= box.y < height}


def _enough(
    index: StateIndex, seen: Sightings, views: Sequence[View], view: View, least: float
) -> bool:
    """Return True if a screen is enough like a state to be it, as long as no rival is."""
    if not index.layouts[view.state_id].whole:
        return view.similarity > HALF and _components_there(index, seen, view)
    if view.similarity > least:
        return True
    if _looks_the_same(view) and not len(index.layouts[view.state_id].words):
        return True
    others = [
        one.similarity for one in views if one is not view and on_other_pages(index, view, one)
    ]
    if len(others) < COMPARED:
        return False
    return view.similarity > max(FAR_AHEAD, TIMES * max(others))


def _looks_the_same(view: View) -> bool:
    return view.look is not None and view.look > LOOKS_THE_SAME


def _components_there(index: StateIndex, seen: Sightings, view: View) -> bool:
    """Return True if nearly all components are there, one of which no other state has.

    Of a state that is known by its components alone, words say little: a strange page has them.
    """
    defining = index.layouts[view.state_id].defining.keys()
    found = defining & seen.hits.keys()
    own = any(len(index.holders[key]) == 1 for key in found)
    return own and len(found) > NEARLY_ALL * len(defining)


def _winners(
    index: StateIndex, screen: ShownScreen, views: Sequence[View], enough: Collection[View]
) -> list[View]:
    """Return the views that beat all their rivals, of one part of the screen one alone."""
    chosen: list[View] = []
    for view in sorted(enough, key=lambda one: _rank(one, views)):
        if any(overlap(view, one) for one in chosen):
            continue
        against = [one for one in views if one is not view and rivals(index, view, one)]
        if all(beats(index, screen, view, one) for one in against):
            chosen.append(view)
    return chosen


def _rank(view: View, views: Sequence[View]) -> tuple[bool, float, float, str]:
    """Order views: what stands before what has moved, unless that is clearly more alike."""
    best = max(one.similarity for one in views)
    standing = view.stands and view.similarity > best - BEFORE
    return not standing, -view.similarity, -(view.look or 0.0), view.state_id


def _doubt(
    index: StateIndex,
    screen: ShownScreen,
    views: Sequence[View],
    enough: Sequence[View],
    nearest: Sequence[View],
) -> str:
    """Return why no state is given, and which are near; empty where none is."""
    for view in sorted(enough, key=lambda one: _rank(one, views)):
        for other in views:
            if other is view or not rivals(index, view, other):
                continue
            if not beats(index, screen, view, other):
                names = f"{_called(index, view)} and {_called(index, other)}"
                return f"it looks like {names}, and nothing on it tells them apart; its page would"
    best = max(nearest, key=lambda one: one.similarity, default=None)
    if best is None or best.similarity < GLIMPSED:
        return ""
    return f"the nearest is {_called(index, best)}, only {best.similarity:.2f} alike"


def _called(index: StateIndex, view: View) -> str:
    state = index.states[view.state_id]
    return state.name or state.page or state.id


def _under_popups(
    index: StateIndex, viewer: Viewer, frame: Frame, seen: Sightings, views: Sequence[View]
) -> tuple[list[View], list[View]]:
    """Return the views without what popups cover, and those that are enough."""
    if not any(view.similarity > GLIMPSED for view in views):
        return list(views), []
    framed = framed_areas(frame.gray)
    bare = [_under_popup(index, viewer, framed, seen, view) for view in views]
    return bare, [view for view in bare if view.similarity > UNDER_POPUP]


def _under_popup(
    index: StateIndex,
    viewer: Viewer,
    framed: Sequence[Box],
    seen: Sightings,
    view: View,
) -> View:
    """Return the view of a state without what a popup covers, if one does and leaves enough."""
    if view.similarity <= GLIMPSED or view.port is not None or not view.covers(seen.size):
        return replace(view, similarity=0.0)
    areas = overlays(index, framed, seen, viewer.screen.words, view.state_id, view.move)
    covers = [
        box
        for box in map(seen.at_scale_one, areas)
        if not framed_alike(viewer.mask(view.state_id), viewer.screen.look, box)
    ]
    left = viewer.standing(view.state_id, without(viewer.mask(view.state_id), covers))
    if not covers or viewer.share(view.state_id, left.asked) < LEFT:
        return replace(view, similarity=0.0)
    return left


def _on_another_backdrop(
    index: StateIndex, viewer: Viewer, views: Sequence[View]
) -> tuple[list[View], list[View]]:
    """Return the views without a wallpaper that is another one now, and those that are enough."""
    bare: dict[str, View] = {}
    for view in sorted(views, key=lambda one: -(one.look or 0.0))[:LOOKED_FOR]:
        if index.layouts[view.state_id].look is None or not view.covers(viewer.screen.size):
            continue
        mask = viewer.mask(view.state_id)
        left = without_backdrop(index, view.state_id, mask, viewer.screen.look)
        if left is not None:
            bare[view.state_id] = viewer.standing(view.state_id, left)
    enough = [
        view
        for view in bare.values()
        if view.similarity > UNDER_POPUP and view.look is not None and view.look > LOOKS_ALIKE
    ]
    return [bare.get(view.state_id, view) for view in views], enough


def _recognised(view: View) -> Recognised:
    alike = view.similarity
    if view.look is not None and view.look > LOOKS_ALIKE:
        alike = max(alike, view.look)
    return Recognised(view.state_id, alike, view.move, view.area, view.port)
