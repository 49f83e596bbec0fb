"""The page of a run: looked at, listened to, and acted on, with the errors of a page that is gone."""

from __future__ import annotations

import time
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from memctl.drivers.hands import Hands
from memctl.drivers.page_errors import lost_page_error
from memctl.drivers.page_scenes import held_scene
from memctl.drivers.page_traffic import PageTraffic

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Page

    from memctl.drivers.browser_driver import BrowserDriver
    from memctl.drivers.page_scenes import HeldScene
    from memctl.drivers.page_traffic import PageRequest
    from memctl.scenes.scene import Scene


_DRAWS = 1.5  # seconds that a page may take to draw what it was answered


class RunPage:
    """The open page of a driver, for one run.

    Parameters
    ----------
    driver
        An open driver.

    Attributes
    ----------
    first
        The scene right before the first act on each page in this run, by its path.
    """

    def __init__(self, driver: BrowserDriver) -> None:
        self.driver = driver
        self.hands = Hands(driver)
        self.first: dict[str, Scene] = {}
        self._held: HeldScene | None = None
        self._open = ExitStack()
        with self.errors():
            self._open.enter_context(driver.answering())
            self._traffic = PageTraffic(driver.page)

    @property
    def page(self) -> Page:
        """Playwright's page."""
        return self.driver.page

    @property
    def url(self) -> str:
        """Where the page is."""
        return self.page.url

    def close(self) -> None:
        """Hear nothing more of the page."""
        self.driver.agrees = lambda _: False
        self._traffic.close()
        self._open.close()

    @contextmanager
    def errors(self) -> Iterator[None]:
        """Name the page in the errors of one that is gone."""
        from playwright.sync_api import Error

        try:
            yield
        except Error as error:
            raise lost_page_error(self.driver.page.url, error) from None

    def held(self) -> HeldScene:
        """Return the page as it is now; the scene before is let go."""
        if self._held is not None:
            self._held.let_go()
        self._held = held_scene(self.page)
        return self._held

    def scene(self) -> Scene:
        """Return the page as it is now."""
        return self.held().scene

    def pause(self, seconds: float) -> None:
        """Let the page go on for a while."""
        self.page.wait_for_timeout(seconds * 1000)

    def sent(self, since: float) -> list[PageRequest]:
        """Return the requests to the page's own site since a moment of the system's clock."""
        site = urlsplit(self.url).netloc
        return [
            request
            for request in self._traffic.since(since)
            if urlsplit(request.url).netloc == site
        ]

    def waits(self, since: float) -> bool:
        """Return whether an answer to such a request is not there yet."""
        return any(not request.ended for request in self.sent(since) if request.kind != "Ping")

    def just_answered(self, since: float) -> bool:
        """Return whether the last answer came a moment ago: what it brings is still to be drawn."""
        return any(
            time.time() - request.answered < _DRAWS
            for request in self.sent(since)
            if request.answered
        )

    def asked(self, since: float) -> list[str]:
        """Return the questions of the browser's own dialogs since a moment that were not agreed to."""
        return [
            dialog.message for dialog in self._traffic.dialogs
            if dialog.at >= since and not dialog.agreed and dialog.message
        ]  # fmt: skip

    def came_by_post(self) -> bool:
        """Return whether the open page is the answer to a form: to load it anew would send that again."""
        pages = [request for request in self._traffic.requests if request.kind == "Document"]
        return bool(pages) and pages[-1].changes

    def reload(self, url: str) -> None:
        """Load a page anew, by asking for it and never by sending a form again."""
        if url.split("#", maxsplit=1)[0] == self.url.split("#")[0] and not self.came_by_post():
            self.page.reload(wait_until="load", timeout=self.driver.timeout * 1000)
            return
        self.driver.goto(url)

    def quiet(self, since: float, seconds: float, longest: float) -> None:
        """Wait until no answer is due and nothing is at work, at most `longest` seconds."""
        until, calm = time.monotonic() + longest, 0.0
        while time.monotonic() < until and calm < seconds:
            self.pause(0.05)
            calm = 0.0 if self.waits(since) else calm + 0.05
