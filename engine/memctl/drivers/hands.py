"""Hands: acts on an open page, at places in CSS pixels of its viewport."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from memctl.base.errors import UnusableInputError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Page

__all__ = ["Hands"]

_STEPS = 12  # of a drag: pages listen to the moves
_EDITABLE = """() => {
  let one = document.activeElement;
  while (one && one.shadowRoot && one.shadowRoot.activeElement) one = one.shadowRoot.activeElement;
  return !!one && (one.isContentEditable || ["INPUT", "TEXTAREA", "SELECT", "IFRAME"].includes(one.tagName));
}"""


class Hands:
    """The mouse and the keyboard of one page.

    Parameters
    ----------
    page
        Playwright's page.
    """

    def __init__(self, page: Page) -> None:
        self._page = page

    def click(self, x: float, y: float, *, count: int = 1, button: str = "left") -> None:
        """Press and let go, `count` times, with the ``left``, ``middle`` or ``right`` button."""
        with self._kept():
            self._page.mouse.click(x, y, click_count=count, button=button)  # type: ignore[arg-type]

    def hover(self, x: float, y: float) -> None:
        """Move there, and rest."""
        with self._kept():
            self._page.mouse.move(x, y, steps=3)

    def drag(self, x: float, y: float, to_x: float, to_y: float) -> None:
        """Press at one place, move to another, and let go."""
        with self._kept():
            self._page.mouse.move(x, y)
            self._page.mouse.down()
            self._page.mouse.move(to_x, to_y, steps=_STEPS)
            self._page.mouse.up()

    def type(self, text: str) -> None:
        """Type into the field in focus.

        Raises
        ------
        UsageError
            When no field has the focus: keys would be commands of the app.
        """
        with self._kept():
            if not self._page.evaluate(_EDITABLE):
                raise UsageError("no field has the focus", hint="click into one first")
            self._page.keyboard.type(text)

    def press(self, key: str) -> None:
        """Press a key, or keys together: ``Control+s``."""
        with self._kept():
            self._page.keyboard.press(key)

    def scroll(self, x: float, y: float, dx: float, dy: float) -> None:
        """Turn the wheel at a place, by CSS pixels."""
        with self._kept():
            self._page.mouse.move(x, y)
            self._page.mouse.wheel(dx, dy)
            self._page.wait_for_timeout(150)

    def clear(self) -> None:
        """Empty the field in focus."""
        with self._kept():
            self._page.keyboard.press("ControlOrMeta+a")
            self._page.keyboard.press("Delete")

    def goto(self, url: str) -> None:
        """Open a page."""
        with self._kept():
            self._page.goto(url)

    @contextmanager
    def _kept(self) -> Iterator[None]:
        """Turn what Playwright says of a page that is gone into one line."""
        from playwright.sync_api import Error

        try:
            yield
        except Error as error:
            why = error.message.splitlines()[0]
            raise UnusableInputError(
                f"the page cannot be acted on: {why}", hint="the browser or its page was closed"
            ) from None
