"""Looks: a page settles first, and what moves is marked; the desktop is a picture."""

from __future__ import annotations

import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from memctl.base.errors import UnusableInputError, UsageError
from memctl.drivers.browser_driver import BrowserDriver
from memctl.drivers.moving import decoded
from memctl.drivers.screen_driver import ScreenDriver
from tests.browsers import needs_browser
from tests.drivers.serving import served

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

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
    assert look(WRITING).note == "the page did not settle within 1 s"


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
