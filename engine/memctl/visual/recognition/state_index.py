"""The state index: every living state of a store, as a screen is compared with it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import cv2
import numpy as np

from memctl.store import statements
from memctl.visual.boxes import Box, lies_in
from memctl.visual.graph.naming import folded
from memctl.visual.ignored_areas import IgnoredArea
from memctl.visual.match_results import StateMatch
from memctl.visual.reading.image import decode_png
from memctl.visual.recognition.page_labels import PageLabel, RememberedLabel, page_labels
from memctl.visual.recognition.shown_screen import (
    WORD,
    Words,
    boxes_of,
    outside,
    unpacked_look,
    unpacked_words,
    words_in,
)
from memctl.visual.recognition.word_index import WordIndex, rarity

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from memctl.store.store import Store
    from memctl.visual.recognition.shown_screen import Look

    Coarse = NDArray[np.float32]


_SIZE_SLACK = 1  # pixels by which a size may differ when another scale is divided out


@dataclass(frozen=True, slots=True)
class StateLayout:
    """A known state."""

    defining: Mapping[int, Box]  # component id to its place as it was when the state was first seen
    # components met there once, or on later visits: their presence and absence say nothing
    optional: Mapping[int, Box]
    # width, height: the screenshot that the state was first seen on, in pixels
    width: int
    height: int
    words: Words = field(default_factory=lambda: np.zeros(0, WORD))  # the words on it
    whole: bool = True  # false where the words of its components alone are known
    # components whose places are known to change: neither they nor the words there count
    changing: Mapping[int, Box] = field(default_factory=dict)
    # its look; ``None`` where nobody has seen the whole screen as it stands
    look: Look | None = None
    ignored: Sequence[IgnoredArea] = ()  # what a person wants left out of every comparison

    @property
    def size(self) -> tuple[int, int]:
        """Width and height."""
        return self.width, self.height

    @property
    def hidden(self) -> list[Box]:
        """What is not compared: places that change, and areas that a person leaves out."""
        return [*self.changing.values(), *(area.box for area in self.ignored)]


def same_sides(layout: StateLayout, width: float, height: float) -> tuple[bool, bool]:
    """Return whether a screen is as wide, and as high, as a state was.

    A window of another width or height (in pixels at scale 1) was laid out anew along that
    side: what moved there, as things at the right edge do, was not scrolled.
    """
    return abs(width - layout.width) <= _SIZE_SLACK, abs(height - layout.height) <= _SIZE_SLACK


SQL = statements.load("store/state")
COMPONENTS = statements.load("store/component")
TEMPLATES = statements.load("store/template")

_NEAREST = 4  # states that are compared because of their look


@dataclass(frozen=True)
class StateIndex:
    """All living states of a store: what defines them, and how rare each component is."""

    layouts: Mapping[str, StateLayout]  # state id to its components and their places, and its words
    # state id to its name, page and status, as an answer shows them
    states: Mapping[str, StateMatch]
    names: Mapping[int, str]  # living component id to its name
    # living components that were seen only once: seen again, they define states
    young: frozenset[int]
    fields: frozenset[int] = frozenset()  # components whose contents are typed or chosen
    # living component id to its label and its row, where it has either
    labels: Mapping[int, RememberedLabel] = field(default_factory=dict)
    # states that came without words, whose words were made now from their components
    described: frozenset[str] = frozenset()

    def places(self, state_id: str) -> Mapping[int, Box]:
        """Return the places of the components that should be seen on a state.

        What was met there without defining it counts as long as it defines no other state:
        else it could never be forgotten, or would be forgotten here while it is at home there.
        """
        layout = self.layouts[state_id]
        own = {key: box for key, box in layout.optional.items() if key not in self.holders}
        places = {**layout.defining, **own}
        areas = [area.box for area in layout.ignored]
        return {key: box for key, box in places.items() if not lies_in(box, areas)}

    def expected(self, state_id: str | None, page: str | None) -> set[int]:
        """Return the components that should be on a state, or without one on any of a page."""
        if state_id is None:
            own = [
                key for key, state in self.states.items() if page is not None and state.page == page
            ]
        else:
            own = [state_id]
        return set[int]().union(*map(self.places, own))

    def may_show(self, page: str | None) -> set[str]:
        """Return the states of a page that a caller named, and those that nobody named."""
        if page is None:
            return set(self.layouts)
        return {key for key in self.layouts if self.states[key].page in {None, page}}

    @cached_property
    def complete(self) -> bool:
        """Whether all words and the look of every state are known."""
        return all(map(self.knows, self.layouts))

    def knows(self, state_id: str) -> bool:
        """Return True if all words of a state and its look are known."""
        layout = self.layouts[state_id]
        return layout.whole and layout.look is not None

    @cached_property
    def holders(self) -> Mapping[int, list[str]]:
        """Component id to the states that it defines."""
        holders: dict[int, list[str]] = {}
        for state_id, layout in self.layouts.items():
            for key in layout.defining:
                holders.setdefault(key, []).append(state_id)
        return holders

    def labels_on(self, state_id: str) -> frozenset[PageLabel]:
        """Return the labels of a state that are in no row of a table."""
        return self._labels_by_state[state_id]

    def called(self, state_id: str, labels: Iterable[PageLabel]) -> list[int]:
        """Return the components that define a state whose label is among some."""
        result = {(source, label) for source, label, _ in labels}
        known = ((key, self.labels.get(key)) for key in self.layouts[state_id].defining)
        return [key for key, one in known if one and (one.source, folded(one.label)) in result]

    def label_weight(self, label: PageLabel) -> float:
        """Return the weight of a label by how many states have it, as that of a word."""
        return rarity(len(self.layouts), self._label_holding[label])

    @cached_property
    def _labels_by_state(self) -> Mapping[str, frozenset[PageLabel]]:
        return {
            key: page_labels(
                self.labels[one]
                for one in self.places(key).keys() & self.labels.keys()
                if one in layout.defining
            )
            for key, layout in self.layouts.items()
        }

    @cached_property
    def _label_holding(self) -> Counter[PageLabel]:
        return Counter(label for labels in self._labels_by_state.values() for label in labels)

    def called_like(self, labels: frozenset[PageLabel], allowed: Collection[str]) -> list[str]:
        """Return the states that share most labels with a screen."""
        shared = {key: len(self.labels_on(key) & labels) for key in allowed} if labels else {}
        return sorted((key for key in shared if shared[key]), key=lambda key: -shared[key])[
            :_NEAREST
        ]

    def looking_like(self, look: Look, allowed: Collection[str]) -> list[str]:
        """Return the states of a screen's size that look most like it: words may be few."""
        names, looks = self._coarse_looks.get(look.shape, ((), None))
        if looks is None:
            return []
        away = np.abs(looks - _coarse(look)).mean(axis=(1, 2))
        nearest = [names[at] for at in np.argsort(away, kind="stable").tolist()]
        return [name for name in nearest if name in allowed][:_NEAREST]

    @cached_property
    def _coarse_looks(self) -> Mapping[tuple[int, ...], tuple[Sequence[str], Coarse]]:
        """Shape of a look to the states that have such a look, and all of these, coarsely."""
        groups: dict[tuple[int, ...], list[str]] = {}
        for key, layout in self.layouts.items():
            if layout.look is not None:
                groups.setdefault(layout.look.shape, []).append(key)
        return {
            shape: (names, np.stack([_coarse(self._look(name)) for name in names]))
            for shape, names in groups.items()
        }

    def _look(self, state_id: str) -> Look:
        look = self.layouts[state_id].look
        return np.zeros((0, 0), np.uint8) if look is None else look

    @cached_property
    def words(self) -> WordIndex:
        """The words of all states."""
        return WordIndex({key: layout.words for key, layout in self.layouts.items()})


def read_state_index(store: Store) -> StateIndex:
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
    ignored: dict[str, list[IgnoredArea]] = {}
    for row in store.rows(SQL.ignored, {"id": None}):
        ignored.setdefault(row["state_id"], []).append(IgnoredArea.of(row))
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
            unpacked_words(words),
            whole=whole,
            changing=changing,
            look=unpacked_look(row["look"], size),
            ignored=ignored.get(row["id"], ()),
        )
    states = {row["id"]: shown_state(row) for row in store.rows(SQL.living)}
    living = store.rows(COMPONENTS.living)
    names = {row["id"]: row["name"] for row in living}
    fields = frozenset(row["id"] for row in living if row["field"])
    called = [row for row in living if row["label"] or row["row_text"]]
    labels = {row["id"]: RememberedLabel.of(row) for row in called}
    young = frozenset(row["id"] for row in store.rows(COMPONENTS.seen_once))
    return StateIndex(layouts, states, names, young, fields, labels, frozenset(described))


def _words_of_components(store: Store, places: Mapping[int, Box]) -> bytes:
    """Return the words in the pictures of components, each at its place, as they are kept.

    So are states described that came in a pack, which holds no words.

    Components nest: a word that two pictures show is described once, from the larger one.

    ``places``: component id to its place on the screen, at device-pixel ratio 1.
    """
    found = np.zeros(0, WORD)
    for key, place in sorted(places.items(), key=lambda item: -item[1].area):
        templates = store.rows(TEMPLATES.templates_of, {"component_id": key})
        if not templates:
            continue
        picture = decode_png(store.value(TEMPLATES.pixels, {"id": templates[0]["id"]}))
        gray = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
        if gray.shape != (place.h, place.w):
            gray = cv2.resize(gray, (place.w, place.h), interpolation=cv2.INTER_AREA)
        words = words_in(np.asarray(gray, np.uint8))
        words["x"] += place.x
        words["y"] += place.y
        known = (Box(*box) for box in boxes_of(found).tolist())
        found = np.concatenate([found, outside(words, known)])
    return found.tobytes()


def _coarse(look: Look) -> Coarse:
    """Return a look in a quarter of its rows and columns."""
    size = max(look.shape[1] // 4, 1), max(look.shape[0] // 4, 1)
    return np.asarray(cv2.resize(look, size, interpolation=cv2.INTER_AREA), np.float32)


def shown_state(row: sqlite3.Row) -> StateMatch:
    """Return a row of a state as an answer shows it, with similarity 1."""
    return StateMatch(row["id"], row["name"], 1.0, row["status"], row["page"])
