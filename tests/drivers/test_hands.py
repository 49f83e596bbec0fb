"""Hands: each act of a runner has its effect in the page, or an error that says why not."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from memctl.base.errors import UnusableInputError, UsageError
from memctl.drivers.browser_driver import BrowserDriver
from memctl.drivers.hands import Hands
from tests.browsers import needs_browser
from tests.drivers.serving import served

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = needs_browser

PAGE = """<!doctype html><title>Desk</title><style>* { margin: 0 }
    .at { position: absolute; left: 0; width: 100px; height: 40px } </style>
    <button class=at style="top: 0" onclick="say('click')" ondblclick="say('double')"
        oncontextmenu="say('right'); event.preventDefault()" onmouseenter="say('over')">Do</button>
    <input id=name class=at style="top: 50px" value=old>
    <div class=at style="top: 100px" draggable=true>Card</div>
    <div class=at style="top: 150px" ondragover="event.preventDefault()" ondrop="say('drop')">Zone</div>
    <div class=at style="top: 200px" onpointerdown="this.setPointerCapture(event.pointerId)"
        onpointerup="say(`moved ${event.clientX}`)">Handle</div>
    <div id=list class=at style="top: 250px; overflow: auto"><p style="height: 900px">Rows</div>
    <div id=letter class=at style="top: 300px" contenteditable>Dear</div>
    <iframe class=at style="top: 350px" srcdoc="<style>*{margin:0}</style><input>"></iframe>
    <select id=city class=at style="top: 400px"><option>Any<option>Lisbon</select>
    <script>const all = []; const say = (text) => all.push(text);
    onkeydown = (event) => { if (event.ctrlKey && event.key === "s") say("stored"); };</script>"""


@pytest.fixture
def hands(driver: BrowserDriver) -> Iterator[Hands]:
    with served({"/": PAGE, "/next": "<title>Next</title>"}) as url:
        driver.goto(url + "/")
        yield Hands(driver)


def told(driver: BrowserDriver) -> list[str]:
    """Return what the page was told by its events."""
    return list(driver.page.evaluate("all"))


def test_a_click_presses_what_stands_there(hands: Hands, driver: BrowserDriver) -> None:
    hands.click(50, 20)
    assert told(driver) == ["over", "click"]


def test_two_clicks_are_a_double_click(hands: Hands, driver: BrowserDriver) -> None:
    hands.click(50, 20, count=2)
    assert told(driver)[1:] == ["click", "click", "double"]


def test_a_right_click_opens_the_context(hands: Hands, driver: BrowserDriver) -> None:
    hands.click(50, 20, button="right")
    assert told(driver)[1:] == ["right"]


def test_a_hover_only_points(hands: Hands, driver: BrowserDriver) -> None:
    hands.hover(50, 20)
    assert told(driver) == ["over"]


def test_a_drag_drops_what_the_browser_drags(hands: Hands, driver: BrowserDriver) -> None:
    hands.drag(50, 120, 50, 170)
    assert told(driver) == ["drop"]


def test_a_drag_moves_what_follows_the_pointer(hands: Hands, driver: BrowserDriver) -> None:
    hands.drag(50, 220, 300, 220)
    assert told(driver) == ["moved 300"]


def test_what_is_typed_stands_in_the_field_and_is_cleared(
    hands: Hands, driver: BrowserDriver
) -> None:
    hands.click(50, 70)
    hands.clear()
    hands.type("Ann (x)")
    assert driver.page.input_value("#name") == "Ann (x)"


def test_an_editable_part_is_cleared_and_typed_into(hands: Hands, driver: BrowserDriver) -> None:
    hands.click(50, 320)
    hands.clear()
    hands.type("Hello")
    assert driver.page.inner_text("#letter") == "Hello"


def test_a_field_in_a_frame_is_typed_into(hands: Hands, driver: BrowserDriver) -> None:
    hands.click(50, 362)
    hands.type("Ann")
    assert driver.page.frame_locator("iframe").locator("input").input_value() == "Ann"


def test_a_choice_is_typed_into_a_list_that_was_opened(hands: Hands, driver: BrowserDriver) -> None:
    hands.click(50, 420)
    hands.type("Lisbon")
    assert driver.page.input_value("#city") == "Lisbon"
    with pytest.raises(UsageError, match='no choice "Porto"'):
        hands.type("Porto")
    hands.click(50, 20)
    assert told(driver)[-1] == "click"


@pytest.mark.parametrize("act", ["type", "clear"])
def test_without_a_field_that_has_the_focus_nothing_is_typed(hands: Hands, act: str) -> None:
    hands.click(50, 20)
    with pytest.raises(UsageError, match="no field has the focus"):
        hands.type("Ann") if act == "type" else hands.clear()


def test_a_shortcut_is_pressed(hands: Hands, driver: BrowserDriver) -> None:
    hands.press("Control+s")
    assert told(driver) == ["stored"]


def test_a_key_that_does_not_exist_is_refused(hands: Hands) -> None:
    with pytest.raises(UsageError, match='no key "Save"'):
        hands.press("Save")


def test_the_wheel_scrolls_what_is_under_it(hands: Hands, driver: BrowserDriver) -> None:
    hands.scroll(50, 270, 0, 120)
    driver.page.wait_for_function("list.scrollTop === 120")


def test_a_place_outside_of_the_viewport_is_refused(hands: Hands) -> None:
    with pytest.raises(UsageError, match="1280x800"):
        hands.click(50, 900)


def test_a_url_is_opened_as_the_driver_does(hands: Hands, driver: BrowserDriver) -> None:
    hands.goto(driver.page.url + "next")
    assert driver.page.title() == "Next"
    with pytest.raises(UnusableInputError, match="HTTP 404"):
        hands.goto(driver.page.url + "s")


def test_hands_without_their_browser_say_so() -> None:
    def lost() -> None:
        with BrowserDriver(timeout=3) as driver:
            hands = Hands(driver)
            assert driver.page.context.browser is not None
            driver.page.context.browser.close()
            with pytest.raises(UnusableInputError, match="not open any more"):
                hands.click(5, 5)
        with pytest.raises(UnusableInputError, match="not open any more"):
            hands.press("Enter")

    with ThreadPoolExecutor(1) as thread:
        thread.submit(lost).result()
