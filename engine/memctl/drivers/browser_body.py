"""A page as a runner has it: looks, glances, the text at a place, and hands."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from memctl.base.errors import UnusableInputError
from memctl.drivers.hands import Hands
from memctl.drivers.look import in_sight

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memctl.drivers.browser_driver import BrowserDriver
    from memctl.drivers.look import Look

__all__ = ["BrowserBody"]

_TRIES_MS, _APART_MS = (1_000, 2_000, 4_000, 8_000), 100  # for a glance
_TEXT_AT = """([x, y]) => {
  let at = document.elementFromPoint(x, y);
  while (at && at.shadowRoot) {
    const inner = at.shadowRoot.elementFromPoint(x, y);
    if (!inner || inner === at) break;
    at = inner;
  }
  return at ? (at.value ?? at.innerText ?? "") : "";
}"""


class BrowserBody:
    """The open page of a browser driver.

    Parameters
    ----------
    driver
        An open driver.
    """

    def __init__(self, driver: BrowserDriver) -> None:
        self._driver = driver
        self._hands = Hands(driver)

    @property
    def hands(self) -> Hands:
        """Its mouse and keyboard."""
        return self._hands

    def look(self) -> Look:
        """Return a settled look with its boxes."""
        return self._driver.look()

    def boxes(self) -> list[dict[str, Any]]:
        """Return what the page's document shows now and nothing covers."""
        return in_sight(self._driver.boxes())

    def glance(self) -> tuple[bytes, float]:
        """Return a PNG of the page as it is now, and its pixels to a CSS pixel."""
        with self._kept():
            return self._screenshot(), self._driver.scale

    def scroll(self, x: float, y: float, dx: float, dy: float) -> None:
        """Turn the wheel there."""
        self._hands.scroll(x, y, dx, dy)

    def text_at(self, x: float, y: float) -> str:
        """Return the text of the innermost element at a place of the viewport."""
        with self._kept():
            return str(self._driver.page.evaluate(_TEXT_AT, [x, y])).strip()

    def _screenshot(self) -> bytes:
        """Return a PNG; while the page goes on to another, that fails or never ends: it is tried again."""
        from playwright.sync_api import Error
        from playwright.sync_api import TimeoutError as TimedOut

        from memctl.drivers.page_looks import WENT_ON

        page = self._driver.page
        for longest in _TRIES_MS:
            try:
                return page.screenshot(timeout=longest)
            except Error as error:
                if not (isinstance(error, TimedOut) or WENT_ON.search(error.message)):
                    raise
                page.wait_for_timeout(_APART_MS)
        return page.screenshot()

    @contextmanager
    def _kept(self) -> Iterator[None]:
        from playwright.sync_api import Error

        try:
            yield
        except Error as error:
            why = error.message.splitlines()[0]
            raise UnusableInputError(
                f"the page cannot be looked at: {why}", hint="the browser or its page was closed"
            ) from None
