"""Blank fields: what is typed into a page is left out of its pictures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import cv2
from playwright.sync_api import Error

from memctl.base.errors import UnusableInputError
from memctl.base.packaged import text_in
from memctl.drivers.page_world import PageWorld, ended_after, reveal

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from types import TracebackType

    from numpy.typing import NDArray
    from playwright.sync_api import CDPSession, Frame, Page

_HERE = "memctl.drivers"
_OTHER_S = 5.0  # seconds for a frame of another process


class BlankFields:
    """A page whose fields show nothing that was typed while the ``with`` block lasts.

    Fields in frames, and in open and closed shadow roots, are blank as well.

    Parameters
    ----------
    page
        Playwright's page.

    Attributes
    ----------
    unreached
        The places, in CSS pixels of the page, of frames that could not be blanked.
    closed
        The closed shadow roots of the page's own process.
    """

    def __init__(self, page: Page) -> None:
        self._page, self._world = page, PageWorld.of(page)
        self.unreached: list[dict[str, float]] = []
        self.closed: list[int] = []

    def __enter__(self) -> Self:
        self._world.refuse_huge()
        self._switched(on=True)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if not isinstance(error, Error):
            self.lift()

    def lift(self) -> bool:
        """Show the contents again; return whether they were blank until now.

        A document or shadow root that came meanwhile was not.
        """
        return all(self._switched(on=False))

    def _switched(self, *, on: bool) -> list[bool]:
        """Blank the fields of all frames or show them; return which were blank until now."""
        blank = self._in_process(self._world.cdp, on=on)
        for frame in self._page.frames[1:]:
            try:
                cdp = self._page.context.new_cdp_session(frame)
            except Error:
                continue  # a frame of the page's own process, which the page's session reaches
            try:
                with ended_after(_OTHER_S, cdp.detach):
                    blank += self._in_process(cdp, on=on)
                cdp.detach()
            except (Error, UnusableInputError):
                self.unreached.extend(_place_of(frame) if on else ())
        return blank

    def _in_process(self, cdp: CDPSession, *, on: bool) -> list[bool]:
        contexts = self._world.contexts(cdp)
        if on:
            closed = reveal(cdp, contexts)
            self.closed = closed if cdp is self._world.cdp else self.closed
        argument = {"css": text_in(_HERE, "fields.css"), "on": on}
        function = text_in(_HERE, "fields.js")
        return [
            bool(self._world.run(cdp, at, function, argument)["value"]["blank"]) for at in contexts
        ]


def _place_of(frame: Frame) -> list[dict[str, float]]:
    try:
        box = frame.frame_element().bounding_box()
    except Error:
        return []  # it is gone
    if box is None:
        return []
    return [{"x": box["x"], "y": box["y"], "width": box["width"], "height": box["height"]}]


def painted_over(
    pixels: NDArray[Any], places: Iterable[Mapping[str, float]], scale: float
) -> bytes:
    """Return a screenshot as PNG, with places painted in one colour.

    Parameters
    ----------
    pixels
        ``(H, W, 3)`` BGR.
    places
        ``x``, ``y``, ``width`` and ``height`` in CSS pixels.
    scale
        Pixels of the screenshot to one CSS pixel.
    """
    painted = pixels.copy()
    for place in places:
        left, top = (max(0, int(place[key] * scale)) for key in "xy")
        right = int((place["x"] + place["width"]) * scale) + 1
        bottom = int((place["y"] + place["height"]) * scale) + 1
        painted[top:bottom, left:right] = 255
    return cv2.imencode(".png", painted)[1].tobytes()
