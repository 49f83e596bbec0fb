"""The row book: what stands beside each component of a store, read once and kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from memctl.store import statements
from memctl.visual.identity.row_check import RowPicture
from memctl.visual.reading.image import decode_png, encode_png

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Mapping, Sequence

    from memctl.store.store import Store
    from memctl.visual.boxes import Box
    from memctl.visual.frame import Frame, Pixels
    from memctl.visual.recognition.sightings import Sightings

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


def write_row_keys(
    store: Store,
    frame: Frame,
    seen: Sightings,
    places: Mapping[int, Box],
    *,
    hidden: Iterable[Box],
    at: str,
) -> None:
    """Keep what stands beside components that nothing tells from look-alikes yet. In a transaction.

    Parameters
    ----------
    places
        Every component on the screenshot, and where.
    hidden
        Boxes that no picture may be taken of.
    """
    from memctl.visual.identity.row_keys import surroundings

    twins = {row["id"]: row["twins"] for row in store.rows(SQL.twins)}
    told = {row["component_id"] for row in store.rows(SQL.living) if row["twin"]}
    known = surroundings(frame, places, seen.window, told=told, hidden=hidden)
    for component_id, found in known.items():
        if found.twins != twins.get(component_id, 0):
            store.execute(SQL.set_twins, {"id": component_id, "twins": found.twins})
        if not found.keys:
            continue
        store.execute(SQL.drop, {"component_id": component_id})
        own = places[component_id]
        rows = [
            {
                "component_id": component_id,
                "position": position,
                "twin": int(found.twins > 0),
                "scale": seen.scale,
                "dx": key.box.x - own.x,
                "dy": key.box.y - own.y,
                **dict(zip("xywh", key.box.xywh, strict=True)),
                "reach_left": key.reach.x - own.x,
                "reach_right": key.reach.right - own.x,
                "png": encode_png(
                    frame.gray[key.box.y : key.box.bottom, key.box.x : key.box.right]
                ),
                "img_sha256": frame.sha256,
                "learned_at": at,
            }
            for position, key in enumerate(found.keys)
        ]
        store.execute_many(SQL.insert, rows)
