"""Demonstrations: what is done in a page is recorded act by act, with a look before and after.

Acts that a task of `tests/procedural` is shown with are not shown here again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from memctl.base.errors import UnusableInputError, UsageError
from memctl.drivers import page_looks
from memctl.drivers.demonstration import Demonstration
from tests.browsers import needs_browser
from tests.drivers.serving import served
from tests.each import each

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Page, Position

    from memctl.drivers.browser_driver import BrowserDriver
    from memctl.drivers.done_acts import DoneAct
    from memctl.drivers.look import Look

    Does = Callable[[Page], object]
    Record = Callable[..., list[DoneAct]]

pytestmark = needs_browser

PAGE = """<!doctype html><meta charset=utf-8><title>Desk</title><style>
    div { width: 160px } #more { position: relative }
    #more b { display: none; position: absolute; left: 160px; top: 0 } #more:hover b { display: block }
    </style><script>const say = (text) => { said.textContent = text }</script>
    <p id=said>Nothing</p><button onclick="say('Saved')">Save</button>
    <button id=idle>Idle</button>
    <div id=menu onpointerdown="say('Menu'); event.preventDefault()">File</div>
    <div id=more>More<b onclick="say('Inner')">Inside</b></div>
    <div id=soon onmouseenter="setTimeout(() => { deep.hidden = false }, 60)">Soon</div>
    <div id=deep hidden>Deep</div>
    <div id=card draggable=true>Card</div>
    <div id=zone ondragover="event.preventDefault()" ondrop="say('Dropped')">Zone</div>
    <div id=handle onpointerup="say('Moved')">Handle</div>
    <form onsubmit="say('Sent'); return false"><label>Name <input id=name></label></form>
    <label>Door <input id=door type=password></label> <label>API key <input id=key></label>
    <textarea aria-label=Code id=code></textarea> <textarea aria-label=Raw id=raw></textarea>
    <select aria-label=City id=city><option>Any<option>Lisbon</select>
    <div id=list style="height:60px;overflow:auto"><p style="height:900px">Rows</div>
    <a id=next href=/next>Next</a><script>
    code.onbeforeinput = (event) => {  // an editor that closes brackets by itself
        event.preventDefault();
        code.value += event.data === "(" ? "()" : event.data;
    };
    raw.onkeydown = (event) => { event.preventDefault(); raw.value += event.key; };
    onkeydown = (event) => { if (event.ctrlKey && event.key === "s") say("Stored"); };
    </script>"""
NEXT = "<title>Next</title><h1>Next</h1><iframe src=/inner style='margin: 40px'></iframe>"
INNER = "<button onclick='this.textContent = \"Pressed\"'>Framed</button>"


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    with served({"/": PAGE, "/next": NEXT, "/inner": INNER}) as url:
        yield url


@pytest.fixture(scope="module")
def demonstration(driver: BrowserDriver, site: str) -> Iterator[Demonstration]:
    usual = driver.page.viewport_size
    assert usual is not None
    driver.page.set_viewport_size({"width": 900, "height": 600})
    driver.goto(site + "/")
    with pytest.MonkeyPatch.context() as patch, Demonstration(driver) as opened:
        patch.setattr(page_looks, "_APART", 0.0)  # nothing here moves between two pictures
        yield opened
        driver.page.set_viewport_size(usual)


@pytest.fixture
def record(driver: BrowserDriver, demonstration: Demonstration) -> Record:
    """Do something in the page, and return what was recorded of it."""

    def recorded(*steps: Does) -> list[DoneAct]:
        count = len(demonstration.acts)
        for does in steps:
            does(driver.page)
        demonstration.wait(0)
        return demonstration.acts[count:]

    return recorded


def kinds(acts: list[DoneAct]) -> list[tuple[str, str]]:
    return [(act.kind, act.label or act.field) for act in acts]


def said(look: Look) -> str:
    """Return what the page says on a look."""
    return next(str(box["label"]) for box in look.boxes if box["type"] == "text")


def test_a_click_has_its_place_its_label_and_the_looks_around_it(record: Record) -> None:
    (act,) = record(lambda page: page.click("button"))
    assert (act.kind, act.label, act.to) == ("click", "Save", None)
    box = next(box for box in act.before.boxes if box["label"] == "Save")
    assert act.x is not None
    assert act.y is not None
    assert box["x"] < act.x < box["x"] + box["w"]
    assert box["y"] < act.y < box["y"] + box["h"]
    assert (said(act.before), said(act.after)) == ("Nothing", "Saved")
    assert act.seconds > 0


REST: Does = lambda page: page.wait_for_timeout(450)  # noqa: E731
INSIDE: Position = {"x": 9, "y": 9}
# Of each: what is done, the acts that it is, and what the page says then if that is news.
# fmt: off
DONE: dict[str, tuple[tuple[Does, ...], list[tuple[str, str, str]], str]] = {
    "a click that changes nothing": (
        (lambda page: page.click("#idle"),), [("click", "Idle", "")], ""),
    "a press that fires no click": (
        (lambda page: page.click("#menu"),), [("click", "File", "")], "Menu"),
    "a shortcut is one key": (
        (lambda page: page.press("#city", "Control+s"),), [("key", "City", "Control+s")], "Stored"),
    "a rest that opens a submenu": (
        (lambda page: page.hover("#more"), REST, lambda page: page.click("#more b")),
        [("hover", "More", ""), ("click", "Inside", "")], "Inner"),
    "a submenu that opened in passing": (
        (lambda page: page.evaluate("deep.hidden = true"), lambda page: page.hover("#soon"),
         lambda page: page.wait_for_selector("#deep"), lambda page: page.click("#deep")),
        [("hover", "Soon", ""), ("click", "Deep", "")], ""),
    "a submenu that is reached at once after a click": (
        (lambda page: page.evaluate("deep.hidden = true"), lambda page: page.click("#idle"),
         lambda page: page.wait_for_timeout(120), lambda page: page.hover("#soon"), REST),
        [("click", "Idle", ""), ("hover", "Soon", "")], ""),
    "a rest where nothing appears": ((lambda page: page.hover("#idle"), REST), [], ""),
    "a handle is pulled": (
        (lambda page: page.drag_and_drop("#menu", "#handle", source_position=INSIDE),),
        [("drag", "File", "")], "Moved"),
    "letters are joined, without what was taken back": (
        (lambda page: page.click("#name"), lambda page: page.keyboard.type("Ann Lex"),
         lambda page: page.keyboard.press("Backspace"), lambda page: page.keyboard.type("a"),
         lambda page: page.keyboard.press("Enter")),
        [("click", "Name", ""), ("type", "Name", "Ann Lea"), ("key", "Name", "Enter")], "Sent"),
    "of an editor what was typed": (
        (lambda page: page.type("#code", "f(x"), lambda page: page.type("#raw", "g(y")),
        [("type", "Code", "f(x"), ("type", "Raw", "g(y")], ""),
}
# fmt: on


@each("name", DONE)
def test_what_is_done_becomes_acts_with_what_the_page_said(record: Record, name: str) -> None:
    steps, told, says = DONE[name]
    acts = record(*steps)
    assert [(act.kind, act.label or act.field, act.text) for act in acts] == told
    if says:
        assert said(acts[-1].before) != said(acts[-1].after) == says


def test_a_hover_shows_what_was_not_there_and_a_drag_ends_elsewhere(record: Record) -> None:
    (hover,) = record(lambda page: page.hover("#more"), REST)
    seen = [{box["label"] for box in look.boxes} for look in (hover.before, hover.after)]
    assert "Inside" in seen[1] - seen[0]
    (drag,) = record(lambda page: page.drag_and_drop("#card", "#zone", source_position=INSIDE))
    assert drag.to is not None
    assert drag.y is not None
    assert drag.to[1] > drag.y + 8


def test_typing_that_goes_on_after_a_look_stays_one_act(
    record: Record, driver: BrowserDriver, demonstration: Demonstration
) -> None:
    assert [act.text for act in record(lambda page: page.type("#name", "Bo"))] == ["Bo"]
    driver.page.keyboard.type("b")
    demonstration.wait(0)
    assert demonstration.acts[-1].text == "Bob"


def test_a_secret_is_never_kept_and_a_password_that_is_shown_stays_one(record: Record) -> None:
    acts = record(
        lambda page: page.type("#door", "hunter2"),
        lambda page: page.type("#key", "hunter2"),
        lambda page: page.evaluate("door.type = 'text'"),
        lambda page: page.type("#door", "hunter2"),
    )
    assert [act.field for act in acts] == ["Door", "API key", "Door"]
    assert all(act.secret and not act.text for act in acts)


def test_turns_of_the_wheel_are_one_scroll(record: Record) -> None:
    (act,) = record(
        lambda page: page.hover("#list"),
        lambda page: page.mouse.wheel(0, 40),
        lambda page: page.mouse.wheel(0, 60),
    )
    assert (act.kind, act.to) == ("scroll", (0, 100))


def test_a_link_is_a_click_and_a_frame_behind_it_is_heard(record: Record) -> None:
    (act,) = record(lambda page: page.click("#next"))
    assert (act.kind, act.before.title, act.after.title) == ("click", "Desk", "Next")
    (act,) = record(lambda page: page.frame_locator("iframe").locator("button").click())
    box = next(box for box in act.before.boxes if box["label"] == "Framed")
    assert act.x is not None
    assert box["x"] < act.x < box["x"] + box["w"]
    assert any(box["label"] == "Pressed" for box in act.after.boxes)


def test_a_page_that_is_opened_by_its_url_is_a_goto_without_its_query(
    record: Record, driver: BrowserDriver, site: str
) -> None:
    (act,) = record(lambda _: driver.goto(f"{site}/next?token=1"))
    assert (act.kind, act.text, act.after.title) == ("goto", "/next", "Next")


def test_after_its_end_nothing_is_recorded(driver: BrowserDriver, site: str) -> None:
    driver.goto(site + "/")
    with Demonstration(driver) as shown:
        driver.page.click("button")
    driver.page.click("button")
    assert kinds(shown.acts) == [("click", "Save")]
    with pytest.raises(UsageError, match="not open"):
        shown.wait(0)


def test_a_page_that_is_closed_is_told_and_the_acts_until_then_are_kept(
    driver: BrowserDriver, site: str
) -> None:
    driver.goto(site + "/")
    with Demonstration(driver) as shown:
        driver.page.click("button")
        shown.wait(0)
        driver.page.close()
        try:
            with pytest.raises(UnusableInputError, match="not open any more"):
                shown.wait(1)
        finally:
            driver.page = driver.page.context.new_page()
    assert kinds(shown.acts) == [("click", "Save")]


def test_a_look_during_which_the_person_went_on_is_not_taken(
    driver: BrowserDriver, site: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    driver.goto(site + "/")
    with Demonstration(driver) as shown:
        driver.page.click("button")
        usual, still_to_do = driver.look, ["#idle"]

        def interrupted(*, settled: bool | None = None) -> Look:
            while still_to_do:
                driver.page.click(still_to_do.pop())
            return usual(settled=settled)

        monkeypatch.setattr(driver, "look", interrupted)
        shown.wait(0)
    assert kinds(shown.acts) == [("click", "Save"), ("click", "Idle")]
    assert shown.acts[0].after is shown.acts[1].after
