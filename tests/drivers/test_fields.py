"""What is typed into a page is neither in a look's labels and pixels nor in a store that learned it."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import numpy as np
import pytest

import memctl
from memctl.drivers.moving import decoded
from tests.browsers import needs_browser
from tests.drivers.serving import served
from tests.each import each

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from memctl.drivers.browser_driver import BrowserDriver
    from memctl.drivers.look import Look

    Looks = Callable[..., Look]

pytestmark = needs_browser

TYPED, OTHER = "ann.berg@example.com", "bob.cole@example.org"
BORDER = "style='border:1px solid'"
FIELDS = {
    "text": '<input aria-label=Mail value="{}">',
    "password": '<input type=password value="{}">',
    "number": "<input type=number value=4711>",
    "date": "<input type=date value=2026-03-14>",
    "read-only": '<input readonly value="{}">',
    "textarea": "<textarea rows=3>{}</textarea>",
    "list": "<select size=3 style='width:200px'><option>{}</option></select>",
    "editable": f"<div contenteditable {BORDER}>{{}}</div>",
    "editable part": f"<div contenteditable {BORDER}><p>to <b>{{}}</b></p></div>",
    "textbox": f"<div role=textbox tabindex=0 {BORDER}>{{}}</div>",
    "combobox": "<button role=combobox style='width:200px'>{}</button>",
    "coloured": "<input style='color:red!important;text-shadow:1px 1px blue' value='{}'>",
    "fading": "<style>.fading {{ transition: all 9s }}</style><input class=fading value='{}'>",
    "editor": """<div style="position:relative;width:300px;height:70px;border:1px solid">
        <textarea style="position:absolute;width:2px;height:2px;opacity:0"></textarea>
        <div><span>{}</span></div></div>""",
    "forced": "<input style='-webkit-text-fill-color:red!important' value='{}'>",
    "closed": """<x-closed></x-closed><script>
        document.querySelector("x-closed").attachShadow({{mode: "closed"}}).innerHTML =
            '<div><input value="{}"></div>';</script>""",
    "closed by the parser": """<div><template shadowrootmode=closed>
        <input aria-label=Mail value="{}"></template></div>""",
    "in a link": "<a href=/><input style='width:40px' value='{}'><br><br><br></a>",
    "shadow": """<x-open></x-open><script>
        document.querySelector("x-open").attachShadow({{mode: "open"}}).innerHTML =
            '<input value="{}">';</script>""",
}
# Each on a shelf of its own: two columns, 78 CSS pixels apart.
HIGH, WIDE = 78, 600
PLACES = {name: (at % 2 * WIDE, at // 2 * HIGH) for at, name in enumerate(FIELDS)}
FORM = """<title>Account</title><h1>Account</h1><label>Name <input value="{0}"></label>
    <label>Password <input type=password value="{0}"></label>
    <textarea aria-label=Notes>Dear {0}</textarea> <div contenteditable aria-label=Letter
    style="width:240px;height:22px;overflow:hidden;border:1px solid">To <b>{0}</b></div>
    <select aria-label=City style="width:160px"><option>Any<option selected>{0}</select>
    <span id=c>Country</span> <button id=b aria-haspopup=listbox aria-labelledby="c b"
    style="width:200px;overflow:hidden">{0}</button><p><button>Save account</button>"""


def pixels(look: Look) -> np.ndarray:
    return decoded(look.png)


@pytest.fixture(scope="module")
def shelves(look: Looks) -> list[Look]:
    """Looks at all fields: two whose contents differ."""
    return [
        look(
            "".join(
                f"<div style='position:absolute;left:{x + 8}px;top:{y + 4}px;width:500px'>"
                f"{FIELDS[name].format(value)}</div>"
                for name, (x, y) in PLACES.items()
            )
        )
        for value in (TYPED, OTHER)
    ]


@each("name", FIELDS)
def test_a_look_is_the_same_whatever_a_field_holds(shelves: list[Look], name: str) -> None:
    x, y = PLACES[name]
    one, other = (pixels(look)[y : y + HIGH, x : x + WIDE] for look in shelves)
    assert np.array_equal(one, other)
    there = [
        box for box in shelves[0].boxes if x <= box["x"] < x + WIDE and y <= box["y"] < y + HIGH
    ]
    assert any(box.get("field") for box in there)
    assert TYPED not in json.dumps(there)


def test_of_a_select_its_width_alone_is_seen(look: Looks) -> None:
    one, other = (look(f"<select><option>{value}</select>") for value in (TYPED, OTHER))
    assert TYPED not in json.dumps(one.boxes)
    assert any(box.get("field") for box in one.boxes)
    assert np.array_equal(pixels(one)[:, :20], pixels(other)[:, :20])


@each(
    "page",
    [
        "{}",
        "<meta http-equiv=Content-Security-Policy content=\"style-src 'none'\">{}",
        "<iframe src=/inner></iframe>",
    ],
)
def test_contents_leave_no_ink_and_a_placeholder_does(look: Looks, page: str) -> None:
    filled, empty, held = (
        look(page.format(field), inner=field)
        for field in (f"<input value={TYPED}>", "<input>", "<input placeholder=Search>")
    )
    assert np.array_equal(pixels(filled), pixels(empty))
    assert not np.array_equal(pixels(held), pixels(empty))
    assert TYPED not in json.dumps(filled.boxes)


def test_a_frame_of_another_origin_shows_nothing_that_was_typed(look: Looks) -> None:
    looks = []
    for value in (TYPED, OTHER):
        form = FORM.format(value)
        inner = f"{form}<div><template shadowrootmode=closed>{form}</template></div>"
        with served({"/": inner}) as url:
            other = url.replace("127.0.0.1", "localhost")
            looks.append(look(f"<iframe width=900 height=600 src={other}/>"))
    assert {(box["type"], box["label"]) for box in looks[0].boxes} == {("image", "")}
    assert (pixels(looks[0]) < 128).any()
    assert np.array_equal(pixels(looks[0]), pixels(looks[1]))


def test_what_is_typed_into_a_form_is_in_no_column_of_the_store(
    home: Path, opened: Callable[..., BrowserDriver]
) -> None:
    templates = []
    for app, typed in (("ann", "Annabel Quist-73519"), ("bob", "Bo")):
        with memctl.open(app, home) as memory:
            look = opened(FORM.format(typed)).look()
            assert memory.learn(look).learned
            memory.match(look)
            path = memory.store.path
        with closing(sqlite3.connect(path)) as db:
            dump = "\n".join(db.iterdump()).lower()
            templates.append(db.execute("select png from template order by id").fetchall())
        assert "save account" in dump
        words = ("annabel", "quist", "73519")
        assert not [word for word in words if word in dump or word.encode().hex() in dump]
    assert len(templates[0]) >= 7
    assert templates[0] == templates[1]
