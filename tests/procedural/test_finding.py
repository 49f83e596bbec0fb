"""What is meant is found wherever it stands, and where it is not settled nothing is pressed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.browsers import needs_browser
from tests.drivers.serving import answering
from tests.each import each
from tests.procedural.stage import HEAD, PEOPLE, REMOVE, table

if TYPE_CHECKING:
    from tests.procedural.stage import Stage

pytestmark = needs_browser

ANN = {"who": "Ann Berg"}
OVER = "<div style='position:fixed;inset:0;background:red;opacity:{}' onclick=did('overlay')>Please wait</div>"
SHAKES = "<script>setInterval(() => { document.body.style.marginLeft = 300 * Math.random() + 'px' }, 5)</script>"
# At the last moment: when the pointer arrives.
TRAP = "<script>addEventListener('mousemove', () => {{ {} }}, {{ once: true }})</script>"
LATE = "<main></main><script>setTimeout(() => {{ document.querySelector('main').innerHTML = `{}` }}, 500)</script>"
MOVES = "<style>@keyframes in { from { transform: translateY(300px) } } table { animation: in 900ms }</style>"
FRAME = "<p>Shop</p><iframe width=600 height=300 src={}/inner></iframe>"


@pytest.fixture(scope="module")
def taught(theatre: Stage) -> Stage:
    """A stage that knows how somebody is removed from a table."""
    theatre.show("remove", table(*PEOPLE), "click tr:nth-child(3) button", who="Bob Cole")
    theatre.pages["/inner"] = HEAD + table(*PEOPLE)
    return theatre


@each("there", ["Ann Berg Larsen", "Berg"])
def test_a_longer_or_shorter_name_is_another_one(taught: Stage, there: str) -> None:
    taught.halts("remove", table(there, "Cy Dunn"), 'nothing says "Ann Berg"', **ANN)


GONE, OTHER = (
    TRAP.format(change)
    for change in (
        "document.querySelectorAll('tr')[1].remove()",
        "document.querySelector('td').textContent = 'Zoe'",
    )
)
# fmt: off
UNSETTLED: dict[str, tuple[str, tuple[str, ...]]] = {
    "namesakes": (
        f"<table><tr><td>Ann Berg<td>Kiel<td>{REMOVE}<tr><td>Ann Berg<td>Oslo<td>{REMOVE}</table>",
        ("Ann Berg Kiel", "Ann Berg Oslo")),
    "a row without its button": (
        table(*PEOPLE).replace(f"Ann Berg<td>{REMOVE}", "Ann Berg<td>locked"), ("Ann Berg",)),
    "a toast and a title": (
        f"<h1>Ann Berg</h1><div role=status>Ann Berg</div>{table('Cy Dunn')}", ()),
    "another button": (table("Ann Berg", button="<button>Edit</button>"), ()),
    "a disabled button": (
        table(*PEOPLE, button=REMOVE.replace("<button", "<button disabled")), ("disabled",)),
    "under a clear overlay": (table(*PEOPLE) + OVER.format("0"), ("Please wait", "lies over it")),
    "gone when it is pressed": (table(*PEOPLE) + GONE, ()),
    "another when it is pressed": (table(*PEOPLE) + OTHER, ()),
}
# fmt: on


@each("name", UNSETTLED)
def test_what_is_not_settled_is_not_pressed(taught: Stage, name: str) -> None:
    taught.page.mouse.move(900, 500)
    page, said = UNSETTLED[name]
    taught.halts("remove", page, *said, **ANN)


@pytest.mark.usefixtures("hasty")
def test_what_never_stands_still_is_not_missed(taught: Stage) -> None:
    """It is not pressed, or the guard of the press saw it hit: on a busy machine it may seem at rest."""
    ended = taught.run("remove", table(*PEOPLE) + SHAKES, **ANN)
    ends = [("halted", []), ("done", ["removed Ann Berg"])]
    assert (ended.status, taught.done) in ends, ended.why


@pytest.mark.usefixtures("hasty")
def test_a_blank_page_is_told_as_such(taught: Stage) -> None:
    taught.open("")
    taught.pages["/"] = "<!doctype html><title></title>"
    taught.driver.goto(taught.url + "/")
    taught.halted(taught.repeat("remove", **ANN), "the page is blank")


LATER = {
    "late": LATE.format(table(*PEOPLE)),
    "moving at first": MOVES + table(*PEOPLE),
    "among names in other letters": table("ANN BERG", "Ann Berg", "Ann berg"),
    "below the fold": table(*(f"Person {at}" for at in range(60)), "Ann Berg"),
    "in a frame of the same origin": FRAME.format(""),
}


@each("name", LATER)
def test_what_comes_late_or_stands_elsewhere_is_pressed(taught: Stage, name: str) -> None:
    taught.does("remove", LATER[name], "removed Ann Berg", **ANN)


@pytest.mark.usefixtures("hasty")
def test_a_page_of_another_site_is_not_acted_on(taught: Stage) -> None:
    taught.open(table(*PEOPLE))
    taught.driver.goto(taught.url.replace("127.0.0.1", "localhost") + "/")
    taught.halted(taught.repeat("remove", **ANN), "localhost", "127.0.0.1")


def test_a_frame_of_another_origin_is_not_acted_on(taught: Stage) -> None:
    taught.halts("remove", FRAME.format(taught.url.replace("127.0.0.1", "localhost")), **ANN)


@pytest.mark.parametrize("row", ["<tr><td>{}<td>{}", "<div class=card><h3>{}</h3>{}</div>"])
def test_without_a_value_a_row_that_is_gone_is_not_replaced_by_another(
    stage: Stage, row: str
) -> None:
    def page(*names: str) -> str:
        body = "".join(row.format(name, REMOVE) for name in names)
        return f"<table>{body}</table>" if row.startswith("<tr") else body

    stage.show("follow", page(*PEOPLE), "click button >> nth=1")
    stage.halts("follow", page("Cy Dunn"))


def test_a_bar_that_floats_at_another_row_is_not_pressed(theatre: Stage) -> None:
    """A bar floats at the row under the pointer, or else at the last one."""

    def page(*of: str) -> str:
        rows = "".join(
            f"<div class=row onmouseover=go(this)><span class=name>{n}</span></div>" for n in of
        )
        return f"""{rows}<button id=bar style="position:absolute;left:200px" onclick=drop(on)>Remove</button>
        <script>const go = (el) => {{ window.on = el.firstChild; bar.style.top = el.offsetTop + "px" }};
        go([...document.querySelectorAll(".row")].at(-1));</script>"""

    acts = ("hover .row:nth-child(2)", "click #bar")
    theatre.show("floating", page(*PEOPLE), *acts, who="Bob Cole")
    theatre.halts("floating", page("Bob Cole", "Cy Dunn"), "Ann Berg", **ANN)
    theatre.halts("floating", page("Ann Berg", "Bob Cole", "Ann Berg"), "2 rows say", **ANN)


# -- lists that do not show all of themselves --------------------------------------------------

VIRTUAL = """<h1>People</h1><div id=list style="height:300px;overflow:auto;position:relative"><div id=all></div></div>
<script>let people = Array.from({ length: 40 }, (_, at) => at === 30 || at === NAMESAKE ? "Ann Berg" : `Person ${at}`);
const draw = () => { all.style.height = people.length * 40 + "px"; const from = Math.floor(list.scrollTop / 40);
  all.innerHTML = people.slice(from, from + 9).map((one, at) => `<div class=row style="position:absolute;height:30px;top:${(from + at) * 40}px">`
    + `<span class=name>${one}</span> <button onclick="remove(this)">Remove</button></div>`).join(""); };
const remove = (el) => { const who = nameOf(el); did(`removed ${who} ${people.indexOf(who)}`); people.splice(people.indexOf(who), 1); draw(); };
list.onscroll = draw; draw();</script>"""
LOADS = """<h1>People</h1><div id=list style="height:300px;overflow:auto"></div><script>let next = 0;
const more = () => { for (let at = 0; at < 15 && next < 30; at += 1, next += 1) list.insertAdjacentHTML("beforeend",
  `<div class=row style="height:30px"><span class=name>${next === 20 ? "Ann Berg" : `Person ${next}`}</span> <button onclick=drop(this)>Remove</button></div>`); };
list.onscroll = () => { if (list.scrollTop + 310 > list.scrollHeight) setTimeout(more, 100); }; more();</script>"""
HOVERED = f"""<style>.row button {{ display: none }} .row:hover button {{ display: inline }} .row {{ height: 30px }}</style>
{"".join(f"<div class=row><span class=name>{name}</span> {REMOVE}</div>" for name in PEOPLE)}"""


@pytest.fixture(scope="module")
def virtual(theatre: Stage) -> Stage:
    """A stage that knows how somebody is removed from a list that draws what is seen."""
    page = VIRTUAL.replace("NAMESAKE", "-1")
    theatre.show("virtual", page, "click .row:nth-child(3) button", who="Person 2")
    return theatre


@each("at", [30, 32])
def test_a_list_that_draws_what_is_seen_is_searched(virtual: Stage, at: int) -> None:
    """Row 32 is drawn first where it is not seen yet."""
    page = VIRTUAL.replace("NAMESAKE", "-1").replace("30 ||", f"{at} ||")
    virtual.does("virtual", page, f"removed Ann Berg {at}", **ANN)


def test_a_namesake_further_down_in_such_a_list_is_found(virtual: Stage) -> None:
    virtual.halts("virtual", VIRTUAL.replace("NAMESAKE", "3"), 'say "Ann Berg"', **ANN)


def test_a_list_that_loads_while_it_is_scrolled_is_searched(theatre: Stage) -> None:
    theatre.show("loads", LOADS, "click .row:nth-child(2) button", who="Person 1")
    theatre.does("loads", LOADS, "removed Ann Berg", **ANN)


def test_a_button_that_its_row_shows_under_the_pointer_is_pressed_there(theatre: Stage) -> None:
    acts = ("hover .row:nth-of-type(2)", "click .row:nth-of-type(2) button")
    theatre.show("hovered", HOVERED, *acts, who="Bob Cole")
    theatre.page.mouse.move(900, 500)
    theatre.does("hovered", HOVERED, "removed Cy Dunn", who="Cy Dunn")


# -- addresses ---------------------------------------------------------------------------------


@pytest.mark.usefixtures("hasty")
def test_an_address_that_leads_to_no_page_of_the_app_is_not_done(theatre: Stage) -> None:
    theatre.pages["/far"] = "<h1>Far</h1>"
    theatre.show("leave", "<p>Start</p>", "open /far")
    theatre.pages["/far"] = answering(302, Location="http://localhost:9/")
    assert theatre.run("leave", "<p>Start</p>").status in {"failed", "halted", "uncertain"}
    theatre.pages["/far"] = answering(200, Content_Disposition="attachment; filename=a.csv")
    ended = theatre.run("leave", "<p>Start</p>")
    assert ended.status in {"halted", "uncertain"}
    assert "is a download, not a page" in ended.why


def test_a_page_of_which_nothing_has_arrived_yet_is_waited_for(taught: Stage) -> None:
    gone = "const page = document.documentElement; drop(this); page.remove();"
    back = "setTimeout(() => document.append(page), 700)"
    late = f"<button onclick='{gone} {back}'>Remove</button>"
    taught.does("remove", table(*PEOPLE[:2], button=late), "removed Ann Berg", **ANN)
