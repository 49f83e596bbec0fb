"""A stage: an app of our own in a browser, somebody who shows a task there, and a memory that repeats it.

Pages say what was done to them with `did(text)`; the server keeps it, also when the page is gone.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING
from urllib.parse import unquote

import memctl
from memctl.drivers.demonstration import Demonstration
from tests.drivers.serving import served

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from http.server import BaseHTTPRequestHandler
    from pathlib import Path
    from typing import Any

    from playwright.sync_api import Page

    from memctl.drivers.browser_driver import BrowserDriver
    from memctl.memory import Memory
    from memctl.procedural.skill_records import Skill, SkillRun
    from tests.drivers.serving import Answer

HEAD = """<!doctype html><meta charset=utf-8><title>Office</title><style>body { font: 16px sans-serif }
td, li, .card, .row { padding: 6px 20px } [hidden] { display: none !important }</style>
<script>const did = (what) => { new Image().src = "/did?" + encodeURIComponent(what); };
const rowOf = (el) => el.closest("tr, li, .card, .row, fieldset");
const drop = (el) => { did("removed " + (rowOf(el).querySelector(".name") ?? rowOf(el).querySelector("td")).textContent); rowOf(el).remove(); };
</script>"""


def table(*names: str, button: str = "<button onclick=drop(this)>Remove</button>") -> str:
    """Return a table of people, each with a button."""
    rows = "".join(f"<tr><td>{name}<td>{button}" for name in names)
    return f"<h1>People</h1><table><tr><th>Name<th>Act{rows}</table>"


class Stage:
    """The app, the browser and the memory.

    Parameters
    ----------
    url
        Where the app is served.
    pages
        What it serves, by path; it may be changed at any time.
    """

    def __init__(
        self, driver: BrowserDriver, memory: Memory, url: str, pages: dict[str, str | Answer]
    ) -> None:
        self.driver = driver
        self.memory = memory
        self.url = url
        self.pages = pages
        self.done: list[str] = []  # what pages said was done to them
        pages["/did"] = self._hear

    @property
    def page(self) -> Page:
        """Playwright's page."""
        return self.driver.page

    def open(self, html: str, path: str = "/") -> None:
        """Let the app be a page, and open it."""
        self.pages[path] = HEAD + html
        self.driver.goto(self.url + path)

    def show(
        self, skill: str, html: str, /, *acts: str, verify: Sequence[Any] = (), **values: str
    ) -> Skill:
        """Do something on a page, and return the active skill that it became.

        Parameters
        ----------
        acts
            ``click tr:nth-child(2) button``, ``type Ann``, ``press Enter``, ``drag #card into #zone``.
        values
            The parameters, with the values of this time.
        """
        self.open(html, f"/{skill}")
        with Demonstration(self.driver) as seen:
            for one in acts:
                self.do(one)
        made = self.memory.skills.record(
            skill, seen.acts, url=f"{self.url}/{skill}", parameters=values, verify=verify
        )
        return self.memory.skills.approve(made.id)

    def do(self, act: str) -> None:
        """Do one act as a person would."""
        verb, _, what = act.partition(" ")
        one, _, into = what.partition(" into ")
        page = self.page
        does: dict[str, Callable[[], object]] = {
            "click": lambda: page.click(what),
            "right-click": lambda: page.click(what, button="right"),
            "hover": lambda: page.hover(what),
            "type": lambda: page.keyboard.type(what),
            "press": lambda: page.keyboard.press(what),
            "choose": lambda: page.select_option(into, one),
            "drag": lambda: page.drag_and_drop(one, into),
            "open": lambda: page.goto(self.url + what),
        }
        does[verb]()

    def run(self, skill: str, html: str, /, **values: str) -> SkillRun:
        """Open a page, and repeat there what was shown; what is done from now on is heard."""
        self.open(html, f"/{skill}")
        self.done.clear()
        ended = self.memory.skills.run(skill, self.driver, values)
        self.page.wait_for_timeout(20)  # for what the page says last
        return ended

    def _hear(self, request: BaseHTTPRequestHandler) -> None:
        self.done.append(unquote(request.path.partition("?")[2]))
        request.send_response(204)
        request.end_headers()


@contextmanager
def staged(driver: BrowserDriver, home: Path) -> Iterator[Stage]:
    """Serve an app, and open a memory of it."""
    pages: dict[str, str | Answer] = {}
    with memctl.open("office", home) as memory, served(pages) as url:
        yield Stage(driver, memory, url, pages)
