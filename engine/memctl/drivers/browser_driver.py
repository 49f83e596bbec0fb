"""The browser driver: opens pages in an installed Chromium, Chrome or Edge, and looks at them."""

from __future__ import annotations

import os
from contextlib import contextmanager, suppress
from dataclasses import KW_ONLY, dataclass, field, replace
from typing import TYPE_CHECKING, Any, Self
from weakref import WeakSet

from memctl.base.arguments import resolvable
from memctl.base.errors import UsageError
from memctl.drivers.browsers import check_version, find_browser
from memctl.drivers.page_errors import (
    is_lost,
    lost_page_error,
    open_page_error,
    page_error,
    refuse_answer,
    refuse_other_site,
    shown_url,
)
from memctl.drivers.page_traffic import OpenRequests

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import BrowserContext, Dialog, Error, Page, Playwright, Response

    from memctl.base.errors import UnusableInputError
    from memctl.drivers.look import Look

_HINT = "pip install 'memctl-engine[browser]'"
# The longest that a look takes where every step of it just keeps its own time-out, in seconds and
# in time-outs: a page that takes longer is given up.
_LONGEST, _STEPS = 30.0, 10
_TRIES, _MOST_WINDOWS = 3, 20
# Playwright, of a page that the one before it has led away from.
_INTERRUPTED = "interrupted by another navigation"
# Letters in one grey, the same on every machine; nothing of the window but the page.
_FLAGS = ("--disable-lcd-text", "--force-color-profile=srgb", "--hide-scrollbars")


@resolvable
@dataclass(eq=False)
class BrowserDriver:
    """One page in an installed browser, kept open while the ``with`` block lasts.

    Parameters
    ----------
    viewport
        Width and height of the page in CSS pixels.
    scale
        Pixels of a screenshot to one CSS pixel.
    dark
        Ask pages for their dark theme.
    profile
        The folder of a browser profile that stays: an app that was signed in to there is
        looked at signed in. Without it the browser knows nobody.
    browser_path
        The browser's program; else the first one installed.
    timeout
        Most seconds that a page may take to answer, and then to settle.
    headless
        Show no window.

    Attributes
    ----------
    page
        Playwright's page, for whoever presses and types.
    agrees
        Whether a question of the browser's own dialog is agreed to; nothing is, by default.

    Examples
    --------
    >>> with BrowserDriver(viewport=(1280, 720)) as driver:  # doctest: +SKIP
    ...     driver.goto("http://localhost:8000/orders")
    ...     memory.learn(driver)
    ...     driver.page.get_by_text("New order").click()
    ...     memory.learn(driver)
    """

    _: KW_ONLY
    viewport: tuple[int, int] = (1280, 800)
    scale: float = 1.0
    dark: bool = False
    profile: str | os.PathLike[str] | None = None
    browser_path: str = ""
    timeout: float = 10.0
    headless: bool = True
    page: Page = field(init=False, repr=False)
    agrees: Callable[[str], bool] = field(
        default_factory=lambda: lambda _: False, init=False, repr=False
    )
    _playwright: Playwright | None = field(default=None, init=False, repr=False)
    _notes: list[str] = field(default_factory=list, init=False, repr=False)
    _given_up: bool = field(default=False, init=False, repr=False)
    _crashed: bool = field(default=False, init=False, repr=False)

    @classmethod
    def over(cls, page: Page, *, timeout: float = 10.0) -> Self:
        """Return a driver of a page that its caller opened and will close; its dialogs stay his.

        A page that a driver has opened is driven by that one.

        Parameters
        ----------
        page
            A page of Playwright's sync API.
        timeout
            As for the class.
        """
        own = next((one for one in _OPENED if one.page is page), None)
        if isinstance(own, cls):
            return own
        driver = cls(timeout=timeout)
        driver.page = page
        return driver

    @contextmanager
    def answering(self) -> Iterator[None]:
        """Answer the dialogs of a page that somebody else opened, by `agrees`, for a while."""
        foreign = self._playwright is None
        if foreign:
            self.page.on("dialog", self._dismiss)
        try:
            yield
        finally:
            if foreign:
                self.page.remove_listener("dialog", self._dismiss)

    def __enter__(self) -> Self:
        path = find_browser(self.browser_path)
        self._playwright = _started()
        try:
            self.page = self._opened(path)
            _OPENED.add(self)
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the page and end the browser."""
        _OPENED.discard(self)
        if self._playwright is not None:
            playwright, self._playwright = self._playwright, None
            playwright.stop()

    def goto(self, url: str) -> None:
        """Open a page and wait until it is loaded, at most `timeout` seconds.

        Raises
        ------
        UnusableInputError
            When nothing answers, or the answer is an error, a download or asks for a password.
        """
        from playwright.sync_api import Error
        from playwright.sync_api import TimeoutError as TimedOut

        limit = self.timeout * 1000
        answers: list[Response] = []  # of an error without a page goto() returns none

        def keep(answer: Response) -> None:
            answers.append(answer)

        if self._given_up or self.page.is_closed():
            self._reopen()
        OpenRequests.of(self.page)
        self.page.on("response", keep)
        try:
            self._commit(url, limit)
        except Error as error:
            refuse_answer(url, answers)
            raise self._lost(url, error) from None
        finally:
            self.page.remove_listener("response", keep)
        refuse_answer(url, answers)
        try:
            self.page.wait_for_load_state("load", timeout=limit)
        except TimedOut:
            self._notes.append(f"the page was still loading after {self.timeout:g} s")
        except Error as error:
            raise self._lost(url, error) from None

    def _reopen(self) -> None:
        """Open another page for one that hangs, crashed or was closed."""
        from playwright.sync_api import Error

        left, context = self.page, self.page.context
        try:
            self.page, self._given_up, self._crashed = self._new_page(context, left), False, False
            left.close()
        except Error as error:
            raise lost_page_error(left.url, error) from None

    def _lost(self, url: str, error: Error) -> UnusableInputError:
        """Return the error of a page, and remember one that will not answer the next question."""
        did = "given up" if self._given_up else "crashed" if self._crashed else ""
        result = page_error(url, error, self.timeout, did)
        own = self._playwright is not None
        self._given_up = own and (self._given_up or is_lost(error))
        return result

    def _commit(self, url: str, limit: float) -> None:
        """Leave the open page for another; the open one may be going somewhere itself."""
        from playwright.sync_api import Error

        for left in reversed(range(_TRIES)):
            try:
                self.page.goto(url, wait_until="commit", timeout=limit)
            except Error as error:
                if not left or _INTERRUPTED not in error.message:
                    raise
                self.page.wait_for_timeout(100)
            else:
                return

    def settle(self) -> bool:
        """Return whether the open page came to rest within `timeout` seconds.

        Raises
        ------
        UnusableInputError
            When the page does not react any more.
        """
        from memctl.drivers.page_looks import PageLooks

        with _errors_of(self), self._given_up_after(_LONGEST + self.timeout):
            return not PageLooks(self.page, self.timeout).settle()

    def look(self, site: str | None = None, *, settled: bool | None = None) -> Look:
        """Wait until the open page has settled, and take its picture and its boxes.

        Parameters
        ----------
        site
            A URL of the site that the page has to be of; any where nothing is said.
        settled
            What `settle` just said, where that was called: there is no waiting again.

        Raises
        ------
        UnusableInputError
            When the page is of another site, or does not react any more.
        """
        from memctl.drivers.page_looks import PageLooks

        longest = _LONGEST + _STEPS * self.timeout
        with _errors_of(self), self._given_up_after(longest):
            look = PageLooks(self.page, self.timeout).take(settled=settled)
        if site is not None:
            refuse_other_site(site, look.url)
        said = "; ".join(dict.fromkeys([*self._notes, look.note]))
        self._notes.clear()
        return replace(look, url=shown_url(look.url), note=said.strip("; "))

    def boxes(self) -> list[dict[str, Any]]:
        """Return the boxes of the open page as it is now, as a look has them; no picture is taken.

        Raises
        ------
        UnusableInputError
            When the page does not react any more.
        """
        from memctl.drivers.page_looks import PageLooks

        with _errors_of(self), self._given_up_after(_LONGEST + self.timeout):
            return PageLooks(self.page, self.timeout).boxes()

    def _opened(self, path: str) -> Page:
        from playwright.sync_api import Error

        assert self._playwright is not None  # noqa: S101  (set by __enter__)
        chromium = self._playwright.chromium
        launch: dict[str, Any] = {
            "executable_path": path,
            "headless": self.headless,
            "args": _FLAGS,
            # The sandbox does not start for root, as which containers run.
            "chromium_sandbox": hasattr(os, "geteuid") and os.geteuid() != 0,
        }
        page: dict[str, Any] = {
            "viewport": {"width": self.viewport[0], "height": self.viewport[1]},
            "device_scale_factor": self.scale,
            "color_scheme": "dark" if self.dark else "light",
            "reduced_motion": "reduce",
            "accept_downloads": False,
            # Else a page's own policy keeps contents of fields from being blanked.
            "bypass_csp": True,
        }
        try:
            if self.profile is None:
                browser = chromium.launch(**launch)
                check_version(browser.version)
                context = browser.new_context(**page)
            else:
                folder = os.path.expanduser(self.profile)  # noqa: PTH111  (text or a path)
                context = chromium.launch_persistent_context(folder, **launch, **page)
                if context.browser is not None:
                    check_version(context.browser.version)
        except Error as error:
            raise open_page_error(path, error) from None
        context.on("dialog", self._dismiss)
        return self._new_page(context)

    def _new_page(self, context: BrowserContext, left: Page | None = None) -> Page:
        """Return a page of a browser, not the one that is left: the first, or another one."""
        if left is not None:
            context.remove_listener("page", self._close_popup)
        page = context.pages[0] if context.pages and left is None else context.new_page()
        context.on("page", self._close_popup)
        page.on("crash", self._close_crashed)
        return page

    def _close_crashed(self, page: Page) -> None:
        """Close a page that crashed: what waits for its answer fails then."""
        self._crashed = True
        page.close()

    def _close_popup(self, page: Page) -> None:
        """Close a window that a page opens beside many."""
        from playwright.sync_api import Error

        if len(page.context.pages) <= _MOST_WINDOWS:
            return
        with suppress(Error):  # it went by itself
            page.close()
        self._notes.append(f"the page opened more than {_MOST_WINDOWS} windows, which were closed")

    def _dismiss(self, dialog: Dialog) -> None:
        """Close a dialog that no script answers; leaving a page is agreed to: that was asked for."""
        from playwright.sync_api import Error

        own = int(self._playwright is None)  # on the page of somebody else this one listens, too
        if _heard(dialog.page) > own:
            return
        known = self.agrees(dialog.message)
        with suppress(Error):  # it went with its page
            if known or dialog.type in {"beforeunload", "alert"}:
                dialog.accept()
            else:
                dialog.dismiss()
        if not known:
            self._notes.append(f'the page opened a dialog ("{dialog.type}"), which was dismissed')

    @contextmanager
    def _given_up_after(self, seconds: float) -> Iterator[None]:
        """Close a page that is not done by then; what waits for it fails.

        The loop is that of Playwright, which runs while a call waits; a call from inside of it stands in
        a greenlet of its own, as Playwright's own handlers do.
        """
        from asyncio import get_running_loop

        from greenlet import greenlet

        def give_up() -> None:
            if self._playwright is None:
                return  # somebody else's page
            self._given_up = True  # a page that hangs may take a while until it is closed
            greenlet(self.page.close).switch()

        late = get_running_loop().call_later(seconds, give_up)
        try:
            yield
        finally:
            late.cancel()


_OPENED: WeakSet[BrowserDriver] = WeakSet()


def _heard(page: Page | None) -> int:
    """Return how many listeners a script has for the dialogs of a page.

    Playwright has no other door to them; where this one is gone, there are none.
    """
    listeners = getattr(getattr(page, "_impl_obj", None), "listeners", None)
    return len(listeners("dialog")) if listeners is not None else 0


@contextmanager
def _errors_of(driver: BrowserDriver) -> Iterator[None]:
    """Turn the errors of Playwright into one line that names the page."""
    from playwright.sync_api import Error

    try:
        yield
    except Error as error:
        raise driver._lost(driver.page.url, error) from None  # noqa: SLF001  (its own)


def _started() -> Playwright:
    """Start Playwright.

    Raises
    ------
    UsageError
        When the extra is not installed, or the thread has an event loop: a notebook's, a
        server's, or that of another driver.
    """
    try:
        from playwright.sync_api import Error, sync_playwright
    except ImportError:
        raise UsageError('looking at a page needs the extra "browser"', hint=_HINT) from None
    try:
        return sync_playwright().start()
    except Error:
        raise UsageError(
            "a browser driver cannot be opened in a thread with an event loop",
            hint="open it in a thread of its own, and only one in each",
        ) from None
