"""Learning a screenshot: what is new is added, what is known is updated, the screen is named.

Everything here runs in one transaction of the caller's, after the screenshot was looked at.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from memctl.store import statements
from memctl.visual.boxes import Box
from memctl.visual.graph.similarity import layout_move
from memctl.visual.learning.activity import count_misses, count_seen, forget_missed
from memctl.visual.learning.adding import add_components, add_look, label_known, learn_scale
from memctl.visual.learning.identification import create_state, merge_alike, read_atlas, state_match
from memctl.visual.learning.new_looks import new_looks, with_looks
from memctl.visual.learning.recognising import expected_on, ink_of, places_of, recognise
from memctl.visual.place_index import PlaceIndex

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memctl.config.settings import Settings
    from memctl.store.store import Store
    from memctl.visual.frame import Frame
    from memctl.visual.learning.identification import Atlas
    from memctl.visual.learning.looking import Look
    from memctl.visual.match_results import Forgotten, Learned, Merged, StateMatch
    from memctl.visual.reading.sifting import Candidate, Sifted

__all__ = ["Lesson", "learn_screen"]

COMPONENTS = statements.load("store/component")
STATES = statements.load("store/state")
STORE = statements.load("store/store")


@dataclass(frozen=True, slots=True)
class Lesson:
    """What learning a screenshot changed.

    Parameters
    ----------
    look
        The look, completed by looks that were added to known components.
    missed
        Components that were expected on this screen and are not on it.
    """

    look: Look
    state: StateMatch | None
    missed: list[int]
    learned: list[Learned] = field(default_factory=list)
    forgotten: list[Forgotten] = field(default_factory=list)
    state_created: bool = False
    states_merged: list[Merged] = field(default_factory=list)


def learn_screen(
    store: Store,
    settings: Settings,
    frame: Frame,
    look: Look,
    sifted: Sifted,
    *,
    page: str | None,
    at: str,
) -> Lesson:
    """Learn one screenshot from what was found on it and the boxes that may be learned."""
    atlas = read_atlas(store, settings)
    known, new = _split(sifted.candidates, look)
    recognised = recognise(settings, atlas, frame, look, new, page)
    looks = new_looks(store, atlas, look, new, recognised, page)
    added_looks = [
        add_look(store, frame, candidate, component_id, scale=look.scale, at=at)
        for component_id, candidate in looks.items()
    ]
    look = with_looks(look, looks, added_looks)
    claimed = set(looks.values())
    new = [one for one in new if one not in claimed]
    if recognised is None and looks:
        recognised = recognise(settings, atlas, frame, look, new, page)
    label_known(store, known)
    added = add_components(store, frame, new, look=look, page=page, seen_at=at)
    learn_scale(store, frame, look, sifted.secrets, at)
    missed = expected_on(store, settings, atlas, look, recognised, page)
    count_seen(store, look, at)
    count_misses(store, missed)
    learns = int(store.value(STORE.count_learn))
    state_id, similarity = recognised or (None, 1.0)
    if state_id is None:
        state_id = _create(store, frame, look, added, sifted.candidates, page, at)
    else:
        _revisit(store, atlas, look, added, state_id, page, at)
    forgotten = forget_missed(store, settings, learns, at)
    merged = _merge(store, settings, state_id) if recognised and state_id else []
    shown = _living(store, state_id, merged)
    return Lesson(
        look=look,
        state=state_match(store, shown, similarity) if shown else None,
        missed=missed,
        learned=added_looks + added,
        forgotten=forgotten,
        state_created=recognised is None and state_id is not None,
        states_merged=merged,
    )


def _split(
    candidates: Sequence[Candidate], look: Look
) -> tuple[dict[int, Candidate], list[Candidate]]:
    """Part the boxes that known components explain from the new ones."""
    places = PlaceIndex()
    for component_id, hit in look.hits.items():
        places.add(hit.box, component_id)
    known: dict[int, Candidate] = {}
    new = []
    for candidate in candidates:
        owner = places.owner(candidate.box)
        if owner is None:
            new.append(candidate)
        else:
            known[owner] = candidate
    return known, new


def _create(
    store: Store,
    frame: Frame,
    look: Look,
    added: Sequence[Learned],
    candidates: Sequence[Candidate],
    page: str | None,
    at: str,
) -> str | None:
    """Write the provisional state of a screen seen for the first time, if anything is on it."""
    places = {key: (box.x, box.y) for key, box in places_of(look).items()}
    for one in added:
        box = look.at_scale_one(Box(one.x, one.y, one.w, one.h))
        places[one.component_id] = box.x, box.y
    if not places:
        return None
    names = [row["name"] for row in store.rows(COMPONENTS.living) if row["id"] in places]
    size = look.at_scale_one(look.window)
    state_id = create_state(
        store,
        places,
        names,
        page=page,
        size=(size.w, size.h),
        ink=ink_of(frame, look, candidates).ink,
        seen_at=at,
    )
    store.execute_many(
        STATES.insert_state_text,
        [{"state_id": state_id, "text": one.label} for one in candidates if one.label],
    )
    return state_id


def _revisit(
    store: Store,
    atlas: Atlas,
    look: Look,
    added: Sequence[Learned],
    state_id: str,
    page: str | None,
    at: str,
) -> None:
    """Note another visit; what was new on it belongs to the state without defining it."""
    size = look.at_scale_one(look.window)
    dx, dy = layout_move(places_of(look), atlas.layouts[state_id], size.w, size.h)
    store.execute(STATES.visit, {"id": state_id, "seen_at": at})
    store.execute(STATES.set_page, {"id": state_id, "page": page})
    store.execute(STATES.confirm, {"id": state_id})
    places = [
        (one.component_id, look.at_scale_one(Box(one.x, one.y, one.w, one.h)))
        for one in added
        if not one.new_look
    ]
    store.execute_many(
        STATES.insert_state_component,
        [
            {
                "state_id": state_id,
                "component_id": key,
                "defining": 0,
                "x": place.x - dx,
                "y": place.y - dy,
            }
            for key, place in places
        ],
    )


def _merge(store: Store, settings: Settings, state_id: str) -> list[Merged]:
    kind = settings.get("state_similarity")
    return merge_alike(store, settings, state_id, settings.number(f"state_merge_{kind}"))


def _living(store: Store, state_id: str | None, merged: Sequence[Merged]) -> str | None:
    """Return where a state is after merging and forgetting, ``None`` if it is gone."""
    for one in merged:
        if one.merged == state_id:
            state_id = one.into
    row = store.row(STATES.any_state, {"id": state_id})
    return None if row is None or row["forgotten_at"] else state_id
