"""Mending states: those that are one screen are merged, and fragments of components forgotten.

An earlier memctl made two states of a screen that was learned with boxes and without, and learned
parts of its components again.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

from memctl.store import statements
from memctl.visual.graph.states import States, merge_states
from memctl.visual.learning.known_boxes import FRAGMENT, is_guessed
from memctl.visual.match_results import ForgottenComponent, Merged
from memctl.visual.recognition.recognition import states_alike
from memctl.visual.recognition.state_index import read_state_index

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memctl.config.settings import Settings
    from memctl.store.store import Store
    from memctl.visual.boxes import Box
    from memctl.visual.recognition.state_index import StateIndex

COMPONENTS = statements.load("store/component")
STATES = statements.load("store/state")


@dataclass(frozen=True, slots=True)
class Mending:
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
    same = {frozenset((row["one"], row["other"])) for row in store.rows(STATES.of_one_screenshot)}
    ids = [state.id for state in States(store).list()]
    merged: list[Merged] = []
    gone: set[str] = set()
    for one, other in combinations(ids, 2):
        if gone & {one, other} or not _may_be_one(index, one, other):
            continue
        alike = 1.0 if frozenset((one, other)) in same else states_alike(index, one, other)
        if alike > least:
            merged.append(Merged(other, one, round(alike, 4)))
            gone.add(other)
    return Mending(merged, _fragments(store, index, merged))


def mend_states(store: Store, settings: Settings, at: str) -> Mending:
    """Merge states that are one screen and forget fragments; `mending_of` says which.

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


def _may_be_one(index: StateIndex, one: str, other: str) -> bool:
    pages = {index.states[one].page, index.states[other].page} - {None}
    return len(pages) <= 1 and index.layouts[one].size == index.layouts[other].size


def _fragments(
    store: Store, index: StateIndex, merged: Iterable[Merged]
) -> list[ForgottenComponent]:
    """Return the guessed components that lie in one of a better source on the same screen."""
    about = {row["id"]: row for row in store.rows(COMPONENTS.living)}
    found: dict[int, ForgottenComponent] = {}
    for one in merged:
        places = {**index.places(one.merged), **index.places(one.into)}
        better = [key for key in places if key in about and not is_guessed(about[key]["source"])]
        for key in places.keys() & about.keys() - set(better):
            around = next((b for b in better if _inside(places[key], places[b])), None)
            if around is not None and not about[key]["pinned"]:
                why = f"part of {about[around]['name']}"
                found[key] = ForgottenComponent(key, about[key]["name"], why)
    return sorted(found.values(), key=lambda gone: gone.component_id)


def _inside(small: Box, large: Box) -> bool:
    return small.overlap(large) > FRAGMENT * small.area
