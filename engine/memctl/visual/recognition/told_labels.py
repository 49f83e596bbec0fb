"""Labels that a source of texts tells, such as a DOM: the last word on what pixels leave open.

"report-13..." looks the same for two files, and a check box is a check box: where a box says what
stands at a place, a component of another label is not there.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from memctl.visual.box_arrays import as_array, ious, shared_pixels
from memctl.visual.graph.naming import folded
from memctl.visual.reading.dynamic_text import dynamic_rule

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from memctl.visual.boxes import Box
    from memctl.visual.reading.boxes_file import GivenBox
    from memctl.visual.recognition.sightings import Sightings

CUT = "its label is cut: what the screen shows of it does not tell it from others"

_AT_PLACE = 0.5  # IoU of a box and the place that it names
_WITHIN = 0.9  # share of a place that lies in a box that it is a part of
_ELLIPSES = ("...", "\u2026")


@dataclass(frozen=True, slots=True)
class RememberedLabel:
    """The label of a component, its row, the source of both, and whether the screen cuts it."""

    label: str
    source: str
    cut: bool
    row: str = ""

    @classmethod
    def of(cls, row: sqlite3.Row) -> RememberedLabel:
        """Return the label of a row of ``component``."""
        return cls(row["label"], row["source"], bool(row["cut"]), row["row_text"] or "")


def settled_by_labels(
    seen: Sightings, labels: Mapping[int, RememberedLabel], given: Sequence[GivenBox] = ()
) -> Sightings:
    """Return the sightings without components that the boxes of the screen contradict.

    A place is contradicted by a box there of another label or another row, and by a box of another
    label around it where the source sees nothing of its own: it is a part of that. A component
    whose label is cut is left only where a box says the whole label. Sources are not compared with
    each other: they may have two words for one thing.

    Parameters
    ----------
    labels
        Component id to its label.
    given
        Boxes of the screenshot from a source that knows texts.
    """
    hits, misses = dict(seen.hits), dict(seen.misses)
    boxes = as_array(one.box for one in given)
    for key in labels.keys() & hits.keys():
        hit, known = hits[key], labels[key]
        if not (given or known.cut):
            continue
        why = _contradicted(hit.box, known, given, boxes)
        if why:
            misses[key] = hit.missed(why)
            del hits[key]
    return replace(seen, hits=hits, misses=misses)


def _contradicted(
    place: Box, known: RememberedLabel, given: Sequence[GivenBox], boxes: NDArray[np.int64]
) -> str:
    """Return the reason why a component is not at a place, an empty one where nothing says so."""
    alike, shared = ious(place, boxes), shared_pixels(place, boxes)
    near = np.flatnonzero(alike > _AT_PLACE).tolist()
    own = [at for at in near if _same(given[at], known)]
    if own:
        there = given[max(own, key=lambda at: alike[at])]
        told, row = folded(there.label), there.row
    else:
        around = np.flatnonzero(shared >= _WITHIN * place.area).tolist()
        inside = [given[at] for at in around if _same(given[at], known)]
        least = min(inside, key=lambda one: one.box.area, default=None)
        told, row = "" if least is None else folded(least.label), ""
    whole = folded(known.label)
    if known.cut and (not own or told != whole or whole.endswith(_ELLIPSES)):
        return CUT
    if told and (told != whole if own else whole not in told):
        return "same look, another label where it stands"
    if row and known.row and folded(row) != folded(known.row) and not dynamic_rule(row):
        return "same look, another row where it stands"
    return ""


def _same(one: GivenBox, known: RememberedLabel) -> bool:
    return one.source == known.source
