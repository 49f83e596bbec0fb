"""A screenshot as a body: it can be looked at, and nothing on it moves."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from memctl.drivers.look import Look
from memctl.visual.reading.boxes_file import read_boxes
from memctl.visual.reading.image import encode_png, load_frame

if TYPE_CHECKING:
    from memctl.visual.reading.boxes_file import BoxesSource
    from memctl.visual.reading.image import ImageSource

__all__ = ["StillBody"]


class StillBody:
    """A screenshot, for a host that acts with its own hands.

    Parameters
    ----------
    image
        The screenshot.
    boxes
        What stands on it, as boxes files have it.
    """

    def __init__(self, image: ImageSource, boxes: BoxesSource | None = None) -> None:
        frame = load_frame(image)
        size = (frame.width, frame.height)
        given = read_boxes(boxes, width=size[0], height=size[1]) if boxes is not None else ()
        told = [
            {**asdict(one.box), "label": one.label, "row": one.row, "section": one.section}
            for one in given
            if one.covered == 0
        ]
        self._look = Look(encode_png(frame.bgr), told, size=size)

    def look(self) -> Look:
        """Return the screenshot with its boxes."""
        return self._look

    def boxes(self) -> list[dict[str, Any]]:
        """Return its boxes."""
        return self._look.boxes

    def glance(self) -> tuple[bytes, float]:
        """Return it as PNG; a pixel is a pixel."""
        return self._look.png, 1.0

    def scroll(self, x: float, y: float, dx: float, dy: float) -> None:
        """Do nothing: what is not on the screenshot is not found."""
