"""Contents of fields: neither in a label nor in the pixels of a look."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np
import pytest

from memctl.drivers.moving import decoded
from tests.browsers import needs_browser
from tests.drivers.serving import served

if TYPE_CHECKING:
    from collections.abc import Callable

    from memctl.drivers.browser_driver import BrowserDriver
    from memctl.drivers.look import Look

pytestmark = needs_browser

TYPED = "ann.berg@example.com"
OTHER = "bob.cole@example.org"
FIELDS = {
    "text": '<input aria-label=Mail value="{}">',
    "password": '<input type=password value="{}">',
    "number": "<input type=number value=4711>",
    "date": "<input type=date value=2026-03-14>",
    "read-only": '<input readonly value="{}">',
    "textarea": "<textarea rows=3>{}</textarea>",
    "list": "<select size=3 style='width:200px'><option>{}</option></select>",
    "editable": "<div contenteditable style='border:1px solid'>{}</div>",
    "editable part": "<div contenteditable style='border:1px solid'><p>to <b>{}</b></p></div>",
    "textbox": "<div role=textbox tabindex=0 style='border:1px solid'>{}</div>",
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


@pytest.fixture(scope="module")
def shelves(driver: BrowserDriver) -> list[Look]:
    """Looks at all fields: two whose contents differ."""
    looks = []
    for value in (TYPED, OTHER):
        shelf = "".join(
            f"<div style='position:absolute;left:{x + 8}px;top:{y + 4}px;width:500px'>"
            f"{FIELDS[name].format(value)}</div>"
            for name, (x, y) in PLACES.items()
        )
        with served({"/": f"<!doctype html><meta charset=utf-8>{shelf}"}) as url:
            driver.goto(url + "/")
            looks.append(driver.look())
    return looks


@pytest.mark.parametrize("name", FIELDS)
def test_a_look_is_the_same_whatever_a_field_holds(shelves: list[Look], name: str) -> None:
    x, y = PLACES[name]
    one, other = (decoded(look.png)[y : y + HIGH, x : x + WIDE] for look in shelves)
    assert np.array_equal(one, other)
    boxes = [
        box
        for box in shelves[0].boxes
        if x <= box["x"] < x + WIDE and y <= box["y"] < y + HIGH and box.get("field")
    ]
    assert boxes
    assert TYPED not in json.dumps(boxes)


def test_no_text_of_a_look_is_what_a_field_holds(shelves: list[Look]) -> None:
    for look, value in zip(shelves, (TYPED, OTHER), strict=True):
        assert value not in json.dumps(look.boxes)


def test_of_a_select_its_width_alone_is_seen(look: Callable[..., Look]) -> None:
    one, other = (look(f"<select><option>{value}</option></select>") for value in (TYPED, OTHER))
    assert TYPED not in json.dumps(one.boxes)
    assert any(box.get("field") for box in one.boxes)
    assert np.array_equal(decoded(one.png)[:, :20], decoded(other.png)[:, :20])


def test_the_pixels_of_contents_are_no_ink(look: Callable[..., Look]) -> None:
    filled = decoded(look("<input value='written'>").png)
    assert np.array_equal(filled, decoded(look("<input>").png))


def test_a_placeholder_stays(look: Callable[..., Look]) -> None:
    empty = decoded(look("<input>").png)
    assert not np.array_equal(empty, decoded(look("<input placeholder=Search>").png))


def test_a_policy_of_the_page_does_not_uncover_contents(look: Callable[..., Look]) -> None:
    policy = "<meta http-equiv=Content-Security-Policy content=\"style-src 'none'\">"
    filled = decoded(look(f"{policy}<input value='written'>").png)
    assert np.array_equal(filled, decoded(look("<input>").png))


def test_contents_in_a_frame_are_blank_too(look: Callable[..., Look]) -> None:
    page = "<iframe src=/inner></iframe>"
    filled = look(page, inner=f"<input value='{TYPED}'>")
    assert np.array_equal(decoded(filled.png), decoded(look(page, inner="<input>").png))
    assert TYPED not in json.dumps(filled.boxes)
