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
    from collections.abc import Callable, Iterator

    Does = Callable[[Hands], object]

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
FRAMED = "document.querySelector('iframe').contentDocument.querySelector('input').value"


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with served({"/": PAGE, "/next": "<title>Next</title>"}) as root:
        yield root


@pytest.fixture
def hands(driver: BrowserDriver, url: str) -> Hands:
    driver.goto(url + "/")
    return Hands(driver)


@pytest.mark.parametrize(
    ("does", "told"),
    [
        (lambda hands: hands.click(50, 20), ["over", "click"]),
        (lambda hands: hands.click(50, 20, count=2), ["over", "click", "click", "double"]),
        (lambda hands: hands.click(50, 20, button="right"), ["over", "right"]),
        (lambda hands: hands.hover(50, 20), ["over"]),
        (lambda hands: hands.drag(50, 120, 50, 170), ["drop"]),
        (lambda hands: hands.drag(50, 220, 300, 220), ["moved 300"]),
        (lambda hands: hands.press("Control+s"), ["stored"]),
    ],
    ids=["click", "double", "right", "hover", "drop", "move", "shortcut"],
)
def test_an_act_of_the_pointer_or_of_a_key_is_heard_by_the_page(
    hands: Hands, driver: BrowserDriver, does: Does, told: list[str]
) -> None:
    does(hands)
    assert driver.page.evaluate("all") == told


@pytest.mark.parametrize(
    ("y", "clears", "value"),
    [
        (70, True, "document.querySelector('#name').value"),
        (320, True, "letter.innerText"),
        (362, False, FRAMED),
    ],
    ids=["field", "editable part", "field in a frame"],
)
def test_what_is_typed_stands_in_the_field_that_was_clicked(
    hands: Hands, driver: BrowserDriver, y: float, clears: bool, value: str
) -> None:
    hands.click(50, y)
    if clears:
        hands.clear()
    hands.type("Ann (x)")
    assert driver.page.evaluate(value) == "Ann (x)"


def test_a_choice_is_typed_into_a_list_that_was_opened(hands: Hands, driver: BrowserDriver) -> None:
    hands.click(50, 420)
    hands.type("Lisbon")
    assert driver.page.input_value("#city") == "Lisbon"
    with pytest.raises(UsageError, match='no choice "Porto"'):
        hands.type("Porto")
    hands.click(50, 20)
    assert driver.page.evaluate("all").pop() == "click"


def test_the_wheel_scrolls_what_is_under_it(hands: Hands, driver: BrowserDriver) -> None:
    hands.scroll(50, 270, 0, 120)
    driver.page.wait_for_function("list.scrollTop === 120")


@pytest.mark.parametrize(
    ("does", "said"),
    [
        (lambda hands: hands.type("Ann"), "no field has the focus"),
        (lambda hands: hands.clear(), "no field has the focus"),
        (lambda hands: hands.press("Save"), 'no key "Save"'),
        (lambda hands: hands.click(50, 900), "1280x800"),
    ],
    ids=["type", "clear", "unknown key", "outside of the viewport"],
)
def test_an_act_that_cannot_be_done_is_refused(hands: Hands, does: Does, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        does(hands)


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
