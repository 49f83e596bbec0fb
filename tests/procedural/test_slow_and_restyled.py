"""A skill is run in an app that is slow or restyled: nothing is sent twice, nothing else is pressed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import memctl
from memctl.procedural.running import arrivals
from tests.drivers.serving import served
from tests.procedural.orders import Demonstrated

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memctl.drivers.browser_driver import BrowserDriver
    from memctl.memory import Memory

NOTE = "keep-a-note"


def form(ms: int, style: str = "") -> str:
    """Return a page with a captioned field; what is kept is shown after so many milliseconds."""
    return f"""<!doctype html><meta charset=utf-8><title>Notes</title>
<style>body{{font:18px sans-serif;margin:30px}} input,button{{display:block;margin:12px 0;
font-size:18px;padding:6px}} {style}</style><main id=m><h1>Write a note</h1>
<label for=n>Heading</label><input id=n><button id=keep>Keep it</button></main><script>
window.kept = [];
keep.onclick = () => {{ kept.push(n.value); setTimeout(() => {{ m.innerHTML =
  "<h1>The note was kept</h1><p>It stands with the others</p><button>Another one</button>"; }}, {ms}); }};
</script>"""


@pytest.fixture(scope="module")
def taught(driver: BrowserDriver, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memory]:
    with memctl.open("notes", tmp_path_factory.mktemp("notes")) as memory:
        with served({"/": form(0)}) as url:
            driver.goto(url + "/")
            shown = Demonstrated(driver)
            shown.click("#n")
            shown.type("ropes")
            shown.click("#keep")
        skill = memory.skills.record(NOTE, shown.acts, parameters={"what": "ropes"})
        memory.skills.approve(skill.id)
        yield memory


def kept(driver: BrowserDriver) -> object:
    return driver.page.evaluate("kept")


def test_an_app_that_is_slow_today_is_waited_for(taught: Memory, driver: BrowserDriver) -> None:
    with served({"/": form(3_000)}) as url:
        driver.goto(url + "/")
        ended = taught.skills.run(NOTE, driver, {"what": "anchors"})
        assert (ended.status, kept(driver)) == ("done", ["anchors"])


def test_what_shows_no_effect_is_not_done_again(
    taught: Memory, driver: BrowserDriver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(arrivals, "_UNMOVED", 2.0)
    with served({"/": form(60_000)}) as url:
        driver.goto(url + "/")
        ended = taught.skills.run(NOTE, driver, {"what": "anchors"})
        assert (ended.status, ended.step, kept(driver)) == ("failed", 2, ["anchors"])


def test_a_field_is_told_from_its_caption_in_another_theme(
    taught: Memory, driver: BrowserDriver
) -> None:
    dark = "body{background:#111;color:#eee} input,button{background:#333;color:#eee;border:0}"
    with served({"/": form(0, dark)}) as url:
        driver.goto(url + "/")
        ended = taught.skills.run(NOTE, driver, {"what": "anchors"})
        assert (ended.status, kept(driver)) == ("done", ["anchors"])
