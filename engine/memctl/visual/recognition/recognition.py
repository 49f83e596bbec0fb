"""Recognition: the known state that a screen shows, by its words, with components as witness."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from memctl.visual.boxes import Box
from memctl.visual.graph.states import plain_jaccard
from memctl.visual.matching.scale import SCALES
from memctl.visual.reading.word_shapes import outside, words_of
from memctl.visual.recognition.covering import framed_areas
from memctl.visual.recognition.page_views import GLIMPSED, Recognised, best_view, uncovered
from memctl.visual.recognition.similarity import (
    ScreenContent,
    component_similarity,
    layout_move,
    same_sides,
)
from memctl.visual.recognition.word_index import AS_DRAWN, RESIZED
from memctl.visual.recognition.word_match import WordMatch

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memctl.config.settings import Settings
    from memctl.visual.frame import Frame
    from memctl.visual.reading.word_shapes import Words
    from memctl.visual.recognition.sightings import Sightings
    from memctl.visual.recognition.state_index import StateIndex

__all__ = [
    "Recognised",
    "components_of",
    "recognise",
    "recognised_scale",
    "screen_words",
    "words_alike",
]

LEAD = 0.1
"""The similarity by which the best page must lead the next; less where it leaves less to 1."""

WITNESSED = 0.75
"""Share of the threshold that is enough where the components agree ..."""

WITNESS = 0.85
"""... by more than this similarity of theirs."""


def recognise(
    settings: Settings,
    index: StateIndex,
    frame: Frame,
    seen: Sightings,
    words: Words,
    unknown: int,
    page: str | None,
) -> Recognised | None:
    """Return the known state that a screenshot shows, or ``None``.

    Never one that was learned under another page's name than `page`: a caller that names
    pages knows them apart.

    Parameters
    ----------
    words
        The screenshot's.
    unknown
        How many boxes on it no component explains.
    """
    screen = ScreenContent(seen.places, *seen.size, unknown, words, resized=seen.scale != 1)
    threshold = settings.number(f"state_match_{index.kind}")
    allowed = index.may_show(page)
    if index.kind == "plain":
        return _most_alike_set(index, screen, allowed, threshold)
    match = WordMatch(index.words, words, RESIZED if screen.resized else AS_DRAWN)
    views = [best_view(index, screen, match, key) for key in match.likely(allowed)]
    found = _leading(index, screen, views, threshold)
    if found is None and any(view.similarity > GLIMPSED for view in views):
        framed = framed_areas(frame.gray)
        views = [uncovered(index, framed, seen, screen, match, view) for view in views]
        found = _leading(index, screen, views, threshold, witness=False)
    return found


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
        words = screen_words(frame, there, ())
        if recognise(settings, index, frame, there, words, 0, None):
            return scale
    return seen.scale


def screen_words(frame: Frame, seen: Sightings, hidden: Iterable[Box]) -> Words:
    """Return the words of a screenshot at device-pixel ratio 1, from the window's corner.

    Parameters
    ----------
    hidden
        Boxes of what does not belong to the page, and of what may not be kept.
    """
    return outside(words_of(frame, seen.window, seen.scale), map(seen.at_scale_one, hidden))


def words_alike(index: StateIndex, one: str, other: str) -> float:
    """Return how alike the words of two states are, 0 to 1; of one that has none, 1."""
    left, right = index.layouts[one], index.layouts[other]
    if not (left.whole and right.whole and len(left.words) and len(right.words)):
        return 1.0
    match = WordMatch(index.words, left.words, AS_DRAWN)
    return match.jaccard(other, (0, 0), left.size, right.size)


def components_of(index: StateIndex, seen: Sightings, recognised: Recognised) -> set[int]:
    """Return the state's components whose place, moved by the scroll, is on the screen."""
    return index.expected(recognised.state_id, recognised.move, *seen.size)


def _most_alike_set(
    index: StateIndex, screen: ScreenContent, allowed: Iterable[str], threshold: float
) -> Recognised | None:
    strange = {-1 - number for number in range(screen.unknown)}
    shown = {*screen.found, *strange}
    alike = {key: plain_jaccard(index.layouts[key].defining, shown) for key in allowed}
    best = max(alike, key=lambda key: (alike[key], key), default=None)
    if best is None or alike[best] <= threshold:
        return None
    move = layout_move(screen.found, index.layouts[best], *screen.size)
    return Recognised(best, alike[best], move, Box(0, 0, *screen.size))


def _leading(
    index: StateIndex,
    screen: ScreenContent,
    views: Sequence[Recognised],
    threshold: float,
    *,
    witness: bool = True,
) -> Recognised | None:
    """Return the best view that is alike enough and leads its rivals, with those beside it.

    Parameters
    ----------
    witness
        Whether components that agree make up for words.
    """
    ranked = sorted(views, key=lambda one: (-one.similarity, one.state_id))
    chosen: list[Recognised] = []
    for view in ranked:
        if any(_overlap(view, one) for one in chosen):
            continue
        rivals = (one for one in ranked if one is not view and _rivals(index, view, one))
        next_best = max((one.similarity for one in rivals), default=0.0)
        if view.similarity - next_best < min(LEAD, 1 - view.similarity):
            continue
        if (view.similarity > threshold and index.layouts[view.state_id].whole) or (
            witness and _witnessed(index, screen, view, threshold)
        ):
            chosen.append(view)
    return replace(chosen[0], also=tuple(chosen[1:])) if chosen else None


def _rivals(index: StateIndex, one: Recognised, other: Recognised) -> bool:
    """Return True for views of different pages that cannot both be right."""
    pages = {index.states[one.state_id].page, index.states[other.state_id].page}
    return _overlap(one, other) and (len(pages) > 1 or None in pages)


def _overlap(one: Recognised, other: Recognised) -> bool:
    shared = one.area.overlap(other.area)
    return 2 * shared > min(one.area.area, other.area.area)


def _witnessed(
    index: StateIndex, screen: ScreenContent, view: Recognised, threshold: float
) -> bool:
    layout = index.layouts[view.state_id]
    # Of a page that is known by its components alone, one that no other page has must be there.
    own = (len(index.holders[key]) == 1 for key in layout.defining.keys() & screen.found.keys())
    if view.similarity <= threshold * WITNESSED or not (layout.whole or any(own)):
        return False
    return component_similarity(screen, layout, index.weights, view.move) > WITNESS
