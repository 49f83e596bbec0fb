"""Looks: a browser is found, a page settles first, and what moves is marked; the desktop is a picture."""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

import memctl
from memctl.base.errors import NotFoundError, UnusableInputError, UsageError
from memctl.drivers.browser_driver import BrowserDriver
from memctl.drivers.browsers import find_browser
from memctl.drivers.moving import decoded
from memctl.drivers.screen_driver import ScreenDriver
from tests.browsers import needs_browser
from tests.drivers.serving import answering, served
from tests.each import each

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from http.server import BaseHTTPRequestHandler
    from pathlib import Path

    from memctl.drivers.look import Look
    from memctl.memory import Memory


DARK = """<style>@media (prefers-color-scheme: dark) { body { background: #000 } }</style>
    <button>Save</button>"""


LATE = """<div role=progressbar>Loading</div><script>
    setTimeout(() => { document.body.innerHTML = "<button>Ready</button>" }, 700)</script>"""


TICKING = """<button>Still</button><p id=clock>0</p><script>
    let at = 0; setInterval(() => { document.getElementById("clock").textContent = ++at }, 200)
    </script>"""


WRITING = "<p id=a></p><script>setInterval(() => a.append('.'), 20)</script>"


@needs_browser
def test_a_look_waits_until_a_spinner_is_gone(look: Callable[..., Look]) -> None:
    looked = look(LATE)
    assert [box["label"] for box in looked.boxes] == ["Ready"]
    assert looked.note == ""


@needs_browser
def test_what_moves_between_two_looks_is_dynamic(look: Callable[..., Look]) -> None:
    moving = {box["type"]: box.get("dynamic", False) for box in look(TICKING).boxes}
    assert moving == {"button": False, "text": True}


@needs_browser
@pytest.mark.usefixtures("hurried")
def test_a_page_that_never_rests_is_taken_and_says_so(look: Callable[..., Look]) -> None:
    assert look(WRITING).note == "still moving: its document changes"


# fmt: off
MOVING = {
    "a busy mark": ("<main aria-busy=true>Orders</main>", "it is marked as busy"),
    "a spinner": (
        """<style>@keyframes turn { to { rotate: 1turn } } .spinner { animation: turn 1s infinite;
        width: 30px; height: 30px; border-top: 3px solid }</style>Orders<div class=spinner></div>""",
        "a spinner turns"),
    "a word": ("<span>Running…</span>", 'it says "Running…"'),
    "an animation that ends": (
        """<style>@keyframes grow { to { width: 90px } } p { animation: grow 60s }</style><p>Now""",
        "an animation runs"),
}


# fmt: on


@needs_browser
@pytest.mark.usefixtures("hurried")
@each("name", MOVING)
def test_a_look_says_what_still_moves(look: Callable[..., Look], name: str) -> None:
    page, what = MOVING[name]
    assert look(page).note == f"still moving: {what}"


@needs_browser
@each(
    "decoration",
    [
        """<style>@keyframes blink { 50% { opacity: 0 } } i { animation: blink 1s infinite;
        display: inline-block; width: 8px; height: 8px; background: red }</style><i></i>""",
        """<i style="display: inline-block; width: 2px; height: 18px"></i><script>let on = 0;
        setInterval(() => { document.querySelector("i").style.background = ++on % 2 ? "#000" : "#fff"
        }, 40)</script>""",
    ],
)
def test_a_caret_or_a_dot_that_blinks_for_ever_keeps_no_look_waiting(
    look: Callable[..., Look], decoration: str
) -> None:
    looked = look(f"<button>Save</button>{decoration}")
    assert (looked.note, looked.boxes[0]["label"]) == ("", "Save")


@needs_browser
def test_a_look_waits_for_the_answer_of_a_request(driver: BrowserDriver) -> None:
    def late(request: BaseHTTPRequestHandler) -> None:
        time.sleep(1.2)
        answering(200, "Bob Cole")(request)

    asks = """<button onclick="fetch('/late').then((a) => a.text()).then((text) => { n.append(text) })">
        Load</button><p id=n>Guest </p>"""
    with served({"/": asks, "/late": late}) as url:
        driver.goto(url + "/")
        driver.page.get_by_role("button").click()
        looked = driver.look()
    assert "Guest Bob Cole" in {box["label"] for box in looked.boxes}
    assert looked.note == ""


@needs_browser
def test_boxes_that_move_while_the_picture_is_taken_are_left_out(look: Callable[..., Look]) -> None:
    still = "".join(f"<p>Line {at}</p>" for at in range(20))
    moves = """<button style="position: fixed; left: 300px; width: 20px; height: 20px; padding: 0">x
        </button><script>let at = 0; setInterval(() => { document.querySelector("button").style.top
        = `${(at += 9) % 400}px` }, 30)</script>"""
    labels = {box["label"] for box in look(still + moves).boxes}
    assert labels == {f"Line {at}" for at in range(20)}


@needs_browser
def test_a_driver_stays_open_for_many_looks(
    opened: Callable[..., BrowserDriver], memory: Memory
) -> None:
    driver = opened("<button onclick='this.textContent = \"Done\"'>Do</button>")
    assert [one.label for one in memory.learn(driver).learned] == ["Do"]
    before = driver.look()
    assert before.scale == before.boxes[0]["scale"] == 1
    assert len(memory.match(before).sightings) == 1
    driver.page.get_by_role("button").click()
    assert [look.boxes[0]["label"] for look in (before, driver.look())] == ["Do", "Done"]


@needs_browser
def test_a_second_driver_in_one_thread_is_refused(driver: BrowserDriver) -> None:
    assert driver.page is not None
    with pytest.raises(UsageError, match="thread with an event loop"), BrowserDriver():
        pass


@needs_browser
def test_viewport_scale_and_theme_are_options_of_a_look(memory: Memory) -> None:
    with served({"/": DARK}) as url:
        dark = memory.look(url + "/", viewport=(400, 300), scale=2, dark=True)
    assert dark is not None
    assert (dark.size, dark.scale, dark.boxes[0]["scale"]) == ((800, 600), 2, 2)
    assert decoded(dark.png)[-1, -1].tolist() == [0, 0, 0]


# -- the desktop ------------------------------------------------------------------------------

needs_xvfb = pytest.mark.skipif(shutil.which("Xvfb") is None, reason="no Xvfb here")


on_linux = pytest.mark.skipif(sys.platform != "linux", reason="displays are named on Linux only")


@pytest.fixture
def display(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A display without a monitor."""
    command = ["Xvfb", "-displayfd", "1", "-screen", "0", "640x480x24", "-nolisten", "tcp"]
    command.append("-noreset")  # who comes after the last one has gone need not wait for it
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        monkeypatch.setenv("DISPLAY", f":{server.stdout.readline().strip()}")
        yield
        server.terminate()


@needs_xvfb
@pytest.mark.usefixtures("display")
def test_the_desktop_is_a_picture_without_boxes(memory: Memory) -> None:
    look = memory.look("screen")
    assert look is not None
    assert (look.size, look.boxes) == ((640, 480), [])
    assert decoded(look.png).shape == (480, 640, 3)
    assert memory.learn("screen").image.w == 640


@on_linux
@pytest.mark.parametrize("name", [None, ":987"])
def test_a_display_that_is_not_there_is_an_error(
    monkeypatch: pytest.MonkeyPatch, name: str | None
) -> None:
    if name is None:
        monkeypatch.delenv("DISPLAY", raising=False)
    else:
        monkeypatch.setenv("DISPLAY", name)
    with pytest.raises(UnusableInputError, match="the screen cannot be read: ") as raised:
        ScreenDriver().look()
    assert "\n" not in raised.value.message
    assert raised.value.hint == "is there a display? On Linux, DISPLAY names it"


def test_a_missing_browser_is_an_error_that_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(NotFoundError, match="no Chromium, Chrome or Edge is installed") as raised:
        find_browser()
    assert "install Chromium, Chrome or Edge" in raised.value.hint


def test_a_browser_is_found_on_the_path_unless_another_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    edge = tmp_path / "msedge"
    edge.write_text("#!/bin/sh\n", encoding="utf-8")
    edge.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert find_browser() == str(edge)
    with pytest.raises(NotFoundError, match="there is no browser"):
        find_browser(str(tmp_path / "nowhere"))


def test_the_environment_names_a_browser_and_a_store_may_not(
    memory: Memory, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(UsageError, match='"browser_path" cannot be "/bin/true"'):
        memory.settings.set("browser_path", "/bin/true")
    with memory.store.transaction():  # as a file that somebody gave may hold it
        row = ("browser_path", "/bin/true", "2026-01-01T00:00:00Z")
        memory.store.connection().execute("insert into setting values (?, ?, ?)", row)
    with memctl.open("harbor", home) as given, pytest.raises(UsageError, match="in the store"):
        given.browser()
    monkeypatch.setenv("MEMCTL_BROWSER_PATH", "/usr/bin/msedge")
    with memctl.open("harbor", home) as again:
        assert again.browser().browser_path == "/usr/bin/msedge"
