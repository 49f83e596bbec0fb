"""Erased places: where a person erased a component, so that it is not learned there again."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memctl.base.errors import NotFoundError
from memctl.store import statements
from memctl.store.pages import ListPage, read_page

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memctl.store.store import Store

SQL = statements.load("store/erased")

_KEY_BYTES = 32


@dataclass(frozen=True, slots=True)
class ErasedPlace:
    """A place where a component was erased: nothing is learned there, and no picture is taken.

    ``id`` is the erasure's; one component may have stood on several states. The box is in pixels
    at device-pixel ratio 1; it and the state are ``None`` where the component stood on no state.
    ``pictures`` counts the pictures that are known again by a digest, wherever they appear.
    """

    id: int
    erased_at: str
    state_id: str | None
    state_name: str | None
    x: int | None
    y: int | None
    w: int | None
    h: int | None
    pictures: int


def erased_places(store: Store, limit: int | None = None) -> ListPage[ErasedPlace]:
    """Return the erased places, the newest erasure first; all where there is no `limit`."""
    return read_page(store, SQL.listed, {}, lambda row: ErasedPlace(**dict(row)), limit)


def note_erasure(store: Store, component_id: int, *, at: str) -> None:
    """Write the places of a component that is about to be erased. In a transaction.

    Its pictures are noted as keyed digests, except those that another component shares: erasing
    one of three equal buttons says nothing against the other two.
    """
    erased_id = store.insert(SQL.insert_erased, {"erased_at": at})
    store.execute(SQL.insert_places, {"erased_id": erased_id, "component_id": component_id})
    pictures = store.rows(SQL.own_pictures, {"component_id": component_id})
    if not pictures:
        return
    from memctl.visual.reading.erased_pixels import fingerprint
    from memctl.visual.reading.image import decode_png

    for row in pictures:
        pixels = decode_png(row["png"])
        key = os.urandom(_KEY_BYTES)
        mark, digest = fingerprint(pixels, key)
        height, width = pixels.shape[:2]
        known = {"erased_id": erased_id, "w": width, "h": height}
        store.execute(SQL.insert_pixels, {**known, "key": key, "mark": mark, "digest": digest})


def lift_erasure(store: Store, erased_id: int) -> Sequence[ErasedPlace]:
    """Remove an erasure, so that its places may be learned again. In a transaction.

    Raises
    ------
    NotFoundError
        When there is none of this id.
    """
    places = [one for one in erased_places(store) if one.id == erased_id]
    if not places:
        raise NotFoundError(
            f"there is no erasure {erased_id}", hint='see "memctl components erased"'
        )
    store.execute(SQL.delete_erased, {"id": erased_id})
    return places
