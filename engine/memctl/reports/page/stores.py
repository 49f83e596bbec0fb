"""One store as the page shows it: its graph as a picture, its components as an atlas."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from memctl.reports.page.atlas import read_atlas
from memctl.reports.page.cells import counted
from memctl.reports.page.graph import read_graph
from memctl.reports.page.graph_view import graph_view, picture_of
from memctl.store import statements

if TYPE_CHECKING:
    from memctl.reports.page.atlas import Atlas, Shelf
    from memctl.reports.page.graph_view import GraphView
    from memctl.reports.page.pictures import Album
    from memctl.store.store import Store

__all__ = ["Figures", "Room", "StoreView", "read_figures", "view_of"]

SQL = statements.load("store/page")


@dataclass(frozen=True, slots=True)
class Figures:
    """How much a store holds, the forgotten apart."""

    components: int
    forgotten: int
    states: int
    ways: int
    turns: int
    episodes: int
    facts: int
    observations: int


@dataclass(frozen=True, slots=True)
class Room:
    """How much of one store is shown."""

    states: int
    ways: int
    components: int


@dataclass(frozen=True, slots=True)
class StoreView:
    """A store's section of the page."""

    name: str
    anchor: str
    summary: str
    graph: GraphView | None
    atlas_about: str
    shelves: tuple[Shelf, ...]


def read_figures(store: Store) -> Figures:
    """Count what a store holds."""
    row = store.row(SQL.figures)
    assert row is not None  # noqa: S101  (a select without a table has one row)
    return Figures(**dict(row))


def view_of(
    store: Store,
    name: str,
    anchor: str,
    figures: Figures,
    room: Room,
    albums: tuple[Album, Album],
) -> StoreView:
    """Read what the page shows of a store, as it is at one moment.

    Parameters
    ----------
    name, anchor
        What it is called, and the id of its section.
    room
        How many of its states, ways and components are shown.
    albums
        What makes the pictures of screens, and those of components.
    """
    screens, crops = albums
    with store.snapshot():
        graph = read_graph(store, most_states=room.states, most_ways=room.ways)
        atlas = read_atlas(store, graph, crops, anchor=anchor, most=room.components)
        pictures = {state.id: picture_of(store, state.id, screens) for state in graph.states}
    targets = {shelf.state_id: shelf.anchor for shelf in atlas.shelves if shelf.state_id}
    return StoreView(
        name=name,
        anchor=anchor,
        summary=_summary(figures),
        graph=graph_view(graph, name, anchor, pictures, targets) if graph.states else None,
        atlas_about=_atlas_about(figures, atlas),
        shelves=atlas.shelves,
    )


def _summary(figures: Figures) -> str:
    parts = [
        counted(figures.states, "screen"),
        counted(figures.ways, "transition"),
        counted(figures.components, "component"),
        counted(figures.turns, "turn"),
        counted(figures.episodes, "episode"),
        counted(figures.facts, "fact"),
    ]
    return ", ".join(parts) + "."


def _atlas_about(figures: Figures, atlas: Atlas) -> str:
    parts = [counted(figures.components, "component")]
    if figures.forgotten:
        parts.append(f"{figures.forgotten:,} forgotten")
    stale = sum(tile.health == "stale" for shelf in atlas.shelves for tile in shelf.tiles)
    if stale:
        parts.append(f"{stale:,} stale: grey, with the reason below")
    if atlas.left_out:
        parts.append(f"{atlas.left_out:,} not shown")
    return ", ".join(parts) + "."
