"""Demonstrations: what is done in a page is recorded act by act, with a look before and after."""

from __future__ import annotations

from asyncio import get_running_loop
from typing import TYPE_CHECKING

import pytest
from greenlet import greenlet

from memctl.base.errors import UnusableInputError, UsageError
from memctl.drivers.demonstration import Demonstration
from tests.browsers import needs_browser
from tests.drivers.serving import served

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Page

    from memctl.drivers.browser_driver import BrowserDriver
    from memctl.drivers.done_acts import DoneAct
    from memctl.drivers.look import Look

    Record = Callable[[Callable[[Page], object]], list[DoneAct]]

pytestmark = needs_browser

PAGE = """<!doctype html><meta charset=utf-8><title>Desk</title><style>
    div { width: 160px } #more { position: relative }
    #more b { display: none; position: absolute; left: 160px; top: 0 } #more:hover b { display: block }
    </style><script>const say = (text) => { said.textContent = text }</script>
    <p id=said>Nothing</p><button onclick="say('Saved')">Save</button>
    <button id=idle>Idle</button> <button id=twice ondblclick="say('Opened')">Open</button>
    <div id=menu onpointerdown="say('Menu'); event.preventDefault()">File</div>
    <div id=right oncontextmenu="say('Context'); event.preventDefault()">Report</div>
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
    with Demonstration(driver) as opened:
        yield opened
        driver.page.set_viewport_size(usual)


@pytest.fixture
def record(driver: BrowserDriver, demonstration: Demonstration) -> Record:
    """Do something in the page, and return what was recorded of it."""

    def recorded(does: Callable[[Page], object]) -> list[DoneAct]:
        count = len(demonstration.acts)
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
    assert 0 < act.seconds < 3


def test_a_click_that_changes_nothing_is_an_act(record: Record) -> None:
    (act,) = record(lambda page: page.click("#idle"))
    assert (act.kind, said(act.before)) == ("click", said(act.after))


def test_two_clicks_at_once_are_one_double_click(record: Record) -> None:
    (act,) = record(lambda page: page.dblclick("#twice"))
    assert (act.kind, said(act.after)) == ("double click", "Opened")


def test_a_menu_that_fires_no_click_is_clicked(record: Record) -> None:
    (act,) = record(lambda page: page.click("#menu"))
    assert (act.kind, act.label, said(act.after)) == ("click", "File", "Menu")


def test_a_right_click_is_one(record: Record) -> None:
    (act,) = record(lambda page: page.click("#right", button="right"))
    assert (act.kind, act.label, said(act.after)) == ("right click", "Report", "Context")


def test_a_rest_that_opens_a_submenu_is_a_hover(record: Record) -> None:
    def rest(page: Page) -> None:
        page.hover("#more")
        page.wait_for_timeout(450)

    (hover,) = record(rest)
    assert (hover.kind, hover.label) == ("hover", "More")
    seen = [{box["label"] for box in look.boxes} for look in (hover.before, hover.after)]
    assert "Inside" in seen[1] - seen[0]
    (click,) = record(lambda page: page.click("#more b"))
    assert (click.kind, click.label, said(click.after)) == ("click", "Inside", "Inner")


def test_a_submenu_that_opened_in_passing_is_hovered_before_it_is_clicked(record: Record) -> None:
    def pass_by(page: Page) -> None:
        page.hover("#soon")
        page.wait_for_selector("#deep")
        page.click("#deep")

    assert kinds(record(pass_by)) == [("hover", "Soon"), ("click", "Deep")]


def test_a_submenu_that_is_reached_at_once_after_a_click_is_hovered(record: Record) -> None:
    def hurry(page: Page) -> None:
        page.evaluate("deep.hidden = true")
        page.click("#idle")
        page.wait_for_timeout(120)
        page.hover("#soon")
        page.wait_for_timeout(450)

    assert kinds(record(hurry)) == [("click", "Idle"), ("hover", "Soon")]


def test_a_rest_where_nothing_appears_is_no_act(record: Record) -> None:
    def rest(page: Page) -> None:
        page.hover("#idle")
        page.wait_for_timeout(450)

    assert record(rest) == []


def test_a_drag_is_told_by_where_it_ends(record: Record) -> None:
    def drag(page: Page) -> None:
        for of, to in ("card", "zone"), ("menu", "handle"):
            page.drag_and_drop(f"#{of}", f"#{to}", source_position={"x": 9, "y": 9})

    acts = record(drag)
    assert kinds(acts) == [("drag", "Card"), ("drag", "File")]
    for act in acts:
        assert act.to is not None
        assert act.y is not None
        assert act.to[1] > act.y + 8
    assert said(acts[1].after) == "Moved"


def test_letters_are_joined_and_what_was_taken_back_is_not_among_them(record: Record) -> None:
    def write(page: Page) -> None:
        page.click("#name")
        page.keyboard.type("Ann Lex")
        page.keyboard.press("Backspace")
        page.keyboard.type("a")
        page.keyboard.press("Enter")

    acts = record(write)
    assert [(act.kind, act.text) for act in acts] == [
        ("click", ""),
        ("type", "Ann Lea"),
        ("key", "Enter"),
    ]
    assert (acts[1].field, acts[1].x, said(acts[2].after)) == ("Name", None, "Sent")


def test_typing_that_goes_on_after_a_look_stays_one_act(
    record: Record, driver: BrowserDriver, demonstration: Demonstration
) -> None:
    assert [act.text for act in record(lambda page: page.type("#name", "Bo"))] == ["Bo"]
    driver.page.keyboard.type("b")
    demonstration.wait(0)
    assert demonstration.acts[-1].text == "Bob"


def test_of_an_editor_only_what_was_typed_is_kept(record: Record) -> None:
    def write(page: Page) -> None:
        page.type("#code", "f(x")
        page.type("#raw", "g(y")

    acts = record(write)
    assert [(act.kind, act.field, act.text) for act in acts] == [
        ("type", "Code", "f(x"),
        ("type", "Raw", "g(y"),
    ]


def test_a_secret_is_never_kept_and_a_password_that_is_shown_stays_one(record: Record) -> None:
    def write(page: Page) -> None:
        page.type("#door", "hunter2")
        page.type("#key", "hunter2")
        page.evaluate("door.type = 'text'")
        page.type("#door", "hunter2")

    acts = record(write)
    assert [act.field for act in acts] == ["Door", "API key", "Door"]
    assert all(act.secret and not act.text for act in acts)


def test_a_choice_in_a_list_is_typed(record: Record) -> None:
    (act,) = record(lambda page: page.locator("#city").press("L"))
    assert (act.kind, act.text, act.field) == ("type", "Lisbon", "City")


def test_a_shortcut_is_one_key(record: Record) -> None:
    (act,) = record(lambda page: page.keyboard.press("Control+s"))
    assert (act.kind, act.text, said(act.after)) == ("key", "Control+s", "Stored")


def test_turns_of_the_wheel_are_one_scroll(record: Record) -> None:
    def turn(page: Page) -> None:
        page.hover("#list")
        page.mouse.wheel(0, 40)
        page.mouse.wheel(0, 60)

    (act,) = record(turn)
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
    driver: BrowserDriver, site: str
) -> None:
    def soon(does: Callable[[], object], seconds: float) -> None:
        get_running_loop().call_later(seconds, greenlet(does).switch)

    driver.goto(site + "/")
    with Demonstration(driver) as shown:
        driver.page.mouse.click(40, 60)
        soon(lambda: driver.page.mouse.click(200, 60), 0.35)
        shown.wait(0)
    assert len(shown.acts) == 2
    assert shown.acts[0].after is shown.acts[1].after
