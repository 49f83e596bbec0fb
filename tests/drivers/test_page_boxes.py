"""Boxes of a page: each rule of docs/eyes.md on a small page, in the system's browser."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.browsers import needs_browser

if TYPE_CHECKING:
    from collections.abc import Callable

    Boxes = Callable[..., dict[str, dict[str, Any]]]

pytestmark = needs_browser


def test_controls_have_kinds_and_names(boxes: Boxes) -> None:
    found = boxes("""
        <a href=/home>Home</a> <button>Save</button> <input type=submit value=Send>
        <label><input type=checkbox> Agree</label> <div role=tab>Files</div>
        <div role=menuitem aria-label=Copy>x</div> <button title=Close><svg></svg></button>
        <input placeholder="Search orders">""")
    kinds = {label: box["type"] for label, box in found.items()}
    assert kinds == {
        "Home": "link",
        "Save": "button",
        "Send": "button",
        "Agree": "checkbox",
        "Files": "tab",
        "Copy": "menuitem",
        "Close": "button",
        "Search orders": "input",
    }


def test_inline_spans_add_no_blanks_to_a_name(boxes: Boxes) -> None:
    assert "Delete all" in boxes("<button>D<span>elete</span> all</button>")


def test_a_name_comes_from_the_accessibility_tree_where_the_document_has_none(
    boxes: Boxes,
) -> None:
    page = '<style>button::before { content: "Print" }</style><button></button>'
    assert boxes(page)["Print"]["type"] == "button"


def test_shadow_roots_slots_and_frames_are_walked(boxes: Boxes) -> None:
    found = boxes(
        """<x-card><button>Slotted</button></x-card><iframe src=/inner style="margin:20px"></iframe>
        <script>
          const root = document.querySelector("x-card").attachShadow({mode: "open"});
          root.innerHTML = "<button>Shadow</button><slot></slot>";
        </script>""",
        inner="<body style='margin:0'><button>Framed</button>",
    )
    assert {"Shadow", "Slotted", "Framed"} <= found.keys()
    assert found["Framed"]["x"] >= 20


@pytest.mark.parametrize(
    "style",
    [
        "display:none",
        "visibility:hidden",
        "opacity:.01",
        "position:absolute;left:-900px",
        "position:absolute;clip-path:inset(50%);width:1px;height:1px;overflow:hidden",
    ],
)
def test_what_cannot_be_seen_has_no_box(boxes: Boxes, style: str) -> None:
    assert boxes(f"<button style='{style}'>Hidden</button><button>Shown</button>").keys() == {
        "Shown"
    }


def test_boxes_are_clipped_by_what_scrolls_and_never_by_the_body(boxes: Boxes) -> None:
    found = boxes("""
        <body style="overflow:hidden;height:0">
        <div style="height:60px;overflow:auto;width:300px">
          <button style="display:block;height:40px">First</button>
          <button style="display:block;height:40px">Half</button>
          <button style="display:block;height:40px">Below</button>
        </div>""")
    assert found["First"]["h"] == 40
    assert found["Half"]["h"] == 20
    assert "Below" not in found


def test_an_absolute_box_escapes_the_clip_of_what_does_not_contain_it(boxes: Boxes) -> None:
    found = boxes("""
        <div style="height:20px;overflow:hidden">
          <button style="position:absolute;top:100px">Menu</button>
        </div>""")
    assert found["Menu"]["y"] == 100


def test_of_controls_that_repeat_each_other_one_stays(boxes: Boxes) -> None:
    found = boxes('<div tabindex=0 style="display:inline-block"><button>Save</button></div>')
    assert [box["type"] for box in found.values()] == ["button"]


def test_a_text_is_one_box_a_line(boxes: Boxes) -> None:
    found = boxes('<p style="width:90px;font:16px monospace">one <b>two</b> three four</p>')
    assert {label: box["type"] for label, box in found.items()} == {
        "one two": "text",
        "three": "text",
        "four": "text",
    }


def test_a_close_icon_of_a_tab_is_a_box_of_its_own(boxes: Boxes) -> None:
    found = boxes("""
        <div role=tab style="width:200px;display:flex;justify-content:space-between">
          <svg width=16 height=16 aria-label=Kind><rect width=16 height=16></rect></svg>
          <span>a.txt</span>
          <svg width=16 height=16 aria-label=Close><rect width=16 height=16></rect></svg>
        </div>""")
    assert {label: box["type"] for label, box in found.items()} == {"a.txt": "tab", "Close": "icon"}


def test_what_a_popup_covers_says_so_and_what_it_hides_is_left_out(boxes: Boxes) -> None:
    found = boxes("""
        <button style="position:absolute;left:0;top:0;width:100px;height:40px">Hidden</button>
        <button style="position:absolute;left:150px;top:0;width:100px;height:40px">Partly</button>
        <button style="position:absolute;left:300px;top:0;width:100px;height:40px">Free</button>
        <div style="position:absolute;left:0;top:0;width:190px;height:90px;background:#fff"></div>
        <div style="position:absolute;left:290px;top:0;width:190px;height:90px"></div>""")
    assert "Hidden" not in found
    assert 0 < found["Partly"]["covered"] < 1
    assert "covered" not in found["Free"]


def test_buttons_say_the_row_and_the_section_that_they_stand_in(boxes: Boxes) -> None:
    found = boxes("""
        <h2>Customers</h2><table>
        <tr><td>Ann Berg<td><button>Edit</button></tr>
        <tr><td>Bob Cole<td><button>Delete</button></tr></table>
        <div role=toolbar aria-label=Tools><button>Undo</button></div>
        <div><div class=card><h4>North</h4><button>Open</button></div>
        <div class=card><h4>South</h4><button>Shut</button></div>
        <div class=card><h4>West</h4><button>Lock</button></div></div>""")
    assert (found["Edit"]["row"], found["Edit"]["section"]) == ("Ann Berg", "Customers")
    assert found["Delete"]["row"] == "Bob Cole"
    assert found["Undo"]["section"] == "Tools"
    assert [found[name]["row"] for name in ("Open", "Shut", "Lock")] == ["North", "South", "West"]


def test_a_label_that_is_cut_is_given_whole_and_marked(boxes: Boxes) -> None:
    style = "width:90px;overflow:hidden;text-overflow:ellipsis;white-space:nowrap"
    found = boxes(f"""
        <button style="{style}">report-13-of-the-year.csv</button>
        <span title="report-14-of-the-year.csv">report-14-...</span><button>Open...</button>
        <button title="report-15-of-the-year.csv">report-15-…</button>""")
    assert found["report-13-of-the-year.csv"]["cut"]
    assert found["report-15-of-the-year.csv"]["cut"]
    assert "cut" not in found["Open..."]


def test_boxes_are_css_pixels_with_the_scale_of_the_screenshot(boxes: Boxes) -> None:
    assert {box["scale"] for box in boxes("<button>Save</button>").values()} == {1}
