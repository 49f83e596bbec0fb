"""Blank fields: what is typed into a page is left out of its pictures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import cv2
from playwright.sync_api import Error

from memctl.base.packaged import text_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from types import TracebackType

    from numpy.typing import NDArray
    from playwright.sync_api import CDPSession, Frame, Page

_HERE = "memctl.drivers"
# A closed shadow root is known to nobody but the browser: its host is told, under a symbol.
_REVEAL = """function() { Object.defineProperty(
    this.host, Symbol.for("memctl.closed"), {value: this, configurable: true}) }"""


class BlankFields:
    """A page whose fields show nothing that was typed while the ``with`` block lasts.

    Fields in frames, and in open and closed shadow roots, are blank as well.

    Parameters
    ----------
    page
        Playwright's page.
    timeout_ms
        Most milliseconds that a frame may take.

    Attributes
    ----------
    unreached
        The places, in CSS pixels of the page, of frames that could not be blanked.
    """

    def __init__(self, page: Page, timeout_ms: float) -> None:
        self._page = page
        self._timeout = timeout_ms
        self.unreached: list[dict[str, float]] = []

    def __enter__(self) -> Self:
        self._reveal()
        for frame in self._page.frames:
            if self._switched(frame, on=True) is None:
                self.unreached.extend(_place_of(frame))
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if error is None:
            self.lift()

    def lift(self) -> bool:
        """Show the contents again; return whether they were blank until now.

        A document or shadow root that came meanwhile was not.
        """
        result = [self._switched(frame, on=False) for frame in self._page.frames]
        return all(blank is not False for blank in result)

    def _switched(self, frame: Frame, *, on: bool) -> bool | None:
        """Blank the fields of a frame or show them; ``None`` for a frame that is not reached."""
        argument = {"css": text_in(_HERE, "fields.css"), "on": on}
        try:
            answer = frame.wait_for_function(
                text_in(_HERE, "fields.js"), arg=argument, timeout=self._timeout
            )
            return bool(answer.json_value()["blank"])
        except Error:
            if frame is self._page.main_frame:
                raise
            return None

    def _reveal(self) -> None:
        """Tell the hosts of closed shadow roots what is in them."""
        for frame in self._page.frames:
            try:
                cdp = self._page.context.new_cdp_session(
                    self._page if frame is self._page.main_frame else frame
                )
            except Error:
                continue  # a frame of the page's own process, which the page's session reaches
            try:
                _reveal_in(cdp)
            finally:
                cdp.detach()


def _reveal_in(cdp: CDPSession) -> None:
    tree = cdp.send("DOM.getDocument", {"depth": -1, "pierce": True})["root"]
    for node in _closed_roots(tree):
        held = cdp.send("DOM.resolveNode", {"backendNodeId": node})["object"]["objectId"]
        cdp.send("Runtime.callFunctionOn", {"objectId": held, "functionDeclaration": _REVEAL})


def _closed_roots(tree: Mapping[str, Any]) -> Iterator[int]:
    """Yield the node ids of closed shadow roots, outer ones first."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        if node.get("shadowRootType") == "closed":
            yield node["backendNodeId"]
        waiting.extend(node.get("children", ()))
        waiting.extend(node.get("shadowRoots", ()))
        if "contentDocument" in node:
            waiting.append(node["contentDocument"])


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
