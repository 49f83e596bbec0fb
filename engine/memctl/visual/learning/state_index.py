"""The state index: every living state of a store, and the one that a screen shows."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from memctl.store import statements
from memctl.visual.boxes import Box
from memctl.visual.graph.naming import folded
from memctl.visual.graph.states import plain_jaccard
from memctl.visual.learning.ink import Ink, uncovered_edges
from memctl.visual.learning.similarity import (
    Element,
    ScreenContent,
    StateLayout,
    layout_move,
    rarity,
    visible,
    weighted_similarity,
)
from memctl.visual.match_results import StateMatch

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Mapping, Sequence

    from memctl.config.settings import Settings
    from memctl.store.store import Store
    from memctl.visual.frame import Frame
    from memctl.visual.learning.ink import EdgeMap
    from memctl.visual.learning.sightings import Sightings
    from memctl.visual.reading.boxes_file import GivenBox

__all__ = [
    "StateIndex",
    "components_of",
    "edges_of",
    "expected_on",
    "read_state_index",
    "recognise",
    "shown_state",
]


SQL = statements.load("store/state")
COMPONENTS = statements.load("store/component")

_LIKELY = 8  # states that are compared in full, by each of two orders


@dataclass(frozen=True)
class StateIndex:
    """All living states of a store: what defines them, and how rare each component is.

    Parameters
    ----------
    layouts
        State id to its components and their places.
    states
        State id to its name, page and status, as an answer shows them.
    names
        Living component id to its name.
    young
        Living components that were seen only once: seen again, they define states.
    kind
        ``"weighted"`` or ``"plain"``: how screens are compared.
    """

    layouts: Mapping[str, StateLayout]
    states: Mapping[str, StateMatch]
    names: Mapping[int, str]
    young: frozenset[int]
    kind: str

    def expected(self, state_id: str, move: tuple[int, int], width: int, height: int) -> set[int]:
        """Return the components that should be seen on a state, after a scroll.

        What was met there without defining it counts as long as it defines no other state:
        else it could never be forgotten, or would be forgotten here while it is at home there.
        """
        layout = self.layouts[state_id]
        own = {key: one for key, one in layout.optional.items() if key not in self.holders}
        return visible({**layout.defining, **own}, move, width, height)

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

    def identify(
        self, screen: ScreenContent, *, page: str | None, threshold: float
    ) -> tuple[str, float] | None:
        """Return the state that the screen shows and the similarity, or ``None``.

        Only states above `threshold` count, and never one that was learned under another
        page's name: a caller that names pages knows them apart.
        """
        best = max(self._scored(screen, page), key=lambda pair: (pair[1], pair[0]), default=None)
        return best if best and best[1] > threshold else None

    def _scored(self, screen: ScreenContent, page: str | None) -> Iterable[tuple[str, float]]:
        unknown = rarity(len(self.layouts), 1)
        strange = {-1 - number for number, _ in enumerate(screen.unknown)}
        for state_id in self._likely(screen, page):
            layout = self.layouts[state_id]
            if self.kind == "plain":
                yield state_id, plain_jaccard(layout.defining, {*screen.found, *strange})
            else:
                yield state_id, weighted_similarity(screen, layout, self.weights, unknown)

    def _likely(self, screen: ScreenContent, page: str | None) -> list[str]:
        """Return the states that share most with the screen: the others cannot be the best."""
        shared: dict[str, float] = defaultdict(float)
        for key in screen.found:
            for state_id in self.holders.get(key, ()):
                known = self.states[state_id].page
                if page is None or known is None or page == known:
                    shared[state_id] += 1 if self.kind == "plain" else self.weights[key]
        # A set that holds few of the screen's components may still be alike if it is small.
        share = {key: weight / self._mass[key] for key, weight in shared.items()}
        most = sorted(shared, key=lambda key: (-shared[key], key))[:_LIKELY]
        fullest = sorted(shared, key=lambda key: (-share[key], key))[:_LIKELY]
        return list(dict.fromkeys(most + fullest))

    @cached_property
    def _mass(self) -> Mapping[str, float]:
        return {
            state_id: len(layout.defining)
            if self.kind == "plain"
            else sum(self.weights[key] for key in layout.defining)
            for state_id, layout in self.layouts.items()
        }


def read_state_index(store: Store, settings: Settings) -> StateIndex:
    """Read every living state of a store."""
    members: dict[str, tuple[dict[int, Element], dict[int, Element]]] = {}
    sizes: dict[str, tuple[int, int]] = {}
    for row in store.rows(SQL.layouts):
        defining, optional = members.setdefault(row["state_id"], ({}, {}))
        sizes[row["state_id"]] = row["img_w"], row["img_h"]
        box = Box(row["x"], row["y"], row["w"], row["h"])
        thing = Element(box, folded(row["label"] or ""), row["type"])
        if row["defining"]:
            defining.setdefault(row["component_id"], thing)
            optional.pop(row["component_id"], None)
        elif row["component_id"] not in defining:
            optional.setdefault(row["component_id"], thing)
    inks = {row["id"]: Ink.unpacked(row["ink"]) for row in store.rows(SQL.inks)}
    layouts = {
        key: StateLayout(defining, optional, *sizes[key], ink=inks[key])
        for key, (defining, optional) in members.items()
    }
    states = {row["id"]: shown_state(row) for row in store.rows(SQL.living)}
    names = {row["id"]: row["name"] for row in store.rows(COMPONENTS.living)}
    young = frozenset(row["id"] for row in store.rows(COMPONENTS.seen_once))
    return StateIndex(layouts, states, names, young, str(settings.get("state_similarity")))


def recognise(
    settings: Settings,
    index: StateIndex,
    frame: Frame,
    seen: Sightings,
    unknown: Sequence[GivenBox],
    page: str | None,
) -> tuple[str, float] | None:
    """Return the known state that a screenshot shows and the similarity, or ``None``."""
    width, height = seen.size
    screen = ScreenContent(
        found=seen.places,
        unknown=[
            Element(seen.at_scale_one(one.box), folded(one.label), one.kind) for one in unknown
        ],
        width=width,
        height=height,
        ink=edges_of(frame, seen, unknown),
    )
    threshold = settings.number(f"state_match_{index.kind}")
    return index.identify(screen, page=page, threshold=threshold)


def expected_on(
    store: Store,
    settings: Settings,
    index: StateIndex,
    seen: Sightings,
    recognised: tuple[str, float] | None,
    page: str | None,
) -> list[int]:
    """Return the components that should be on this screen and were not found.

    Under ``forgetting = expected`` those are the recognised state's, except what a scroll
    moved off the screen, and those learned on the named page; under ``everywhere`` all.
    """
    everything = set(seen.misses)
    if settings.get("forgetting") == "everywhere":
        return sorted(everything)
    expected: set[int] = set()
    if recognised is not None:
        expected |= components_of(index, seen, recognised[0])
    elif page is not None:
        expected |= {row["id"] for row in store.rows(COMPONENTS.learned_on, {"page": page})}
    return sorted(expected & everything)


def edges_of(frame: Frame, seen: Sightings, boxes: Iterable[GivenBox]) -> EdgeMap:
    """Return the edges outside of the components that were found and of these boxes."""
    covered = [hit.box for hit in seen.hits.values()] + [one.box for one in boxes]
    return uncovered_edges(frame, seen.window, covered, scale=seen.scale)


def components_of(index: StateIndex, seen: Sightings, state_id: str) -> set[int]:
    """Return the state's components whose place, moved by the scroll, is on the screen."""
    move = layout_move(seen.places, index.layouts[state_id], *seen.size)
    return index.expected(state_id, move, *seen.size)


def shown_state(row: sqlite3.Row) -> StateMatch:
    """Return a row of a state as an answer shows it, with similarity 1."""
    return StateMatch(row["id"], row["name"], 1.0, row["status"], row["page"])
