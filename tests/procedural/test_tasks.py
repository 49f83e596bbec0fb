"""A task that was shown once is done again with other values, whatever people do in apps.

A value is bound to where it stands: in rows, cards, sections and grids, in what is typed, chosen or
dragged. Another value then means what stands there.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import pytest

from memctl.base.errors import UsageError
from tests.browsers import needs_browser
from tests.procedural.stage import PEOPLE, REMOVE, table

if TYPE_CHECKING:
    from collections.abc import Callable

    from memctl.procedural.skill_records import Skill
    from tests.procedural.stage import Stage

    Shown = Callable[[str], Skill]

pytestmark = needs_browser

ROOMS = ("Attic", "Cellar", "Hall")
DAYS = ("Monday", "Tuesday", "Friday")
CELLAR, HALL = {"room": "Cellar"}, {"room": "Hall"}
SECOND_BUTTON = "click tr:nth-child(2) button"


def each(template: str, *names: str) -> str:
    """Return a part of a page for each name, and its place in the list."""
    return "".join(
        template.replace("NAME", name).replace("AT", str(at)) for at, name in enumerate(names, 7)
    )


def cards(*names: str) -> str:
    card = f"<div class=card><h3 class=name>NAME</h3><span>Crew</span> <span>Harbor</span>{REMOVE}</div>"
    return each(card, *names)


def bare_boxes(*names: str) -> str:
    row = """<div class=row><div>12 May</div><div class=name>NAME</div><div role=button tabindex=0
        onclick=drop(this)>Remove</div></div>"""
    return f"<div class=list>{each(row, *names)}</div>"


def named_buttons(*names: str) -> str:
    button = "<button aria-label='Remove NAME' onclick=drop(this)>x</button>"
    return each(f"<li><span class=name hidden>NAME</span>{button}</li>", *names)


def rows(inner: str, *names: str) -> str:
    names = names or ROOMS
    return f"<h1>Rooms</h1><table>{each(f'<tr><td class=name>NAME<td>{inner}', *names)}</table>"


def tasks(project: str) -> str:
    close = f"<button onclick=\"did('{project} NAME'); this.textContent = 'Open'\">Close</button>"
    item = f"<li><span class=name>NAME</span> {close}"
    return (
        f"<section class=row><h2>{project}</h2><ul>{each(item, 'Design', 'Review')}</ul></section>"
    )


def days(room: str) -> str:
    cell = f"<td><button onclick=\"this.textContent = 'Taken'; did('{room} NAME')\">Free</button>"
    return f"<tr><th>{room}{each(cell, *DAYS)}"


FIND = """<h1>Find</h1><input aria-label=Search id=q><button onclick="did('sought ' + q.value);
r.textContent = 'Found ' + q.value">Go</button><p id=r></p>"""
ADD = """<form onsubmit="did('added ' + q.value); out.innerHTML += '<li>' + q.value; q.value = ''; return false">
<input id=q placeholder="New room, e.g. Room 12"></form><ul id=out><li>Attic</ul>"""
CONFIRM = (
    """<button onclick="if (confirm('Delete ' + nameOf(this) + '?')) drop(this)">Delete</button>"""
)
SWITCH = "<input type=checkbox role=switch onchange=\"did(nameOf(this) + ' ' + this.checked)\">"
CHOICE = """<select onchange="did(nameOf(this) + ' ' + this.value)"><option>Free<option>Taken<option>Shut</select>"""
RENAME = f"""<ul>{each("<li tabindex=0><span class=name>NAME</span>", *ROOMS)}</ul><script>
onkeydown = (event) => {{ const row = event.target.closest("li");
  if (event.key === "F2") {{ const was = row.textContent.trim(); row.innerHTML = "<input aria-label='New name'>";
    const field = row.firstChild; field.value = was; field.select(); field.focus();
    field.onkeydown = (event) => {{ if (event.key === "Enter") {{ did(was + " is " + field.value);
      row.innerHTML = "<span class=name></span>"; row.firstChild.textContent = field.value; event.stopPropagation(); }} }}; }} }};</script>"""
MENU = f"""{rows("12 m")}<div id=menu role=menu hidden style="position:fixed;background:#eee;padding:9px"><div role=menuitem>Lock</div>
<div role=menuitem>Remove</div></div><script>let on;
document.querySelectorAll("tr").forEach((row) => {{ row.oncontextmenu = (event) => {{ event.preventDefault(); on = row; menu.hidden = false;
  menu.style.left = event.clientX + "px"; menu.style.top = event.clientY + "px"; }}; }});
menu.lastElementChild.onclick = () => {{ menu.hidden = true; drop(on.firstChild); }};</script>"""
CARDS = each("<div class=card draggable=true ondragstart='window.card = this'>NAME</div>", *ROOMS)
COLUMN = """<section ondragover="event.preventDefault()" ondrop="this.append(card); did(card.textContent + ' to NAME')"><h2>NAME</h2></section>"""
BOARD = f"""<style>body {{ display: flex }} section {{ width: 200px; min-height: 300px; margin: 9px; background: #eee }}
.card {{ background: #fff }}</style>{each(COLUMN, "Open", "Doing", "Closed").replace("</h2>", f"</h2>{CARDS}", 1)}"""
TICKS = f"""<div id=bar hidden><button onclick="document.querySelectorAll('input:checked').forEach((one) => drop(one)); bar.hidden = true">Remove selected</button></div>
<script>onchange = () => {{ bar.hidden = !document.querySelector("input:checked"); }};</script>{rows("<input type=checkbox>")}"""
MORE = """<button aria-label="More" onclick="menu.hidden = false; window.on = this">...</button>"""
DIALOG = f"""{rows(MORE)}<div id=menu role=menu hidden><button role=menuitem onclick="menu.hidden = true; ask.showModal()">Delete</button></div>
<dialog id=ask><p>For ever?</p><button onclick="ask.close(); drop(on)">Yes, I am sure</button><button onclick="ask.close()">No</button></dialog>"""

READY = """<button onclick="b.hidden = false; q.focus()">New</button><div id=b hidden><input id=q aria-label=Room
><button onclick="did('added ' + q.value); out.innerHTML += '<li>' + q.value">Add</button></div><ul id=out></ul>"""
# A name that takes the focus, with its text in an element inside, beside what all rows say.
FILES = """<li ondblclick="did('opened NAME'); out.textContent = 'This is NAME'"><span class=file tabindex=0 onclick=0 title="NAME"><span>NAME</span></span>
<span class=age>3 years ago</span>"""
OPENS = """<span ondblclick="did('opened ' + nameOf(this)); this.textContent = 'Is open'">Closed</span>"""
LETTER = """<div id=letter contenteditable aria-label=Letter>Dear</div><button onclick="did(letter.innerText);
out.textContent = 'Sent ' + letter.innerText">Send</button><p id=out></p>"""
FRAME = """<iframe srcdoc='<label>Name <input onkeydown="if (event.key === `Enter`) { did(`kept ${this.value}`);
out.textContent = `Kept ${this.value}` }"></label><p id=out></p>'></iframe>"""


@dataclass(frozen=True)
class Task:
    """What is shown on a page, and what is done when it is repeated with other values."""

    html: str
    acts: tuple[str, ...]
    shown: dict[str, str]
    then: dict[str, str]
    did: tuple[str, ...]
    later: str = ""  # the page by then; the same one, where nothing is said


def removal(page: Callable[..., str]) -> Task:
    """Return the task of removing a person, who stands elsewhere when it is repeated."""
    second = "click :is(button, a, [role=button]) >> nth=1"
    later = page("Zoe Lund", *reversed(PEOPLE))
    did = ("removed Ann Berg",)
    return Task(page(*PEOPLE), (second,), {"who": "Bob Cole"}, {"who": "Ann Berg"}, did, later)


# fmt: off
TASKS = {
    "table": removal(table),
    "cards": removal(cards),
    "bare-boxes": removal(bare_boxes),
    "buttons-with-names": removal(named_buttons),
    "rows-in-sections": Task(
        "".join(map(tasks, ("Alpha", "Beta", "Gamma"))),
        ("click section:nth-of-type(2) li:nth-child(1) button",),
        {"project": "Beta", "task": "Design"}, {"project": "Gamma", "task": "Review"},
        ("Gamma Review",)),
    "grid": Task(
        f"<table><tr><th>Room{each('<th>NAME', *DAYS)}{''.join(map(days, ROOMS))}</table>",
        ("click tr:nth-child(3) td:nth-of-type(2) button",),
        {"room": "Cellar", "day": "Tuesday"}, {"room": "Attic", "day": "Friday"},
        ("Attic Friday",)),
    "typed": Task(
        FIND, ("click #q", "type ropes", "click button"),
        {"what": "ropes"}, {"what": "long anchors"}, ("sought long anchors",)),
    "typed-in-its-place-after-f2": Task(
        RENAME,
        ("click li:nth-child(2)", "press F2", "press ControlOrMeta+a", "type Wine", "press Enter"),
        {"room": "Cellar", "name": "Wine"}, {"room": "Hall", "name": "Big hall"},
        ("Hall is Big hall",)),
    "pasted": Task(
        ADD, ("click #q", "press ControlOrMeta+v", "press Enter"), CELLAR, HALL, ("added Hall",)),
    "typed-into-an-editable-part": Task(
        LETTER, ("click #letter", "press ControlOrMeta+a", "type Cellar", "click button"),
        CELLAR, HALL, ("Hall",)),
    "typed-into-a-frame": Task(
        FRAME,
        ("click iframe >> internal:control=enter-frame >> input", "type Cellar", "press Enter"),
        CELLAR, HALL, ("kept Hall",)),
    "double-clicked": Task(
        rows(OPENS), ("double-click tr:nth-child(2) span",), CELLAR, HALL, ("opened Hall",)),
    "confirmed": Task(rows(CONFIRM), (SECOND_BUTTON,), CELLAR, HALL, ("removed Hall",)),
    "switched": Task(
        rows(SWITCH), ("click tr:nth-child(2) input",), CELLAR, HALL, ("Hall true",)),
    "chosen": Task(
        rows(CHOICE), ("choose Taken into tr:nth-child(2) select",),
        {**CELLAR, "state": "Taken"}, {**HALL, "state": "Shut"}, ("Hall Shut",)),
    "context-menu": Task(
        MENU, ("right-click tr:nth-child(2) .name", "click #menu :last-child"),
        CELLAR, HALL, ("removed Hall",)),
    "dragged": Task(
        BOARD, ("drag .card:nth-of-type(2) into section:nth-of-type(2)",),
        {**CELLAR, "column": "Doing"}, {**HALL, "column": "Closed"}, ("Hall to Closed",)),
    "a-field-that-is-ready": Task(
        READY, ("click button", "click #q", "type Cellar", "click #b button"),
        CELLAR, HALL, ("added Hall",)),
    "ticked-and-a-tool-bar": Task(
        TICKS, ("click tr:nth-child(1) input", "click tr:nth-child(2) input", "click #bar button"),
        {"one": "Attic", "two": "Cellar"}, {"one": "Hall", "two": "Attic"},
        ("removed Attic", "removed Hall")),
    "menu-and-dialog": Task(
        DIALOG, (SECOND_BUTTON, "click #menu button", "click dialog button"),
        CELLAR, HALL, ("removed Hall",)),
    "named-beside-what-all-say": Task(
        f"<ul tabindex=0 onclick=0>{each(FILES, *ROOMS, *DAYS)}</ul><p id=out></p>",
        ("double-click li:nth-child(2) span span",), {}, {}, ("opened Cellar",)),
    "followed-without-a-value": Task(
        cards(*PEOPLE, "Eve"), ("click button >> nth=1",), {}, {}, ("removed Bob Cole",),
        cards("Eve", "Cy Dunn", "Bob Cole")),
}
# fmt: on


@pytest.fixture(scope="module")
def shown(theatre: Stage) -> Shown:
    """Show a task, once, and return its skill."""
    context = theatre.page.context
    context.grant_permissions(["clipboard-read", "clipboard-write"], origin=theatre.url)

    @cache
    def show(name: str) -> Skill:
        task = TASKS[name]
        if name == "pasted":
            theatre.open("")
            theatre.page.evaluate("navigator.clipboard.writeText('Cellar')")
        return theatre.show(name, task.html, *task.acts, **task.shown)

    return show


@pytest.mark.parametrize("name", TASKS)
def test_a_task_is_done_again_with_other_values(theatre: Stage, shown: Shown, name: str) -> None:
    shown(name)
    task = TASKS[name]
    theatre.does(name, task.later or task.html, *task.did, **task.then)


@pytest.mark.parametrize(
    ("name", "number", "words"),
    [
        ("table", 0, "click Remove in the row that says {who}"),
        ("followed-without-a-value", 0, "click Remove in the row that says Bob Cole"),
        ("typed", 1, "type {what}"),
    ],
)
def test_a_step_says_where_a_value_was_bound(
    shown: Shown, name: str, number: int, words: str
) -> None:
    assert words in shown(name).steps[number].words


def test_the_button_of_a_menu_or_a_dialog_inherits_what_it_does(shown: Shown) -> None:
    assert [step.irreversible for step in shown("menu-and-dialog").steps] == [False, True, True]
    assert shown("confirmed").steps[-1].irreversible


def test_another_question_of_the_browser_is_not_agreed_to(theatre: Stage, shown: Shown) -> None:
    shown("confirmed")
    page = rows(CONFIRM.replace("?'", " and all that is in it?'"))
    ended = theatre.run("confirmed", page, room="Hall")
    assert (ended.status, theatre.done) == ("uncertain", [])
    assert "and all that is in it?" in ended.why


def test_a_switch_that_is_on_already_is_let_be(theatre: Stage, shown: Shown) -> None:
    shown("switched")
    page = rows(SWITCH.replace("<input", "<input checked"))
    theatre.halts("switched", page, "already", room="Hall")


def test_a_choice_that_a_list_does_not_have_is_named_with_those_it_has(
    theatre: Stage, shown: Shown
) -> None:
    shown("chosen")
    said = 'no choice "Sold", but Free, Taken, Shut'
    theatre.halts("chosen", rows(CHOICE), said, room="Hall", state="Sold")


def test_a_value_in_an_address_is_bound_there(theatre: Stage) -> None:
    for number in "78":
        theatre.pages[f"/people/{number}"] = f"<title>P</title><h1>Person {number}</h1>"
    theatre.show("visit", "<h1>Start</h1>", "open /people/7", number="7")
    theatre.does("visit", "<h1>Start</h1>", number="8")
    assert theatre.page.inner_text("h1") == "Person 8"


@pytest.mark.parametrize("who", ["Zoe Lund", "Ann"], ids=["nowhere", "a part of a name"])
def test_a_value_that_stands_nowhere_is_an_error_when_it_is_shown(theatre: Stage, who: str) -> None:
    with pytest.raises(UsageError, match=rf'"{who}" \(who\) was neither typed') as raised:
        theatre.show("nobody", table("Annabel Berg", "Bob Cole"), "click button", who=who)
    assert "Annabel Berg" in (raised.value.hint or "")


def test_a_value_that_no_step_uses_is_an_error_when_it_is_run(theatre: Stage) -> None:
    page = "<button onclick=\"this.textContent = 'B'\">A</button>"
    made = theatre.show("fixed", page, "click button")
    with theatre.memory.store.transaction():
        theatre.memory.store.connection().execute(
            "insert into skill_parameter (skill_id, name, example) values (?, 'who', 'Ann')",
            (made.id,),
        )
    with pytest.raises(UsageError, match='no step of "fixed" uses "who"'):
        theatre.run("fixed", page, who="Bob")
    assert theatre.memory.skills.runs("fixed") == []
