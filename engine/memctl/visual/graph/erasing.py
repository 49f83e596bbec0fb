"""Erases a component from the file: its pixels, its words and its texts, wherever they are.

Components nest and overlap: a toolbar's picture holds its buttons'. Where the places on one
screenshot show that another component's template was cut across the erased one, those pixels are
painted over. A component that lies wholly inside of the erased one is erased with it. A picture of
what stands beside a component is removed where it shows the erased one. Where a component was
erased is noted, so that it is not learned there again.
The image libraries are loaded only when there is something to paint.
"""

from __future__ import annotations

import json
import os
from collections import defaultdict
from dataclasses import dataclass
from struct import Struct
from typing import TYPE_CHECKING

from memctl.base.errors import NotFoundError
from memctl.store import statements
from memctl.store.pages import ListPage, read_page
from memctl.store.results import Result
from memctl.visual.boxes import Box
from memctl.visual.graph.naming import NamesInUse, component_name
from memctl.visual.pictured import Place, middle

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Sequence

    from memctl.store.store import Store
    from memctl.visual.frame import Pixels

SQL = statements.load("store/erasing")
ERASED = statements.load("store/erased")
UPKEEP = statements.load("store/upkeep")
COMPONENTS = statements.load("store/component")

SHORT = 3
"""Letters; a shorter label may stand in another text by chance."""

_KEY_BYTES = 32
_WHY = "its only picture showed an erased component"
_SLACK = 2  # pixels: a place read from a state is rounded at scale 1, on both sides
_WORD = Struct("<24s4h")  # a word of a state: its shape and its box, as `shown_screen.WORD`


@dataclass(frozen=True, slots=True)
class ErasedPlace(Result):
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

    @property
    def box(self) -> Place | None:
        """Left, top, width and height; ``None`` where the component stood on no state."""
        if self.x is None or self.y is None or self.w is None or self.h is None:
            return None
        return self.x, self.y, self.w, self.h

    @property
    def center(self) -> tuple[float, float] | None:
        """The middle of the box, if there is one."""
        return middle(*self.box) if self.box is not None else None


def erased_places(store: Store, limit: int | None = None) -> ListPage[ErasedPlace]:
    """Return the erased places, the newest erasure first; all where there is no `limit`."""
    return read_page(store, ERASED.listed, {}, lambda row: ErasedPlace(**dict(row)), limit)


def lift_erasure(store: Store, erased_id: int) -> Sequence[ErasedPlace]:
    """Remove an erasure, so that its places may be learned again. In a transaction."""
    places = [erased_place for erased_place in erased_places(store) if erased_place.id == erased_id]
    if not places:
        raise NotFoundError(
            f"there is no erasure {erased_id}", hint='see "memctl components erased"'
        )
    store.execute(ERASED.delete_erased, {"id": erased_id})
    return places


def _note_erasure(store: Store, component_id: int, at: str) -> None:
    """Write the places of a component that is about to be erased.

    Its pictures are noted as keyed digests, except those that another component shares: erasing
    one of three equal buttons says nothing against the other two.
    """
    erased_id = store.insert(ERASED.insert_erased, {"erased_at": at})
    store.execute(ERASED.insert_places, {"erased_id": erased_id, "component_id": component_id})
    for row in store.rows(ERASED.own_pictures, {"component_id": component_id}):
        from memctl.visual.reading.image import decode_png
        from memctl.visual.reading.sifting import fingerprint

        pixels = decode_png(row["png"])
        key = os.urandom(_KEY_BYTES)
        mark, digest = fingerprint(pixels, key)
        height, width = pixels.shape[:2]
        known = {"erased_id": erased_id, "w": width, "h": height}
        store.execute(ERASED.insert_pixels, {**known, "key": key, "mark": mark, "digest": digest})


@dataclass(slots=True)
class EraseCounts:
    """Counts of an erasure: other components' templates painted over, and those removed.

    ``inside`` are the components inside of the erased one that were erased with it.
    """

    masked: int
    removed: int
    inside: set[int]


def erase_component(store: Store, component_id: int, *, at: str, noted: bool = True) -> EraseCounts:
    """Erase a component and those inside of it. In a transaction.

    Its places are `noted` first, so that it is not learned there again.
    """
    if noted:
        _note_erasure(store, component_id, at)
    done = EraseCounts(0, 0, {component_id})
    erased: set[int] = set()
    while left := done.inside - erased:
        key = min(left)
        touched = _paint_over(store, key, at, done)
        _erase_words(store, key)
        _erase_texts(store, key, touched)
        store.execute(SQL.keep_by_words, {"id": key})
        store.execute(SQL.delete_screenshots, {"id": key})
        store.execute(SQL.delete_run_pictures)
        store.execute(COMPONENTS.delete, {"id": key})
        erased.add(key)
    done.inside.remove(component_id)
    return done


def erase_state(store: Store, state_id: str, *, at: str) -> None:
    """Erase a state, those merged into it, and the components that no other state has.

    In a transaction. It is learned again when it is seen again.
    """
    asked = {"id": state_id}
    for row in store.rows(SQL.components_of_state_alone, asked):
        if _component_row(store, row["id"]) is not None:
            erase_component(store, row["id"], at=at, noted=False)
    store.execute(SQL.delete_run_pictures)
    store.execute(SQL.delete_observations, asked)
    store.execute(SQL.delete_states, asked)


def _component_row(store: Store, component_id: int) -> sqlite3.Row | None:
    return store.row(COMPONENTS.by_ids, {"ids": json.dumps([component_id])})


def _paint_over(store: Store, component_id: int, now: str, done: EraseCounts) -> set[int]:
    """Take the pixels of a component out of the templates of others around it; return those.

    A component that loses its last template is marked as forgotten: it cannot be seen any more.
    """
    covered: dict[int, list[Box]] = defaultdict(list)
    touched: set[int] = set()
    for row in store.rows(SQL.overlapping, {"id": component_id, "slack": _SLACK}):
        other = Box(row["x"], row["y"], row["w"], row["h"])
        gone = Box(row["gone_x"], row["gone_y"], row["gone_w"], row["gone_h"])
        if row["row_key_id"] is not None:
            store.execute(SQL.delete_row_key, {"id": row["row_key_id"]})
        elif other.inside(gone):
            done.inside.add(row["component_id"])
        elif other.overlap(gone):
            covered[row["template_id"]].append(gone.moved(-other.x, -other.y))
            touched.add(row["component_id"])
    kept = sum(_repaint(store, template_id, boxes) for template_id, boxes in covered.items())
    done.masked += kept
    done.removed += len(covered) - kept
    if covered:
        ids = json.dumps(sorted(touched))
        store.execute(SQL.forget_unseen, {"ids": ids, "forgotten_at": now, "why": _WHY})
    return touched


def _repaint(store: Store, template_id: int, gone: Iterable[Box]) -> bool:
    """Replace a template by one without some places, or remove it; return True if it is left."""
    import numpy as np

    from memctl.visual.frame import is_learnable
    from memctl.visual.matching.template import FEATURE_VERSION, extract_alone
    from memctl.visual.reading.image import decode_png, encode_png, pixels_digest

    row = store.row(SQL.variant, {"id": template_id})
    assert row is not None  # noqa: S101  (read in the same transaction)
    pixels: Pixels = decode_png(row["png"]).copy()
    rest = np.ones(pixels.shape[:2], bool)
    for box in gone:
        rest[max(box.y, 0) : max(box.bottom, 0), max(box.x, 0) : max(box.right, 0)] = False
    left = bool(rest.any())
    if left:
        pixels[~rest] = np.median(pixels[rest], axis=0).astype(np.uint8)
        left = is_learnable(pixels) is None
    if left:
        # A new row, with an id of its own: caches know templates by their ids.
        picture = {
            "png": encode_png(pixels),
            "sha256": pixels_digest(pixels),
            "features": extract_alone(pixels),
            "feature_version": FEATURE_VERSION,
        }
        kept = {name: row[name] for name in ("component_id", "w", "h", "scale", "learned_at")}
        store.execute(SQL.insert_variant, {**kept, **picture})
        known = {"component_id": row["component_id"], "sha256": picture["sha256"]}
        store.execute(SQL.hand_on_sightings, {**known, "old_id": row["id"]})
    store.execute(UPKEEP.drop_picture, {"id": template_id})
    return left


def _erase_words(store: Store, component_id: int) -> None:
    """Take a component's places out of the words and looks of its states."""
    for row in store.rows(SQL.words_around, {"id": component_id}):
        place = Box(row["x"], row["y"], row["w"], row["h"])
        words = row["words"][: len(row["words"]) // _WORD.size * _WORD.size]
        left = [one for one in _WORD.iter_unpack(words) if not place.overlap(Box(*one[1:]))]
        kept = b"".join(_WORD.pack(*one) for one in left)
        look = row["look"]
        if look is not None:
            from memctl.visual.recognition.shown_screen import packed_look, unpacked_look, without

            cells = unpacked_look(look, (row["img_w"], row["img_h"]))
            look = None if cells is None else packed_look(without(cells, [place]))
        store.execute(SQL.set_words, {"id": row["state_id"], "words": kept, "look": look})


def _erase_texts(store: Store, component_id: int, touched: Iterable[int]) -> None:
    """Take a component's label out of the texts around it.

    Those are the texts and titles of states, what names the row or the section of others, the
    labels of others whose pictures showed it (`touched`), and names that memctl made of it.
    """
    row = _component_row(store, component_id)
    label = row["label"] if row else None
    if not label:
        return
    store.execute(SQL.delete_equal_texts, {"label": label})
    if len(label) < SHORT:
        return
    asked = {"id": component_id, "label": label}
    store.execute(SQL.delete_texts, {"label": label})
    store.execute(SQL.clear_titles, {"label": label})
    store.execute(SQL.clear_contexts, asked)
    store.execute(SQL.clear_labels, {**asked, "ids": json.dumps(sorted(touched))})
    names = NamesInUse(one["name"] for one in store.rows(COMPONENTS.living))
    named_after = {**asked, "name": component_name(label, kind="", box=Box(0, 0, 1, 1))}
    for other in store.rows(SQL.named_after, named_after):
        place = Box(other["rel_x"], other["rel_y"], other["w"], other["h"])
        name = names.claim(component_name("", kind=other["type"], box=place))
        store.execute(SQL.rename_made, {"id": other["id"], "name": name})
