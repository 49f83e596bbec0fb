"""Which state a screen shows: recognise it, or create it, and merge what proves to be one."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memctl import queries
from memctl.visual.boxes import Box
from memctl.visual.ink import Ink
from memctl.visual.naming import folded
from memctl.visual.results import Merged, StateMatch
from memctl.visual.similarity import (
    Layout,
    Screen,
    Thing,
    plain_jaccard,
    rarity,
    weighted_similarity,
)
from memctl.visual.states import States, merge_states

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from memctl.settings import Settings
    from memctl.store import Store

__all__ = ["Atlas", "create_state", "merge_alike", "read_atlas"]

SQL = queries.load("store/state")

_ID_DIGITS = 6


@dataclass(frozen=True)
class Atlas:
    """All living states of a store: what defines them, and how rare each component is.

    Parameters
    ----------
    layouts
        State id to its components and their places.
    pages
        State id to the page that a caller named for it.
    kind
        ``"weighted"`` or ``"plain"``: how screens are compared.
    """

    layouts: Mapping[str, Layout]
    pages: Mapping[str, str | None]
    kind: str

    def weights(self) -> dict[int, float]:
        """Return each known component's rarity."""
        held = Counter(key for layout in self.layouts.values() for key in layout.defining)
        states = len(self.layouts)
        return {key: rarity(states, count) for key, count in held.items()}

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
        weights = self.weights()
        for key in screen.found:
            weights.setdefault(key, rarity(len(self.layouts), 1))
        unknown = rarity(len(self.layouts), 1)
        for state_id, layout in self.layouts.items():
            known = self.pages[state_id]
            if page is not None and known is not None and page != known:
                continue
            if not layout.defining.keys() & screen.found.keys():
                continue
            if self.kind == "plain":
                strange = {-1 - number for number, _ in enumerate(screen.unknown)}
                yield state_id, plain_jaccard(layout.defining, {*screen.found, *strange})
            else:
                yield state_id, weighted_similarity(screen, layout, weights, unknown)


def read_atlas(store: Store, settings: Settings) -> Atlas:
    """Read every living state of a store."""
    members: dict[str, tuple[dict[int, Thing], set[int]]] = {}
    sizes: dict[str, tuple[int, int]] = {}
    for row in store.rows(SQL.layouts):
        defining, optional = members.setdefault(row["state_id"], ({}, set()))
        sizes[row["state_id"]] = row["img_w"], row["img_h"]
        if row["defining"]:
            box = Box(row["x"], row["y"], row["w"], row["h"])
            thing = Thing(box, folded(row["label"] or ""), row["type"])
            defining.setdefault(row["component_id"], thing)
            optional.discard(row["component_id"])
        elif row["component_id"] not in defining:
            optional.add(row["component_id"])
    inks = {row["id"]: Ink.unpacked(row["ink"]) for row in store.rows(SQL.inks)}
    layouts = {
        key: Layout(defining, optional, *sizes[key], ink=inks[key])
        for key, (defining, optional) in members.items()
    }
    pages = {row["id"]: row["page"] for row in store.rows(SQL.living)}
    return Atlas(layouts, pages, str(settings.get("state_similarity")))


def state_match(store: Store, state_id: str, similarity: float) -> StateMatch:
    """Return a state as an answer shows it."""
    row = next(row for row in store.rows(SQL.living) if row["id"] == state_id)
    return StateMatch(state_id, row["name"], round(similarity, 4), row["status"], row["page"])


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
    atlas = read_atlas(store, settings)
    states = {state.id: state for state in States(store).list()}
    merged: list[Merged] = []
    for other in sorted(atlas.layouts.keys() - {state_id}):
        one = atlas.layouts.get(state_id)
        pages = {atlas.pages[state_id], atlas.pages[other]} - {None}
        if one is None or len(pages) > 1 or not _both_confirmed(states, state_id, other):
            continue
        similarity = _set_similarity(atlas, one, atlas.layouts[other])
        if similarity > threshold:
            result = merge_states(store, states[state_id], states[other], similarity)
            merged.append(result)
            if result.merged == state_id:
                break
    return merged


def _both_confirmed(states: Mapping[str, object], one: str, other: str) -> bool:
    return all(getattr(states[key], "status", "") == "confirmed" for key in (one, other))


def _set_similarity(atlas: Atlas, one: Layout, other: Layout) -> float:
    if atlas.kind == "plain":
        return plain_jaccard(one.defining, other.defining)
    weights = atlas.weights()
    shared = sum(weights[key] for key in one.defining.keys() & other.defining.keys())
    union = sum(weights[key] for key in one.defining.keys() | other.defining.keys())
    return shared / union if union else 0.0


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
