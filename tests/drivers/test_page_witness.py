"""The page as witness: components whose pixels changed, found by what the page calls them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.browsers import needs_browser

if TYPE_CHECKING:
    from collections.abc import Callable

    from memctl.drivers.browser_driver import BrowserDriver
    from memctl.memory import Memory

    Opened = Callable[..., BrowserDriver]

pytestmark = needs_browser

STYLE = """<style>body { font: 16px sans-serif } li { display: flex; width: 300px; padding: 9px }
    li span { flex: 1 } [role=switch] { width: 44px; height: 22px; border-radius: 11px; border: 0;
    background: radial-gradient(circle at 11px, #fff 7px, #888 8px) }
    [role=switch][aria-checked=true] { background: radial-gradient(circle at 33px, #fff 7px, #07d 8px) }
    th, td { padding: 6px 24px; text-align: left }</style>"""
NETS = ("Wi-Fi", "Bluetooth", "Hotspot")


def switches(on: str = "", names: tuple[str, ...] = NETS, **label: str) -> str:
    """Return a page of switches, one of which is on; those of `label` have labels of their own."""
    rows = (
        f"""<li><span>{name}</span><button role=switch aria-checked={str(name == on).lower()}
        aria-label="{label.get(name[0].lower(), "")}"></button>"""
        for name in names
    )
    return f"<title>Networks</title>{STYLE}<h1>Networks</h1><ul>{''.join(rows)}</ul>"


def guests(*names: str, style: str = "", button: str = "Delete") -> str:
    rows = (f"<tr><td>{name}<td>{len(name)} nights<td><button>{button}</button>" for name in names)
    links = ("Rooms", "Bills", "Kitchen", "Staff", "Keys", "Calendar", "Reports", "Sign out")
    more = " ".join(f"<a href=/{link}>{link}</a>" for link in links) + "<button>New guest</button>"
    return f"<title>Guests</title>{STYLE}{style}<h1>Guests</h1><nav>{more}</nav><table>{''.join(rows)}</table>"


def test_a_toggled_switch_is_found_in_its_row_and_marked_changed(
    memory: Memory, opened: Opened
) -> None:
    driver = opened(switches())
    memory.learn(driver)
    switch = next(one for one in memory.components.list() if one.row_text == "Bluetooth")
    before = memory.locate(switch.name, driver)
    assert before.found
    found = memory.locate(switch.name, opened(switches(on="Bluetooth")))
    assert (found.x, found.y) == (before.x, before.y)
    assert found.changed
    assert not memory.locate(switch.name, driver, as_learned=True).found


def test_a_switch_that_looks_like_anothers_is_found_where_the_page_calls_it_so(
    memory: Memory, opened: Opened
) -> None:
    names = {"w": "Wi-Fi", "b": "Bluetooth", "h": "Hotspot"}
    memory.learn(opened(switches("Wi-Fi", NETS, **names)))
    look = opened(switches("Hotspot", NETS, **names)).look()
    for name in names.values():
        switch = next(
            one for one in memory.components.list() if (one.label, one.type) == (name, "checkbox")
        )
        found = memory.locate(switch.name, look)
        box = next(b for b in look.boxes if (b["label"], b["type"]) == (name, "checkbox"))
        assert found.found, name
        assert abs(found.y - box["y"]) <= 1, name


def test_after_another_version_components_are_found_by_the_page(
    memory: Memory, opened: Opened
) -> None:
    memory.learn(opened(guests("Ann Berg", "Bob Cole", "Cy Dunn")))
    newer = "<style>body { font: 19px serif; color: #125 } button { border-radius: 9px }</style>"
    look = opened(guests("Ann Berg", "Cy Dunn", style=newer)).look()
    answer = memory.match(look)
    assert answer.state is not None
    found = {one.name: one for one in answer.sightings}
    assert {"Delete_by_Ann_Berg", "Delete_by_Cy_Dunn", "New_guest", "Rooms"} <= found.keys()
    assert "Delete_by_Bob_Cole" not in found
    assert {one.how for one in found.values()} == {"by the page"}
    box = next(b for b in look.boxes if b["label"] == "Delete" and b["row"] == "Cy Dunn")
    assert abs(found["Delete_by_Cy_Dunn"].y - box["y"]) <= 1
    assert found["Rooms"].changed


def test_two_equal_rows_leave_it_open_which_is_meant(memory: Memory, opened: Opened) -> None:
    memory.learn(opened(guests("Ann Berg", "Bob Cole", "Cy Dunn")))
    newer = "<style>body { font: 19px serif } button { border-radius: 9px }</style>"
    look = opened(guests("Ann Berg", "Bob Cole", "Bob Cole", style=newer)).look()
    found = memory.locate("Delete_by_Bob_Cole", look)
    assert not found.found
    assert memory.locate("Delete_by_Ann_Berg", look).found
    absent = {one.name: one for one in memory.match(look).absent}
    assert absent["Delete_by_Bob_Cole"].why.startswith("the page calls several things so")
    assert not absent["Delete_by_Bob_Cole"].counted


@pytest.mark.parametrize(
    "other", [guests("Ann Berg", "Bob Cole", "Cy Dunn", button="Remove"), switches()]
)
def test_what_the_page_calls_otherwise_is_not_found(
    memory: Memory, opened: Opened, other: str
) -> None:
    memory.learn(opened(guests("Ann Berg", "Bob Cole", "Cy Dunn")))
    names = {one.name for one in memory.match(opened(other)).sightings}
    assert not {one for one in names if one.startswith("Delete")}


def notices(*sections: tuple[str, tuple[str, ...]]) -> str:
    """Return a page of switches in sections; those that are named are on."""
    parts = (
        f"<h3>{title}</h3>"
        + "".join(
            f"""<div style="display: flex; width: 300px; padding: 7px"><span style="flex: 1">{name}
            </span><button role=switch aria-checked={str(name in on).lower()}></button></div>"""
            for name in ("News", "Replies", "Invites")
        )
        for title, on in sections
    )
    return f"<title>Notices</title>{STYLE}<h1>Notices</h1>{''.join(parts)}"


@pytest.mark.parametrize("told", [True, False])
def test_a_switch_that_is_on_in_another_section_is_not_taken_for_it(
    memory: Memory, opened: Opened, told: bool
) -> None:
    memory.learn(opened(notices(("Mail", ("News", "Invites")), ("Phone", ("Invites",)))))
    switches = [one for one in memory.components.list() if one.type == "checkbox"]
    switch = min(switches, key=lambda one: one.rel_y)
    look = opened(notices(("Mail", ("Invites",)), ("Phone", ("News", "Invites")))).look()
    found = memory.locate(switch.name, look if told else look.png)
    assert not found.found or abs((found.y or 0) - switch.rel_y) <= 1


def test_a_link_that_is_a_part_of_a_line_now_is_no_link(memory: Memory, opened: Opened) -> None:
    line = "<title>Site</title>{0}<p style='margin: 40px; line-height: 12px'>Welcome, admin. {1} / Help</p>"
    memory.learn(opened(line.format(STYLE, "<a href=/p style='color: #000'>Change password</a>")))
    look = opened(line.format(STYLE, "<u>Change password</u>")).look()
    assert "Change_password" not in {one.name for one in memory.match(look).sightings}


def test_what_a_sheet_of_glass_covers_is_not_found(memory: Memory, opened: Opened) -> None:
    memory.learn(opened(guests("Ann Berg", "Bob Cole", "Cy Dunn")))
    glass = "<div style='position: fixed; inset: 0; background: rgb(0 0 0 / .08)'></div>"
    dialog = "<div role=dialog style='position: fixed; top: 500px; left: 600px'>Really?</div>"
    look = opened(guests("Ann Berg", "Bob Cole", "Cy Dunn") + glass + dialog).look()
    assert [box["label"] for box in look.boxes] == ["Really?"]
    assert memory.match(look).sightings == []
