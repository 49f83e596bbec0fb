"""Whatever people do in apps is done again: ticks, lists, keys, menus, drags, and the browser's own questions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.browsers import needs_browser

if TYPE_CHECKING:
    from tests.procedural.stage import Stage

pytestmark = needs_browser

ROOMS = ("Attic", "Cellar", "Hall")


def rows(inner: str, *names: str) -> str:
    body = "".join(f"<tr><td class=name>{name}<td>{inner}" for name in names or ROOMS)
    return f"<h1>Rooms</h1><table>{body}</table>"


SAY = "rowOf(this).querySelector('.name').textContent"
ASKED = f"""<button onclick="if (confirm('Delete ' + {SAY} + '?')) drop(this)">Delete</button>"""


@pytest.fixture
def asked(stage: Stage) -> Stage:
    """A stage that knows how a room is deleted after the browser's own question."""
    made = stage.show("delete", rows(ASKED), "click tr:nth-child(2) button", room="Cellar")
    assert made.steps[-1].irreversible
    return stage


def test_a_question_of_the_browser_is_agreed_to_as_it_was_shown(asked: Stage) -> None:
    ended = asked.run("delete", rows(ASKED), room="Hall")
    assert (ended.status, ended.why, asked.done) == ("done", "", ["removed Hall"])


def test_another_question_of_the_browser_is_not(asked: Stage) -> None:
    ended = asked.run("delete", rows(ASKED.replace("?'", " and all that is in it?'")), room="Hall")
    assert (ended.status, asked.done) == ("uncertain", [])
    assert "and all that is in it?" in ended.why


SWITCH = f"<input type=checkbox role=switch onchange=\"did({SAY} + ' ' + this.checked)\">"


def test_a_switch_is_turned_and_one_that_is_on_already_is_let_be(stage: Stage) -> None:
    stage.show("turn-on", rows(SWITCH), "click tr:nth-child(2) input", room="Cellar")
    ended = stage.run("turn-on", rows(SWITCH), room="Hall")
    assert (ended.status, stage.done) == ("done", ["Hall true"])
    ended = stage.run("turn-on", rows(SWITCH.replace("<input", "<input checked")), room="Hall")
    assert (ended.status, stage.done) == ("halted", [])
    assert "already" in ended.why


CHOICE = f"<select onchange=\"did({SAY} + ' ' + this.value)\"><option>Free<option>Taken<option>Shut</select>"


def test_a_choice_in_a_list_is_made(stage: Stage) -> None:
    act = "choose Taken into tr:nth-child(2) select"
    stage.show("choose", rows(CHOICE), act, room="Cellar", state="Taken")
    ended = stage.run("choose", rows(CHOICE), room="Hall", state="Shut")
    assert (ended.status, ended.why, stage.done) == ("done", "", ["Hall Shut"])
    ended = stage.run("choose", rows(CHOICE), room="Hall", state="Sold")
    assert (ended.status, stage.done) == ("halted", [])
    assert 'no choice "Sold", but Free, Taken, Shut' in ended.why


RENAMED = """<ul><li tabindex=0><span class=name>Attic</span><li tabindex=0><span class=name>Cellar</span>
<li tabindex=0><span class=name>Hall</span></ul><script>onkeydown = (event) => { const row = event.target.closest("li");
  if (event.key === "F2") { const was = row.textContent.trim(); row.innerHTML = "<input aria-label='New name'>";
    const field = row.firstChild; field.value = was; field.select(); field.focus();
    field.onkeydown = (event) => { if (event.key === "Enter") { did(was + " is " + field.value);
      row.innerHTML = "<span class=name></span>"; row.firstChild.textContent = field.value; event.stopPropagation(); } }; } };</script>"""


def test_a_name_is_changed_in_its_place_with_f2(stage: Stage) -> None:
    acts = (
        "click li:nth-child(2)",
        "press F2",
        "press ControlOrMeta+a",
        "type Wine",
        "press Enter",
    )
    stage.show("rename", RENAMED, *acts, room="Cellar", name="Wine")
    ended = stage.run("rename", RENAMED, room="Hall", name="Big hall")
    assert (ended.status, ended.why, stage.done) == ("done", "", ["Hall is Big hall"])


SUBMITTED = """<form onsubmit="did('added ' + q.value); out.innerHTML += '<li>' + q.value + '</li>'; q.value = ''; return false">
<input id=q placeholder="New room, e.g. Room 12"></form><ul id=out><li>Attic</li></ul>"""


def test_enter_submits_what_was_typed(stage: Stage) -> None:
    stage.show("add", SUBMITTED, "click #q", "type Cellar", "press Enter", room="Cellar")
    ended = stage.run("add", SUBMITTED, room="Hall")
    assert (ended.status, ended.why, stage.done) == ("done", "", ["added Hall"])


def test_what_is_pasted_is_typed(stage: Stage) -> None:
    stage.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    stage.open("")
    stage.page.evaluate("navigator.clipboard.writeText('Cellar')")
    acts = ("click #q", "press ControlOrMeta+v", "press Enter")
    stage.show("add", SUBMITTED, *acts, room="Cellar")
    ended = stage.run("add", SUBMITTED, room="Hall")
    assert (ended.status, ended.why, stage.done) == ("done", "", ["added Hall"])


MENU = (
    rows("12 m")
    + """<div id=menu role=menu hidden style="position:fixed;background:#eee;padding:9px"><div role=menuitem>Lock</div>
<div role=menuitem>Remove</div></div><script>let on;
document.querySelectorAll("tr").forEach((row) => { row.oncontextmenu = (event) => { event.preventDefault(); on = row; menu.hidden = false;
  menu.style.left = event.clientX + "px"; menu.style.top = event.clientY + "px"; }; });
menu.lastElementChild.onclick = () => { menu.hidden = true; drop(on.firstChild); };</script>"""
)


def test_a_context_menu_is_opened_on_its_row(stage: Stage) -> None:
    acts = ("right-click tr:nth-child(2) .name", "click #menu :last-child")
    stage.show("remove", MENU, *acts, room="Cellar")
    ended = stage.run("remove", MENU, room="Hall")
    assert (ended.status, ended.why, stage.done) == ("done", "", ["removed Hall"])


BOARD = (
    "<style>body { display: flex } section { width: 200px; min-height: 300px; margin: 9px; background: #eee } .card { background: #fff }</style>"
    + "".join(
        f"""<section ondragover="event.preventDefault()" ondrop="this.append(card); did(card.textContent + ' to {title}')"><h2>{title}</h2>{cards}</section>"""
        for title, cards in (
            (
                "Open",
                "".join(
                    f"<div class=card draggable=true ondragstart='window.card = this'>{one}</div>"
                    for one in ROOMS
                ),
            ),
            ("Doing", ""),
            ("Closed", ""),
        )
    )
)


def test_a_card_is_dragged_to_another_column(stage: Stage) -> None:
    act = "drag .card:nth-of-type(2) into section:nth-of-type(2)"
    stage.show("drag", BOARD, act, room="Cellar", column="Doing")
    ended = stage.run("drag", BOARD, room="Hall", column="Closed")
    assert (ended.status, ended.why, stage.done) == ("done", "", ["Hall to Closed"])


TICKED = """<div id=bar hidden><button onclick="document.querySelectorAll('input:checked').forEach((one) => drop(one)); bar.hidden = true">Remove selected</button></div>
<script>onchange = () => { bar.hidden = !document.querySelector("input:checked"); };</script>""" + rows(
    "<input type=checkbox>"
)


def test_several_are_ticked_and_then_a_tool_bar_is_used(stage: Stage) -> None:
    acts = ("click tr:nth-child(1) input", "click tr:nth-child(2) input", "click #bar button")
    stage.show("sweep", TICKED, *acts, one="Attic", two="Cellar")
    ended = stage.run("sweep", TICKED, one="Hall", two="Attic")
    assert (ended.status, ended.why) == ("done", "")
    assert sorted(stage.done) == ["removed Attic", "removed Hall"]


ROW_MENU = (
    """<button aria-label="More" onclick="menu.hidden = false; window.on = this">...</button>"""
)
DIALOG = (
    rows(ROW_MENU)
    + """<div id=menu role=menu hidden><button role=menuitem onclick="menu.hidden = true; ask.showModal()">Delete</button></div>
<dialog id=ask><p>For ever?</p><button onclick="ask.close(); drop(on)">Yes, I am sure</button><button onclick="ask.close()">No</button></dialog>"""
)


def test_a_menu_and_a_dialog_lead_to_the_deed_and_its_button_inherits_what_it_does(
    stage: Stage,
) -> None:
    acts = ("click tr:nth-child(2) button", "click #menu button", "click dialog button")
    made = stage.show("delete", DIALOG, *acts, room="Cellar")
    assert [step.irreversible for step in made.steps] == [False, True, True]
    ended = stage.run("delete", DIALOG, room="Attic")
    assert (ended.status, ended.why, stage.done) == ("done", "", ["removed Attic"])
