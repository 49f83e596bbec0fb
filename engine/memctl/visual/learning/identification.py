"""Which state a screen shows: recognise it, or create it, and merge what proves to be one."""

from __future__ import annotations

import hashlib
import json
from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from memctl.store import statements
from memctl.visual.boxes import Box
from memctl.visual.graph.naming import folded
from memctl.visual.graph.similarity import (
    Layout,
    Screen,
    Thing,
    plain_jaccard,
    rarity,
    visible,
    weighted_similarity,
)
from memctl.visual.graph.states import States, merge_states
from memctl.visual.learning.ink import Ink
from memctl.visual.match_results import Merged, StateMatch

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Collection, Iterable, Mapping

    from memctl.config.settings import Settings
    from memctl.store.store import Store

__all__ = ["Atlas", "create_state", "merge_alike", "read_atlas"]

SQL = statements.load("store/state")
COMPONENTS = statements.load("store/component")

_ID_DIGITS = 6
_LIKELY = 8  # states that are compared in full, by each of two orders


@dataclass(frozen=True)
class Atlas:
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

    layouts: Mapping[str, Layout]
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
        self, screen: Screen, *, page: str | None, threshold: float
    ) -> tuple[str, float] | None:
        """Return the state that the screen shows and the similarity, or ``None``.

        Only states above `threshold` count, and never one that was learned under another
        page's name: a caller that names pages knows them apart.
        """
        best = max(self._scored(screen, page), key=lambda pair: (pair[1], pair[0]), default=None)
        return best if best and best[1] > threshold else None

    def _scored(self, screen: Screen, page: str | None) -> Iterable[tuple[str, float]]:
        unknown = rarity(len(self.layouts), 1)
        strange = {-1 - number for number, _ in enumerate(screen.unknown)}
        for state_id in self._likely(screen, page):
            layout = self.layouts[state_id]
            if self.kind == "plain":
                yield state_id, plain_jaccard(layout.defining, {*screen.found, *strange})
            else:
                yield state_id, weighted_similarity(screen, layout, self.weights, unknown)

    def _likely(self, screen: Screen, page: str | None) -> list[str]:
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


def read_atlas(store: Store, settings: Settings) -> Atlas:
    """Read every living state of a store."""
    members: dict[str, tuple[dict[int, Thing], dict[int, Thing]]] = {}
    sizes: dict[str, tuple[int, int]] = {}
    for row in store.rows(SQL.layouts):
        defining, optional = members.setdefault(row["state_id"], ({}, {}))
        sizes[row["state_id"]] = row["img_w"], row["img_h"]
        box = Box(row["x"], row["y"], row["w"], row["h"])
        thing = Thing(box, folded(row["label"] or ""), row["type"])
        if row["defining"]:
            defining.setdefault(row["component_id"], thing)
            optional.pop(row["component_id"], None)
        elif row["component_id"] not in defining:
            optional.setdefault(row["component_id"], thing)
    inks = {row["id"]: Ink.unpacked(row["ink"]) for row in store.rows(SQL.inks)}
    layouts = {
        key: Layout(defining, optional, *sizes[key], ink=inks[key])
        for key, (defining, optional) in members.items()
    }
    states = {row["id"]: _shown(row) for row in store.rows(SQL.living)}
    names = {row["id"]: row["name"] for row in store.rows(COMPONENTS.living)}
    young = frozenset(row["id"] for row in store.rows(COMPONENTS.seen_once))
    return Atlas(layouts, states, names, young, str(settings.get("state_similarity")))


def state_match(store: Store, state_id: str, similarity: float) -> StateMatch:
    """Return a living state as an answer shows it, from the store as it is now."""
    row = next(row for row in store.rows(SQL.living) if row["id"] == state_id)
    return replace(_shown(row), similarity=round(similarity, 4))


def create_state(
    store: Store,
    places: Mapping[int, tuple[int, int]],
    names: Collection[str],
    *,
    page: str | None,
    size: tuple[int, int],
    ink: Ink,
    seen_at: str,
) -> str:
    """Write a provisional state defined by all that is on the screen. In a transaction.

    Parameters
    ----------
    places
        Component id to its left top corner from the window's, in pixels.
    names
        The components' names; the id is made of them.
    """
    state_id = _free_id(store, names)
    store.execute(
        SQL.insert_state,
        {
            "id": state_id,
            "page": page,
            "seen_at": seen_at,
            "img_w": size[0],
            "img_h": size[1],
            "ink": ink.packed(),
        },
    )
    store.execute_many(
        SQL.insert_state_component,
        [
            {"state_id": state_id, "component_id": key, "defining": 1, "x": x, "y": y}
            for key, (x, y) in places.items()
        ],
    )
    return state_id


def merge_alike(store: Store, settings: Settings, state_id: str, threshold: float) -> list[Merged]:
    """Merge every confirmed state that is nearly the same set as this one. In a transaction.

    Two states that a caller named as different pages are never merged.
    """
    sets, about = _read_sets(store)
    if state_id not in sets or about[state_id][0] != "confirmed":
        return []
    weights = _set_weights(sets) if settings.get("state_similarity") == "weighted" else None
    alike = {}
    for other in sorted(sets.keys() - {state_id}):
        pages = {about[state_id][1], about[other][1]} - {None}
        if about[other][0] == "confirmed" and len(pages) <= 1:
            similarity = _set_similarity(sets[state_id], sets[other], weights)
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


def _set_weights(sets: Mapping[str, set[int]]) -> Mapping[int, float]:
    holding = Counter(key for own in sets.values() for key in own)
    return {key: rarity(len(sets), number) for key, number in holding.items()}


def _set_similarity(one: set[int], other: set[int], weights: Mapping[int, float] | None) -> float:
    if weights is None:
        return plain_jaccard(one, other)
    union = sum(weights[key] for key in one | other)
    return sum(weights[key] for key in one & other) / union if union else 0.0


def _free_id(store: Store, names: Collection[str]) -> str:
    """Return ``s_`` and as many hex digits of the names' hash as no other state has."""
    digest = hashlib.sha256(json.dumps(sorted(names)).encode()).hexdigest()
    for digits in range(_ID_DIGITS, len(digest) + 1):
        state_id = f"s_{digest[:digits]}"
        if store.row(SQL.any_state, {"id": state_id}) is None:
            return state_id
    number = 2
    while store.row(SQL.any_state, {"id": f"s_{digest}_{number}"}) is not None:
        number += 1
    return f"s_{digest}_{number}"


def _shown(row: sqlite3.Row) -> StateMatch:
    return StateMatch(row["id"], row["name"], 1.0, row["status"], row["page"])
