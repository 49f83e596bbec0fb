"""The state index: every living state of a store, as a screen is compared with it."""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import cv2
import numpy as np

from memctl.store import statements
from memctl.visual.boxes import Box
from memctl.visual.match_results import StateMatch
from memctl.visual.reading.image import decode_png
from memctl.visual.reading.word_shapes import WORD, boxes_of, outside, unpacked, words_in
from memctl.visual.recognition.similarity import StateLayout, rarity, visible
from memctl.visual.recognition.told_labels import RememberedLabel
from memctl.visual.recognition.word_index import WordIndex

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Mapping

    from memctl.config.settings import Settings
    from memctl.store.store import Store

__all__ = ["StateIndex", "read_state_index", "shown_state"]


SQL = statements.load("store/state")
COMPONENTS = statements.load("store/component")
TEMPLATES = statements.load("store/template")


@dataclass(frozen=True)
class StateIndex:
    """All living states of a store: what defines them, and how rare each component is.

    Parameters
    ----------
    layouts
        State id to its components and their places, and its words.
    states
        State id to its name, page and status, as an answer shows them.
    names
        Living component id to its name.
    young
        Living components that were seen only once: seen again, they define states.
    kind
        ``"weighted"`` or ``"plain"``: how screens are compared.
    fields
        Components whose contents are typed or chosen.
    labels
        Living component id to its label, where it has one.
    described
        States of an earlier memctl whose words were made now from their components.
    """

    layouts: Mapping[str, StateLayout]
    states: Mapping[str, StateMatch]
    names: Mapping[int, str]
    young: frozenset[int]
    kind: str
    fields: frozenset[int] = frozenset()
    labels: Mapping[int, RememberedLabel] = field(default_factory=dict)
    described: frozenset[str] = frozenset()

    def expected(self, state_id: str, move: tuple[int, int], width: int, height: int) -> set[int]:
        """Return the components that should be seen on a state, after a scroll.

        What was met there without defining it counts as long as it defines no other state:
        else it could never be forgotten, or would be forgotten here while it is at home there.
        """
        return visible(self.places(state_id), move, width, height)

    def places(self, state_id: str) -> Mapping[int, Box]:
        """Return where the components stood that should be seen on a state."""
        layout = self.layouts[state_id]
        own = {key: box for key, box in layout.optional.items() if key not in self.holders}
        places = {**layout.defining, **own}
        return {
            key: box
            for key, box in places.items()
            if not any(2 * box.overlap(area) > box.area for area in layout.ignored)
        }

    def may_show(self, page: str | None) -> set[str]:
        """Return the states of a page that a caller named, and those that nobody named."""
        if page is None:
            return set(self.layouts)
        return {key for key in self.layouts if self.states[key].page in {None, page}}

    @cached_property
    def complete(self) -> bool:
        """Whether all words of every state are known."""
        return all(layout.whole for layout in self.layouts.values())

    @cached_property
    def holders(self) -> Mapping[int, list[str]]:
        """Component id to the states that it defines."""
        holders: dict[int, list[str]] = {}
        for state_id, layout in self.layouts.items():
            for key in layout.defining:
                holders.setdefault(key, []).append(state_id)
        return holders

    @cached_property
    def weights(self) -> Mapping[int, float]:
        """Component id to its rarity; one that defines no state is as rare as can be."""
        states = len(self.layouts)
        return defaultdict(
            lambda: rarity(states, 1),
            {key: rarity(states, len(held)) for key, held in self.holders.items()},
        )

    @cached_property
    def words(self) -> WordIndex:
        """The words of all states."""
        return WordIndex({key: layout.words for key, layout in self.layouts.items()})


def read_state_index(store: Store, settings: Settings) -> StateIndex:
    """Read every living state of a store."""
    members: dict[str, tuple[dict[int, Box], dict[int, Box], dict[int, Box]]] = {}
    for row in store.rows(SQL.layouts):
        defining, optional, changing = members.setdefault(row["state_id"], ({}, {}, {}))
        box = Box(row["x"], row["y"], row["w"], row["h"])
        if row["changing"]:
            changing.setdefault(row["component_id"], box)
        elif row["defining"]:
            defining.setdefault(row["component_id"], box)
            optional.pop(row["component_id"], None)
        elif row["component_id"] not in defining:
            optional.setdefault(row["component_id"], box)
    layouts: dict[str, StateLayout] = {}
    described = set()
    for row in store.rows(SQL.screens):
        defining, optional, changing = members.get(row["id"], ({}, {}, {}))
        words, whole = row["words"], bool(row["words_whole"])
        if words is None:
            words, whole = _words_of_components(store, defining), False
            described.add(row["id"])
        size = row["img_w"], row["img_h"]
        layouts[row["id"]] = StateLayout(
            defining,
            optional,
            *size,
            unpacked(words),
            whole=whole,
            changing=changing,
            ignored=[Box(*area) for area in json.loads(row["ignored"])],
        )
    states = {row["id"]: shown_state(row) for row in store.rows(SQL.living)}
    living = store.rows(COMPONENTS.living)
    names = {row["id"]: row["name"] for row in living}
    fields = frozenset(row["id"] for row in living if row["field"])
    labels = {row["id"]: RememberedLabel.of(row) for row in living if row["label"]}
    young = frozenset(row["id"] for row in store.rows(COMPONENTS.seen_once))
    kind = str(settings.get("state_similarity"))
    return StateIndex(layouts, states, names, young, kind, fields, labels, frozenset(described))


def _words_of_components(store: Store, places: Mapping[int, Box]) -> bytes:
    """Return the words in the pictures of components, each at its place, as they are kept.

    So are states described that an earlier memctl has learned, which kept no words.

    Components nest: a word that two pictures show is described once, from the larger one.

    Parameters
    ----------
    places
        Component id to its place on the screen, at device-pixel ratio 1.
    """
    found = np.zeros(0, WORD)
    for key, place in sorted(places.items(), key=lambda item: -item[1].area):
        variants = store.rows(TEMPLATES.variants_of, {"component_id": key})
        if not variants:
            continue
        picture = decode_png(store.value(TEMPLATES.pixels, {"id": variants[0]["id"]}))
        gray = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
        if gray.shape != (place.h, place.w):
            gray = cv2.resize(gray, (place.w, place.h), interpolation=cv2.INTER_AREA)
        words = words_in(np.asarray(gray, np.uint8))
        words["x"] += place.x
        words["y"] += place.y
        known = (Box(*box) for box in boxes_of(found).tolist())
        found = np.concatenate([found, outside(words, known)])
    return found.tobytes()


def shown_state(row: sqlite3.Row) -> StateMatch:
    """Return a row of a state as an answer shows it, with similarity 1."""
    return StateMatch(row["id"], row["name"], 1.0, row["status"], row["page"])
