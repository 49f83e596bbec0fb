"""Writes states: a screen seen for the first time, another visit, two states that are one.

In a transaction of the caller's. Where one screen became two states after all, as two stores that
were merged may call it, and parts of its components were learned again, that is mended when asked for.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, replace
from itertools import combinations, count
from typing import TYPE_CHECKING

from memctl.store import statements
from memctl.store.results import Result
from memctl.visual.boxes import Box
from memctl.visual.graph.states import States, merge_states, plain_jaccard, surviving_first
from memctl.visual.ignored_areas import outermost
from memctl.visual.learning.known_boxes import FRAGMENT, is_guessed
from memctl.visual.match_results import ForgottenComponent, Merged
from memctl.visual.recognition.recognition import states_alike
from memctl.visual.recognition.shown_screen import packed_look
from memctl.visual.recognition.state_index import read_state_index, shown_state

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from memctl.config.settings import Settings
    from memctl.store.store import Store
    from memctl.visual.ignored_areas import IgnoredArea
    from memctl.visual.match_results import Learned, StateMatch
    from memctl.visual.reading.boxes_file import GivenBox
    from memctl.visual.recognition.recognition import Recognised
    from memctl.visual.recognition.shown_screen import ShownScreen
    from memctl.visual.recognition.sightings import Sightings
    from memctl.visual.recognition.state_index import StateIndex

SQL = statements.load("store/state")
COMPONENTS = statements.load("store/component")

_ID_DIGITS = 6


def state_match(store: Store, state_id: str, similarity: float) -> StateMatch:
    """Return a living state as an answer shows it, from the store as it is now."""
    row = next(row for row in store.rows(SQL.living) if row["id"] == state_id)
    return replace(shown_state(row), similarity=round(similarity, 4))


def create_state(
    store: Store,
    screen: ShownScreen,
    seen: Sightings,
    added: Sequence[Learned],
    boxes: Sequence[GivenBox],
    page: str | None,
    at: str,
) -> str | None:
    """Write the provisional state of a screen seen for the first time, if anything is on it.

    All components on the screen define the state; its id is made of their names, or of its
    words where it has none.
    """
    places = {**seen.places, **_places_of(added, seen)}
    if not places and not len(screen.words):
        return None
    kept = _kept(screen)
    names = [row["name"] for row in store.rows(COMPONENTS.living) if row["id"] in places]
    state_id = free_id(store, names or [hashlib.sha256(kept["words"]).hexdigest()])
    width, height = seen.size
    known_by = "components" if places else "words"
    row = {"id": state_id, "page": page, "seen_at": at, "img_w": width, "img_h": height}
    store.execute(SQL.insert_state, {**row, **kept, "known_by": known_by})
    _insert_places(store, state_id, places, defining=True)
    texts = [{"state_id": state_id, "text": box.label} for box in boxes if box.label]
    store.execute_many(SQL.insert_state_text, texts)
    return state_id


def visit_state(
    store: Store,
    seen: Sightings,
    added: Sequence[Learned],
    recognised: Recognised,
    page: str | None,
    at: str,
) -> None:
    """Note another visit; components new on it belong to the state without defining it."""
    state_id = recognised.state_id
    store.execute(SQL.visit, {"id": state_id, "seen_at": at})
    store.execute(SQL.set_page, {"id": state_id, "page": page})
    store.execute(SQL.confirm, {"id": state_id})
    new = [one for one in added if not one.new_look]
    places = {key: recognised.remembered(place) for key, place in _places_of(new, seen).items()}
    _insert_places(store, state_id, places, defining=False)


def keep_screen(
    store: Store,
    index: StateIndex,
    seen: Sightings,
    screen: ShownScreen,
    recognised: Recognised | None,
) -> None:
    """Write what was described, so that it happens once. In a transaction.

    A state that was just recognised as it stood gets all words of the screen, and its look.
    """
    rows = {
        key: {"id": key, "words": index.layouts[key].words.tobytes(), "whole": 0, "look": None}
        for key in index.described
    }
    if recognised is not None and not index.knows(recognised.state_id):
        layout = index.layouts[recognised.state_id]
        if (recognised.move, seen.size, seen.scale) == ((0, 0), layout.size, 1):
            key = recognised.state_id
            rows[key] = {"id": key, **_kept(screen), "whole": 1}
    store.execute_many(SQL.set_words, list(rows.values()))


def keep_ignored(
    store: Store,
    index: StateIndex,
    state_id: str,
    seen: Sightings,
    recognised: Recognised | None,
    areas: Sequence[IgnoredArea],
) -> None:
    """Add ignored areas of a screenshot to its state. In a transaction.

    ``recognised``: the state as it was known before; ``None`` for a new one. ``areas``: in pixels
    of the screenshot.
    """
    if not areas:
        return
    known = index.layouts[state_id].ignored if recognised else ()
    own = []
    for area in areas:
        box = seen.at_scale_one(area.box)
        own.append(replace(area, box=recognised.remembered(box) if recognised else box))
    rows = [{"state_id": state_id, **area.columns} for area in outermost(own, known)]
    store.execute_many(SQL.put_ignored, rows)


def _kept(screen: ShownScreen) -> dict[str, bytes]:
    return {"words": screen.words.tobytes(), "look": packed_look(screen.look)}


def _places_of(added: Sequence[Learned], seen: Sightings) -> dict[int, Box]:
    return {one.component_id: seen.at_scale_one(Box(one.x, one.y, one.w, one.h)) for one in added}


def _insert_places(
    store: Store, state_id: str, places: Mapping[int, Box], *, defining: bool
) -> None:
    rows = [
        {"state_id": state_id, "component_id": key, "defining": defining, "x": box.x, "y": box.y}
        for key, box in places.items()
    ]
    store.execute_many(SQL.insert_state_component, rows)


def merge_alike(store: Store, settings: Settings, index: StateIndex, state_id: str) -> list[Merged]:
    """Merge every confirmed state that is nearly the same set as this one. In a transaction.

    Two states that a caller named as different pages are never merged, nor two whose words or
    looks differ: pages inside of one large frame have nearly all components in common.
    """
    sets, about = _read_sets(store)
    if state_id not in sets or about[state_id][0] != "confirmed":
        return []
    threshold = settings.number("state_merge")
    alike = {}
    for other in sorted(sets.keys() - {state_id}):
        pages = {about[state_id][1], about[other][1]} - {None}
        if about[other][0] == "confirmed" and len(pages) <= 1:
            similarity = plain_jaccard(sets[state_id], sets[other])
            if similarity > threshold:
                similarity = min(similarity, states_alike(index, state_id, other))
            if similarity > threshold:
                alike[other] = similarity
    if not alike:
        return []
    states = {state.id: state for state in States(store).list()}
    merged: list[Merged] = []
    for other, similarity in alike.items():
        result = merge_states(store, states[state_id], states[other], similarity)
        merged.append(result)
        if result.merged == state_id:
            break
    return merged


def _read_sets(
    store: Store,
) -> tuple[dict[str, set[int]], dict[str, tuple[str, str | None]]]:
    """Read which components define each living state, and each one's status and page."""
    sets: dict[str, set[int]] = {}
    about: dict[str, tuple[str, str | None]] = {}
    for state_id, component_id, defining, status, page in store.rows(SQL.sets):
        if state_id not in sets:
            sets[state_id], about[state_id] = set(), (status, page)
        if defining:
            sets[state_id].add(component_id)
    return sets, about


def free_id(store: Store, names: Collection[str]) -> str:
    """Return ``s_`` and as many hex digits of the names' hash as no other state has."""
    digest = hashlib.sha256(json.dumps(sorted(names)).encode()).hexdigest()
    for digits in range(_ID_DIGITS, len(digest) + 1):
        state_id = f"s_{digest[:digits]}"
        if store.row(SQL.any_state, {"id": state_id}) is None:
            return state_id
    numbered = (f"s_{digest}_{number}" for number in count(2))
    return next(one for one in numbered if store.row(SQL.any_state, {"id": one}) is None)


def living_state(store: Store, state_id: str | None, merged: Sequence[Merged]) -> str | None:
    """Return the survivor of a state after merging and forgetting, ``None`` if it is gone."""
    for one in merged:
        if one.merged == state_id:
            state_id = one.into
    row = store.row(SQL.any_state, {"id": state_id})
    return None if row is None or row["forgotten_at"] else state_id


@dataclass(frozen=True, slots=True)
class Mending(Result):
    """The changes that mend a store: states to merge, and components that are parts of others."""

    merged: list[Merged]
    forgotten: list[ForgottenComponent]


def mending_of(store: Store, settings: Settings) -> Mending:
    """Return the changes that would mend a store; nothing is written.

    Two states are one screen if they were learned from the same screenshot, or if their words are
    alike by more than the setting ``state_merge`` and their sizes agree. States whose
    pages have different names are never one.
    """
    index = read_state_index(store)
    least = settings.number("state_merge")
    same = {frozenset((row["one"], row["other"])) for row in store.rows(SQL.of_one_screenshot)}
    ids = [state.id for state in surviving_first(States(store).list())]
    merged: list[Merged] = []
    gone: set[str] = set()
    for one, other in combinations(ids, 2):
        pages = {index.states[one].page, index.states[other].page} - {None}
        may_be_one = len(pages) <= 1 and index.layouts[one].size == index.layouts[other].size
        if gone & {one, other} or not may_be_one:
            continue
        alike = 1.0 if frozenset((one, other)) in same else states_alike(index, one, other)
        if alike > least:
            merged.append(Merged(other, one, round(alike, 4)))
            gone.add(other)
    return Mending(merged, _fragments(store, index, merged))


def mend_states(store: Store, settings: Settings, at: str) -> Mending:
    """Merge states that are one screen and forget fragments, as `mending_of` plans it.

    In a transaction.
    """
    planned = mending_of(store, settings)
    states = {state.id: state for state in States(store).list()}
    merged = [
        merge_states(store, states[one.into], states[one.merged], one.similarity)
        for one in planned.merged
    ]
    marks = [{"id": f.component_id, "forgotten_at": at, "why": f.why} for f in planned.forgotten]
    store.execute_many(COMPONENTS.forget, marks)
    return Mending(merged, planned.forgotten)


def _fragments(
    store: Store, index: StateIndex, merged: Iterable[Merged]
) -> list[ForgottenComponent]:
    """Return the guessed components that lie in one of a better source on the same screen."""
    about = {row["id"]: row for row in store.rows(COMPONENTS.living)}
    result: dict[int, ForgottenComponent] = {}
    for one in merged:
        places = {**index.places(one.merged), **index.places(one.into)}
        better = [key for key in places if key in about and not is_guessed(about[key]["source"])]
        for key in places.keys() & about.keys() - set(better):
            least = FRAGMENT * places[key].area
            around = next((b for b in better if places[key].overlap(places[b]) > least), None)
            if around is not None and not about[key]["pinned"]:
                why = f"part of {about[around]['name']}"
                result[key] = ForgottenComponent(key, about[key]["name"], why)
    return sorted(result.values(), key=lambda gone: gone.component_id)
