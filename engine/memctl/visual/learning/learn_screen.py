"""Learning a screenshot: new components are added, known ones updated, the screen is named.

Everything here runs in one transaction of the caller's, after the screenshot was searched.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from memctl.store import statements
from memctl.visual.boxes import Box
from memctl.visual.learning.adding import (
    add_components,
    label_known,
    learn_scale,
)
from memctl.visual.learning.comparison import compare
from memctl.visual.learning.forgetting import forget_missed
from memctl.visual.learning.ignored_areas import keep_ignored, without_ignored
from memctl.visual.learning.new_names import Namer
from memctl.visual.learning.row_book import found_keys, told_by_rows, write_row_keys
from memctl.visual.learning.state_updates import (
    create_state,
    keep_screen,
    living_state,
    merge_alike,
    state_match,
    visit_state,
)
from memctl.visual.recognition.state_index import read_state_index

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memctl.config.settings import Settings
    from memctl.store.store import Store
    from memctl.visual.frame import Frame
    from memctl.visual.learning.comparison import Comparison
    from memctl.visual.match_results import ForgottenComponent, Learned, Merged, Refused, StateMatch
    from memctl.visual.reading.sifting import Sifted
    from memctl.visual.recognition.sightings import Sightings

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
    refused: list[Refused] = field(default_factory=list)
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
    ignored: Sequence[Box] = (),
    at: str,
) -> LearnResult:
    """Learn one screenshot from the components found on it and the boxes that may be learned."""
    index = read_state_index(store)
    found = compare(store, settings, index, frame, seen, sifted, page=page, title=title, at=at)
    found = without_ignored(found, index)
    frame, seen, sifted = found.frame, found.seen, found.sifted
    recognised = found.recognised
    namer = _namer(found)
    label_known(store, namer, found.known, found.about)
    added = add_components(store, frame, found.new, namer=namer, seen=seen, page=page, at=at)
    learn_scale(store, frame, seen, sifted.secrets, at)
    shown = {key: hit.template_id for key, hit in seen.hits.items()}
    shown |= {one.component_id: one.template_id for one in added}
    places = {key: hit.box for key, hit in seen.hits.items()}
    places |= {one.component_id: Box(one.x, one.y, one.w, one.h) for one in added}
    told, secrets = told_by_rows(store, shown), sifted.secrets
    rows = found_keys(frame, places, seen.window, scale=seen.scale, told=told, hidden=secrets)
    write_row_keys(store, rows, shown, at)
    store.execute_many(COMPONENTS.set_changing, [{"id": key, "at": at} for key in found.changed])
    count_seen(store, seen, at)
    store.value(STORE.count_learn)
    if recognised is None:
        state_id = create_state(store, found.screen, seen, added, sifted.candidates, page, at)
    else:
        state_id = recognised.state_id
        visit_state(store, seen, added, recognised, page, at)
    if state_id is not None:
        keep_ignored(store, index, state_id, found, ignored)
    if state_id is not None and found.title is not None:
        store.execute(STATES.set_title, {"id": state_id, "title": found.title})
    keep_screen(store, index, seen, found.screen, recognised)
    counted = [key for key in found.missed if seen.misses[key].counted]
    forgotten = forget_missed(store, settings, counted, at)
    merged = merge_alike(store, settings, index, state_id) if recognised and state_id else []
    living = living_state(store, state_id, merged)
    return LearnResult(
        seen=seen,
        sifted=sifted,
        state=state_match(store, living, recognised.similarity if recognised else 1.0)
        if living
        else None,
        missed=found.missed,
        learned=found.variants + added,
        refused=found.refused,
        forgotten=forgotten,
        state_created=recognised is None and state_id is not None,
        states_merged=merged,
    )


def _namer(found: Comparison) -> Namer:
    """Return the namer of what is new, among all that is labelled on the screenshot."""
    hits, about = found.seen.hits, found.about
    texts = {hit.box: about[key]["label"] for key, hit in hits.items() if key in about}
    texts |= {one.box: one.label for one in found.new}
    told = sorted((box.y, box.x, box, text) for box, text in texts.items() if text)
    names = [row["name"] for row in about.values()]
    return Namer(found.frame, found.seen.window, [(box, text) for *_, box, text in told], names)


def count_seen(store: Store, seen: Sightings, seen_at: str) -> None:
    """Note that components were seen, and where. In a transaction."""
    rows = [
        {"id": key, "seen_at": seen_at, "x": place.x, "y": place.y}
        for key, place in seen.places.items()
    ]
    store.execute_many(COMPONENTS.seen, rows)
