"""The component gallery: every component's picture once, by the screens it stands on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from memctl.store import statements
from memctl.visual.graph.components import Components

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from memctl.reports.page.graph import Graph
    from memctl.reports.page.pictures import Picture, PictureBudget
    from memctl.store.store import Store
    from memctl.visual.graph.components import Component

__all__ = ["Gallery", "GallerySection", "Tile", "read_gallery"]

SQL = statements.load("store/page")

Health = Literal["fresh", "stale", "forgotten"]


@dataclass(frozen=True, slots=True)
class Tile:
    """One component in the gallery; ``why`` says why it is stale or forgotten."""

    picture: Picture | None
    alt: str
    title: str
    more: str
    health: Health
    why: str


@dataclass(frozen=True, slots=True)
class GallerySection:
    """Components that belong together: those of one screen, of several, of none, forgotten.

    ``state_id`` is that of the one screen, ``None`` for the others.
    """

    anchor: str
    title: str
    state_id: str | None
    tiles: tuple[Tile, ...]


@dataclass(frozen=True, slots=True)
class Gallery:
    """The sections of a store, and how many components there was no room for."""

    sections: tuple[GallerySection, ...]
    left_out: int


def read_gallery(
    store: Store, graph: Graph, budget: PictureBudget, *, anchor: str, most: int
) -> Gallery:
    """Read the components of a store, those on shown screens and the most seen ones first.

    Parameters
    ----------
    graph
        The screens that are shown; each has a section of its own.
    budget
        What makes the pictures.
    anchor
        What the sections' ids begin with.
    most
        How many components are shown.
    """
    components = Components(store)
    living = sorted(components.list(), key=lambda one: (-one.seen_count, one.id))
    forgotten = sorted(
        components.list(forgotten=True), key=lambda one: one.forgotten_at or "", reverse=True
    )
    # A tenth of the room is for the forgotten, more where the living leave some.
    kept = max(most - len(living), most // 10)
    gone = forgotten[:kept]
    here = living[: most - len(gone)]
    membership = _membership(store)
    sections = _sections(graph, here, membership)
    if gone:
        sections.append(("Forgotten", None, gone))
    return Gallery(
        tuple(
            GallerySection(
                anchor=f"{anchor}-section-{number}",
                title=title,
                state_id=state_id,
                tiles=tuple(_tile(store, budget, one, membership) for one in found),
            )
            for number, (title, state_id, found) in enumerate(sections, 1)
        ),
        len(living) + len(forgotten) - len(here) - len(gone),
    )


def _membership(store: Store) -> Mapping[int, Sequence[str]]:
    found: dict[int, list[str]] = {}
    for row in store.rows(SQL.membership):
        found.setdefault(row["component_id"], []).append(row["state_id"])
    return found


def _sections(
    graph: Graph, living: Sequence[Component], membership: Mapping[int, Sequence[str]]
) -> list[tuple[str, str | None, list[Component]]]:
    """Return title, state and components of each section that has any."""
    shared: list[Component] = []
    single: dict[str, list[Component]] = {state.id: [] for state in graph.states}
    other: list[Component] = []
    for component in living:
        screens = membership.get(component.id, ())
        if len(screens) > 1:
            shared.append(component)
        elif screens and screens[0] in single:
            single[screens[0]].append(component)
        else:
            other.append(component)
    sections: list[tuple[str, str | None, list[Component]]] = [
        ("On several screens", None, shared),
        *((graph.name(state_id), state_id, found) for state_id, found in single.items()),
        ("Elsewhere", None, other),
    ]
    return [section for section in sections if section[2]]


def _tile(
    store: Store,
    budget: PictureBudget,
    component: Component,
    membership: Mapping[int, Sequence[str]],
) -> Tile:
    health, why = _health(component)
    screens = len(membership.get(component.id, ()))
    more = [f"{component.type}, seen {component.seen_count:,}\N{MULTIPLICATION SIGN}"]
    more += [f"{component.looks} looks"] * (component.looks > 1)
    more += [f"on {screens} screens"] * (screens > 1)
    more += ["pinned"] * component.pinned
    return Tile(
        picture=budget.crop(store.value(SQL.look, {"component_id": component.id})),
        alt=f"{component.type} {component.label or component.name}",
        title=component.name,
        more=", ".join(more),
        health=health,
        why=why,
    )


def _health(component: Component) -> tuple[Health, str]:
    if component.forgotten_at is not None:
        return "forgotten", f"forgotten {component.forgotten_at[:10]}: {component.forgotten_why}"
    misses = component.consecutive_misses
    if not misses:
        return "fresh", ""
    times = "once" if misses == 1 else f"{misses} times in a row"
    return "stale", f"stale: missed {times}, last seen {component.last_seen_at[:10]}"
