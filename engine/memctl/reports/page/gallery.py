"""The component gallery: every picture once, by the screens that show it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from memctl.base.counting import counted
from memctl.reports.page.pictures import component_looks
from memctl.store import statements

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator, Sequence

    from memctl.base.user_zone import UserZone
    from memctl.reports.page.graph import Graph
    from memctl.reports.page.pictures import Pictures, ShownLook
    from memctl.store.store import Store

SQL = statements.load("store/page")

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
