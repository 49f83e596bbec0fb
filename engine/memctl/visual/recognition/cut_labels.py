"""Cut labels: "report-13..." looks the same for two files, so pixels alone never settle it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from memctl.visual.graph.naming import folded
from memctl.visual.matching import Miss

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from memctl.visual.boxes import Box
    from memctl.visual.reading.boxes_file import GivenBox
    from memctl.visual.recognition.sightings import Sightings

__all__ = ["without_cut"]

CUT = "its label is cut: what the screen shows of it does not tell it from others"

_AT_PLACE = 0.5  # IoU of a box and the place that it names
_ELLIPSES = ("...", "\u2026")


def without_cut(
    seen: Sightings, labels: Mapping[int, str], given: Sequence[GivenBox] = ()
) -> Sightings:
    """Return the sightings without components of a cut label, unless a box says the whole label.

    Parameters
    ----------
    labels
        Id of each component whose label is cut, to the label as far as it is known.
    given
        Boxes of the screenshot from a source that knows texts, such as a DOM.
    """
    hits, misses = dict(seen.hits), dict(seen.misses)
    for key in labels.keys() & hits.keys():
        hit = hits[key]
        whole = folded(labels[key])
        if not whole.endswith(_ELLIPSES) and whole in set(_said(hit.box, given)):
            continue
        place = hit.box.x, hit.box.y
        misses[key] = Miss(hit.template_id, key, hit.score, *place, CUT, counted=False)
        del hits[key]
    return replace(seen, hits=hits, misses=misses)


def _said(place: Box, given: Iterable[GivenBox]) -> Iterable[str]:
    return (folded(one.label) for one in given if one.box.iou(place) > _AT_PLACE)
