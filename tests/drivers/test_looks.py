"""Looks: the page settles first, what moves is marked, and a memory learns it by its URL."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import memctl
from memctl.base.errors import UsageError
from memctl.drivers.browser_driver import BrowserDriver
from memctl.drivers.moving import decoded
from tests.browsers import needs_browser
from tests.drivers.serving import served

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from memctl.drivers.look import Look
    from memctl.memory import Memory

pytestmark = needs_browser

ORDERS = "<!doctype html><title>Orders</title><h1>Orders</h1><button>New order</button>"
LATE = """<div role=progressbar>Loading</div><script>
    setTimeout(() => { document.body.innerHTML = "<button>Ready</button>" }, 700)</script>"""
TICKING = """<button>Still</button><p id=clock>0</p><script>
    let at = 0; setInterval(() => { document.getElementById("clock").textContent = ++at }, 200)
    </script>"""


def test_a_look_waits_until_a_spinner_is_gone(look: Callable[..., Look]) -> None:
    looked = look(LATE)
    assert [box["label"] for box in looked.boxes] == ["Ready"]
    assert looked.note == ""


def test_what_moves_between_two_looks_is_dynamic(look: Callable[..., Look]) -> None:
    moving = {box["type"]: box.get("dynamic", False) for box in look(TICKING).boxes}
    assert moving == {"button": False, "text": True}


def test_a_page_that_never_rests_is_taken_and_says_so(look: Callable[..., Look]) -> None:
    looked = look("<p id=a></p><script>setInterval(() => a.append('.'), 20)</script>")
    assert looked.note == "the page did not settle within 3 s"


def test_a_driver_stays_open_for_many_looks(driver: BrowserDriver) -> None:
    page = "<button onclick='this.textContent = \"Done\"'>Do</button>"
    with served({"/": page}) as url:
        driver.goto(url + "/")
        before = driver.look()
        driver.page.get_by_role("button").click()
        after = driver.look()
    assert [look.boxes[0]["label"] for look in (before, after)] == ["Do", "Done"]


def test_viewport_scale_and_theme_are_options_of_a_look(memory: Memory) -> None:
    page = "<style>@media (prefers-color-scheme: dark) { body { background: #000 } }</style>"
    with served({"/": page + "<button>Save</button>"}) as url:
        looked = memory.look(url + "/", viewport=(400, 300), scale=2, dark=True)
    assert looked is not None
    assert (looked.size, looked.scale, looked.boxes[0]["scale"]) == ((800, 600), 2, 2)
    assert decoded(looked.png)[-1, -1].tolist() == [0, 0, 0]


def test_a_second_driver_in_one_thread_is_refused(driver: BrowserDriver) -> None:
    assert driver.page is not None
    with pytest.raises(UsageError, match="thread with an event loop"), BrowserDriver():
        pass


def test_a_page_is_learned_and_waited_for_by_its_url(home: Path) -> None:
    with served({"/": ORDERS}) as url, memctl.open(f"chromium/{url}", home) as memory:
        learned = memory.learn(url + "/?token=1")
        assert {one.label for one in learned.learned} == {"Orders", "New order"}
        waited = memory.wait("New_order", url + "/")
        assert waited.found
        assert waited.match.state is not None
        assert learned.state is not None
        assert waited.match.state.id == learned.state.id


def test_a_driver_that_is_open_and_its_look_are_learned(home: Path, driver: BrowserDriver) -> None:
    with served({"/": ORDERS}) as url, memctl.open("harbor", home) as memory:
        driver.goto(url + "/")
        assert len(memory.learn(driver).learned) == 2
        assert len(memory.match(driver.look()).sightings) == 2
