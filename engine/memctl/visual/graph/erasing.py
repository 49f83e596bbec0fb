"""What a delete must reach beyond its own rows: pictures of others that show the deleted one.

Components nest and overlap: a toolbar's picture holds its buttons'. Where the places on one
screenshot say that another component's look was cut across the deleted one, those pixels are
painted over. A look that lies wholly inside of the deleted one stays: its pixels are its own.
The image libraries are loaded only when there is something to paint.
"""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memctl.store import statements
from memctl.visual.boxes import Box

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable

    from memctl.store.store import Store
    from memctl.visual.frame import Pixels

__all__ = ["Painted", "paint_over"]

SQL = statements.load("store/erasing")

_WHY = "its only picture showed a deleted component"
# A place read from a state is rounded to whole pixels at scale 1, on both sides.
_SLACK = 2


@dataclass(frozen=True, slots=True)
class Painted:
    """What was done to looks of other components.

    Parameters
    ----------
    masked
        Looks whose overlapping pixels were painted over.
    removed
        Looks of which nothing was left that could be found again.
    """

    masked: int = 0
    removed: int = 0


def paint_over(store: Store, component_id: int, *, now: str) -> Painted:
    """Take the pixels of a component out of other components' looks. In a transaction.

    A component that loses its last look is marked as forgotten: it cannot be seen any more.
    """
    covered: dict[int, list[Box]] = defaultdict(list)
    touched: set[int] = set()
    for row in store.rows(SQL.overlapping, {"id": component_id, "slack": _SLACK}):
        look = Box(row["x"], row["y"], row["w"], row["h"])
        gone = Box(row["gone_x"], row["gone_y"], row["gone_w"], row["gone_h"])
        if look.overlap(gone) and not look.inside(gone):
            covered[row["template_id"]].append(gone.moved(-look.x, -look.y))
            touched.add(row["component_id"])
    kept = [_repaint(store, template_id, boxes) for template_id, boxes in covered.items()]
    if covered:
        ids = json.dumps(sorted(touched))
        store.execute(SQL.forget_unseen, {"ids": ids, "forgotten_at": now, "why": _WHY})
    return Painted(masked=sum(kept), removed=len(kept) - sum(kept))


def _repaint(store: Store, template_id: int, gone: Iterable[Box]) -> bool:
    """Replace a look by one without some places, or remove it; return whether it is left."""
    from memctl.visual.matching import FEATURE_VERSION, is_learnable
    from memctl.visual.matching.features import extract_alone
    from memctl.visual.reading.image import decode_png, encode_png, pixels_digest

    row = store.row(SQL.look, {"id": template_id})
    assert row is not None  # noqa: S101  (read in the same transaction)
    pixels = _without(decode_png(row["png"]), gone)
    left = pixels is not None and is_learnable(pixels) is None
    if pixels is not None and left:
        # A new row, with an id of its own: whoever keeps looks in mind knows them by their ids.
        _replace(
            store,
            row,
            {
                "png": encode_png(pixels),
                "sha256": pixels_digest(pixels),
                "features": extract_alone(pixels),
                "feature_version": FEATURE_VERSION,
            },
        )
    store.execute(SQL.delete_look, {"id": template_id})
    return left


def _without(pixels: Pixels, gone: Iterable[Box]) -> Pixels | None:
    """Return a picture with boxes painted in the colour of the rest; ``None``: nothing rests."""
    import numpy as np

    left = np.ones(pixels.shape[:2], bool)
    for box in gone:
        left[max(box.y, 0) : max(box.bottom, 0), max(box.x, 0) : max(box.right, 0)] = False
    if not left.any():
        return None
    painted = pixels.copy()
    painted[~left] = np.median(pixels[left], axis=0).astype(np.uint8)
    return painted


def _replace(store: Store, row: sqlite3.Row, picture: dict[str, object]) -> None:
    kept = {name: row[name] for name in ("component_id", "w", "h", "scale", "learned_at")}
    store.execute(SQL.insert_look, {**kept, **picture})
    known = {"component_id": row["component_id"], "sha256": picture["sha256"]}
    store.execute(SQL.hand_on_sightings, {**known, "old_id": row["id"]})
