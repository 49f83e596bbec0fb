"""Learning a screenshot: new components are added, known ones updated, the screen is named.

Everything here runs in one transaction of the caller's, after the screenshot was searched.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from memctl.store import statements
from memctl.visual.boxes import Box, PlaceIndex
from memctl.visual.learning.adding import (
    add_components,
    add_variant,
    label_known,
    learn_scale,
    new_variants,
    with_variants,
)
from memctl.visual.learning.erased_boxes import erased_on, without_erased
from memctl.visual.learning.forgetting import forget_missed
from memctl.visual.learning.row_book import write_row_keys
from memctl.visual.learning.state_updates import (
    create_state,
    keep_words,
    living_state,
    merge_alike,
    state_match,
    visit_state,
)
from memctl.visual.recognition.expected import expected_on, with_covered
from memctl.visual.recognition.recognition import recognise, screen_words
from memctl.visual.recognition.state_index import read_state_index

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memctl.config.settings import Settings
    from memctl.store.store import Store
    from memctl.visual.frame import Frame
    from memctl.visual.match_results import ForgottenComponent, Learned, Merged, StateMatch
    from memctl.visual.reading.boxes_file import GivenBox
    from memctl.visual.reading.sifting import Sifted
    from memctl.visual.recognition.sightings import Sightings

__all__ = ["count_seen", "learn_screen"]


COMPONENTS = statements.load("store/component")
STATES = statements.load("store/state")
STORE = statements.load("store/store")


@dataclass(frozen=True, slots=True)
class LearnResult:
    """The changes that learning a screenshot made.

    Parameters
    ----------
    seen
        The components found, also by variants that were added now.
    sifted
        The boxes, without what a person erased.
    missed
        Components that were expected on this screen and are not on it.
    """

    seen: Sightings
    sifted: Sifted
    state: StateMatch | None
    missed: list[int]
    learned: list[Learned] = field(default_factory=list)
    forgotten: list[ForgottenComponent] = field(default_factory=list)
    state_created: bool = False
    states_merged: list[Merged] = field(default_factory=list)


def learn_screen(
    store: Store,
    settings: Settings,
    frame: Frame,
    seen: Sightings,
    sifted: Sifted,
    *,
    page: str | None,
    title: str | None,
    at: str,
) -> LearnResult:
    """Learn one screenshot from the components found on it and the boxes that may be learned."""
    index = read_state_index(store, settings)
    known, new = _split(sifted.candidates, seen)
    words = screen_words(frame, seen, sifted.hidden)
    recognised = recognise(settings, index, frame, seen, words, len(new), page)
    erased = erased_on(store, frame, seen, recognised, page)
    if erased:
        sifted, title = without_erased(sifted, erased, seen.scale, title)
        known, new = _split(sifted.candidates, seen)
        words = screen_words(frame, seen, sifted.hidden)
    variants = new_variants(store, index, seen, new, recognised, page)
    added_variants = [
        add_variant(store, frame, candidate, component_id, scale=seen.scale, at=at)
        for component_id, candidate in variants.items()
    ]
    seen = with_variants(seen, variants, added_variants)
    claimed = set(variants.values())
    new = [one for one in new if one not in claimed]
    if recognised is None and variants:
        recognised = recognise(settings, index, frame, seen, words, len(new), page)
    label_known(store, known)
    added = add_components(store, frame, new, seen=seen, page=page, at=at)
    learn_scale(store, frame, seen, sifted.secrets, at)
    places = {key: hit.box for key, hit in seen.hits.items()}
    places |= {one.component_id: Box(one.x, one.y, one.w, one.h) for one in added}
    write_row_keys(store, frame, seen, places, hidden=sifted.secrets, at=at)
    missed = expected_on(store, settings, index, seen, recognised, page)
    seen = with_covered(store, index, frame, seen, words, missed, recognised)
    count_seen(store, seen, at)
    store.value(STORE.count_learn)
    if recognised is None:
        state_id = create_state(store, words, seen, added, sifted.candidates, page, at)
    else:
        state_id = recognised.state_id
        visit_state(store, seen, added, recognised, page, at)
    if state_id is not None and title is not None:
        store.execute(STATES.set_title, {"id": state_id, "title": title})
    keep_words(store, index, seen, words, recognised)
    counted = [key for key in missed if seen.misses[key].counted]
    forgotten = forget_missed(store, settings, counted, at)
    merged = merge_alike(store, settings, index, state_id) if recognised and state_id else []
    shown = living_state(store, state_id, merged)
    return LearnResult(
        seen=seen,
        sifted=sifted,
        state=state_match(store, shown, recognised.similarity if recognised else 1.0)
        if shown
        else None,
        missed=missed,
        learned=added_variants + added,
        forgotten=forgotten,
        state_created=recognised is None and state_id is not None,
        states_merged=merged,
    )


def _split(
    candidates: Sequence[GivenBox], seen: Sightings
) -> tuple[dict[int, GivenBox], list[GivenBox]]:
    """Part the boxes that known components explain from the new ones."""
    places = PlaceIndex()
    for component_id, hit in seen.hits.items():
        places.add(hit.box, component_id)
    known: dict[int, GivenBox] = {}
    new = []
    for candidate in candidates:
        owner = places.owner(candidate.box)
        if owner is None:
            new.append(candidate)
        else:
            known[owner] = candidate
    return known, new


def count_seen(store: Store, seen: Sightings, seen_at: str) -> None:
    """Note that components were seen, and where. In a transaction."""
    rows = [
        {"id": key, "seen_at": seen_at, "x": place.x, "y": place.y}
        for key, place in seen.places.items()
    ]
    store.execute_many(COMPONENTS.seen, rows)
