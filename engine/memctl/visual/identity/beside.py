"""Choosing one of equal places by what stands in its row, on its card or in its group."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memctl.visual.identity.cells import Edges, cells_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memctl.visual.boxes import Box
    from memctl.visual.frame import Frame

__all__ = ["places_beside"]


def places_beside(
    frame: Frame, places: Sequence[Box], anchors: Iterable[Box], window: Box
) -> list[Box]:
    """Return the places in whose cells an anchor stands.

    Parameters
    ----------
    places
        Equal places, such as the buttons of the rows of a table.
    anchors
        What was named: where it stands on the screenshot.
    window
        The part of the screenshot that counts.
    """
    cells = cells_of(Edges(frame.gray), dict(enumerate(places)), window)
    anchors = list(anchors)
    return [
        place
        for place, cell in zip(places, cells.values(), strict=True)
        if any(map(cell.holds_middle, anchors))
    ]
