"""One store as the page shows it: its graph as a picture, its components as a gallery."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from memctl.base import clock
from memctl.base.counting import counted
from memctl.reports.page.gallery import read_gallery
from memctl.reports.page.graph import read_graph
from memctl.reports.page.graph_view import graph_view, picture_of
from memctl.reports.page.looks import Shown, looks_of
from memctl.store import statements

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from memctl.reports.page.gallery import Gallery, GallerySection
    from memctl.reports.page.graph_view import GraphView
    from memctl.reports.page.pictures import PictureBudget
    from memctl.store.store import Store

SQL = statements.load("store/page")


@dataclass(frozen=True, slots=True)
class Figures:
    """Row counts of a store; forgotten components are counted apart."""

    components: int
    forgotten: int
    states: int
    transitions: int
    turns: int
    episodes: int
    facts: int
    observations: int


@dataclass(frozen=True, slots=True)
class StoreLimits:
    """Upper limits of the rows shown of one store."""

    states: int
    transitions: int
    components: int


@dataclass(frozen=True, slots=True)
class StoreView:
    """A store's sections of the page.

    Parameters
    ----------
    left_out
        How many components are not shown, in words; empty where all are.
    anchors, names, looks
        Ids on the page, names, and the pictures that tables asked for, by ids of components and
        states.
    """

    name: str
    anchor: str
    summary: str
    graph: GraphView | None
    gallery_about: str
    sections: tuple[GallerySection, ...]
    left_out: str
    anchors: Mapping[str, str]
    names: Mapping[str, str]
    looks: Mapping[str, tuple[Shown, ...]]


def read_figures(store: Store) -> Figures:
    """Count what a store holds."""
    row = store.row(SQL.figures, {"now": clock.now()})
    assert row is not None  # noqa: S101  (a select without a table has one row)
    return Figures(**dict(row))


def view_of(
    store: Store,
    name: str,
    anchor: str,
    figures: Figures,
    room: StoreLimits,
    budgets: tuple[PictureBudget, PictureBudget],
    asked: Iterable[str],
) -> StoreView:
    """Read what the page shows of a store, as it is at one moment.

    Parameters
    ----------
    name, anchor
        What it is called, and the id of its section.
    room
        How many of its states, transitions and components are shown.
    budgets
        What makes the pictures of screens, and those of components.
    asked
        Ids of components and states that tables show pictures of.
    """
    screens, crops = budgets
    with store.snapshot():
        graph = read_graph(store, most_states=room.states, most_transitions=room.transitions)
        among = len(graph.states)
        pictures = {
            state.id: picture_of(store, state.id, screens, among=among) for state in graph.states
        }
        looks = {
            each: _changed_screen(store, each, graph.name(each), screens)
            if each.startswith("s_")
            else looks_of(store, int(each), crops)
            for each in dict.fromkeys(asked)
        }
        total = figures.components, figures.forgotten
        gallery = read_gallery(
            store, graph, crops, anchor=anchor, most=room.components, total=total
        )
    targets = {one.state_id: one.anchor for one in gallery.sections if one.state_id}
    titles = {
        str(number): tile.title
        for section in gallery.sections
        for tile in section.tiles
        for number in tile.ids
    }
    return StoreView(
        name=name,
        anchor=anchor,
        summary=_summary(figures),
        graph=graph_view(graph, name, anchor, pictures, targets) if graph.states else None,
        gallery_about=_gallery_about(figures, gallery),
        sections=gallery.sections,
        left_out=f"{gallery.left_out:,} more components" if gallery.left_out else "",
        anchors={**targets, **{str(n): each for n, each in gallery.anchors().items()}},
        names={**titles, **{state.id: graph.name(state.id) for state in graph.states}},
        looks=looks,
    )


def _changed_screen(
    store: Store, state_id: str, name: str, budget: PictureBudget
) -> tuple[Shown, ...]:
    """Return a screen as it was learned and as it was seen last, where that differs."""
    before = picture_of(store, state_id, budget, kept=False)
    after = picture_of(store, state_id, budget, newest=True)
    shown = [
        Shown(picture, f"{name}, {told}", told)
        for picture, told in ((before, "as learned"), (after, "as seen last"))
        if picture
    ]
    same = before is not None and after is not None and before.address == after.address
    return tuple(shown[:1] if same else shown)


def _summary(figures: Figures) -> str:
    parts = [
        counted(figures.states, "screen"),
        counted(figures.transitions, "transition"),
        counted(figures.components, "component"),
        counted(figures.turns, "turn"),
        counted(figures.episodes, "episode"),
        counted(figures.facts, "fact"),
    ]
    return ", ".join(parts) + "."


def _gallery_about(figures: Figures, gallery: Gallery) -> str:
    parts = [counted(figures.components, "component")]
    if figures.forgotten:
        parts.append(f"{figures.forgotten:,} forgotten")
    stale = sum(tile.health == "stale" for section in gallery.sections for tile in section.tiles)
    if stale:
        parts.append(f"{stale:,} stale: grey, with the reason below")
    if gallery.left_out:
        parts.append(f"{gallery.count:,} shown, {gallery.left_out:,} more are not")
    return ", ".join(parts) + "."
