"""Boxes of a page: each rule of docs/eyes.md on a small page, in the system's browser."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.browsers import needs_browser
from tests.each import each

if TYPE_CHECKING:
    from collections.abc import Callable

    from memctl.drivers.look import Look
    from memctl.memory import Memory

    Boxes = Callable[..., dict[str, dict[str, Any]]]


pytestmark = needs_browser


SVG = "<svg width=16 height=16 aria-label={}><rect width=16 height=16></rect></svg>"


AT = "position:absolute;left:{}px;top:0;width:{}px;height:{}px"


# fmt: off
NAMED = {
    "controls": (
        """<a href=/home>Home</a> <button>Save</button> <input type=submit value=Send>
        <label><input type=checkbox> Agree</label> <div role=tab>Files</div>
        <div role=menuitem aria-label=Copy>x</div> <button title=Close><svg></svg></button>
        <input placeholder="Search orders">""",
        {"Home": "link", "Save": "button", "Send": "button", "Agree": "checkbox", "Files": "tab",
         "Copy": "menuitem", "Close": "button", "Search orders": "input"}),
    "inline spans": ("<button>D<span>elete</span> all</button>", {"Delete all": "button"}),
    "a name that only the accessibility tree has": (
        "<style>button::before { content: 'Print' }</style><button></button>", {"Print": "button"}),
    "controls that repeat each other": (
        "<div tabindex=0 style='display:inline-block'><button>Save</button></div>",
        {"Save": "button"}),
    "a text is one box a line": (
        "<p style='width:90px;font:16px monospace'>one <b>two</b> three four</p>",
        {"one two": "text", "three": "text", "four": "text"}),
    "a close icon of a tab": (
        f"""<div role=tab style="width:200px;display:flex;justify-content:space-between">
        {SVG.format("Kind")}<span>a.txt</span>{SVG.format("Close")}</div>""",
        {"a.txt": "tab", "Close": "icon"}),
}


# fmt: on


@each("name", NAMED)
def test_boxes_have_kinds_and_names(boxes: Boxes, name: str) -> None:
    page, kinds = NAMED[name]
    assert {label: box["type"] for label, box in boxes(page).items()} == kinds


def test_shadow_roots_slots_and_frames_are_walked(look: Callable[..., Look]) -> None:
    looked = look(
        """<x-card><button>Slotted</button></x-card><iframe src=/inner style="margin:20px"></iframe>
        <div><template shadowrootmode=closed><button>Closed</button></template></div>
        <script>
        document.querySelector("x-card").attachShadow({mode: "open"}).innerHTML =
            "<button>Shadow</button><slot></slot>";</script>""",
        inner="<body style='margin:0'><button>Framed</button>",
    )
    found = {box["label"]: box for box in looked.boxes}
    assert {"Shadow", "Slotted", "Framed", "Closed"} <= found.keys()
    assert found["Framed"]["x"] >= 20


def test_a_canvas_and_a_frame_of_another_origin_are_pictures(boxes: Boxes) -> None:
    frame = "<iframe src='data:text/html,<button>Save</button>'></iframe>"
    found = boxes(f"<button>Own</button><canvas width=200 height=99></canvas>{frame}")
    assert {label: box["type"] for label, box in found.items()} == {"Own": "button", "": "image"}


@each(
    "style",
    [
        "display:none",
        "visibility:hidden",
        "opacity:.01",
        "position:absolute;left:-900px",
        "position:absolute;top:900px",
        "position:absolute;clip-path:inset(50%);width:1px;height:1px;overflow:hidden",
    ],
)
def test_what_cannot_be_seen_has_no_box(boxes: Boxes, style: str) -> None:
    found = boxes(f"<button style='{style}'>Hidden</button><button>Shown</button>")
    assert found.keys() == {"Shown"}


def test_boxes_are_clipped_by_what_scrolls_and_contains_them_and_never_by_the_body(
    boxes: Boxes,
) -> None:
    button = "<button style='display:block;height:40px'>{}</button>"
    found = boxes(f"""<body style="overflow:hidden;height:0">
        <div style="height:60px;overflow:auto;width:300px">
        {"".join(map(button.format, ("First", "Half", "Below")))}</div>
        <div style="height:20px;overflow:hidden"><button style="position:absolute;top:200px">Menu</button></div>""")
    assert found["First"]["h"] == 40
    assert found["Half"]["h"] == 20
    assert "Below" not in found
    assert found["Menu"]["y"] == 200


def test_what_a_popup_covers_says_so_and_what_it_hides_is_left_out(boxes: Boxes) -> None:
    buttons = "".join(
        f"<button style='{AT.format(x, 100, 40)}'>{name}</button>"
        for x, name in ((0, "Hidden"), (150, "Partly"), (300, "Free"))
    )
    found = boxes(f"""{buttons}<div style="{AT.format(0, 190, 90)};background:#fff"></div>
        <div style="{AT.format(290, 190, 90)}"></div>""")
    assert "Hidden" not in found
    assert 0 < found["Partly"]["covered"] < 1
    assert "covered" not in found["Free"]


def test_buttons_say_the_row_and_the_section_that_they_stand_in(boxes: Boxes) -> None:
    found = boxes("""<h2>Customers</h2><table><tr><td>Ann Berg<td><button>Edit</button></tr>
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
    found = boxes(f"""<button style="{style}">report-13-of-the-year.csv</button>
        <button title="report-15-of-the-year.csv">report-15-…</button><button>Open...</button>""")
    assert found["report-13-of-the-year.csv"]["cut"]
    assert found["report-15-of-the-year.csv"]["cut"]
    assert "cut" not in found["Open..."]


def test_what_lets_clicks_through_or_stands_behind_a_dialog_is_hidden_as_well(boxes: Boxes) -> None:
    found = boxes(f"""<button style="{AT.format(0, 100, 40)}">Behind</button>
        <button style="{AT.format(300, 100, 40)}">Free</button>
        <div style="{AT.format(0, 190, 90)};background:#fff;pointer-events:none"></div>""")
    assert found.keys() == {"Free"}
    found = boxes("""<button>Behind</button><dialog><button>Agree</button></dialog>
        <script>document.querySelector("dialog").showModal()</script>""")
    assert found.keys() == {"Agree"}


def test_rows_are_called_by_a_column_that_tells_them_apart(boxes: Boxes) -> None:
    rows = (
        f"<tr><td>{at}<td>open<td>{name}<td><button>{act}</button>"
        for at, name, act in (
            (1, "Ann Berg", "Edit"),
            (2, "Bob Cole", "Move"),
            (3, "Cy Dunn", "Bill"),
        )
    )
    found = boxes(f"""<table><caption>Guests</caption><thead><tr><th>Id<th>State<th>Name<th>
        <button>Sort</button></thead><tbody>{"".join(rows)}</table>
        <div role=grid><div role=row><span role=gridcell>Dora Ek</span><button>Call</button></div>
        </div>""")
    assert [found[name]["row"] for name in ("Edit", "Move", "Call")] == [
        "Ann Berg",
        "Bob Cole",
        "Dora Ek",
    ]
    assert "row" not in found["Sort"]
    assert found["Edit"]["section"] == "Guests"


def test_a_heading_names_its_own_part_of_the_page_alone(boxes: Boxes) -> None:
    found = boxes("""<nav><h2>Places</h2><a href=/a>Rooms</a></nav><main><h2>Guests</h2>
        <button>New</button><fieldset><legend>Filter</legend><button>Apply</button></fieldset></main>
        <aside><button>Help</button></aside>""")
    sections = {name: box.get("section") for name, box in found.items()}
    assert sections["Rooms"] == "Places"
    assert (sections["New"], sections["Apply"], sections["Help"]) == ("Guests", "Filter", None)


def test_icon_letters_and_colours_are_no_names(look: Callable[..., Look]) -> None:
    looked = look("""<style>i { font: 20px "Material Icons", sans-serif }</style><ul>
        <li>Aurora <button><i>delete_outline</i></button></ul>
        <button><i>anchor</i> Berths</button><p><button title="#ff0000">&nbsp;&nbsp;</button> Hull</p>
        <button aria-label="Close"><i>close</i></button>""")
    buttons = [
        (box["label"], box.get("row"), box.get("beside"))
        for box in looked.boxes
        if box["type"] == "button"
    ]
    assert buttons == [
        ("", "Aurora", None),
        ("Berths", None, None),
        ("", None, "Hull"),
        ("Close", None, None),
    ]


def test_names_come_from_the_row_and_never_from_across_a_landmark(
    look: Callable[..., Look], memory: Memory
) -> None:
    icon = "<svg width=16 height=16><path d='M2 2h12v12h-12z'/></svg>"
    memory.learn(
        look(f"""<div style="display:flex"><nav style="width:70px">products</nav><main>
        <h2>Guests</h2><table><tr><td><button>{icon}</button><td>1<td>Ann Berg
        <tr><td><button>{icon}</button><td>2<td>Bob Cole</table><button>{icon}</button></main></div>
        <input placeholder="Search the guests of this house by number...">""")
    )
    names = set(memory.components.names())
    assert {
        "button_by_Ann_Berg",
        "button_by_Bob_Cole",
        "Search_the_guests_of_this_house_by",
    } <= names
    assert not [name for name in names if name.startswith("button") and "products" in name]
    assert not memory.components.get("Search_the_guests_of_this_house_by").cut
