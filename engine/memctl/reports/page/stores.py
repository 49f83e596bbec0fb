"""Stores of the page: all of them counted, the graphs and components of some shown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from memctl.base import clock
from memctl.base.counting import counted
from memctl.base.errors import MemctlError
from memctl.base.home import Address
from memctl.reports.loading import skipped
from memctl.reports.page.gallery import read_gallery
from memctl.reports.page.graph import graph_view, read_graph
from memctl.reports.page.pictures import Pictures, component_looks, screen_looks
from memctl.reports.sources import distinct
from memctl.store import statements
from memctl.store.store import Store

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from memctl.reports.answers import Skipped
    from memctl.reports.page.gallery import GallerySection
    from memctl.reports.page.graph import Graph, GraphView
    from memctl.reports.page.pictures import ShownLook
    from memctl.reports.sources import Source

SQL = statements.load("store/page")

MOST_STORES = 12
"""Stores whose graph and components are shown: the most looked at."""
_MOST_STATES, _MOST_TRANSITIONS = 40, 400  # of one store
# Of all stores together, as much of each: screens, components, and bytes of pictures.
_ALL_STATES, _ALL_COMPONENTS, _ALL_BYTES = 120, 1_200, 1_200_000


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
class StoreView:
    """A store's sections of the page.

    Parameters
    ----------
    left_out
        How many components are not shown, and the command that lists them; empty where all are.
    anchors, names, looks
        Ids on the page, names, and the pictures that tables asked for, by ids of components and
        states.
    """

    name: str
    anchor: str
    summary: str
    graph: Graph
    drawing: GraphView | None
    gallery_about: str
    sections: tuple[GallerySection, ...]
    left_out: str
    anchors: Mapping[str, str]
    names: Mapping[str, str]
    looks: Mapping[str, tuple[ShownLook, ...]]


@dataclass(frozen=True, slots=True)
class ShownStores:
    """Stores of the page: their figures, their views, and those that were skipped.

    Parameters
    ----------
    names, figures
        Of every store that could be read, in the order that was asked.
    views
        What is shown, the store with the most observations first.
    unseen
        Names of stores that have screens or components and are not among `views`.
    pictures_left_out
        How many pictures there was no room for.
    """

    names: tuple[str, ...]
    figures: tuple[Figures, ...]
    views: tuple[StoreView, ...]
    unseen: tuple[str, ...]
    skipped: tuple[Skipped, ...]
    pictures_left_out: int


def read_stores(
    sources: Iterable[Source],
    asked: Mapping[str, Iterable[str]],
    progress: Callable[[str], object],
) -> ShownStores:
    """Count the rows of stores and read the page's data; one file is open at a time.

    Parameters
    ----------
    asked
        Ids of components and states that tables show pictures of, by store.
    progress
        Called with what is done next, before it is done.
    """
    read: list[tuple[Source, Figures]] = []
    unread: list[Skipped] = []
    for source in distinct(sources):
        try:
            with _opened(source) as store:
                read.append((source, _figures(store)))
        except MemctlError as error:
            unread.append(skipped(source, error))
    visual = [pair for pair in read if pair[1].states or pair[1].components]
    visual.sort(key=lambda pair: -pair[1].observations)
    shown = visual[:MOST_STORES]
    views = []
    left_out = 0
    for number, (source, figures) in enumerate(shown, 1):
        progress(f"drawing the screens of {source.name}")
        pictures = Pictures(_ALL_BYTES // len(shown))
        try:
            with _opened(source) as store, store.snapshot():
                views.append(
                    _view(
                        store,
                        source,
                        f"store-{number}",
                        figures,
                        pictures,
                        asked.get(source.name, ()),
                        (
                            min(_ALL_STATES // len(shown), _MOST_STATES),
                            _ALL_COMPONENTS // len(shown),
                        ),
                    )
                )
            left_out += pictures.left_out
        except MemctlError as error:
            unread.append(skipped(source, error))
    return ShownStores(
        names=tuple(source.name for source, _ in read),
        figures=tuple(figures for _, figures in read),
        views=tuple(views),
        unseen=tuple(source.name for source, _ in visual[MOST_STORES:]),
        skipped=tuple(unread),
        pictures_left_out=left_out,
    )


def _opened(source: Source) -> Store:
    return Store(source.path, Address(source.name), readonly=True)


def _figures(store: Store) -> Figures:
    row = store.row(SQL.figures, {"now": clock.now()})
    assert row is not None  # noqa: S101  (a select without a table has one row)
    return Figures(**dict(row))


def _view(
    store: Store,
    source: Source,
    anchor: str,
    figures: Figures,
    pictures: Pictures,
    asked: Iterable[str],
    most: tuple[int, int],
) -> StoreView:
    graph = read_graph(store, most_states=most[0], most_transitions=_MOST_TRANSITIONS)
    screens = {state.id: pictures.screen(store, state.id) for state in graph.states}
    looks = {
        each: screen_looks(store, each, graph.names.get(each, each), pictures)
        if each.startswith("s_")
        else component_looks(store, int(each), pictures)
        for each in dict.fromkeys(asked)
    }
    sections = read_gallery(store, graph, pictures, anchor=anchor, most=most[1])
    targets = {section.state_id: section.anchor for section in sections if section.state_id}
    tiles = {
        str(number): tile for section in sections for tile in section.tiles for number in tile.ids
    }
    left = figures.components + figures.forgotten - len(tiles)
    return StoreView(
        name=source.name,
        anchor=anchor,
        summary=_summary(figures),
        graph=graph,
        drawing=graph_view(graph, screens, targets, source.command) if graph.states else None,
        gallery_about=_gallery_about(figures, sections),
        sections=sections,
        left_out=f"{counted(left, 'more component')}: {source.command or 'memctl'} components list"
        if left > 0
        else "",
        anchors={**targets, **{number: tile.anchor for number, tile in tiles.items()}},
        names={**{number: tile.title for number, tile in tiles.items()}, **graph.names},
        looks=looks,
    )


def _summary(figures: Figures) -> str:
    names = ("states", "transitions", "components", "turns", "episodes", "facts")
    nouns = ("screen", *(name.removesuffix("s") for name in names[1:]))
    counts = (getattr(figures, name) for name in names)
    return ", ".join(map(counted, counts, nouns)) + "."


def _gallery_about(figures: Figures, sections: Sequence[GallerySection]) -> str:
    parts = [counted(figures.components, "component")]
    if figures.forgotten:
        parts.append(f"{figures.forgotten:,} forgotten")
    stale = sum(tile.health == "stale" for section in sections for tile in section.tiles)
    if stale:
        parts.append(f"{stale:,} stale: grey, with the reason below")
    return ", ".join(parts) + "."
