"""The documents of a page, read in a JavaScript world of memctl's own.

That world shares the document with the page and nothing else: whatever the page has redefined, from
``Array.prototype.map`` to ``document.querySelectorAll``, is not what these scripts call. Elements with
an ``onclick`` that the page has set are the exception: only its own world knows them.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar
from weakref import WeakKeyDictionary

from memctl.base.errors import UnusableInputError
from memctl.base.packaged import text_in
from memctl.base.pattern import Pattern
from memctl.drivers.page_errors import shown_url

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from playwright.sync_api import CDPSession, Page

_HERE, _WORLD = "memctl.drivers", "memctl"
# Playwright, of a page that went on to another while it was asked, or shown nothing of it yet.
WENT_ON = Pattern(
    r"context was destroyed|Not attached to an active page|Cannot find context|No frame for given id"
    r"|Could not find object|Inspected target navigated|Unable to capture screenshot|the document has no element yet"
)
# A script's own time, and how long a page may keep it waiting for its turn.
_LONGEST_MS, _PATIENCE_MS = 10_000, 15_000
_TERMINATED = "Execution was terminated"
# More elements, or more of them in one another, are not read: the browser itself fails at some.
_MOST, _DEEPEST = 100_000, 1_000
_TELL_MS = 2_000


@dataclass(frozen=True, slots=True)
class PageObject:
    """An object of that world."""

    cdp: CDPSession
    id: str
    _url: str

    def call(self, function: str, argument: object = None) -> Any:
        """Call a function with the object and a JSON value; return its JSON value."""
        return self._called(function, argument, returnByValue=True).get("value")

    def held(self, function: str, argument: object = None) -> PageObject:
        """Call a function that returns an object."""
        return PageObject(self.cdp, self._called(function, argument)["objectId"], self._url)

    def _called(self, function: str, argument: object, **how: bool) -> dict[str, Any]:
        about = {
            "objectId": self.id,
            "functionDeclaration": f"function(argument) {{ return ({function})(this, argument) }}",
            "arguments": [{"value": argument}],
            "awaitPromise": True,
        }
        return _result(_sent(self.cdp, "Runtime.callFunctionOn", {**about, **how}), self._url)

    def let_go(self) -> None:
        """Free the object, where its page is still there."""
        from playwright.sync_api import Error

        try:
            _sent(self.cdp, "Runtime.releaseObject", {"objectId": self.id})
        except Error:
            return


class PageWorld:
    """The world of memctl's scripts in one page.

    Parameters
    ----------
    page
        Playwright's page.
    """

    _of: ClassVar[WeakKeyDictionary[Page, PageWorld]] = WeakKeyDictionary()

    def __init__(self, page: Page) -> None:
        self._page = page
        self.cdp: CDPSession = page.context.new_cdp_session(page)

    @classmethod
    def of(cls, page: Page) -> PageWorld:
        """Return that of a page, which is kept with it."""
        if page not in cls._of:
            cls._of[page] = cls(page)
        return cls._of[page]

    def value(self, function: str, argument: object = None) -> Any:
        """Call a function in the page's document with a JSON value; return its JSON value.

        Raises
        ------
        UnusableInputError
            When the document cannot be read, or not within ten seconds of work.
        playwright.sync_api.Error
            When the page is gone, or goes on to another one.
        """
        return self.run(self.cdp, self._top(), function, argument).get("value")

    def held(self, function: str) -> PageObject:
        """Call a function that returns an object; raises as `value` does."""
        held = self.run(self.cdp, self._top(), function, by_value=False)
        return PageObject(self.cdp, held["objectId"], self._page.url)

    def _top(self) -> int:
        return world_in(self.cdp, frames_of(self.cdp)[0])

    def run(
        self,
        cdp: CDPSession,
        context: int,
        function: str,
        argument: object = None,
        *,
        by_value: bool = True,
    ) -> dict[str, Any]:
        """Call a function in one frame; raises as `value` does."""
        from playwright.sync_api import Error

        about = {
            "expression": f"({function})({json.dumps(argument)})",
            "contextId": context,
            "awaitPromise": True,
            "returnByValue": by_value,
            "timeout": _LONGEST_MS,
        }
        try:
            return _result(_sent(cdp, "Runtime.evaluate", about), self._page.url)
        except Error as error:
            if _TERMINATED not in error.message:
                raise
            raise _unreadable(self._page.url, "it takes more than 10 s") from None

    def refuse_huge(self) -> None:
        """Refuse a document that would take minutes to read, or break the browser.

        Raises
        ------
        UnusableInputError
            When it has too many elements, or too many in one another.
        """
        count, deepest = self.value(text_in(_HERE, "measure.js"))
        if count > _MOST:
            raise _unreadable(self._page.url, f"it has {count:,} elements, more than {_MOST:,}")
        if deepest > _DEEPEST:
            said = f"its elements stand {deepest:,} deep in one another, more than {_DEEPEST:,}"
            raise _unreadable(self._page.url, said)

    def hear_handlers(self, closed: Iterable[int] = ()) -> bool:
        """Ask the page's own world what has an ``onclick``; return whether it did.

        Parameters
        ----------
        closed
            Closed shadow roots, as `reveal` returns them.
        """
        from playwright.sync_api import Error

        self.value(text_in(_HERE, "hear_onclick.js"))
        tell = text_in(_HERE, "tell_onclick.js")
        about = {"expression": f"({tell})(document)", "timeout": _TELL_MS}
        try:
            heard = "exceptionDetails" not in _sent(self.cdp, "Runtime.evaluate", about)
        except Error as error:
            if _TERMINATED not in error.message:
                raise
            return False
        for node in closed if heard else ():
            root = _sent(self.cdp, "DOM.resolveNode", {"backendNodeId": node})["object"]["objectId"]
            about = {"functionDeclaration": f"function() {{ ({tell})(this) }}", "objectId": root}
            _sent(self.cdp, "Runtime.callFunctionOn", about)
        return heard


def frames_of(cdp: CDPSession) -> list[str]:
    """Return the ids of the frames of a session's process, the outermost first."""
    waiting, result = [_sent(cdp, "Page.getFrameTree")["frameTree"]], []
    while waiting:
        tree = waiting.pop()
        result.append(tree["frame"]["id"])
        waiting.extend(tree.get("childFrames", ()))
    return result


def world_in(cdp: CDPSession, frame: str) -> int:
    """Return the number of memctl's world in a frame."""
    about = {"frameId": frame, "worldName": _WORLD}
    return int(_sent(cdp, "Page.createIsolatedWorld", about)["executionContextId"])


def closed_roots(cdp: CDPSession) -> list[int]:
    """Return the node ids of the closed shadow roots in the frames of a session's process."""
    _sent(cdp, "DOM.enable")
    about = {"depth": -1, "pierce": True}
    nodes = _sent(cdp, "DOM.getFlattenedDocument", about)["nodes"]
    _sent(cdp, "DOM.disable")
    roots = (root for node in nodes for root in node.get("shadowRoots", ()))
    return [root["backendNodeId"] for root in roots if root.get("shadowRootType") == "closed"]


def reveal(cdp: CDPSession, closed: Iterable[int], context: int) -> None:
    """Tell the hosts of closed shadow roots what is in them, as far as a world reaches."""
    from playwright.sync_api import Error

    for node in closed:
        about = {"backendNodeId": node, "executionContextId": context}
        try:
            held = _sent(cdp, "DOM.resolveNode", about)["object"]["objectId"]
        except Error:
            continue  # of another frame
        _sent(
            cdp,
            "Runtime.callFunctionOn",
            {"objectId": held, "functionDeclaration": text_in(_HERE, "reveal.js")},
        )


def place_of(cdp: CDPSession, frame: str) -> list[dict[str, float]]:
    """Return where a frame is, in CSS pixels of the page; nothing where it is gone."""
    from playwright.sync_api import Error

    try:
        owner = _sent(cdp, "DOM.getFrameOwner", {"frameId": frame})["backendNodeId"]
        x, y, *_, right, bottom, _, _ = _sent(cdp, "DOM.getBoxModel", {"backendNodeId": owner})[
            "model"
        ]["border"]
    except Error:
        return []
    return [{"x": x, "y": y, "width": right - x, "height": bottom - y}]


def _sent(cdp: CDPSession, method: str, about: dict[str, Any] | None = None) -> dict[str, Any]:
    """Send a command; a page that does not answer in time is an error of Playwright's."""
    return cdp.send(method, about, timeout=_PATIENCE_MS)


def _result(answer: Mapping[str, Any], url: str) -> dict[str, Any]:
    """Return the result of a call.

    Raises
    ------
    UnusableInputError
        When it ended by an error.
    playwright.sync_api.Error
        When the page has nothing to show yet.
    """
    if "exceptionDetails" not in answer:
        return dict(answer["result"])
    from playwright.sync_api import Error

    thrown = answer["exceptionDetails"].get("exception", {})
    said = str(thrown.get("description", "")).partition("\n")[0]
    if WENT_ON.search(said):
        raise Error(said)
    raise _unreadable(url, said)


def _unreadable(url: str, why: str) -> UnusableInputError:
    return UnusableInputError(
        f'the document of "{shown_url(url)}" cannot be read: {why}',
        hint="take a screenshot of it, and learn that",
    )
