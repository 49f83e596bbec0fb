"""What a runner looks and acts through: eyes that look or glance, and hands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol

if TYPE_CHECKING:
    from memctl.drivers.look import Look

__all__ = ["ActingHands", "Body", "Sight", "ViewportPoint"]


Button = Literal["left", "right", "middle"]


class ViewportPoint(NamedTuple):
    """A place in the viewport, in CSS pixels."""

    x: float
    y: float


class ActingHands(Protocol):
    """Acts on an open page, at places in CSS pixels; each raises `UnusableInputError` where it is gone."""

    def click(self, x: float, y: float, *, count: int = 1, button: Button = "left") -> None:
        """Press and let go."""

    def hover(self, x: float, y: float) -> None:
        """Rest there."""

    def drag(self, x: float, y: float, to_x: float, to_y: float) -> None:
        """Press, move, and let go."""

    def type(self, text: str) -> None:
        """Type into the field in focus."""

    def press(self, key: str) -> None:
        """Press a key, or keys together: ``Control+s``."""

    def scroll(self, x: float, y: float, dx: float, dy: float) -> None:
        """Turn the wheel there."""

    def clear(self) -> None:
        """Empty the field in focus."""

    def goto(self, url: str) -> None:
        """Open a page."""


class Sight(Protocol):
    """An app that can be looked at, and turned."""

    def look(self) -> Look:
        """Return a settled look with its boxes: slow, and sure."""

    def boxes(self) -> list[dict[str, Any]]:
        """Return what the app itself says is shown now, in the boxes-file format; may be empty."""

    def glance(self) -> tuple[bytes, float]:
        """Return a PNG of the screen as it is now, and its pixels to a CSS pixel."""

    def scroll(self, x: float, y: float, dx: float, dy: float) -> None:
        """Turn the wheel there."""


class Body(Sight, Protocol):
    """An open app that can be acted on, too."""

    @property
    def hands(self) -> ActingHands:
        """Its hands."""

    def text_at(self, x: float, y: float) -> str:
        """Return the text that stands at a place; empty for none."""
