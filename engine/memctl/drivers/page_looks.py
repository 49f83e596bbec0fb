"""Looks at a page: two screenshots that agree, and the boxes that its document knows."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from memctl.base.errors import UnusableInputError
from memctl.base.packaged import text_in
from memctl.base.pattern import Pattern
from memctl.drivers.blank_fields import BlankFields, painted_over
from memctl.drivers.look import Look
from memctl.drivers.moving import decoded, marked_dynamic, share_changed, standing_still
from memctl.drivers.page_errors import shown_url
from memctl.drivers.page_traffic import OpenRequests

if TYPE_CHECKING:
    from playwright.sync_api import CDPSession, Page

    from memctl.drivers.moving import Pixels

_HERE = "memctl.drivers"
_QUIET_MS = 150
_APART = 0.3
# Two screenshots agree when at most this share of their pixels differs; a page that turns over
# is taken once more, this often.
_MOST_CHANGED = 0.1
_TRIES = 3
_TRAFFIC = 3.0  # seconds, at most, to wait for requests and web sockets
# Playwright, of a page that went on to another while it was asked, or shown nothing of it yet.
WENT_ON = Pattern(
    r"context was destroyed|Not attached to an active page|Cannot find context"
    r"|Could not find object|Unable to capture screenshot|the document has no element yet"
)
_FOUND = "(({nameless, ...data}) => data)(this)"


@dataclass(frozen=True, slots=True)
class _Taken:
    """The second of two screenshots, the boxes on it, and how much changed since the first."""

    png: bytes
    pixels: Pixels
    boxes: list[dict[str, Any]]
    changed: float
    scale: float
    late: bool


@dataclass(frozen=True, slots=True)
class PageLooks:
    """Takes looks at one page.

    Parameters
    ----------
    page
        Playwright's page.
    timeout
        Most seconds to wait until it has settled.
    """

    page: Page
    timeout: float

    def take(self, *, settled: bool | None = None) -> Look:
        """Return a look at the page, taken when it has settled or the time is over.

        Parameters
        ----------
        settled
            What `settle` just said; it is called where nothing is said.

        Raises
        ------
        UnusableInputError
            When contents of its fields cannot be kept out, since it changes all the time.
        """
        moving = self.settle() if settled is None else "" if settled else "it did not settle"
        began = time.monotonic()
        notes = [f"still moving: {moving}"] if moving else []
        for _ in range(_TRIES):
            taken = self._taken()
            if taken is not None and taken.changed <= _MOST_CHANGED:
                break
            self.settle()
        if taken is None:
            raise UnusableInputError(
                f'"{shown_url(self.page.url)}" goes to another page all the time',
                hint="give the URL of the page that it ends at",
            )
        if taken.changed > _MOST_CHANGED:
            notes.append(f"still moving: {taken.changed:.0%} of it changed between two looks")
        if taken.late:
            notes.append("the page has too many elements: not all of them were read")
        elif not taken.boxes:
            notes.append("the page names no elements: it is drawn, or empty")
        height, width = taken.pixels.shape[:2]
        return Look(
            png=taken.png,
            boxes=taken.boxes,
            title=self.page.title(),
            url=self.page.url,
            size=(width, height),
            scale=taken.scale,
            note="; ".join(notes),
            seconds=time.monotonic() - began,
        )

    def settle(self) -> str:
        """Wait until the page has come to rest; return what still moves where the time is over."""
        from playwright.sync_api import Error

        for _ in range(_TRIES):
            try:
                return self._moving()
            except Error as error:
                if not WENT_ON.search(error.message):
                    raise
        return "it goes to other pages"

    def _moving(self) -> str:
        """Return the boxes that still move after `timeout` seconds; a page that is stuck is an error."""
        traffic, began = OpenRequests.of(self.page), time.monotonic()
        while True:
            waited = self.page.wait_for_function(
                text_in(_HERE, "settled.js"),
                arg={"quiet": _QUIET_MS, "timeout": self.timeout * 1000},
                timeout=(self.timeout + 5) * 1000,
            )
            moving = str(waited.json_value()["moving"]) or traffic.moving()
            if not moving or time.monotonic() - began > min(_TRAFFIC, self.timeout):
                return moving
            self.page.wait_for_timeout(50)

    def _taken(self) -> _Taken | None:
        """Return two screenshots and the boxes; ``None`` where the page went away meanwhile."""
        from playwright.sync_api import Error
        from playwright.sync_api import TimeoutError as TimedOut

        try:
            with BlankFields(self.page, self._ms) as blank:
                before = self.page.screenshot(timeout=self._ms)
                at = time.monotonic()
                found = self._boxes()
                self.page.wait_for_timeout(max(0.0, _APART - (time.monotonic() - at)) * 1000)
                png = self.page.screenshot(timeout=self._ms)
                again = (found if found["late"] else self._boxes(named=False))["boxes"]
                scale = float(self.page.evaluate("devicePixelRatio"))
                if not blank.lift():
                    return None
        except TimedOut:
            raise
        except Error as error:
            if WENT_ON.search(error.message):
                return None
            raise
        first, second = decoded(before), decoded(png)
        hidden = [*found["unblanked"], *blank.unreached]
        boxes = standing_still(found["boxes"], again)
        gone = (len(found["boxes"]) - len(boxes)) / max(len(found["boxes"]), 1)
        return _Taken(
            png=painted_over(second, hidden, scale) if hidden else png,
            pixels=second,
            boxes=marked_dynamic(boxes, first, second),
            changed=max(share_changed(first, second), gone),
            scale=scale,
            late=found["late"],
        )

    def boxes(self) -> list[dict[str, Any]]:
        """Return the boxes that the document has now, without a picture; none while it changes."""
        from playwright.sync_api import Error

        try:
            return list(self._boxes()["boxes"])
        except Error as error:
            if WENT_ON.search(error.message):
                return []
            raise

    @property
    def _ms(self) -> float:
        return max(self.timeout, 5.0) * 1000

    def _boxes(self, *, named: bool = True) -> dict[str, Any]:
        """Return the boxes of the document, the places of fields that are not blank, and more.

        What has no name in the document is `named` by its accessibility tree.
        """
        script = text_in(_HERE, "dom.js") + text_in(_HERE, "page_boxes.js")
        cdp = self.page.context.new_cdp_session(self.page)
        try:
            answer = cdp.send("Runtime.evaluate", {"expression": f"(() => {{{script}}})()"})
            if "exceptionDetails" in answer:
                raise RuntimeError(answer["exceptionDetails"]["exception"]["description"])
            handle = answer["result"]["objectId"]
            data: dict[str, Any] = _called(cdp, handle, _FOUND)
            names = _tree_names(cdp, handle) if named else ()
            for place, name in zip(data["places"], names, strict=False):
                data["boxes"][place]["label"] = name
            return data
        finally:
            cdp.detach()


def _called(cdp: CDPSession, target: str, expression: str) -> Any:
    """Return the value of an expression about an object in the page."""
    answer = cdp.send(
        "Runtime.callFunctionOn",
        {
            "objectId": target,
            "functionDeclaration": f"function() {{ return {expression}; }}",
            "returnByValue": True,
        },
    )
    return answer["result"]["value"]


def _tree_names(cdp: CDPSession, handle: str) -> list[str]:
    """Return the names that the accessibility tree has for elements without one."""
    held = cdp.send(
        "Runtime.callFunctionOn",
        {"objectId": handle, "functionDeclaration": "function() { return this.nameless; }"},
    )
    listed = cdp.send(
        "Runtime.getProperties", {"objectId": held["result"]["objectId"], "ownProperties": True}
    )
    elements = [one["value"] for one in listed["result"] if one["name"].isdigit()]
    names = []
    for element in elements:
        answer = cdp.send(
            "Accessibility.getPartialAXTree",
            {"objectId": element["objectId"], "fetchRelatives": False},
        )
        nodes = answer.get("nodes") or [{}]
        names.append(str(nodes[0].get("name", {}).get("value", "")).strip())
    return names
