"""Recognition: the known state that a screen shows, by its words and cells, against its rivals."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from memctl.visual.matching.find import SCALES
from memctl.visual.recognition.shown_screen import (
    HIDDEN,
    ShownScreen,
    framed_alike,
    nearer,
    shown_screen,
    without,
)
from memctl.visual.recognition.state_index import same_sides
from memctl.visual.recognition.views import (
    Viewer,
    framed_areas,
    in_equal_cells,
    in_open,
    overlays,
    without_backdrop,
)
from memctl.visual.recognition.word_index import AS_DRAWN, RESIZED, paired

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from memctl.config.settings import Settings
    from memctl.visual.boxes import Box
    from memctl.visual.frame import Frame
    from memctl.visual.recognition.shown_screen import Look, Words
    from memctl.visual.recognition.sightings import Sightings
    from memctl.visual.recognition.state_index import StateIndex, StateLayout
    from memctl.visual.recognition.views import View
    from memctl.visual.recognition.word_index import Ints, Mask


NEAR = 0.25
"""Similarity by which a state may be behind and still be what the screen shows."""

CLEAR, DIVIDED = 0.7, 0.3
"""Share of what differs that must speak for a state; with less than the second words speak against
it, and between the two cells decide."""

AGAINST = 0.4
"""Share of the cells that look like either state which must not be below where words decide."""

SURE = 0.9
"""Share of the cells that decides against words, where the screen looks like the state."""

LOOKS_ALIKE, LOOKS_THE_SAME = 0.95, 0.98
"""Share of a state's cells that makes a screen look like it, and that is enough by itself."""

_ANOTHER_DRESS = 0.6  # below it for both, the screen is in another theme: cells say nothing
_ASKED = 2  # cells that must have an answer
_OWN = 3  # words that are a state's own, where most of it does not count
_SHAPE = 8  # bits of 192 by which two words in one place are told apart


def rivals(index: StateIndex, view: View, other: View) -> bool:
    """Return True for views that cannot both be right, of which either may be."""
    near = overlap(view, other) and other.similarity >= view.similarity - NEAR
    return near and on_other_pages(index, view, other)


def on_other_pages(index: StateIndex, view: View, other: View) -> bool:
    """Return True for states that nobody named as one page."""
    pages = {index.states[view.state_id].page, index.states[other.state_id].page}
    return len(pages) > 1 or None in pages


def overlap(view: View, other: View) -> bool:
    """Return True for views of largely the same part of the screen."""
    shared = view.area.overlap(other.area)
    return 2 * shared > min(view.area.area, other.area.area)


def beats(index: StateIndex, screen: ShownScreen, view: View, other: View) -> bool:
    """Return True if what differs between two states speaks clearly for the first.

    Where nothing differs, or what does is hidden, neither beats the other. What the page says goes
    before what the screen looks like.
    """
    labels = _labels_for(index, screen, view, other)
    if labels is not None and not DIVIDED <= labels < CLEAR:
        return labels >= CLEAR
    words = _words_for(index, screen, view, other)
    own, its, asked = _cells_for(index, screen, view, other)
    cells = own / asked if asked >= _ASKED else None
    if words is not None and words >= CLEAR:
        return cells is None or not own + its or own / (own + its) >= AGAINST
    if cells is None:
        # Another state would have to be scrolled to show what this one shows as it stands.
        stands = view.stands and not other.stands and (view.look or 0.0) > LOOKS_THE_SAME
        return stands and (words is None or words >= DIVIDED)
    if cells >= SURE and view.look is not None and view.look > LOOKS_ALIKE:
        return True
    return (words is None or words >= DIVIDED) and cells >= CLEAR


def _labels_for(index: StateIndex, screen: ShownScreen, view: View, other: View) -> float | None:
    """Return the share of the differing labels that are the first state's; ``None`` without any."""
    ours, theirs = index.labels_on(view.state_id), index.labels_on(other.state_id)
    if not screen.labels or not ours or not theirs or ours == theirs:
        return None
    own, its = ours - theirs, theirs - ours
    for_one = len(own & screen.labels) + len(its - screen.labels)
    return for_one / (len(own) + len(its))


def _words_for(index: StateIndex, screen: ShownScreen, view: View, other: View) -> float | None:
    """Return the share for the first of the words, by weight, that differ; ``None``: none does."""
    ours, theirs = index.layouts[view.state_id].words, index.layouts[other.state_id].words
    move = view.move[0] - other.move[0], view.move[1] - other.move[1]
    both = paired(ours, theirs, move, AS_DRAWN)
    weights = index.words.weights(view.state_id), index.words.weights(other.state_id)
    own = view.asked.copy()
    own[both.one] = False
    its = other.asked.copy()
    its[both.other] = False
    looks = _looks_of(index, screen, view, other)
    same = _drawn_alike(ours, looks)
    own &= ~same
    its &= ~_drawn_alike(theirs, looks)
    for_one = weights[0] @ (own & view.there) + weights[1] @ (its & ~other.there)
    for_other = weights[0] @ (own & ~view.there) + weights[1] @ (its & other.there)
    # Words that stand in one place, in two shapes: the screen's is nearer to one of them.
    here = _word_of(view), _word_of(other)
    for a, b in zip(both.one.tolist(), both.other.tolist(), strict=True):
        if not view.asked[a] or same[a] or _bits(ours["bits"][a], theirs["bits"][b]) <= _SHAPE:
            continue
        weight = float(weights[0][a])
        word = here[0].get(a, here[1].get(b))
        if word is None:
            continue
        bits = screen.words["bits"][word]
        to_one, to_other = _bits(ours["bits"][a], bits), _bits(theirs["bits"][b], bits)
        if to_one < to_other:
            for_one += weight
        elif to_other < to_one:
            for_other += weight
    total = for_one + for_other
    return float(for_one / total) if total else None


def _drawn_alike(words: Words, looks: tuple[Look, Look, Look] | None) -> Mask:
    """Return a mask: True for words where two states look the same, as far as both are seen.

    At the edge of what is hidden, the same picture may be read as other words.
    """
    if looks is None:
        return np.zeros(len(words), np.bool_)
    one, other = (np.where(looks[0] == HIDDEN, HIDDEN, look) for look in looks[1:])
    return in_equal_cells(words, one, other) & in_open(words, one)


def _word_of(view: View) -> dict[int, int]:
    """Map the words of a state to those of the screen."""
    return dict(zip(view.pairs.one.tolist(), view.pairs.other.tolist(), strict=True))


def _bits(ints: Ints, other: Ints) -> int:
    return int(np.bitwise_count(ints ^ other).sum())


def _cells_for(
    index: StateIndex, screen: ShownScreen, one: View, other: View
) -> tuple[int, int, int]:
    """Count the cells that look like either state, and all in which the two differ."""
    looks = _looks_of(index, screen, one, other)
    if looks is None or max(one.look or 0, other.look or 0) < _ANOTHER_DRESS:
        return 0, 0, 0
    return nearer(*looks)


def _looks_of(
    index: StateIndex, screen: ShownScreen, one: View, other: View
) -> tuple[Look, Look, Look] | None:
    """Return the look of a screen without what either state hides, and theirs, as they stand."""
    layouts = [index.layouts[view.state_id] for view in (one, other)]
    if not (one.stands and other.stands) or layouts[0].size != layouts[1].size:
        return None
    if layouts[0].look is None or layouts[1].look is None or one.look is None or other.look is None:
        return None
    shown = without(screen.look, [box for layout in layouts for box in layout.hidden])
    rows, columns = (min(sides) for sides in zip(shown.shape, layouts[0].look.shape, strict=True))
    part = np.s_[:rows, :columns]
    return shown[part], layouts[0].look[part], layouts[1].look[part]


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
    """A known state on a screen."""

    state_id: str
    similarity: float  # 0 to 1: of the words, or of the looks where these decided
    move: Point  # how far it has scrolled or moved since it was remembered, ``(dx, dy)``
    area: Box  # the part of the screen that shows it, in pixels at device-pixel ratio 1
    port: Box | None = None  # the region that scrolled; ``None``: all of it moved, or nothing
    # other pages beside it: of another window, or on another monitor
    also: tuple[Recognised, ...] = ()

    def place(self, box: Box) -> Box:
        """Return the place of a remembered box now: outside of a scrolled region it is unmoved."""
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
    """The known state that a screen shows; ``doubt`` is the reason why none is given, if one is near."""

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
    known = [view for view in enough if _has_its_own(index, seen, view, page)]
    found = _winners(index, screen, views, known)
    if not found and len(known) < len(enough):
        called = _called(index, min(enough, key=lambda one: _rank(one, views)))
        return Recognition(None, f"what is not ignored of {called} may be on any screen")
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
        screen = _as_screen(layout)
        weights, _ = index.words.met(screen.words, AS_DRAWN)
        view = Viewer(index, screen, weights, AS_DRAWN).standing(state_id)
        alike += [view.similarity if len(screen.words) else 1.0, view.look or 0.0]
    return min(alike)


def _as_screen(layout: StateLayout) -> ShownScreen:
    """Return a state whose look is known as if a screenshot showed it; its pixels are not known."""
    look = np.zeros((0, 0), np.uint8) if layout.look is None else layout.look
    gray = np.broadcast_to(np.uint8(0), (layout.height, layout.width))
    return ShownScreen(layout.words, look, gray)


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


def _has_its_own(index: StateIndex, seen: Sightings, view: View, page: str | None) -> bool:
    """Return True if areas that do not count leave enough to know a state by.

    Where they leave less than half of it, words must be there that few other states have: the frame
    of an app is around all of its pages. A caller who names the page knows which it is.
    """
    if page is not None and page == index.states[view.state_id].page:
        return True
    layout = index.layouts[view.state_id]
    areas = [*(area.box for area in layout.ignored), *map(seen.at_scale_one, seen.ignored)]
    if 2 * sum(box.area for box in areas) <= layout.width * layout.height:
        return True
    own = index.words.rare(view.state_id) if len(index.layouts) > 1 else view.there
    return int((own & view.there).sum()) >= _OWN


def _looks_the_same(view: View) -> bool:
    return view.look is not None and view.look > LOOKS_THE_SAME


def _components_there(index: StateIndex, seen: Sightings, view: View) -> bool:
    """Return True if nearly all components are there, one of which no other state has.

    Of a state that is known by its components alone, words say little: a strange page has them.
    Empty fields look alike, and filled ones show what was typed: they count neither way.
    """
    defining = index.layouts[view.state_id].defining.keys() & index.places(view.state_id).keys()
    defining -= index.fields
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
    """Order views: unmoved before moved ones, unless those are clearly more alike."""
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
