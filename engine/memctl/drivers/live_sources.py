"""Sources of screens: a URL is looked at in a browser, ``screen`` on the desktop."""

from __future__ import annotations

import re
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from memctl.base.errors import UnusableInputError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from memctl.drivers.browser_driver import BrowserDriver
    from memctl.drivers.look import Look

_SCHEME = re.compile(r"([a-zA-Z][a-zA-Z0-9+.-]*)://", re.ASCII)


def is_url(source: object) -> bool:
    """Return whether a source is a web page.

    Raises
    ------
    UnusableInputError
        When it is a URL of another scheme than http and https.
    """
    match = _SCHEME.match(source) if isinstance(source, str) else None
    if match and match[1].lower() not in {"http", "https"}:
        raise UnusableInputError(
            f'a page of the scheme "{match[1]}" is not opened',
            hint="give an http or https URL, or the path of a screenshot",
        )
    return match is not None


def is_live(source: object) -> bool:
    """Return whether a source is looked at anew: a URL, the screen, a driver, a Playwright page."""
    if isinstance(source, str):
        return is_url(source) or source == "screen"
    return hasattr(source, "look") or _is_page(source)


def _is_page(source: object) -> bool:
    """Return whether a source is a page of Playwright, which is not loaded to know that.

    Raises
    ------
    UsageError
        When it is a page of the async API.
    """
    kinds = {f"{kind.__module__}.{kind.__name__}" for kind in type(source).__mro__}
    if "playwright.async_api._generated.Page" in kinds:
        raise UsageError(
            "a page of Playwright's async API cannot be looked at",
            hint="use a page of playwright.sync_api, or its picture: await page.screenshot()",
        )
    return "playwright.sync_api._generated.Page" in kinds


@contextmanager
def looking(source: Any, driver: BrowserDriver | None = None) -> Iterator[Callable[[], Look]]:
    """Open a live source, and yield a function that looks at it as often as wanted.

    Parameters
    ----------
    source
        A URL, ``"screen"``, a driver that is open, or a page of Playwright's.
    driver
        The browser for a URL, not yet opened; else one with the usual options.
    """
    from memctl.drivers.browser_driver import BrowserDriver

    if _is_page(source):
        yield BrowserDriver.over(source).look
        return
    if not is_url(source):
        from memctl.drivers.screen_driver import ScreenDriver

        yield ScreenDriver().look if source == "screen" else source.look
        return
    from concurrent.futures import ThreadPoolExecutor

    browser, url = driver or BrowserDriver(), str(source)
    # Playwright refuses to work in a thread with an event loop, as notebooks and servers have.
    with ThreadPoolExecutor(1) as thread:
        opened = thread.submit(browser.__enter__).result()
        try:
            thread.submit(opened.goto, url).result()
            yield lambda: thread.submit(opened.look, site=url).result()
        finally:
            thread.submit(opened.close).result()
