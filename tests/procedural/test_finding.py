"""What is meant is found wherever it stands, and where it is not settled nothing is pressed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.browsers import needs_browser
from tests.procedural.stage import table

if TYPE_CHECKING:
    from http.server import BaseHTTPRequestHandler

    from memctl.procedural.skill_records import SkillRun
    from tests.procedural.stage import Stage

pytestmark = needs_browser

PEOPLE = ("Ann Berg", "Bob Cole", "Cy Dunn")
REMOVE = "<button onclick=drop(this)>Remove</button>"


@pytest.fixture(scope="module")
def taught(theatre: Stage) -> Stage:
    """A stage that knows how somebody is removed from a table."""
    theatre.show("remove", table(*PEOPLE), "click tr:nth-child(3) button", who="Bob Cole")
    return theatre


def halted(stage: Stage, ended: SkillRun, *said: str) -> None:
    """Demand that nothing was pressed, and that the reason names some things."""
    assert (ended.status, ended.step, stage.done) == ("halted", 0, [])
    assert [one for one in said if one not in ended.why] == [], ended.why


@pytest.mark.parametrize("there", ["Ann Bergman", "Ann Berg Larsen", "Berg", "Ann", "Ann-Berg"])
def test_a_longer_or_shorter_name_is_another_one(taught: Stage, there: str) -> None:
    halted(
        taught,
        taught.run("remove", table(there, "Cy Dunn"), who="Ann Berg"),
        'nothing says "Ann Berg"',
    )


def test_of_namesakes_none_is_meant_and_all_are_named(taught: Stage) -> None:
    page = (
        "<table>"
        + "".join(f"<tr><td>Ann Berg<td>{of}<td>{REMOVE}" for of in ("Kiel", "Oslo"))
        + "</table>"
    )
    halted(taught, taught.run("remove", page, who="Ann Berg"), "Ann Berg Kiel", "Ann Berg Oslo")


def test_of_names_in_other_letters_the_one_that_is_written_so_is_meant(taught: Stage) -> None:
    names = ("ANN BERG", "Ann Berg", "Ann berg")
    ended = taught.run("remove", table(*names), who="Ann Berg")
    assert (ended.status, taught.done) == ("done", ["removed Ann Berg"]), ended.why


def test_a_row_without_its_button_is_not_the_one_beside_it(taught: Stage) -> None:
    page = table(*PEOPLE).replace(f"Ann Berg<td>{REMOVE}", "Ann Berg<td>locked")
    halted(taught, taught.run("remove", page, who="Ann Berg"), "Ann Berg")


def test_a_name_in_a_toast_or_a_title_is_no_row(taught: Stage) -> None:
    page = f"<h1>Ann Berg</h1><div role=status>Ann Berg</div>{table('Cy Dunn')}"
    halted(taught, taught.run("remove", page, who="Ann Berg"))


@pytest.mark.parametrize(
    "without", ["<table></table>", table("Ann Berg", button="<button>Edit</button>")]
)
def test_where_the_control_is_absent_it_halts(taught: Stage, without: str) -> None:
    halted(taught, taught.run("remove", f"<h1>People</h1>{without}", who="Ann Berg"))


def test_a_blank_page_is_told_as_such(taught: Stage) -> None:
    taught.open("")
    taught.pages["/"] = "<!doctype html><title></title>"
    taught.driver.goto(taught.url + "/")
    ended = taught.memory.skills.run("remove", taught.driver, {"who": "Ann Berg"})
    assert ended.status == "halted"
    assert "the page is blank" in ended.why


def test_a_disabled_button_is_not_pressed(taught: Stage) -> None:
    page = table(*PEOPLE, button="<button disabled onclick=drop(this)>Remove</button>")
    halted(taught, taught.run("remove", page, who="Ann Berg"), "disabled")


def test_what_comes_late_is_waited_for(taught: Stage) -> None:
    late = "<main></main><script>setTimeout(() => { document.querySelector('main').innerHTML = `%s` }, 500)</script>"
    ended = taught.run("remove", late % table(*PEOPLE), who="Ann Berg")
    assert (ended.status, taught.done) == ("done", ["removed Ann Berg"])


@pytest.mark.parametrize("opacity", ["0", "0.4"])
def test_what_lies_under_an_overlay_is_not_pressed(taught: Stage, opacity: str) -> None:
    over = f"<div style='position:fixed;inset:0;background:red;opacity:{opacity}' onclick=did('overlay')>Please wait</div>"
    halted(
        taught,
        taught.run("remove", table(*PEOPLE) + over, who="Ann Berg"),
        "Please wait",
        "lies over it",
    )


def test_what_never_stands_still_is_not_missed(taught: Stage) -> None:
    """It is not pressed, or the guard of the press saw it hit: on a busy machine it may seem at rest."""
    shakes = "setInterval(() => { document.body.style.marginLeft = 300 * Math.random() + 'px' }, 5)"
    ended = taught.run("remove", f"{table(*PEOPLE)}<script>{shakes}</script>", who="Ann Berg")
    assert (ended.status, taught.done) in [
        ("halted", []),
        ("done", ["removed Ann Berg"]),
    ], ended.why


def test_what_comes_to_rest_is_pressed(taught: Stage) -> None:
    moving = "<style>@keyframes in { from { transform: translateY(300px) } } table { animation: in 900ms }</style>"
    ended = taught.run("remove", moving + table(*PEOPLE), who="Cy Dunn")
    assert (ended.status, taught.done) == ("done", ["removed Cy Dunn"])


@pytest.mark.parametrize(
    "change",
    [
        "document.querySelectorAll('tr')[1].remove()",
        "document.querySelectorAll('td')[0].textContent = 'Zoe Lund'",
    ],
    ids=["gone", "another"],
)
def test_a_row_that_is_another_when_it_is_pressed_is_not_pressed(
    taught: Stage, change: str
) -> None:
    """The page changes at the last moment: when the pointer arrives."""
    trap = f"<script>addEventListener('mousemove', () => {{ {change} }}, {{ once: true }})</script>"
    taught.page.mouse.move(900, 500)
    ended = taught.run("remove", table(*PEOPLE) + trap, who="Ann Berg")
    halted(taught, ended, "Ann Berg")


def test_a_row_below_the_fold_is_scrolled_to(taught: Stage) -> None:
    ended = taught.run(
        "remove", table(*(f"Person {at}" for at in range(60)), "Ann Berg"), who="Ann Berg"
    )
    assert (ended.status, taught.done) == ("done", ["removed Ann Berg"])


VIRTUAL = """<h1>People</h1><div id=list style="height:300px;overflow:auto;position:relative"><div id=all></div></div>
<script>let people = Array.from({ length: 300 }, (_, at) => at === 240 ? "Ann Berg" : at === NAMESAKE ? "Ann Berg" : `Person ${at}`);
const draw = () => { all.style.height = people.length * 40 + "px"; const from = Math.floor(list.scrollTop / 40);
  all.innerHTML = people.slice(from, from + 9).map((one, at) => `<div class=row style="position:absolute;height:30px;top:${(from + at) * 40}px">`
    + `<span class=name>${one}</span> <button onclick="remove(this)">Remove</button></div>`).join(""); };
const remove = (el) => { const who = rowOf(el).querySelector(".name").textContent; did("removed " + who + " " + people.indexOf(who));
  people.splice(people.indexOf(who), 1); draw(); };
list.onscroll = draw; draw();</script>"""


@pytest.fixture(scope="module")
def virtual(theatre: Stage) -> Stage:
    """A stage that knows how somebody is removed from a list that draws what is seen."""
    page = VIRTUAL.replace("NAMESAKE", "-1")
    theatre.show("virtual", page, "click .row:nth-child(3) button", who="Person 2")
    return theatre


def test_a_list_that_draws_what_is_seen_is_searched(virtual: Stage) -> None:
    ended = virtual.run("virtual", VIRTUAL.replace("NAMESAKE", "-1"), who="Ann Berg")
    assert (ended.status, virtual.done) == ("done", ["removed Ann Berg 240"])


def test_a_namesake_further_down_in_such_a_list_is_found(virtual: Stage) -> None:
    ended = virtual.run("virtual", VIRTUAL.replace("NAMESAKE", "3"), who="Ann Berg")
    halted(virtual, ended, 'say "Ann Berg"')


LOADS = """<h1>People</h1><div id=list style="height:300px;overflow:auto"></div><script>let next = 0;
const more = () => { for (let at = 0; at < 15 && next < 60; at += 1, next += 1) list.insertAdjacentHTML("beforeend",
  `<div class=row style="height:30px"><span class=name>${next === 50 ? "Ann Berg" : `Person ${next}`}</span> <button onclick=drop(this)>Remove</button></div>`); };
list.onscroll = () => { if (list.scrollTop + 310 > list.scrollHeight) setTimeout(more, 100); }; more();</script>"""


def test_a_list_that_loads_while_it_is_scrolled_is_searched(theatre: Stage) -> None:
    theatre.show("loads", LOADS, "click .row:nth-child(2) button", who="Person 1")
    ended = theatre.run("loads", LOADS, who="Ann Berg")
    assert (ended.status, theatre.done) == ("done", ["removed Ann Berg"])


HOVERED = (
    "<style>.row button { display: none } .row:hover button { display: inline } .row { height: 30px }</style>"
    + "".join(f"<div class=row><span class=name>{name}</span> {REMOVE}</div>" for name in PEOPLE)
)


def test_a_button_that_its_row_shows_under_the_pointer_is_pressed_there(theatre: Stage) -> None:
    acts = ("hover .row:nth-of-type(2)", "click .row:nth-of-type(2) button")
    theatre.show("hovered", HOVERED, *acts, who="Bob Cole")
    theatre.page.mouse.move(900, 500)
    ended = theatre.run("hovered", HOVERED, who="Cy Dunn")
    assert (ended.status, ended.why, theatre.done) == ("done", "", ["removed Cy Dunn"])


@pytest.mark.parametrize("cards", [False, True], ids=["rows", "cards"])
def test_without_a_value_a_row_that_is_gone_is_not_replaced_by_another(
    stage: Stage, cards: bool
) -> None:
    def page(*names: str) -> str:
        drawn = "".join(
            f"<div class=card><h3 class=name>{name}</h3>{REMOVE}</div>" for name in names
        )
        return drawn if cards else table(*names)

    stage.show("follow", page(*PEOPLE), "click button >> nth=1")
    halted(stage, stage.run("follow", page("Cy Dunn")))


def test_a_page_of_another_site_is_not_acted_on(taught: Stage) -> None:
    taught.open(table(*PEOPLE))
    taught.done.clear()
    taught.driver.goto(taught.url.replace("127.0.0.1", "localhost") + "/")
    ended = taught.memory.skills.run("remove", taught.driver, {"who": "Ann Berg"})
    halted(taught, ended, "localhost", "127.0.0.1")


def test_a_frame_of_another_origin_is_not_acted_on(taught: Stage) -> None:
    taught.pages["/inner"] = table(*PEOPLE)
    other = taught.url.replace("127.0.0.1", "localhost")
    halted(
        taught,
        taught.run(
            "remove",
            f"<p>Shop</p><iframe width=600 height=300 src={other}/inner></iframe>",
            who="Ann Berg",
        ),
    )


def test_a_frame_of_the_same_origin_is(taught: Stage) -> None:
    from tests.procedural.stage import HEAD

    taught.pages["/inner"] = HEAD + table(*PEOPLE)
    ended = taught.run(
        "remove", "<p>Shop</p><iframe width=600 height=300 src=/inner></iframe>", who="Ann Berg"
    )
    assert (ended.status, taught.done) == ("done", ["removed Ann Berg"])


def test_a_goto_that_leads_to_another_site_halts(stage: Stage) -> None:
    stage.pages["/far"] = "<h1>Far</h1>"
    stage.show("leave", "<p>Start</p>", "open /far")

    def away(request: BaseHTTPRequestHandler) -> None:
        request.send_response(302)
        request.send_header("Location", stage.url.replace("127.0.0.1", "localhost") + "/")
        request.end_headers()

    stage.pages["/far"] = away
    assert stage.run("leave", "<p>Start</p>").status in {"failed", "uncertain", "halted"}


def test_a_download_is_no_page(stage: Stage) -> None:
    stage.pages["/far"] = "<h1>Far</h1>"
    stage.show("leave", "<p>Start</p>", "open /far")

    def file(request: BaseHTTPRequestHandler) -> None:
        request.send_response(200)
        request.send_header("Content-Disposition", "attachment; filename=a.csv")
        request.end_headers()

    stage.pages["/far"] = file
    ended = stage.run("leave", "<p>Start</p>")
    assert ended.status in {"halted", "uncertain"}
    assert "is a download, not a page" in ended.why
