"""Blank fields: what is typed into a page is left out of its pictures."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Self

import cv2
from playwright.sync_api import Error

from memctl.base.errors import UnusableInputError
from memctl.base.packaged import text_in
from memctl.drivers.page_world import (
    PageWorld,
    closed_roots,
    frames_of,
    place_of,
    reveal,
    world_in,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from types import TracebackType

    from numpy.typing import NDArray
    from playwright.sync_api import CDPSession, Frame, Page

_HERE = "memctl.drivers"
_FRAME_MS = 2_000  # for which a frame of another process may be busy


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
        self._missed: set[str | Frame] = set()
        self._lifted = (
            False  # a frame that shows its fields again would pass for one that was missed
        )

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
        if not self._lifted and not isinstance(error, Error):
            self.lift()

    def lift(self, *, certain: bool = False) -> bool:
        """Show the contents again; return whether they were blank until now.

        A document or shadow root that came meanwhile was not. `certain`: frames that were not are
        painted over.
        """
        self._lifted = True
        return self._switched(on=False, certain=certain)

    def _switched(self, *, on: bool, certain: bool = True) -> bool:
        """Blank the fields of all frames or show them; return whether they were blank until now."""
        cdp = self._world.cdp
        main, *inner = frames_of(cdp)
        if on:
            self.closed = closed_roots(cdp)
        blank = self._one(cdp, main, on=on)
        parts: list[tuple[Any, Any, Any]] = [
            (frame, partial(self._one, cdp, frame), partial(place_of, cdp, frame))
            for frame in inner
        ]
        for other in self._page.frames[1:]:
            try:
                own = self._page.context.new_cdp_session(other)
            except Error:
                continue  # a frame of the page's own process, which the page's session reaches
            parts.append((other, partial(self._in_process, own, other), partial(_place_of, other)))
        for frame, switch, place in parts:
            if frame in self._missed:
                continue
            try:
                reached = switch(on=on) or on
            except (Error, UnusableInputError):
                reached = False
            if not reached:
                blank = blank and certain
                self._missed.add(frame)
                self.unreached += place()
        return blank

    def _in_process(self, cdp: CDPSession, outer: Frame, *, on: bool) -> bool:
        """Do it in the frames of another process; one that is busy is not waited for."""
        outer.wait_for_selector("html", state="attached", timeout=_FRAME_MS)
        blank = [self._one(cdp, frame, on=on) for frame in frames_of(cdp)]
        cdp.detach()
        return all(blank)

    def _one(self, cdp: CDPSession, frame: str, *, on: bool) -> bool:
        context = world_in(cdp, frame)
        if on:
            own = cdp is self._world.cdp
            reveal(cdp, self.closed if own else closed_roots(cdp), context)
        argument = {"css": text_in(_HERE, "fields.css"), "on": on}
        answer = self._world.run(cdp, context, text_in(_HERE, "fields.js"), argument)
        return bool(answer["value"]["blank"])


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
