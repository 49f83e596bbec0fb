"""The component gallery: every component's picture once, by the screens it stands on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from memctl.store import statements
from memctl.visual.boxes import Box
from memctl.visual.graph.components import Components

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from memctl.reports.page.graph import Graph
    from memctl.reports.page.pictures import Picture, PictureBudget
    from memctl.store.store import Store
    from memctl.visual.graph.components import Component

__all__ = ["Gallery", "GallerySection", "Shown", "Tile", "read_gallery"]

SQL = statements.load("store/page")

Health = Literal["fresh", "stale", "forgotten"]


@dataclass(frozen=True, slots=True)
class Tile:
    """One component in the gallery; ``why`` says why it is stale or forgotten.

    ``picture`` is its newest look. ``before`` and ``after`` are there where it drifted (its first
    look and its last), or is stale and a screenshot was kept (its look, and what stands at its
    place now).
    """

    picture: Picture | None
    alt: str
    title: str
    more: str
    health: Health
    why: str
    before: Shown | None = None
    after: Shown | None = None


@dataclass(frozen=True, slots=True)
class Shown:
    """A picture of what stood at a place, and when."""

    picture: Picture
    told: str


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
    picture = budget.crop(store.value(SQL.look, {"component_id": component.id}))
    before, after = _before_and_after(store, budget, component, picture, health)
    return Tile(
        picture=picture,
        alt=f"{component.type} {component.label or component.name}",
        title=component.name,
        more=", ".join(more),
        health=health,
        why=why,
        before=before,
        after=after,
    )


def _before_and_after(
    store: Store,
    budget: PictureBudget,
    component: Component,
    picture: Picture | None,
    health: Health,
) -> tuple[Shown, Shown] | tuple[None, None]:
    """Return the picture of a stale component's place now, or of a drifted one's first look."""
    asked = {"component_id": component.id}
    now = store.row(SQL.there_now, asked) if health == "stale" else None
    if now is not None and picture is not None:
        place = Box(now["x"], now["y"], now["w"], now["h"])
        there = budget.part(now["png"], place)
        if there is not None:
            told = f"last seen {component.last_seen_at[:10]}"
            return Shown(picture, told), Shown(there, f"there on {now['observed_at'][:10]}")
    last = store.row(SQL.drifted_look, asked) if component.looks > 1 else None
    first = store.row(SQL.first_look, asked) if last else None
    if first is None or last is None:
        return None, None
    looks = [(budget.crop(row["png"]), row["learned_at"][:10]) for row in (first, last)]
    (old, since), (new, until) = looks
    if old is None or new is None:
        return None, None
    return Shown(old, f"first look {since}"), Shown(new, f"last look {until}")


def _health(component: Component) -> tuple[Health, str]:
    if component.forgotten_at is not None:
        return "forgotten", f"forgotten {component.forgotten_at[:10]}: {component.forgotten_why}"
    misses = component.consecutive_misses
    if not misses:
        return "fresh", ""
    times = "once" if misses == 1 else f"{misses} times in a row"
    return "stale", f"stale: missed {times}, last seen {component.last_seen_at[:10]}"
