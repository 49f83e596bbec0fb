"""What is typed into a page is learned nowhere: in no text and no pixel of the store."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

import memctl
from memctl.drivers.moving import decoded
from tests.browsers import needs_browser
from tests.drivers.serving import served

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from memctl.drivers.browser_driver import BrowserDriver

pytestmark = needs_browser

ANN = ("Annabel Quist", "annabel.quist@example.com", "73519", "Lisbon-Quarter-9")
BOB = ("Bo", "b@w.example", "4", "Rio")
BOX = "border:1px solid;width:240px;height:22px;overflow:hidden"
FIELDS = f"""
    <label>Name <input value="{{0}}"></label>
    <label>Mail <input type=email value="{{1}}"></label>
    <label>Amount <input type=number value="{{2}}"></label>
    <label>Password <input type=password value="{{3}}"></label>
    <p><textarea aria-label=Notes rows=2>{{0}} {{3}}</textarea>
    <select aria-label=City style="width:160px"><option>Any<option selected>{{3}}</select>
    <div contenteditable aria-label=Letter style="{BOX}">Dear {{0}}, <b>{{2}}</b></div>
    <div role=textbox tabindex=0 aria-label=Reply style="{BOX}"><span>{{1}}</span></div>
    <span id=c>Country</span> <button id=b aria-haspopup=listbox aria-labelledby="c b"
    style="width:200px;overflow:hidden">{{3}}</button>"""
PAGE = f"""<!doctype html><meta charset=utf-8><title>Account</title><h1>Account</h1>{FIELDS}
    <button>Save account</button><x-open></x-open><x-closed></x-closed>
    <div><template shadowrootmode=closed>{FIELDS}</template></div>
    <iframe src=/inner width=900 height=230></iframe><script>
    const inner = `{FIELDS}`;
    document.querySelector("x-open").attachShadow({{{{mode: "open"}}}}).innerHTML = inner;
    document.querySelector("x-closed").attachShadow({{{{mode: "closed"}}}}).innerHTML = inner;
    </script>"""


@pytest.fixture
def tall(driver: BrowserDriver) -> Iterator[BrowserDriver]:
    """The browser with a page on which the whole form is seen."""
    usual = driver.page.viewport_size
    assert usual is not None
    driver.page.set_viewport_size({"width": 1000, "height": 1500})
    yield driver
    driver.page.set_viewport_size(usual)


def learned(home: Path, driver: BrowserDriver, values: tuple[str, ...]) -> Path:
    """Return the file of a store that learned the form with these values."""
    pages = {"/": PAGE.format(*values), "/inner": FIELDS.format(*values)}
    with served(pages) as url, memctl.open("harbor", home) as memory:
        driver.goto(url + "/")
        look = driver.look()
        assert sum(bool(box.get("field")) for box in look.boxes) == 45
        assert memory.learn(look).learned
        memory.learn(look)
        memory.match(look)
        return memory.store.path


def cells(path: Path) -> list[tuple[str, object]]:
    """Return every value of every table, with its table and column."""
    with closing(sqlite3.connect(path)) as db:
        db.text_factory = lambda data: data.decode("utf-8", "replace")
        tables = db.execute("select name from sqlite_schema where type = 'table'").fetchall()
        found = []
        for (table,) in tables:
            rows = db.execute(f'select * from "{table}"')
            names = [column[0] for column in rows.description]
            found += [(f"{table}.{n}", v) for row in rows for n, v in zip(names, row, strict=True)]
        return found


def test_no_value_of_a_form_is_in_any_column_of_the_store(home: Path, tall: BrowserDriver) -> None:
    stored = cells(learned(home, tall, ANN))
    texts = [(name, value) for name, value in stored if isinstance(value, str)]
    assert any("save account" in value.lower() for _, value in texts)
    words = {word.lower() for value in ANN for word in value.replace("@", " ").split()}
    for name, value in texts:
        assert not [word for word in words if word in value.lower()], name
    data = b"\0".join(value for _, value in stored if isinstance(value, bytes)).lower()
    assert not [word for word in words if word.encode() in data]


def test_templates_are_the_same_whatever_is_typed(home: Path, tall: BrowserDriver) -> None:
    of_ann = cells(learned(home / "ann", tall, ANN))
    of_bob = cells(learned(home / "bob", tall, BOB))
    kept = [[value for name, value in one if name == "template.png"] for one in (of_ann, of_bob)]
    assert len(kept[0]) > 20
    assert kept[0] == kept[1]


def test_a_frame_of_another_origin_shows_nothing_that_was_typed(driver: BrowserDriver) -> None:
    pictures = []
    for values in (ANN, BOB):
        closed = f"<div><template shadowrootmode=closed>{FIELDS.format(*values)}</template></div>"
        with served({"/": FIELDS.format(*values) + closed}) as other:
            page = f"<iframe width=900 height=600 src='{other.replace('127.0.0.1', 'localhost')}/'>"
            with served({"/": page}) as url:
                driver.goto(url + "/")
                look = driver.look()
        assert {(box["type"], box["label"]) for box in look.boxes} == {("image", "")}
        pictures.append(decoded(look.png))
    assert (pictures[0] < 128).any()
    assert (pictures[0] == pictures[1]).all()
