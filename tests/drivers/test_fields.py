"""Contents of fields: neither in a label nor in the pixels of a look."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np
import pytest

from memctl.drivers.moving import decoded
from tests.browsers import needs_browser

if TYPE_CHECKING:
    from collections.abc import Callable

    from memctl.drivers.look import Look

pytestmark = needs_browser

TYPED = "ann.berg@example.com"
FIELDS = {
    "text": '<input aria-label=Mail value="{}">',
    "password": '<input type=password value="{}">',
    "number": "<input type=number value=4711>",
    "date": "<input type=date value=2026-03-14>",
    "read-only": '<input readonly value="{}">',
    "textarea": "<textarea rows=3>{}</textarea>",
    "select": "<select><option>{}</option></select>",
    "list": "<select size=3 style='width:200px'><option>{}</option></select>",
    "editable": "<div contenteditable style='border:1px solid'>{}</div>",
    "editable part": "<div contenteditable style='border:1px solid'><p>to <b>{}</b></p></div>",
    "textbox": "<div role=textbox tabindex=0 style='border:1px solid'>{}</div>",
    "combobox": "<button role=combobox style='width:200px'>{}</button>",
    "coloured": "<input style='color:red!important;text-shadow:1px 1px blue' value='{}'>",
    "fading": "<style>input {{ transition: all 9s }}</style><input value='{}'>",
    "editor": """<div style="position:relative;width:300px;height:90px;border:1px solid">
        <textarea style="position:absolute;width:2px;height:2px;opacity:0"></textarea>
        <div><span>{}</span></div></div>""",
    "forced": "<input style='-webkit-text-fill-color:red!important' value='{}'>",
    "closed": """<x-field></x-field><script>
        document.querySelector("x-field").attachShadow({{mode: "closed"}}).innerHTML =
            '<div><input value="{}"></div>';</script>""",
    "closed by the parser": """<div><template shadowrootmode=closed>
        <input aria-label=Mail value="{}"></template></div>""",
    "in a link": "<a href=/><input style='width:40px' value='{}'><br><br><br></a>",
    "shadow": """<x-field></x-field><script>
        document.querySelector("x-field").attachShadow({{mode: "open"}}).innerHTML =
            '<input value="{}">';</script>""",
}


@pytest.mark.parametrize("name", FIELDS)
def test_a_look_is_the_same_whatever_a_field_holds(look: Callable[..., Look], name: str) -> None:
    filled = look(FIELDS[name].format(TYPED))
    assert TYPED not in json.dumps(filled.boxes)
    assert any(box.get("field") for box in filled.boxes)
    ink = decoded(filled.png)
    other = decoded(look(FIELDS[name].format("bob.cole@example.org")).png)
    # A select is as wide as its text, which is all that may be seen of it.
    if name == "select":
        ink, other = ink[:, :20], other[:, :20]
    assert np.array_equal(ink, other)


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
