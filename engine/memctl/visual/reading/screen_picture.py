"""A screen picture: a screenshot, with what the driver that took it knows of the screen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from memctl.visual.reading.image import ImageSource


class ScreenPicture(NamedTuple):
    """A screenshot, and the boxes, the title and the note of the look it was taken in.

    Parameters
    ----------
    boxes
        In the boxes-file format; ``None`` where nobody knows any.
    note
        The circumstances to tell a person; else empty.
    """

    image: ImageSource
    boxes: list[dict[str, Any]] | None = None
    title: str | None = None
    note: str = ""
