"""Labels that a source of texts tells, such as a DOM: the last word on what pixels leave open.

"report-13..." looks the same for two files, and a check box is a check box: where a box says what
stands at a place, a component of another label is not there.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from memctl.visual.box_arrays import as_array, ious
from memctl.visual.graph.naming import folded
from memctl.visual.matching import Miss

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from memctl.visual.reading.boxes_file import GivenBox
    from memctl.visual.recognition.sightings import Sightings

__all__ = ["RememberedLabel", "settled_by_labels"]

CUT = "its label is cut: what the screen shows of it does not tell it from others"

_AT_PLACE = 0.5  # IoU of a box and the place that it names
_ELLIPSES = ("...", "\u2026")


@dataclass(frozen=True, slots=True)
class RememberedLabel:
    """The label of a component, the source that told it, and whether the screen cuts it."""

    label: str
    source: str
    cut: bool


def settled_by_labels(
    seen: Sightings, labels: Mapping[int, RememberedLabel], given: Sequence[GivenBox] = ()
) -> Sightings:
    """Return the sightings without components that bear another label than the screen tells.

    A component whose label is cut is left only where a box says the whole label. Labels of
    different sources are not compared: they may be two words for one thing.

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
        alike = ious(hit.box, boxes)
        near = np.flatnonzero(alike > _AT_PLACE).tolist()
        said = [(alike[at], given[at].label) for at in near if given[at].source == known.source]
        told = folded(max(said, default=(0.0, ""))[1])
        whole = folded(known.label)
        if known.cut and (told != whole or whole.endswith(_ELLIPSES)):
            why = CUT
        elif told not in {"", whole}:
            why = "same look, another label where it stands"
        else:
            continue
        misses[key] = Miss(
            hit.template_id, key, hit.score, hit.box.x, hit.box.y, why, counted=False
        )
        del hits[key]
    return replace(seen, hits=hits, misses=misses)
