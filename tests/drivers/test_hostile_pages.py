"""Pages that work against their reader are read rightly, or refused in one line that names what they did."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from memctl.base.errors import UnusableInputError
from memctl.drivers.browser_driver import BrowserDriver
from memctl.drivers.moving import decoded
from memctl.drivers.page_scenes import held_scene
from tests.browsers import needs_browser
from tests.each import each

if TYPE_CHECKING:
    from collections.abc import Callable

    from memctl.drivers.look import Look

pytestmark = needs_browser

SAVE = "<title>Save</title><button>Save</button><p id=part>Part</p>"
POISON = """<script>
    const bad = () => { throw new Error("poison") }, endless = () => { for (;;); };
    Array.prototype.map = Array.prototype.filter = Array.prototype.push = bad;
    Array.prototype[Symbol.iterator] = bad; JSON.stringify = endless; Object.prototype.toJSON = endless;
    Object.prototype.toString = Object.prototype.valueOf = endless; Symbol.for = bad;
    Object.defineProperty(Object.prototype, "x", { get: bad, set: bad });
    document.querySelectorAll = document.elementFromPoint = document.createTreeWalker = bad;
    Element.prototype.getBoundingClientRect = () => ({ left: 0, top: 0, width: 1, height: 1 });
    Element.prototype.querySelectorAll = endless; window.getComputedStyle = bad;
    window.Map = window.Set = window.Promise = window.WeakSet = window.MutationObserver = null;
    Date.now = performance.now = () => NaN; window.setTimeout = bad; window.CSSStyleSheet = null;
    </script>"""


def labels(look: Look) -> list[str]:
    return [box["label"] for box in look.boxes]


def test_a_page_that_redefined_what_scripts_call_is_read_as_it_is(
    opened: Callable[..., BrowserDriver],
) -> None:
    plain = opened(SAVE).look()
    poisoned = opened(SAVE + POISON).look()
    assert (poisoned.boxes, poisoned.title, poisoned.note) == (plain.boxes, "Save", "")


def test_a_scene_of_a_poisoned_page_can_be_acted_on(opened: Callable[..., BrowserDriver]) -> None:
    held = held_scene(opened(SAVE + POISON).page)
    node = next(at for at, one in enumerate(held.scene.nodes) if one.tag == "button")
    assert not held.aim(node).why
    held.let_go()


def test_what_a_script_gave_a_handler_takes_a_press(look: Callable[..., Look]) -> None:
    looked = look(SAVE + "<script>part.onclick = () => 1</script>")
    assert [box["type"] for box in looked.boxes if box["label"] == "Part"] == ["button"]
    assert not looked.note


def test_a_page_that_hides_its_handlers_says_so(look: Callable[..., Look]) -> None:
    looked = look(
        SAVE
        + "<script>Object.defineProperty(HTMLElement.prototype, 'onclick', {get() { throw 1 }})</script>"
    )
    assert labels(looked) == ["Save", "Part"]
    assert looked.note == "the page does not let its scripts tell all that takes a press"


def test_fields_that_are_called_as_parts_of_their_form_are_read(look: Callable[..., Look]) -> None:
    form = "<form class=f><input name=children placeholder=Children><input name=id></form>"
    assert labels(look(SAVE + 3 * form)).count("Children") == 3


@each(
    ("page", "said"),
    [
        ("<form><input name=getAttribute></form>", 'a field of a form is called "getAttribute"'),
        (
            """<script>let el = document.body; for (let at = 0; at < 1500; at += 1)
            el = el.appendChild(document.createElement("i"))</script>""",
            "its elements stand 1,50",
        ),
    ],
)
def test_a_document_that_cannot_be_read_is_refused(
    look: Callable[..., Look], page: str, said: str
) -> None:
    with pytest.raises(UnusableInputError, match=r'\Athe document of "http') as raised:
        look(SAVE + page)
    assert said in raised.value.message
    assert raised.value.hint


@each(
    "source",
    [
        """sandbox=allow-scripts srcdoc="<script>for (;;);</script>" """,
        """srcdoc="<input value=secret><script>setInterval(() => location.reload(), 30)</script>" """,
    ],
)
def test_a_frame_that_does_not_rest_is_painted_over(
    opened: Callable[..., BrowserDriver], monkeypatch: pytest.MonkeyPatch, source: str
) -> None:
    driver = opened(SAVE)
    monkeypatch.setattr(driver, "timeout", 1.0)
    style = "position: fixed; left: 300px; top: 200px; width: 200px; height: 100px"
    looked = opened(f"{SAVE}<iframe style='{style}' {source}></iframe>").look()
    assert {"Save", "Part"} <= set(labels(looked))
    assert (decoded(looked.png)[200:300, 300:500] == 255).all()


def test_a_page_that_crashes_is_named_and_the_next_is_looked_at(driver: BrowserDriver) -> None:
    from playwright.sync_api import Error

    driver.goto("data:text/html,<p>Crash")
    session = driver.page.context.new_cdp_session(driver.page)
    with pytest.raises(Error):
        session.send("Page.crash", timeout=5000)
    # On a busy machine the tab is silent before the browser says that it crashed.
    with pytest.raises(UnusableInputError, match=r"crashed its tab|does not answer"):
        driver.look()
    driver.goto("data:text/html,<button>Next</button>")
    assert labels(driver.look()) == ["Next"]


def test_a_page_that_closes_its_window_is_named_and_the_next_is_looked_at(
    driver: BrowserDriver,
) -> None:
    driver.goto("data:text/html,<p>Close")
    driver.page.close()
    with pytest.raises(UnusableInputError, match="closed its window"):
        driver.look()
    driver.goto("data:text/html,<button>Next</button>")
    assert labels(driver.look()) == ["Next"]


def test_windows_that_a_page_opens_without_end_are_closed(driver: BrowserDriver) -> None:
    driver.goto(
        "data:text/html,<button>Save</button><script>for (let at = 0; at < 25; at += 1) open()</script>"
    )
    assert "the page opened more than 20 windows, which were closed" in driver.look().note
    others = [page for page in driver.page.context.pages if page is not driver.page]
    assert len(others) < 20
    for page in others:
        page.close()


def test_a_page_of_somebody_else_that_hangs_is_refused_and_left_open(
    driver: BrowserDriver, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = driver.page.context.new_page()
    page.set_content("<button>Save</button>")
    page.evaluate("setTimeout(() => { for (;;); }, 20)")
    page.wait_for_timeout(200)
    monkeypatch.setattr("memctl.drivers.page_world._PATIENCE_MS", 500)
    with pytest.raises(UnusableInputError, match="does not answer within 1 s"):
        BrowserDriver.over(page, timeout=1).look()
    assert not page.is_closed()
    page.close()


def test_control_characters_are_in_no_label_and_title(look: Callable[..., Look]) -> None:
    looked = look("<title>Sa\x1b[1mve\x9c</title><button aria-label='Sa\x1b]0;ve\x07'>x</button>")
    assert (labels(looked), looked.title) == (["Sa]0;ve"], "Sa [1mve")
