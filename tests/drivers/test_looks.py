"""Looks: the page settles first, and what moves is marked."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from memctl.base.errors import UsageError
from memctl.drivers.browser_driver import BrowserDriver
from memctl.drivers.moving import decoded
from tests.browsers import needs_browser
from tests.drivers.serving import served

if TYPE_CHECKING:
    from collections.abc import Callable

    from memctl.drivers.look import Look
    from memctl.memory import Memory

pytestmark = needs_browser

DARK = """<style>@media (prefers-color-scheme: dark) { body { background: #000 } }</style>
    <button>Save</button>"""
LATE = """<div role=progressbar>Loading</div><script>
    setTimeout(() => { document.body.innerHTML = "<button>Ready</button>" }, 700)</script>"""
TICKING = """<button>Still</button><p id=clock>0</p><script>
    let at = 0; setInterval(() => { document.getElementById("clock").textContent = ++at }, 200)
    </script>"""
WRITING = "<p id=a></p><script>setInterval(() => a.append('.'), 20)</script>"


def test_a_look_waits_until_a_spinner_is_gone(look: Callable[..., Look]) -> None:
    looked = look(LATE)
    assert [box["label"] for box in looked.boxes] == ["Ready"]
    assert looked.note == ""


def test_what_moves_between_two_looks_is_dynamic(look: Callable[..., Look]) -> None:
    moving = {box["type"]: box.get("dynamic", False) for box in look(TICKING).boxes}
    assert moving == {"button": False, "text": True}


@pytest.mark.usefixtures("hurried")
def test_a_page_that_never_rests_is_taken_and_says_so(look: Callable[..., Look]) -> None:
    assert look(WRITING).note == "the page did not settle within 1 s"


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


def test_a_second_driver_in_one_thread_is_refused(driver: BrowserDriver) -> None:
    assert driver.page is not None
    with pytest.raises(UsageError, match="thread with an event loop"), BrowserDriver():
        pass


def test_viewport_scale_and_theme_are_options_of_a_look(memory: Memory) -> None:
    with served({"/": DARK}) as url:
        dark = memory.look(url + "/", viewport=(400, 300), scale=2, dark=True)
    assert dark is not None
    assert (dark.size, dark.scale, dark.boxes[0]["scale"]) == ((800, 600), 2, 2)
    assert decoded(dark.png)[-1, -1].tolist() == [0, 0, 0]
