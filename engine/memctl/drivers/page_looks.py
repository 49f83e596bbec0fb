"""Looks at a page: two screenshots that agree, and the boxes that its document knows."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from memctl.base.packaged import text_in
from memctl.drivers.look import Look
from memctl.drivers.moving import decoded, marked_dynamic, share_changed

if TYPE_CHECKING:
    from playwright.sync_api import CDPSession, Page

__all__ = ["PageLooks"]

_HERE = "memctl.drivers"
_QUIET_MS = 150
_APART = 0.3
# Two screenshots agree when at most this share of their pixels differs; a page that turns over
# is taken once more, this often.
_MOST_CHANGED = 0.1
_TRIES = 3


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

    def take(self) -> Look:
        """Return a look at the page, taken when it has settled or the time is over."""
        style = text_in(_HERE, "fields.css")
        notes = [] if self._settled() else [f"the page did not settle within {self.timeout:g} s"]
        for _ in range(_TRIES):
            self._mark_fields()
            before = self.page.screenshot(style=style, timeout=self._ms)
            taken = time.monotonic()
            boxes = self._boxes()
            self.page.wait_for_timeout(max(0.0, _APART - (time.monotonic() - taken)) * 1000)
            png = self.page.screenshot(style=style, timeout=self._ms)
            first, second = decoded(before), decoded(png)
            changed = share_changed(first, second)
            if changed <= _MOST_CHANGED:
                break
        else:
            notes.append(f"the page keeps changing: {changed:.0%} of it between two looks")
        return Look(
            png=png,
            boxes=marked_dynamic(boxes, first, second),
            title=self.page.title(),
            url=self.page.url,
            size=(second.shape[1], second.shape[0]),
            scale=float(self.page.evaluate("devicePixelRatio")),
            note="; ".join(notes),
        )

    @property
    def _ms(self) -> float:
        return max(self.timeout, 5.0) * 1000

    def _settled(self) -> bool:
        """Return whether the page came to rest in time; a page that is stuck is an error."""
        waited = self.page.wait_for_function(
            text_in(_HERE, "settled.js"),
            arg={"quiet": _QUIET_MS, "timeout": self.timeout * 1000},
            timeout=(self.timeout + 5) * 1000,
        )
        return bool(waited.json_value()["settled"])

    def _mark_fields(self) -> None:
        from playwright.sync_api import Error

        for frame in self.page.frames:
            try:
                frame.evaluate(text_in(_HERE, "fields.js"))
            except Error:
                if frame is self.page.main_frame:
                    raise  # another frame may be gone already

    def _boxes(self) -> list[dict[str, Any]]:
        """Return the boxes of the document; what has no name there is named by its tree."""
        script = text_in(_HERE, "dom.js") + text_in(_HERE, "page_boxes.js")
        cdp = self.page.context.new_cdp_session(self.page)
        try:
            answer = cdp.send("Runtime.evaluate", {"expression": f"(() => {{{script}}})()"})
            if "exceptionDetails" in answer:
                raise RuntimeError(answer["exceptionDetails"]["exception"]["description"])
            found = answer["result"]["objectId"]
            data = _called(cdp, found, "({boxes: this.boxes, places: this.places})")
            boxes: list[dict[str, Any]] = data["boxes"]
            for place, name in zip(data["places"], _tree_names(cdp, found), strict=False):
                boxes[place]["label"] = name
            return boxes
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


def _tree_names(cdp: CDPSession, found: str) -> list[str]:
    """Return the names that the accessibility tree has for elements without one."""
    held = cdp.send(
        "Runtime.callFunctionOn",
        {"objectId": found, "functionDeclaration": "function() { return this.nameless; }"},
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
