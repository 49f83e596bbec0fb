"""A stage: an app of our own in a browser, somebody who shows a task there, and a memory that repeats it.

Pages say what was done to them with `did(text)`, a function that the browser's context has.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

import memctl
from memctl.drivers.demonstration import Demonstration
from memctl.procedural.running import proving, runner, seeking
from tests.drivers.serving import served

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from playwright.sync_api import Page

    from memctl.drivers.browser_driver import BrowserDriver
    from memctl.memory import Memory
    from memctl.procedural.skill_records import Skill, SkillRun
    from tests.drivers.serving import Answer

HEAD = """<!doctype html><meta charset=utf-8><title>Office</title><style>body { font: 16px sans-serif }
td, li, .card, .row { padding: 6px 20px } [hidden] { display: none !important }</style>
<script>window.did ??= () => {}; const rowOf = (el) => el.closest("tr, li, .card, .row, fieldset");
const nameOf = (el) => (rowOf(el).querySelector(".name") ?? rowOf(el).querySelector("td")).textContent;
const drop = (el) => { did("removed " + nameOf(el)); rowOf(el).remove(); };</script>"""
PEOPLE = ("Ann Berg", "Bob Cole", "Cy Dunn")
REMOVE = "<button onclick=drop(this)>Remove</button>"
# Seconds, and the tries of an act, for what will not come; an engine at work is more patient.
HASTE = (
    (seeking, "_MOST", 0.5),
    (proving, "_MOST", 0.8),
    (proving, "_LONGEST", 1.6),
    (proving, "_ANEW", 1.0),
    (runner, "_TRIES", 2),
)


def table(*names: str, button: str = REMOVE) -> str:
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
    done
        What pages said was done to them.
    """

    def __init__(
        self,
        driver: BrowserDriver,
        memory: Memory,
        url: str,
        pages: dict[str, str | Answer],
        done: list[str],
    ) -> None:
        self.driver = driver
        self.memory = memory
        self.url = url
        self.pages = pages
        self.done = done

    @property
    def page(self) -> Page:
        """Playwright's page."""
        return self.driver.page

    def open(self, html: str, path: str = "/") -> None:
        """Let the app be a page, and open it; what is done from now on is heard."""
        self.pages[path] = HEAD + html
        self.driver.goto(self.url + path)
        self.done.clear()

    def show(self, skill: str, html: str, /, *acts: str, **values: str) -> Skill:
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
        url = f"{self.url}/{skill}"
        made = self.memory.skills.record(skill, seen.acts, url=url, parameters=values)
        return self.memory.skills.approve(made.id)

    def do(self, act: str) -> None:
        """Do one act as a person would."""
        verb, _, what = act.partition(" ")
        one, _, into = what.partition(" into ")
        page = self.page
        does: dict[str, Callable[[], object]] = {
            "click": lambda: page.click(what),
            "double-click": lambda: page.dblclick(what),
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
        """Open a page, and repeat there what was shown."""
        self.open(html, f"/{skill}")
        return self.repeat(skill, **values)

    def repeat(self, skill: str, /, **values: str) -> SkillRun:
        """Repeat on the open page what was shown."""
        ended = self.memory.skills.run(skill, self.driver, values)
        self.page.evaluate("0")  # what the page said before its answer has been heard by now
        return ended

    def does(self, skill: str, html: str, /, *did: str, **values: str) -> None:
        """Demand that a run on a page is done, and that it did these things and no others."""
        ended = self.run(skill, html, **values)
        assert (ended.status, ended.why) == ("done", ""), ended.why
        assert self.done == [*did], self.done

    def halts(self, skill: str, html: str, /, *said: str, **values: str) -> None:
        """Demand that a run on a page does nothing, and that its reason names some things."""
        with haste():
            self.halted(self.run(skill, html, **values), *said)

    def halted(self, ended: SkillRun, *said: str) -> None:
        """Demand that a run did nothing, and that its reason names some things."""
        told = (ended.status, ended.step, self.done)
        assert told == ("halted", 0, []), f"{told}: {ended.why}"
        assert [one for one in said if one not in ended.why] == [], ended.why


@contextmanager
def haste() -> Iterator[None]:
    """Wait little for what will not come; what is done has all the time that it needs."""
    with pytest.MonkeyPatch.context() as patch:
        for module, name, value in HASTE:
            patch.setattr(module, name, value)
        yield


@contextmanager
def staged(driver: BrowserDriver, home: Path, done: list[str]) -> Iterator[Stage]:
    """Serve an app, and open a memory of it."""
    pages: dict[str, str | Answer] = {}
    with memctl.open("office", home) as memory, served(pages) as url:
        yield Stage(driver, memory, url, pages, done)
