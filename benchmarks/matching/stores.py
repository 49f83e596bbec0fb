"""Real stores of a given size: crops learned from their own screenshots, by `learn` alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import memctl

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from benchmarks.matching.shots import Crop

__all__ = ["APP", "learned"]

APP = "benchmark"


def learned(home: Path, memory: Sequence[Crop], wanted: int) -> dict[int, Crop]:
    """Make a store of at most ``wanted`` components.

    Parameters
    ----------
    home
        The folder of the store, `APP` by name.
    memory
        What to learn, in this order of screenshots. What `learn` refuses, or knows already as
        a look-alike at the same place, is left out.

    Returns
    -------
    dict
        The crop of each component, by its id.
    """
    by_shot: dict[Path, list[Crop]] = {}
    for crop in memory:
        by_shot.setdefault(crop.shot.path, []).append(crop)
    found: dict[int, Crop] = {}
    with memctl.open(APP, home=home) as store:
        for path, some in by_shot.items():
            places = {(c.box.x, c.box.y, c.box.w, c.box.h): c for c in some}
            chosen = list(places)[: wanted - len(found)]
            boxes = [dict(zip("xywh", place, strict=True)) for place in chosen]
            if not boxes:
                break
            for one in store.learn(path, boxes, page=path.stem).learned:
                found[one.component_id] = places[one.x, one.y, one.w, one.h]
    return found
