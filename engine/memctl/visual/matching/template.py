"""One remembered look of one component."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from memctl.visual.frame import Pixels
from memctl.visual.matching.look import Look

__all__ = ["Template"]


@dataclass(frozen=True, eq=False)
class Template:
    """A picture to look for.

    Parameters
    ----------
    template_id, component_id
        Names in the answers. Several templates of one component are its looks.
    pixels
        ``(h, w, 3)`` uint8 blue-green-red, or a function that returns them: then they are
        decoded only if a stored feature blob cannot answer.
    features
        What `extract` returned when the template was learned; None, or a blob that is cut
        short or of another version, is made again from the pixels.
    scale
        Device-pixel ratio of the screenshot it was learned on.
    last
        Left and top where it was last seen, in image pixels at its own scale.
    """

    template_id: int
    component_id: int
    pixels: Pixels | Callable[[], Pixels]
    features: bytes | None = None
    scale: float = 1.0
    last: tuple[int, int] | None = None

    @cached_property
    def bgr(self) -> Pixels:
        """``(h, w, 3)`` uint8, blue-green-red."""
        return self.pixels() if callable(self.pixels) else self.pixels

    @cached_property
    def look(self) -> Look:
        """The picture as the checks compare it."""
        return Look.of(self.bgr)

    @property
    def gray(self) -> Pixels:
        """``(h, w)`` uint8 luma."""
        return self.look.gray
