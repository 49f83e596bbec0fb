"""Stage 2: windows of the screen whose hash is that of a template's window."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from memctl.visual.matching.candidates import Candidates
from memctl.visual.matching.corners import brief, fingerprint

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from memctl.visual.matching.prepared import ExactAnchors, TemplateSet
    from memctl.visual.matching.screen import Screen

__all__ = ["propose_hashed"]

RARE = 6
"""Places of one anchor that are proposed even if another anchor of the template is rarer."""


def propose_hashed(known: TemplateSet, screen: Screen) -> tuple[Candidates, Candidates]:
    """Propose places whose windows hash alike.

    Returns
    -------
    complete
        Every place where a template could be pixel-identical: those of its rarest anchor,
        if all its anchors are on the screen.
    partial
        Places that another rare anchor of a template proposes.
    """
    anchors = known.exact
    places, first, last = _lookup(anchors, screen)
    count = last - first
    fewest = np.full(len(known), np.iinfo(np.intp).max)
    np.minimum.at(fewest, anchors.owner, count)
    rarest = np.full(len(known), -1)
    candidates = np.flatnonzero((count == fewest[anchors.owner]) & (count > 0))
    rarest[anchors.owner[candidates]] = candidates
    rarest = rarest[rarest >= 0]
    rare = (count > 0) & (count <= RARE)
    rare[rarest] = False
    return tuple(  # type: ignore[return-value]
        _spread(stage, anchors, chosen, places, first, count, screen)
        for stage, chosen in (("hash", rarest), ("near", np.flatnonzero(rare)))
    )


def _lookup(
    anchors: ExactAnchors, screen: Screen
) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.intp]]:
    """Find the places of each anchor's fingerprint: ``places[first[i] : last[i]]``."""
    places = screen.windows(anchors.alignments)
    known = anchors.table[brief(screen.gray, places)]
    places = places[known]
    found = fingerprint(screen.gray, places)
    order = np.argsort(found, kind="stable")
    ordered = found[order]
    first = np.searchsorted(ordered, anchors.whole, side="left")
    last = np.searchsorted(ordered, anchors.whole, side="right")
    return places[order], first, last


def _spread(
    stage: str,
    anchors: ExactAnchors,
    chosen: NDArray[np.intp],
    places: NDArray[np.intp],
    first: NDArray[np.intp],
    count: NDArray[np.intp],
    screen: Screen,
) -> Candidates:
    """Write out every place of the chosen anchors."""
    repeats = count[chosen]
    starts = np.repeat(first[chosen] - (np.cumsum(repeats) - repeats), repeats)
    rows, columns = np.divmod(places[starts + np.arange(starts.size)], screen.gray.shape[1])
    anchor = np.repeat(chosen, repeats)
    left, top = columns - anchors.x[anchor], rows - anchors.y[anchor]
    return Candidates.by(stage, anchors.owner[anchor], left, top)
