"""The row book: what stands beside each component of a store, read once and kept."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from memctl.store import statements
from memctl.visual.identity.row_check import RowPicture
from memctl.visual.reading.image import decode_png, encode_png

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from memctl.store.store import Store
    from memctl.visual.boxes import Box
    from memctl.visual.frame import Frame, Pixels

SQL = statements.load("store/row_key")


class RowBook:
    """The row keys of every living component, by its id."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._key: tuple[int, int, int] | None = None
        self._keys: dict[int, list[RowPicture]] = {}
        self._known: dict[int, RowPicture] = {}
        self._twins: dict[int, int | None] = {}

    def keys(self) -> Mapping[int, Sequence[RowPicture]]:
        """Return all keys, read anew only when somebody has changed something."""
        version = self._store.version()
        if version != self._key:
            self._keys = {}
            known, self._known = self._known, {}
            for row in self._store.rows(SQL.living):
                picture = known.get(row["id"]) or self._picture(row)
                self._known[row["id"]] = picture
                self._keys.setdefault(row["component_id"], []).append(picture)
            self._twins = {row["id"]: row["twins"] for row in self._store.rows(SQL.twins)}
            self._key = version
        return self._keys

    def twins(self) -> Mapping[int, int | None]:
        """Return how many look-alikes components have: any, or None where nobody has looked."""
        self.keys()
        return self._twins

    def _picture(self, row: sqlite3.Row) -> RowPicture:
        # Bound to the store, not to the book, which would be a cycle.
        store, key = self._store, row["id"]
        return RowPicture(
            load=lambda: _gray(store.value(SQL.png, {"id": key})),
            dx=row["dx"],
            dy=row["dy"],
            reach=(row["reach_left"], row["reach_right"]),
            twin=bool(row["twin"]),
            scale=row["scale"],
        )


def _gray(png: bytes) -> Pixels:
    return np.ascontiguousarray(decode_png(png)[:, :, 0])


@dataclass(frozen=True, slots=True)
class FoundKeys:
    """The row keys of one component on a screenshot, as they are kept.

    Parameters
    ----------
    keys
        Rows of ``row_key``, in the order they are asked in; none where nothing tells the component
        from its twins.
    twins
        How many others of its look stand on the screenshot.
    """

    keys: Sequence[Mapping[str, Any]]
    twins: int


def told_by_rows(store: Store, shown: Mapping[int, int]) -> set[int]:
    """Return the components whose keys tell them from look-alikes already.

    Parameters
    ----------
    shown
        Component id to the template that shows it on the screenshot.
    """
    return {row["component_id"] for row in store.rows(SQL.living) if row["twin"]} & shown.keys()


def found_keys(
    frame: Frame,
    places: Mapping[int, Box],
    window: Box,
    *,
    scale: float = 1.0,
    told: AbstractSet[int] = frozenset(),
    hidden: Iterable[Box] = (),
) -> dict[int, FoundKeys]:
    """Compute the row keys of every component on a screenshot. Reads and writes no store.

    Parameters
    ----------
    places
        Every component on the screenshot, and where; any numbers do for those that are new.
    scale
        The screenshot's device-pixel ratio.
    told
        Components that need no keys any more.
    hidden
        Boxes that no picture may be taken of.
    """
    from memctl.visual.identity.row_keys import surroundings

    found: dict[int, FoundKeys] = {}
    known = surroundings(frame, places, window, told=told, hidden=hidden)
    for number, one in known.items():
        own = places[number]
        rows = [
            {
                "position": position,
                "twin": int(one.twins > 0),
                "scale": scale,
                "dx": key.box.x - own.x,
                "dy": key.box.y - own.y,
                **dict(zip("xywh", key.box.xywh, strict=True)),
                "reach_left": key.reach.x - own.x,
                "reach_right": key.reach.right - own.x,
                "png": encode_png(
                    frame.gray[key.box.y : key.box.bottom, key.box.x : key.box.right]
                ),
                "img_sha256": frame.sha256,
            }
            for position, key in enumerate(one.keys)
        ]
        found[number] = FoundKeys(rows, one.twins)
    return found


def write_row_keys(
    store: Store, found: Mapping[int, FoundKeys], shown: Mapping[int, int], at: str
) -> None:
    """Keep what stands beside components. In a transaction of the caller's.

    Parameters
    ----------
    found
        Component id to its keys, as `found_keys` computes them.
    shown
        Component id to the template that shows it on the screenshot.
    """
    twins = {row["id"]: row["twins"] for row in store.rows(SQL.twins)}
    for component_id in found.keys() & shown.keys():
        one = found[component_id]
        if one.twins != twins.get(component_id, 0):
            store.execute(SQL.set_twins, {"id": component_id, "twins": one.twins})
        if one.keys:
            store.execute(SQL.drop, {"component_id": component_id})
            about = {"component_id": component_id, "learned_at": at}
            store.execute_many(SQL.insert, [{**about, **key} for key in one.keys])
