"""Done is what was seen to change; an error refutes, and what nobody can tell is uncertain."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from tests.browsers import needs_browser
from tests.drivers.serving import answering
from tests.procedural.stage import HEAD, PEOPLE, table

if TYPE_CHECKING:
    from http.server import BaseHTTPRequestHandler

    from memctl.procedural.skill_records import SkillRun
    from tests.procedural.stage import Stage

pytestmark = [needs_browser, pytest.mark.usefixtures("hasty")]

SENDS = """<script>const send = async (el) => { const name = nameOf(el); did("pressed " + name); AT_ONCE;
  const answer = await fetch("/people", { method: "DELETE", body: name });
  if (answer.ok) rowOf(el).remove(); };</script>"""
HIDES = "rowOf(el).style.display = 'none'"


class App:
    """The server behind a table: it answers as it is told, and forgets whom it is told to."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.people, self.status, self.keeps, self.late = list(PEOPLE), 200, False, 0.0
        stage.pages |= {"DELETE /people": self.removed, "/people": self.drawn}
        self.at_once = ""  # what the page does before it is answered

    def page(self) -> str:
        button = "<button onclick=send(this)>Remove</button>"
        return SENDS.replace("AT_ONCE", self.at_once) + table(*self.people, button=button)

    def removed(self, request: BaseHTTPRequestHandler) -> None:
        who = request.rfile.read(int(request.headers["Content-Length"])).decode()
        time.sleep(self.late)
        if not self.status:
            request.connection.close()
            return
        if self.status < 400 and not self.keeps:
            self.people.remove(who)
        answering(self.status, Content_Length="0")(request)

    def drawn(self, request: BaseHTTPRequestHandler) -> None:
        answering(200, HEAD + self.page(), Content_Type="text/html; charset=utf-8")(request)

    def run(self) -> SkillRun:
        self.stage.driver.goto(self.stage.url + "/people")
        self.stage.done.clear()
        return self.stage.repeat("remove", who="Ann Berg")


@pytest.fixture(scope="module")
def taught(theatre: Stage) -> Stage:
    """A stage that knows how the server is asked to remove somebody."""
    theatre.show("remove", App(theatre).page(), "click tr:nth-child(3) button", who="Bob Cole")
    return theatre


@pytest.fixture
def app(taught: Stage) -> App:
    return App(taught)


@pytest.mark.parametrize("late", [0.0, 1.2], ids=["soon", "late"])
def test_a_deed_that_the_server_kept_is_done(app: App, late: float) -> None:
    app.late = late
    ended = app.run()
    assert (ended.status, ended.outcome, ended.why) == ("done", "confirmed", "")
    assert app.people == ["Bob Cole", "Cy Dunn"]


@pytest.mark.parametrize(
    ("status", "at_once", "late"), [(409, "", 0.0), (500, HIDES, 0.0), (500, HIDES, 1.2)]
)
def test_an_error_of_the_server_refutes_whatever_the_page_shows(
    app: App, status: int, at_once: str, late: float
) -> None:
    app.status, app.at_once, app.late = status, at_once, late
    ended = app.run()
    assert (ended.status, ended.outcome) == ("failed", "refuted")
    assert f"DELETE /people was answered with {status}" in ended.why
    assert app.stage.done == ["pressed Ann Berg"]  # once: what failed is not done again
    (step,) = app.stage.memory.skills.trace(ended.id)
    assert (step.after_png or b"")[:4] == b"\x89PNG"


def test_a_connection_that_is_dropped_is_no_success(app: App) -> None:
    app.status, app.at_once = 0, HIDES
    ended = app.run()
    assert ended.status in {"failed", "uncertain"}
    assert "got no answer" in ended.why


def test_success_without_effect_is_seen_when_the_page_is_loaded_anew(app: App) -> None:
    app.keeps = True
    ended = app.run()
    assert (ended.status, ended.outcome) == ("failed", "refuted")
    assert 'loaded anew "Ann Berg" is still there' in ended.why


# -- what the page alone tells -----------------------------------------------------------------

SAVE = """<h1>Profile</h1><label>Name <input id=name></label> <button onclick="setTimeout(() => { AFTER }, 50)">Save</button>
<div id=out></div>"""
NAME = "document.getElementById('name')"
SAVED = f"out.innerHTML = '<h2>Saved</h2><p>' + {NAME}.value + '</p>'"
OUT = "out.innerHTML = '{}'"


def form(after: str) -> str:
    return SAVE.replace("AFTER", after)


@pytest.fixture(scope="module")
def saving(theatre: Stage) -> Stage:
    """A stage that knows how a form is saved."""
    theatre.show("save", form(SAVED), "click #name", "type Ann", "click button", name="Ann")
    return theatre


def test_a_form_that_is_saved_is_done(saving: Stage) -> None:
    saving.does("save", form(SAVED), name="Bob")


# fmt: off
NOT_DONE = {
    "nothing": (form(""), "failed", "nothing changed"),
    "it stood there before": (form("") + "<h2>Saved</h2><p>Bob</p>", "failed", "nothing changed"),
    "an alert": (form(OUT.format("<p role=alert>At least 4 letters")), "failed", "at least 4 letters"),
    "an alert and success": (
        form(f"{SAVED} + '<p role=alert>It may be wrong'"), "uncertain", "it may be wrong"),
    "a field marked invalid": (
        form(f"{NAME}.setAttribute('aria-invalid', 'true')"), "failed", "marked invalid"),
    "words of an error": (form(OUT.format("<p>Invalid name")), "failed", "invalid name"),
    "a spinner": (form(OUT.format("<p class=spinner style=width:40px>Saving")), "uncertain", ""),
    "a dialog": (
        form(OUT.format("<dialog open><p>Overwrite it?</p><button>Yes</button></dialog>")),
        "uncertain", "overwrite it?"),
    "a disabled button": (
        form("document.querySelector('button').disabled = true; out.textContent = 'Please wait'"),
        "uncertain", ""),
}
# fmt: on


@pytest.mark.parametrize("name", NOT_DONE)
def test_what_does_not_happen_as_it_was_shown_is_not_done(saving: Stage, name: str) -> None:
    page, status, said = NOT_DONE[name]
    ended = saving.run("save", page, name="Bob")
    assert ended.status == status, ended.why
    assert said in ended.why.lower()
    assert ended.outcome == {"failed": "refuted", "uncertain": "uncertain"}[status]


def test_a_dialog_of_the_browser_that_nobody_saw_is_not_agreed_to(saving: Stage) -> None:
    asks = "if (confirm('Send it to everybody?')) { did('sent'); " + SAVED + " }"
    ended = saving.run("save", form(asks), name="Bob")
    assert (ended.status, saving.done) == ("uncertain", [])
    assert "Send it to everybody?" in ended.why


def test_a_change_that_is_taken_back_is_none(theatre: Stage) -> None:
    hope = "const row = rowOf(this), of = row.parentElement; row.remove(); BACK"
    page = table(*PEOPLE, button=f'<button onclick="{hope}">Delete</button>')
    theatre.show("hope", page.replace("BACK", ""), "click tr:nth-child(3) button", who="Bob Cole")
    back = page.replace("BACK", "setTimeout(() => of.append(row), 150)")
    assert theatre.run("hope", back, who="Ann Berg").status in {"failed", "uncertain"}


def test_an_act_whose_effect_was_never_seen_is_uncertain(theatre: Stage) -> None:
    page = "<button onclick=did('pressed')>Ping</button><p>Nothing to see</p>"
    theatre.show("ping", page, "click button")
    ended = theatre.run("ping", page)
    assert (ended.status, theatre.done) == ("uncertain", ["pressed"])
    assert "nothing is known that would show" in ended.why


def test_absence_in_another_view_proves_nothing(taught: Stage) -> None:
    """The server says yes and keeps the row, which stands behind a button when it is loaded anew."""
    taught.pages["DELETE /people"] = answering(200, Content_Length="0")
    rows = table(*PEOPLE, button="<button onclick=send(this)>Remove</button>")
    page = f"""{SENDS.replace("AT_ONCE", "")}<button id=b onclick="list.hidden = false">Guests</button>
    <p id=a>Nothing to see</p><div id=list hidden>{rows}</div>"""
    taught.show("behind", page, "click #b", "click tr:nth-child(3) button", who="Bob Cole")
    ended = taught.run("behind", page, who="Ann Berg")
    assert (ended.status, "still there" in ended.why) == ("failed", True), ended.why


def test_a_title_that_a_popover_repeats_is_gone_when_the_row_is(taught: Stage) -> None:
    opens = """onclick="pop.innerHTML = `<p>${nameOf(this)}</p><button id=del>Delete</button>`;
    pop.lastChild.onclick = () => { pop.innerHTML = ''; GOES }; window.on = this\""""
    page = table(*PEOPLE, button=f"<button {opens}>Open</button>") + "<div id=pop></div>"
    acts = ("click tr:nth-child(3) button", "click #del")
    taught.show("popover", page.replace("GOES", "drop(on)"), *acts, who="Bob Cole")
    assert taught.run("popover", page.replace("GOES", "drop(on)"), who="Ann Berg").status == "done"
    ended = taught.run("popover", page.replace("GOES", ""), who="Ann Berg")
    assert (ended.status, ended.why.count("still there")) == ("uncertain", 1), ended.why
