"""The component gallery: every picture once, by the screens it stands on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from memctl.base.counting import counted
from memctl.reports.page.looks import Shown, changed_looks
from memctl.store import statements

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator, Mapping, Sequence

    from memctl.base.user_zone import UserZone
    from memctl.reports.page.graph import Graph
    from memctl.reports.page.pictures import PictureBudget
    from memctl.store.store import Store

SQL = statements.load("store/page")

Health = Literal["fresh", "stale", "forgotten"]
_MOST_PAIRS = 30  # of what changed without being missed: a new theme changes everything
_MOST_NAMES = 12  # of twins


@dataclass(frozen=True, slots=True)
class Tile:
    """Components that look alike to the pixel and stand together; mostly one.

    Parameters
    ----------
    anchor
        Its id on the page.
    ids, title, more
        Of all of them; the name of the most seen one; what else there is to say.
    why
        Why it is stale or forgotten.
    looks
        Its newest look; two, where it changed or something else stands at its place now.
    """

    anchor: str
    ids: tuple[int, ...]
    title: str
    more: str
    health: Health
    why: str
    looks: tuple[Shown, ...]


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


@dataclass(frozen=True, slots=True)
class Gallery:
    """The sections of a store, how many components are shown, and how many are not."""

    sections: tuple[GallerySection, ...]
    count: int
    left_out: int

    def anchors(self) -> dict[int, str]:
        """Return where each component stands on the page."""
        return {
            number: tile.anchor
            for section in self.sections
            for tile in section.tiles
            for number in tile.ids
        }


def read_gallery(
    store: Store,
    graph: Graph,
    budget: PictureBudget,
    *,
    anchor: str,
    most: int,
    total: tuple[int, int],
) -> Gallery:
    """Read the components of a store, the most seen ones first.

    Parameters
    ----------
    graph
        The screens that are shown; each has a section of its own.
    budget
        What makes the pictures.
    anchor
        What the ids begin with.
    most
        How many components are shown.
    total
        How many living and how many forgotten ones there are.
    """
    # A tenth of the room is for the forgotten, more where the living leave some.
    kept = max(most - total[0], most // 10)
    gone = store.rows(SQL.tiles, {"living": 0, "most": kept})
    here = store.rows(SQL.tiles, {"living": 1, "most": most - len(gone)})
    sections = _sections(graph, here)
    if gone:
        sections.append(("Forgotten", None, gone))
    pairs = iter(range(_MOST_PAIRS))
    return Gallery(
        tuple(
            GallerySection(
                anchor=f"{anchor}-section-{place}",
                title=title,
                state_id=state_id,
                tiles=tuple(
                    _tile(store, budget, twins, f"{anchor}-c{twins[0]['id']}", pairs)
                    for twins in _twins(found)
                ),
                count=len(found),
            )
            for place, (title, state_id, found) in enumerate(sections, 1)
        ),
        len(here) + len(gone),
        max(sum(total) - len(here) - len(gone), 0),
    )


def _sections(
    graph: Graph, living: Sequence[sqlite3.Row]
) -> list[tuple[str, str | None, list[sqlite3.Row]]]:
    """Return title, state and components of each section; that of a screen may have none."""
    single: dict[str, list[sqlite3.Row]] = {state.id: [] for state in graph.states}
    shared: list[sqlite3.Row] = []
    other: list[sqlite3.Row] = []
    for row in living:
        alone = single.get(row["state_id"], other)
        (shared if row["screens"] > 1 else alone).append(row)
    return [
        *((graph.name(state_id), state_id, found) for state_id, found in single.items()),
        *((("On several screens", None, shared),) if shared else ()),
        *((("On no screen that is shown", None, other),) if other else ()),
    ]


def _twins(rows: Sequence[sqlite3.Row]) -> list[list[sqlite3.Row]]:
    """Return the components of a section by their newest look; a stale one is no twin."""
    found: dict[object, list[sqlite3.Row]] = {}
    for row in rows:
        alone = row["sha256"] is None or row["misses"] > 0
        found.setdefault(row["id"] if alone else (row["sha256"], row["screens"]), []).append(row)
    return list(found.values())


def _tile(
    store: Store,
    budget: PictureBudget,
    twins: Sequence[sqlite3.Row],
    anchor: str,
    pairs: Iterator[int],
) -> Tile:
    first = twins[0]
    health, why = _health(first, store.zone)
    more = [f"{first['type']}, seen {first['seen_count']:,}\N{MULTIPLICATION SIGN}"]
    more += [f"{first['looks']} looks"] * (first["looks"] > 1)
    more += [f"on {first['screens']} screens"] * (first["screens"] > 1)
    more += ["pinned"] * any(row["pinned"] for row in twins)
    more += [_others(twins)] * (len(twins) > 1)
    return Tile(
        anchor=anchor,
        ids=tuple(row["id"] for row in twins),
        title=first["name"],
        more=", ".join(more),
        health=health,
        why=why,
        looks=_looks(store, budget, first, health, pairs),
    )


def _others(twins: Sequence[sqlite3.Row]) -> str:
    names = [row["name"] for row in twins[1:]]
    rest = f" and {len(names) - _MOST_NAMES:,} more" if len(names) > _MOST_NAMES else ""
    return f"{counted(len(names), 'other')} alike: {', '.join(names[:_MOST_NAMES])}{rest}"


def _looks(
    store: Store, budget: PictureBudget, row: sqlite3.Row, health: Health, pairs: Iterator[int]
) -> tuple[Shown, ...]:
    stale = health == "stale"
    if stale or (health == "fresh" and row["looks"] > 1 and next(pairs, None) is not None):
        since = row["last_seen_at"] * stale
        changed = changed_looks(store, row["id"], row["name"], budget, missed_since=since)
        if changed:
            return changed
    if row["template_id"] is None:
        return ()
    picture = budget.crop(store.value(SQL.picture, {"template_id": row["template_id"]}))
    return (Shown(picture, f"{row['type']} {row['label'] or row['name']}"),) if picture else ()


def _health(row: Mapping[str, object] | sqlite3.Row, zone: UserZone) -> tuple[Health, str]:
    if row["forgotten_at"] is not None:
        return (
            "forgotten",
            f"forgotten {zone.day(str(row['forgotten_at']))}: {row['forgotten_why']}",
        )
    if not row["misses"]:
        return "fresh", ""
    times = "once" if row["misses"] == 1 else f"{row['misses']} times in a row"
    return "stale", f"stale: missed {times}, last seen {zone.day(str(row['last_seen_at']))}"
