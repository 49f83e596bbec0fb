"""Rivals: which of two known states a screen shows, by what differs between the two."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from memctl.visual.reading.screen_look import nearer, without
from memctl.visual.recognition.word_index import AS_DRAWN
from memctl.visual.recognition.word_pairs import paired

if TYPE_CHECKING:
    from memctl.visual.recognition.shown_screen import ShownScreen
    from memctl.visual.recognition.state_index import StateIndex
    from memctl.visual.recognition.views import View
    from memctl.visual.recognition.word_pairs import Ints

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
_SHAPE = 8  # bits of 192 by which two words in one place are told apart


def rivals(index: StateIndex, one: View, other: View) -> bool:
    """Return True for views that cannot both be right, of which either may be."""
    near = overlap(one, other) and other.similarity >= one.similarity - NEAR
    return near and on_other_pages(index, one, other)


def on_other_pages(index: StateIndex, one: View, other: View) -> bool:
    """Return True for states that nobody said to be of one page."""
    pages = {index.states[one.state_id].page, index.states[other.state_id].page}
    return len(pages) > 1 or None in pages


def overlap(one: View, other: View) -> bool:
    """Return True for views of largely the same part of the screen."""
    shared = one.area.overlap(other.area)
    return 2 * shared > min(one.area.area, other.area.area)


def beats(index: StateIndex, screen: ShownScreen, one: View, other: View) -> bool:
    """Return True if what differs between two states speaks clearly for the first.

    Where nothing differs, or what does is hidden, neither beats the other. What the page says goes
    before what the screen looks like.
    """
    labels = _labels_for(index, screen, one, other)
    if labels is not None and not DIVIDED <= labels < CLEAR:
        return labels >= CLEAR
    words = _words_for(index, screen, one, other)
    own, its, asked = _cells_for(index, screen, one, other)
    cells = own / asked if asked >= _ASKED else None
    if words is not None and words >= CLEAR:
        return cells is None or not own + its or own / (own + its) >= AGAINST
    if cells is None:
        # Another state would have to be scrolled to show what this one shows as it stands.
        stands = one.stands and not other.stands and (one.look or 0.0) > LOOKS_THE_SAME
        return stands and (words is None or words >= DIVIDED)
    if cells >= SURE and one.look is not None and one.look > LOOKS_ALIKE:
        return True
    return (words is None or words >= DIVIDED) and cells >= CLEAR


def _labels_for(index: StateIndex, screen: ShownScreen, one: View, other: View) -> float | None:
    """Return the share for the first of the labels that differ; ``None``: none does, or is told."""
    ours, theirs = index.labels_on(one.state_id), index.labels_on(other.state_id)
    if not screen.labels or not ours or not theirs or ours == theirs:
        return None
    own, its = ours - theirs, theirs - ours
    for_one = len(own & screen.labels) + len(its - screen.labels)
    return for_one / (len(own) + len(its))


def _words_for(index: StateIndex, screen: ShownScreen, one: View, other: View) -> float | None:
    """Return the share for the first of the words, by weight, that differ; ``None``: none does."""
    ours, theirs = index.layouts[one.state_id].words, index.layouts[other.state_id].words
    move = one.move[0] - other.move[0], one.move[1] - other.move[1]
    both = paired(ours, theirs, move, AS_DRAWN)
    weights = index.words.weights(one.state_id), index.words.weights(other.state_id)
    own = one.asked.copy()
    own[both.one] = False
    its = other.asked.copy()
    its[both.other] = False
    for_one = weights[0] @ (own & one.there) + weights[1] @ (its & ~other.there)
    for_other = weights[0] @ (own & ~one.there) + weights[1] @ (its & other.there)
    # Words that stand in one place, in two shapes: the screen's is nearer to one of them.
    here = _word_of(one), _word_of(other)
    for a, b in zip(both.one.tolist(), both.other.tolist(), strict=True):
        if not one.asked[a] or _bits(ours["bits"][a], theirs["bits"][b]) <= _SHAPE:
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


def _word_of(view: View) -> dict[int, int]:
    """Return which word of the screen each word of a state is."""
    return dict(zip(view.pairs.one.tolist(), view.pairs.other.tolist(), strict=True))


def _bits(one: Ints, other: Ints) -> int:
    return int(np.bitwise_count(one ^ other).sum())


def _cells_for(
    index: StateIndex, screen: ShownScreen, one: View, other: View
) -> tuple[int, int, int]:
    """Return how many cells look like either state, of how many in which the two differ."""
    looks = [index.layouts[view.state_id] for view in (one, other)]
    if not (one.stands and other.stands) or looks[0].size != looks[1].size:
        return 0, 0, 0
    if looks[0].look is None or looks[1].look is None or one.look is None or other.look is None:
        return 0, 0, 0
    if max(one.look, other.look) < _ANOTHER_DRESS:
        return 0, 0, 0
    hidden = [box for layout in looks for box in (*layout.changing.values(), *layout.ignored)]
    return nearer(without(screen.look, hidden), looks[0].look, looks[1].look)
