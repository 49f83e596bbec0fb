"""Hands: the acts by which a runner presses, types and scrolls in the driven page."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Literal

from memctl.base.errors import UsageError
from memctl.drivers.page_errors import lost_page_error

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import ElementHandle, Page

    from memctl.drivers.browser_driver import BrowserDriver

_DRAG_STEPS = 20
# Milliseconds for what follows a drag by its own clock, and pixels after which a drag is one.
_DRAG_MS, _DRAG_START = 60, 10
# Whether the choices of a list are shown, which browsers before 135 do not tell.
_IS_OPEN = "el => CSS.supports('selector(:open)') && el.matches(':open')"
# Milliseconds in which a list may come to have a choice.
_CHOICE_MS = 1000
# What has the focus in a frame, where it takes text or a choice.
_FIELD = """() => {
    let el = document.activeElement;
    while (el?.shadowRoot?.activeElement) el = el.shadowRoot.activeElement;
    const pressed = ["button", "submit", "reset", "image", "checkbox", "radio", "range", "file"];
    const takes = el && document.hasFocus() && (el.isContentEditable || el.editContext
        || ["textarea", "select"].includes(el.localName)
        || ["textbox", "searchbox", "combobox", "spinbutton"].includes(el.getAttribute("role"))
        || (el.localName === "input" && !pressed.includes(el.type)));
    return takes ? el : null;
}"""


class Hands:
    """Acts in the page of a driver, at places in CSS pixels of its viewport.

    Each method raises `UnusableInputError` when the page or its browser is gone, and
    `UsageError` for a place outside of the viewport. What the page does about an act is
    known by the next look.

    Parameters
    ----------
    driver
        A browser driver that is open.
    """

    def __init__(self, driver: BrowserDriver) -> None:
        self._driver = driver

    def click(
        self,
        x: float,
        y: float,
        *,
        count: int = 1,
        button: Literal["left", "right", "middle"] = "left",
    ) -> None:
        """Press and let go, `count` times; two make a double click."""
        with self._acting((x, y)) as page:
            page.mouse.click(x, y, click_count=count, button=button)

    def hover(self, x: float, y: float) -> None:
        """Move the pointer to a place, and leave it there."""
        with self._acting((x, y)) as page:
            # At once: on its way it would open the menus that it crosses; a second move tells the
            # page that it did not just appear there.
            page.mouse.move(x, y)
            page.mouse.move(x, max(0.0, y - 1))

    def drag(self, x: float, y: float, to_x: float, to_y: float) -> None:
        """Press at a place, move in steps, and let go at another."""
        with self._acting((x, y), (to_x, to_y)) as page:
            page.mouse.move(x, y)
            page.mouse.down()
            away = _DRAG_START if to_x >= x else -_DRAG_START
            page.mouse.move(x + away, y)
            page.mouse.move(to_x, to_y, steps=_DRAG_STEPS)
            page.wait_for_timeout(_DRAG_MS)
            page.mouse.move(to_x, to_y)
            page.mouse.up()

    def type(self, text: str) -> None:
        """Type a text, key by key, into the field that has the focus; of a list, choose it.

        Raises
        ------
        UsageError
            When no field has the focus, or a list has no such choice.
        """
        with self._acting() as page:
            field = _field_in(page)
            if field.evaluate("el => el.localName") == "select":
                if field.evaluate(_IS_OPEN):
                    page.keyboard.press("Escape")
                _choose(field, text)
            else:
                page.keyboard.type(text)

    def clear(self) -> None:
        """Empty the field that has the focus.

        Raises
        ------
        UsageError
            When no field has the focus.
        """
        with self._acting() as page:
            _field_in(page)
            page.keyboard.press("ControlOrMeta+a")
            page.keyboard.press("Delete")

    def press(self, key: str) -> None:
        """Press a key or a shortcut: ``Enter``, ``Control+s``.

        Raises
        ------
        UsageError
            When there is no such key.
        """
        from playwright.sync_api import Error

        with self._acting() as page:
            try:
                page.keyboard.press(key)
            except Error as error:
                if "Unknown key" not in error.message:
                    raise
                raise UsageError(
                    f'there is no key "{key}"', hint='write it as "Enter" or "Control+s"'
                ) from None

    def scroll(self, x: float, y: float, dx: float, dy: float) -> None:
        """Turn the wheel at a place, by so many CSS pixels to the right and down."""
        with self._acting((x, y)) as page:
            page.mouse.move(x, y)
            page.mouse.wheel(dx, dy)

    def goto(self, url: str) -> None:
        """Open a URL as the driver does; its errors are the driver's."""
        self._driver.goto(url)

    @contextmanager
    def _acting(self, *places: tuple[float, float]) -> Iterator[Page]:
        from playwright.sync_api import Error

        page = self._driver.page
        for place in places:
            _refuse_outside(page, place)
        try:
            yield page
        except Error as error:
            raise lost_page_error(page.url, error) from None


def _refuse_outside(page: Page, place: tuple[float, float]) -> None:
    size = page.viewport_size
    if size and not (0 <= place[0] < size["width"] and 0 <= place[1] < size["height"]):
        raise UsageError(
            f'the place "{place[0]:g},{place[1]:g}" is outside of the page\'s viewport of '
            f"{size['width']}x{size['height']}",
            hint="scroll there first, or open a larger viewport",
        )


def _field_in(page: Page) -> ElementHandle:
    for frame in page.frames:
        field = frame.evaluate_handle(_FIELD).as_element()
        if field is not None:
            return field
    raise UsageError("no field has the focus to type into", hint="click on the field first")


def _choose(field: ElementHandle, text: str) -> None:
    from playwright.sync_api import TimeoutError as TimedOut

    try:
        field.select_option(label=text, timeout=_CHOICE_MS)
    except TimedOut:
        raise UsageError(f'the list has no choice "{text}"') from None
