"""Looks at a page: two screenshots that agree, and the boxes that its document knows."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from memctl.base.errors import UnusableInputError
from memctl.base.packaged import text_in
from memctl.drivers.blank_fields import BlankFields, painted_over
from memctl.drivers.look import Look
from memctl.drivers.moving import decoded, marked_dynamic, share_changed, standing_still
from memctl.drivers.page_errors import shown_url
from memctl.drivers.page_traffic import OpenRequests
from memctl.drivers.page_world import WENT_ON, PageWorld

if TYPE_CHECKING:
    from collections.abc import Iterable

    from playwright.sync_api import Page

    from memctl.drivers.moving import Pixels
    from memctl.drivers.page_world import PageObject

_HERE = "memctl.drivers"
_QUIET_MS = 150
_APART = 0.3
# Two screenshots agree when at most this share of their pixels differs; a page that turns over
# is taken once more, this often.
_MOST_CHANGED = 0.1
_TRIES = 3
_TRAFFIC = 3.0  # seconds, at most, to wait for requests and web sockets
_FOUND = "({nameless, ...data}) => data"


@dataclass(frozen=True, slots=True)
class _Taken:
    """The second of two screenshots, the boxes on it, and how much changed since the first."""

    png: bytes
    pixels: Pixels
    boxes: list[dict[str, Any]]
    changed: float
    found: dict[str, Any]  # what the document said else


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
        for left in reversed(range(_TRIES)):
            taken = self._taken(certain=not left)
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
        if taken.found["late"]:
            notes.append("the page has too many elements: not all of them were read")
        if not taken.found["heard"]:
            notes.append("the page does not let its scripts tell all that takes a press")
        elif not taken.boxes:
            notes.append("the page names no elements: it is drawn, or empty")
        height, width = taken.pixels.shape[:2]
        return Look(
            png=taken.png,
            boxes=taken.boxes,
            title=taken.found["title"],
            url=taken.found["url"],
            size=(width, height),
            scale=taken.found["scale"],
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
            asked = {"quiet": _QUIET_MS, "timeout": self.timeout * 1000}
            waited = PageWorld.of(self.page).value(text_in(_HERE, "settled.js"), asked)
            moving = str(waited["moving"]) or traffic.moving()
            if not moving or time.monotonic() - began > min(_TRAFFIC, self.timeout):
                return moving
            self.page.wait_for_timeout(50)

    def _taken(self, *, certain: bool) -> _Taken | None:
        """Return two screenshots and the boxes; ``None`` where the page went away meanwhile.

        `certain`: frames that go on to other documents are painted over.
        """
        from playwright.sync_api import Error
        from playwright.sync_api import TimeoutError as TimedOut

        try:
            with BlankFields(self.page) as blank:
                before = self.page.screenshot(timeout=self._ms)
                at = time.monotonic()
                found = self._boxes(blank.closed)
                self.page.wait_for_timeout(max(0.0, _APART - (time.monotonic() - at)) * 1000)
                png = self.page.screenshot(timeout=self._ms)
                again = (found if found["late"] else self._boxes(blank.closed, named=False))[
                    "boxes"
                ]
                if not blank.lift(certain=certain):
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
            png=painted_over(second, hidden, found["scale"]) if hidden else png,
            pixels=second,
            boxes=marked_dynamic(boxes, first, second),
            changed=max(share_changed(first, second), gone),
            found=found,
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

    def _boxes(self, closed: Iterable[int] = (), *, named: bool = True) -> dict[str, Any]:
        """Return the boxes of the document, the places of fields that are not blank, and more.

        What has no name in the document is `named` by its accessibility tree. `closed` are the
        closed shadow roots.
        """
        world = PageWorld.of(self.page)
        world.refuse_huge()
        heard = world.hear_handlers(closed)
        script = text_in(_HERE, "dom.js") + text_in(_HERE, "page_boxes.js")
        found = world.held(f"() => {{ {script} }}")
        data: dict[str, Any] = {**found.call(_FOUND), "heard": heard}
        names = _tree_names(found) if named else ()
        found.let_go()
        for place, name in zip(data["places"], names, strict=False):
            data["boxes"][place]["label"] = name
        return data


def _tree_names(found: PageObject) -> list[str]:
    """Return the names that the accessibility tree has for elements without one."""
    cdp, held = found.cdp, found.held("(found) => found.nameless")
    listed = cdp.send("Runtime.getProperties", {"objectId": held.id, "ownProperties": True})
    elements = [one["value"] for one in listed["result"] if one["name"].isdigit()]
    names = []
    for element in elements:
        about = {"objectId": element["objectId"], "fetchRelatives": False}
        nodes = cdp.send("Accessibility.getPartialAXTree", about).get("nodes") or [{}]
        names.append(str(nodes[0].get("name", {}).get("value", "")).strip())
    return names
