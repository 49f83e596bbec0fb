"""A demonstration: what a person does in the driven page, with a look before and after each act."""

from __future__ import annotations

import json
import secrets
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import urlsplit

from memctl.base.errors import UnusableInputError, UsageError
from memctl.base.packaged import text_in
from memctl.drivers.done_acts import ActJoiner, DoneAct
from memctl.drivers.page_errors import lost_page_error
from memctl.drivers.page_scenes import held_scene
from memctl.drivers.page_traffic import PageTraffic

if TYPE_CHECKING:
    from playwright.sync_api import CDPSession

    from memctl.drivers.browser_driver import BrowserDriver
    from memctl.drivers.look import Look
    from memctl.scenes.scene import Scene

_HERE, _WORLD = "memctl.drivers", "memctl"
_PUMP_MS = 20.0
# A look's picture is its last step but one: what is done in the last of its seconds is not on it.
_LAST_STEPS = 0.05
# Looks in vain, since the person went on, before one is taken as it is.
_TRIES = 3
# An idle page that changes by itself is looked at again at most this often, in seconds.
_AGAIN = 2.0
# The page goes back in its history by itself within a second of the act that makes it do so.
_ITS_OWN = 1.0
# Seconds for the answers to an act, which may begin a moment before it is told.
_ANSWERS, _EARLY = 10.0, 0.1


class Demonstration:
    """Records what is done in the page of a driver while the ``with`` block lasts.

    It hears the pointer, the keys, the wheel and what is typed, in frames of the same origin as
    well, and across navigations; a script's acts through Playwright count as a person's. Frames
    of another origin and new windows are not heard.

    Parameters
    ----------
    driver
        A browser driver that is open.

    Examples
    --------
    >>> with Demonstration(driver) as shown:  # doctest: +SKIP
    ...     shown.wait(60)
    >>> [(act.kind, act.label) for act in shown.acts]  # doctest: +SKIP
    """

    def __init__(self, driver: BrowserDriver) -> None:
        self._driver = driver
        self._joiner = ActJoiner()
        self._queue: list[dict[str, Any]] = []
        self._cdp: CDPSession | None = None
        self._traffic: PageTraffic | None = None
        self._last: Look | None = None
        self._looked = self._heard = 0.0  # when the last look began; the last act, in seconds
        self._stale = self._asked = False

    @property
    def acts(self) -> list[DoneAct]:
        """The acts until now, in their order; one that goes on, such as typing, is replaced."""
        if self._traffic is not None:
            self._joiner.hear(self._traffic)
        return self._joiner.acts

    def __enter__(self) -> Self:
        self._listen()
        self._traffic = PageTraffic(self._driver.page)
        self._driver.agrees = lambda _: True  # what is shown is meant: a question is agreed to
        self._looked = time.time()
        self._last = self._driver.look()
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None:
            self.end()
        else:
            self._close()

    def wait(self, seconds: float) -> None:
        """Let the page's events through for so long, and look at it after each act.

        It takes longer where an act still waits for its look.

        Raises
        ------
        UsageError
            When the demonstration has not begun, or is over.
        UnusableInputError
            When the page was closed or does not react; what was done since the last look is
            forgotten then, the acts before it are kept.
        """
        if self._cdp is None:
            raise UsageError("the demonstration is not open", hint="call it in its with block")
        until, tries = time.monotonic() + seconds, 0
        try:
            while tries <= _TRIES:
                self._pump()
                self._read()
                late = time.monotonic() >= until
                if self._joiner.waiting:
                    tries += late
                    self._look(certain=tries >= _TRIES)
                elif self._stale and time.time() - self._looked > _AGAIN:
                    self._look()
                if late and not (self._queue or self._joiner.waiting):
                    return
        except UnusableInputError:
            self._joiner.drop_waiting()
            raise

    def end(self) -> None:
        """Take what is left, with its look, and hear nothing more; a page that is gone is let be."""
        if self._cdp is None:
            return
        self._tell("left")
        with suppress(UnusableInputError):
            self.wait(0)
        self._close()

    def _close(self) -> None:
        from playwright.sync_api import Error

        cdp, self._cdp = self._cdp, None
        self._driver.agrees = lambda _: False
        if self._traffic is not None:
            self._joiner.hear(self._traffic)
            self._traffic.close()
        if cdp is not None:
            with suppress(Error):  # it went with its page
                cdp.detach()

    def _listen(self) -> None:
        """Put the listener into the open page and into all that follow, in a world of its own."""
        from playwright.sync_api import Error

        page, name = self._driver.page, f"memctl_{secrets.token_hex(8)}"
        script = "".join(
            text_in(_HERE, file) for file in ("dom.js", "scene.js", "demonstration.js")
        )
        source = f'(() => {{ const TELL = "{name}"; {script} }})()'
        try:
            self._cdp = cdp = page.context.new_cdp_session(page)
            main = cdp.send("Page.getFrameTree")["frameTree"]["frame"]["id"]
            cdp.on("Runtime.bindingCalled", lambda event: self._hear(name, event))
            cdp.on("Page.frameRequestedNavigation", lambda event: self._ask(main, event))
            cdp.on("Page.frameStartedNavigating", lambda event: self._start(main, event))
            cdp.on("Page.frameNavigated", lambda event: self._arrive(event["frame"]))
            cdp.send("Page.enable")
            cdp.send("Runtime.enable")
            cdp.send("Runtime.addBinding", {"name": name, "executionContextName": _WORLD})
            new = {"source": source, "worldName": _WORLD, "runImmediately": True}
            cdp.send("Page.addScriptToEvaluateOnNewDocument", new)
        except Error as error:
            raise lost_page_error(page.url, error) from None

    # Playwright calls these while another call waits: none of them may call it.
    def _hear(self, name: str, call: dict[str, Any]) -> None:
        if call["name"] != name:
            return
        event = json.loads(call["payload"])
        at = event["at"] / 1000
        if event["kind"] == "changed":
            self._stale = self._stale or at > self._looked
        else:
            self._heard = at
            self._queue.append(event)

    def _ask(self, main: str, event: dict[str, Any]) -> None:
        """Note that the page goes elsewhere by itself: an act that was heard made it."""
        here = event.get("disposition", "currentTab") == "currentTab"
        self._asked = self._asked or (event["frameId"] == main and here)

    def _start(self, main: str, event: dict[str, Any]) -> None:
        history = str(event.get("navigationType", "")).startswith("history")
        if event["frameId"] == main and history and time.time() - self._heard < _ITS_OWN:
            self._asked = True

    def _arrive(self, frame: dict[str, Any]) -> None:
        if "parentId" in frame:
            return
        asked, self._asked = self._asked, False
        self._tell("left" if asked else "goto", text=urlsplit(frame["url"]).path)

    def _tell(self, kind: str, text: str = "") -> None:
        self._queue.append({"kind": kind, "at": time.time() * 1000, "text": text})

    def _pump(self) -> None:
        from playwright.sync_api import Error

        page = self._driver.page
        try:
            page.wait_for_timeout(_PUMP_MS)
        except Error as error:
            raise lost_page_error(page.url, error) from None

    def _read(self) -> None:
        """Join what was heard to acts, in the order in which it was done."""
        assert self._last is not None  # noqa: S101  (set by __enter__)
        events = sorted(self._queue, key=lambda event: float(event["at"]))
        self._queue.clear()
        for event in events:
            self._joiner.read(event, self._last)

    def _look(self, *, certain: bool = False) -> None:
        """Look at the settled page; in vain where the person went on meanwhile, unless `certain`."""
        settled = self._driver.settle()
        if self._answered():
            settled = self._driver.settle()
        self._read()
        began, self._stale = time.time(), False
        look = self._driver.look(settled=settled)
        ended = time.time() - _LAST_STEPS
        self._pump()
        if certain or not any(event["at"] / 1000 < ended for event in self._queue):
            self._last, self._looked = look, began
            self._joiner.close(look, began, self._scene())

    def _answered(self) -> bool:
        """Let the requests of the last act be answered; return whether any had to be waited for."""
        until, waited = time.monotonic() + _ANSWERS, False
        while self._traffic is not None and time.monotonic() < until:
            if all(request.ended for request in self._traffic.since(self._heard - _EARLY)):
                break
            waited = True
            self._pump()
        return waited

    def _scene(self) -> Scene | None:
        """Return the settled page; nothing of one that is gone."""
        from playwright.sync_api import Error

        try:
            held = held_scene(self._driver.page)
        except Error:
            return None
        held.let_go()
        return held.scene
