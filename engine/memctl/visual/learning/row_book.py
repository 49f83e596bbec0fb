"""The row book: what stands beside each component of a store, read once and kept."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import cv2
import numpy as np

from memctl.store import statements
from memctl.visual.identity.row_check import RowPicture
from memctl.visual.reading.image import decode_png

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Mapping, Sequence

    from memctl.store.store import Store
    from memctl.visual.frame import Pixels
    from memctl.visual.identity.row_keys import FoundKeys

SQL = statements.load("store/row_key")


class RowBook:
    """The row keys of every component, by its id: a set for each look."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._key: tuple[int, int, int] | None = None
        self._mark: tuple[int, int | None] | None = None
        self._keys: dict[int, list[list[RowPicture]]] = {}
        self._known: dict[int, RowPicture] = {}
        self._pngs: dict[int, bytes] = {}
        self._twins: dict[int, int | None] = {}

    def keys(self) -> Mapping[int, Sequence[Sequence[RowPicture]]]:
        """Return all keys, read anew only when somebody has changed something."""
        version = self._store.version()
        if version != self._key:
            mark = self._store.row(SQL.mark)
            assert mark is not None  # noqa: S101  (counts are always a row)
            if tuple(mark) != self._mark:
                self._read()
                self._mark = tuple(mark)
            self._twins = {row["id"]: row["twins"] for row in self._store.rows(SQL.twins)}
            self._key = version
        return self._keys

    def twins(self) -> Mapping[int, int | None]:
        """Return how many look-alikes components have: any, or None where nobody has looked."""
        self.keys()
        return self._twins

    def _read(self) -> None:
        known, looks = self._known, dict[tuple[int, str | None], list[RowPicture]]()
        self._known = {}
        for row in self._store.rows(SQL.all_keys):
            picture = known.get(row["id"]) or self._picture(row)
            self._known[row["id"]] = picture
            looks.setdefault((row["component_id"], row["look"]), []).append(picture)
        self._keys = {}
        for (component_id, _), keys in looks.items():
            self._keys.setdefault(component_id, []).append(keys)
        # A cold book reads its pictures in one query, what is added later one by one.
        cold = not known
        self._pngs.clear()
        self._pngs |= {row["id"]: row["png"] for row in self._store.rows(SQL.pngs)} if cold else {}

    def _picture(self, row: sqlite3.Row) -> RowPicture:
        # Bound to the store, not to the book, which would be a cycle.
        store, key, pngs = self._store, row["id"], self._pngs
        return RowPicture(
            load=lambda: _gray(pngs.pop(key, b"") or store.value(SQL.png, {"id": key})),
            dx=row["dx"],
            dy=row["dy"],
            reach=(row["reach_left"], row["reach_right"]),
            twin=bool(row["twin"]),
            scale=row["scale"],
            look=row["look"],
            may_change=bool(row["may_change"]),
            reach_up=row["reach_up"],
        )


def _gray(png: bytes) -> Pixels:
    pixels = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_GRAYSCALE)
    if pixels is None:
        return np.ascontiguousarray(decode_png(png)[:, :, 0])  # says that it is damaged
    return np.asarray(pixels, np.uint8)


def told_by_rows(store: Store, shown: Mapping[int, int]) -> dict[int, int]:
    """Return the components that have keys for the look they show: 1 if from look-alikes, else 0.

    Parameters
    ----------
    shown
        Component id to the template that shows it on the screenshot.
    """
    looks = _looks(store, shown)
    return {
        row["component_id"]: row["twin"]
        for row in store.rows(SQL.looks)
        if looks.get(row["component_id"]) == row["look"]
    }


def _looks(store: Store, shown: Mapping[int, int]) -> dict[int, str]:
    """Return the digest of the template that shows each component."""
    ids = json.dumps(sorted(set(shown.values())))
    digests = {row["id"]: row["sha256"] for row in store.rows(SQL.digests, {"ids": ids})}
    return {key: digests[one] for key, one in shown.items() if one in digests}


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
    looks = _looks(store, shown)
    here = {key: found[key] for key in sorted(found.keys() & shown.keys())}
    counted = {key: one.twins for key, one in here.items() if one.twins != twins.get(key, 0)}
    told = {
        key: {"component_id": key, "learned_at": at, "look": looks[key]}
        for key, one in here.items()
        if one.keys
    }
    store.execute_many(SQL.set_twins, [{"id": key, "twins": n} for key, n in counted.items()])
    store.execute_many(SQL.drop_look, [*told.values()])
    first = {row["component_id"]: row["position"] for row in store.rows(SQL.next_positions)}
    keys = [
        {**one, **about, "position": one["position"] + first.get(key, 0)}
        for key, about in told.items()
        for one in here[key].keys
    ]
    store.execute_many(SQL.insert, keys)
