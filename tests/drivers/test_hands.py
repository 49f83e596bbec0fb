"""Hands: acts of a runner that no task of `tests/procedural` needs, and why an act is refused."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from memctl.base.errors import UnusableInputError, UsageError
from memctl.drivers.browser_driver import BrowserDriver
from memctl.drivers.hands import Hands
from tests.browsers import needs_browser

if TYPE_CHECKING:
    from collections.abc import Callable

    Does = Callable[[Hands], object]

pytestmark = needs_browser

PAGE = """<style>* { margin: 0 } .at { position: absolute; left: 0; width: 100px; height: 40px }</style>
    <button class=at style="top: 0" onclick="say('click')" ondblclick="say('double')"
        onmouseenter="say('over')">Do</button>
    <div class=at style="top: 50px" onpointerdown="this.setPointerCapture(event.pointerId)"
        onpointerup="say(`moved ${event.clientX}`)">Handle</div>
    <div id=list class=at style="top: 100px; overflow: auto"><p style="height: 900px">Rows</div>
    <div id=letter class=at style="top: 150px" contenteditable>Dear</div>
    <iframe class=at style="top: 200px" srcdoc="<style>*{margin:0}</style><input>"></iframe>
    <select id=city class=at style="top: 250px"><option>Any<option>Lisbon</select>
    <script>const all = [], say = (text) => all.push(text);
    const framed = () => document.querySelector("iframe").contentDocument.querySelector("input").value;</script>"""


@pytest.fixture
def hands(opened: Callable[..., BrowserDriver]) -> Hands:
    return Hands(opened(PAGE))


@pytest.mark.parametrize(
    ("does", "then"),
    [
        (lambda hands: hands.hover(50, 20), "all.join() === 'over'"),
        (lambda hands: hands.click(50, 20, count=2), "all.join() === 'over,click,click,double'"),
        (lambda hands: hands.drag(50, 70, 300, 70), "all.join() === 'moved 300'"),
        (lambda hands: hands.scroll(50, 120, 0, 120), "list.scrollTop === 120"),
        (
            lambda hands: (hands.click(50, 170), hands.clear(), hands.type("Ann (x)")),
            "letter.innerText === 'Ann (x)'",
        ),
        (lambda hands: (hands.click(50, 212), hands.type("Ann")), "framed() === 'Ann'"),
        (lambda hands: (hands.click(50, 270), hands.type("Lisbon")), "city.value === 'Lisbon'"),
    ],
    ids=["hover", "double", "pull", "wheel", "editable part", "field in a frame", "open list"],
)
def test_an_act_has_its_effect_in_the_page(
    hands: Hands, driver: BrowserDriver, does: Does, then: str
) -> None:
    does(hands)
    driver.page.wait_for_function(then)


@pytest.mark.parametrize(
    ("does", "said"),
    [
        (lambda hands: hands.type("Ann"), "no field has the focus"),
        (lambda hands: hands.clear(), "no field has the focus"),
        (lambda hands: hands.press("Save"), 'no key "Save"'),
        (lambda hands: hands.click(50, 900), "1280x800"),
        (lambda hands: (hands.click(50, 270), hands.type("Porto")), 'no choice "Porto"'),
    ],
    ids=["no field", "no field to clear", "no key", "outside of the viewport", "no choice"],
)
def test_an_act_that_cannot_be_done_is_refused(hands: Hands, does: Does, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        does(hands)


def test_hands_without_their_browser_say_so() -> None:
    def lost() -> None:
        with BrowserDriver(timeout=3) as driver:
            hands = Hands(driver)
            assert driver.page.context.browser is not None
            driver.page.context.browser.close()
            with pytest.raises(UnusableInputError, match="not open any more"):
                hands.click(5, 5)

    with ThreadPoolExecutor(1) as thread:
        thread.submit(lost).result()
