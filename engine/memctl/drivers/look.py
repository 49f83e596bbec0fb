"""A look: one picture of a live screen, with the boxes that its driver knows."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from memctl.store.results import Result

if TYPE_CHECKING:
    from collections.abc import Iterable


@dataclass(frozen=True, slots=True)
class Look(Result):
    """A screenshot taken by a driver, and the boxes on it.

    Parameters
    ----------
    png
        The encoded screenshot; contents of fields are not on it.
    boxes
        Boxes in the boxes-file format, with ``scale``; empty where the driver knows none.
    title, url
        The title of the document or window, and where it is; the URL has neither a user nor
        what follows its path.
    size
        Width and height in pixels of the screenshot.
    scale
        Pixels of the screenshot to one CSS pixel.
    note
        The circumstances to tell a person, such as a page that kept changing; else empty.
    seconds
        How long taking it took once the screen had settled; 0 where nobody measured.
    """

    png: bytes
    boxes: list[dict[str, Any]] = field(default_factory=list)
    title: str = ""
    url: str = ""
    size: tuple[int, int] = (0, 0)
    scale: float = 1.0
    note: str = ""
    seconds: float = field(default=0.0, compare=False)

    def learnable(self) -> list[dict[str, Any]] | None:
        """Return the boxes that nothing hides: at most a fifth of each is covered."""
        return in_sight(self.boxes) or None


_MOST_COVERED = 0.2


def in_sight(boxes: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the boxes that nothing hides: at most a fifth of each is covered."""
    return [box for box in boxes if box.get("covered", 0) <= _MOST_COVERED]


class Eyes(Protocol):
    """A driver: something that can be looked through again and again."""

    def look(self) -> Look:
        """Return a look at the screen as it is now."""
