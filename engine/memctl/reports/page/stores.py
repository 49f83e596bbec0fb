"""Stores of the page: all of them counted, the graphs, galleries and components of some shown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from memctl.base import clock
from memctl.base.counting import counted
from memctl.base.errors import MemctlError
from memctl.base.home import Address
from memctl.reports.loading import skipped
from memctl.reports.page.graph import graph_view, read_graph
from memctl.reports.page.pictures import Pictures, component_looks, screen_looks
from memctl.reports.sources import distinct
from memctl.store import statements
from memctl.store.store import Store

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from memctl.base.user_zone import UserZone
    from memctl.reports.answers import Skipped
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
    sources: Iterable[Source], asked: Mapping[str, Iterable[str]], progress: Callable[[str], object]
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


# -- Gallery of an app's screens -----------------------------------------------------------


Health = Literal["fresh", "stale", "forgotten"]
_MOST_PAIRS = 30  # of what changed without being missed: a new theme changes everything
_MOST_NAMES = 12  # of look-alikes


@dataclass(frozen=True, slots=True)
class Tile:
    """Components that look alike to the pixel and are on the same screens; mostly one.

    Parameters
    ----------
    anchor
        Its id on the page.
    ids, title, more
        Of all of them; the name of the most seen one; what else there is to say.
    why
        Why it is stale or forgotten.
    looks
        Its newest template; two, where it changed or something else stands at its place now.
    """

    anchor: str
    ids: tuple[int, ...]
    title: str
    more: str
    health: Health
    why: str
    looks: tuple[ShownLook, ...]


@dataclass(frozen=True, slots=True)
class GallerySection:
    """Components that belong together: those of one screen, of several, of none, forgotten.

    ``state_id`` is that of the one screen, ``None`` for the others; ``count`` is of components.
    """

    anchor: str
    title: str
    state_id: str | None
    tiles: tuple[Tile, ...]
    count: int


def read_gallery(
    store: Store, graph: Graph, pictures: Pictures, *, anchor: str, most: int
) -> tuple[GallerySection, ...]:
    """Read the components of a store, the most seen ones first.

    Parameters
    ----------
    graph
        The screens that are shown; each has a section of its own.
    anchor
        What the ids begin with.
    most
        How many components are shown; of the forgotten, a tenth as many.
    """
    living = store.rows(SQL.tiles, {"living": 1, "most": most})
    forgotten = store.rows(SQL.tiles, {"living": 0, "most": max(most // 10, 1)})
    pairs = iter(range(_MOST_PAIRS))
    return tuple(
        GallerySection(
            anchor=f"{anchor}-section-{place}",
            title=title,
            state_id=state_id,
            tiles=tuple(
                _tile(store, pictures, alike, f"{anchor}-c{alike[0]['id']}", pairs)
                for alike in _alike(rows)
            ),
            count=len(rows),
        )
        for place, (title, state_id, rows) in enumerate(_sections(graph, living, forgotten), 1)
    )


def _sections(
    graph: Graph, living: Sequence[sqlite3.Row], forgotten: Sequence[sqlite3.Row]
) -> list[tuple[str, str | None, Sequence[sqlite3.Row]]]:
    """Return title, state and components of each section; that of a screen may have none."""
    single: dict[str, list[sqlite3.Row]] = {state.id: [] for state in graph.states}
    shared: list[sqlite3.Row] = []
    other: list[sqlite3.Row] = []
    for row in living:
        alone = single.get(row["state_id"], other)
        (shared if row["screens"] > 1 else alone).append(row)
    rest = {
        "On several screens": shared,
        "On no screen that is shown": other,
        "Forgotten": forgotten,
    }
    return [
        *((graph.names[state_id], state_id, rows) for state_id, rows in single.items()),
        *((title, None, rows) for title, rows in rest.items() if rows),
    ]


def _alike(rows: Sequence[sqlite3.Row]) -> list[list[sqlite3.Row]]:
    """Return the components of a section by their newest template; a stale one is by itself."""
    groups: dict[object, list[sqlite3.Row]] = {}
    for row in rows:
        alone = row["sha256"] is None or row["misses"] > 0
        groups.setdefault(row["id"] if alone else (row["sha256"], row["screens"]), []).append(row)
    return list(groups.values())


def _tile(
    store: Store,
    pictures: Pictures,
    alike: Sequence[sqlite3.Row],
    anchor: str,
    pairs: Iterator[int],
) -> Tile:
    first = alike[0]
    health, why = _health(first, store.zone)
    changed = health == "stale" or (
        health == "fresh" and first["looks"] > 1 and next(pairs, None) is not None
    )
    more = [f"{first['type']}, seen {first['seen_count']:,}\N{MULTIPLICATION SIGN}"]
    more += [f"{first['looks']} looks"] * (first["looks"] > 1)
    more += [f"on {first['screens']} screens"] * (first["screens"] > 1)
    more += ["pinned"] * any(row["pinned"] for row in alike)
    more += [_others(alike)] * (len(alike) > 1)
    return Tile(
        anchor=anchor,
        ids=tuple(row["id"] for row in alike),
        title=first["name"],
        more=", ".join(more),
        health=health,
        why=why,
        looks=component_looks(store, first["id"], pictures, changed=changed),
    )


def _others(alike: Sequence[sqlite3.Row]) -> str:
    names = [row["name"] for row in alike[1:]]
    rest = f" and {len(names) - _MOST_NAMES:,} more" if len(names) > _MOST_NAMES else ""
    return f"{counted(len(names), 'other')} alike: {', '.join(names[:_MOST_NAMES])}{rest}"


def _health(row: sqlite3.Row, zone: UserZone) -> tuple[Health, str]:
    if row["forgotten_at"] is not None:
        return "forgotten", f"forgotten {zone.day(row['forgotten_at'])}: {row['forgotten_why']}"
    if not row["misses"]:
        return "fresh", ""
    times = "once" if row["misses"] == 1 else f"{row['misses']} times in a row"
    return "stale", f"stale: missed {times}, last seen {zone.day(row['last_seen_at'])}"
