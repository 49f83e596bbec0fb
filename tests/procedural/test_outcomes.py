"""Done is what was seen to change; an error refutes, and what nobody can tell is uncertain."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from tests.browsers import needs_browser
from tests.procedural.stage import HEAD, table

if TYPE_CHECKING:
    from http.server import BaseHTTPRequestHandler

    from memctl.procedural.skill_records import SkillRun
    from tests.drivers.serving import Answer
    from tests.procedural.stage import Stage

pytestmark = needs_browser

PEOPLE = ("Ann Berg", "Bob Cole", "Cy Dunn")
SENDS = """<script>const send = async (el, anyway) => {
  did("pressed " + rowOf(el).querySelector("td").textContent); AT_ONCE;
  const answer = await fetch("/people", { method: "DELETE", body: rowOf(el).querySelector("td").textContent });
  if (answer.ok) rowOf(el).remove(); else FAILS; };</script>"""


def page_of(*names: str, at_once: str = "", fails: str = "") -> str:
    """Return a table whose buttons ask the server to remove a row, and draw what it says."""
    button = "<button onclick=send(this)>Remove</button>"
    return SENDS.replace("AT_ONCE", at_once).replace("FAILS", fails) + table(*names, button=button)


class App:
    """The server behind the table: it answers as it is told, and forgets whom it is told to."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.people, self.status, self.keeps, self.late = list(PEOPLE), 200, False, 0.0
        self.draws = page_of
        stage.pages["DELETE /people"] = self.removed

    def removed(self, request: BaseHTTPRequestHandler) -> None:
        who = request.rfile.read(int(request.headers["Content-Length"])).decode()
        time.sleep(self.late)
        if not self.status:
            request.connection.close()
            return
        if self.status < 400 and not self.keeps:
            self.people.remove(who)
        request.send_response(self.status)
        request.send_header("Content-Length", "0")
        request.end_headers()

    def drawn(self, **how: str) -> Answer:
        def answer(request: BaseHTTPRequestHandler) -> None:
            data = (HEAD + page_of(*self.people, **how)).encode()
            request.send_response(200)
            request.send_header("Content-Type", "text/html; charset=utf-8")
            request.send_header("Content-Length", str(len(data)))
            request.end_headers()
            request.wfile.write(data)

        return answer

    def run(self, who: str = "Ann Berg", **how: str) -> SkillRun:
        self.stage.pages["/people"] = self.drawn(**how)
        self.stage.driver.goto(self.stage.url + "/people")
        self.stage.done.clear()
        return self.stage.memory.skills.run("remove", self.stage.driver, {"who": who})


@pytest.fixture(scope="module")
def taught(theatre: Stage) -> Stage:
    """A stage that knows how the server is asked to remove somebody."""
    App(theatre)
    page = page_of(*PEOPLE)
    theatre.show("remove", page, "click tr:nth-child(3) button", who="Bob Cole")
    return theatre


@pytest.fixture
def app(taught: Stage) -> App:
    return App(taught)


def test_a_deed_that_the_server_kept_is_done(app: App) -> None:
    ended = app.run()
    assert (ended.status, ended.outcome, ended.why) == ("done", "confirmed", "")
    assert app.people == ["Bob Cole", "Cy Dunn"]


@pytest.mark.parametrize("status", [409, 500])
@pytest.mark.parametrize(
    "at_once", ["", "rowOf(el).style.display = 'none'"], ids=["honest", "hopeful"]
)
def test_an_error_of_the_server_refutes_whatever_the_page_shows(
    app: App, status: int, at_once: str
) -> None:
    app.status = status
    ended = app.run(at_once=at_once)
    assert (ended.status, ended.outcome) == ("failed", "refuted")
    assert f"DELETE /people was answered with {status}" in ended.why
    assert app.stage.done == ["pressed Ann Berg"]


def test_a_connection_that_is_dropped_is_no_success(app: App) -> None:
    app.status = 0
    ended = app.run(at_once="rowOf(el).style.display = 'none'")
    assert ended.status in {"failed", "uncertain"}
    assert "got no answer" in ended.why


def test_success_without_effect_is_seen_when_the_page_is_loaded_anew(app: App) -> None:
    app.keeps = True
    ended = app.run()
    assert (ended.status, ended.outcome) == ("failed", "refuted")
    assert 'loaded anew "Ann Berg" is still there' in ended.why


def test_a_slow_answer_is_waited_for(app: App) -> None:
    app.late = 1.5
    ended = app.run()
    assert (ended.status, app.people) == ("done", ["Bob Cole", "Cy Dunn"])


def test_a_slow_error_refutes_what_the_page_hoped(app: App) -> None:
    app.late, app.status = 1.5, 500
    assert app.run(at_once="rowOf(el).style.display = 'none'").status == "failed"


def test_what_failed_is_not_done_again(app: App) -> None:
    app.status = 500
    app.run()
    assert app.stage.done == ["pressed Ann Berg"]


def test_a_step_that_stopped_has_its_picture(app: App) -> None:
    app.status = 500
    (step,) = app.stage.memory.skills.trace(app.run().id)
    assert step.after_png is not None
    assert step.after_png[:4] == b"\x89PNG"


# -- what the page alone tells -----------------------------------------------------------------

SAVE = """<h1>Profile</h1><label>Name <input id=name></label> <button onclick="BEFORE; setTimeout(() => { AFTER }, 50)">Save</button>
<div id=out></div>"""
SAVED = "out.innerHTML = '<h2>Saved</h2><p>' + document.getElementById('name').value + '</p>'"


def form(after: str, before: str = "") -> str:
    return SAVE.replace("AFTER", after).replace("BEFORE", before)


@pytest.fixture(scope="module")
def saving(theatre: Stage) -> Stage:
    """A stage that knows how a form is saved."""
    theatre.show("save", form(SAVED), "click #name", "type Ann", "click button", name="Ann")
    return theatre


def test_a_form_that_is_saved_is_done(saving: Stage) -> None:
    ended = saving.run("save", form(SAVED), name="Bob")
    assert (ended.status, ended.why) == ("done", "")


@pytest.mark.parametrize(
    ("after", "status", "said"),
    [
        ("", "failed", "nothing changed"),
        (
            "out.innerHTML = '<p role=alert>Names are at least four letters</p>'",
            "failed",
            "at least four letters",
        ),
        (
            f"{SAVED}; out.innerHTML += '<p role=alert>It may be wrong</p>'",
            "uncertain",
            "It may be wrong",
        ),
        (
            "document.getElementById('name').setAttribute('aria-invalid', 'true')",
            "failed",
            "marked invalid",
        ),
        ("out.className = 'toast'; out.textContent = 'Could not save'", "failed", "could not save"),
        ("out.innerHTML = '<p>Invalid name</p>'", "failed", "invalid name"),
        ("out.innerHTML = '<div class=spinner style=width:40px>Saving</div>'", "uncertain", ""),
        (
            "out.innerHTML = '<dialog open><p>Overwrite the old one?</p><button>Yes</button></dialog>'",
            "uncertain",
            "Overwrite the old one?",
        ),
        ("document.body.innerHTML = ''", "uncertain", "blank"),
        (
            "document.querySelector('button').disabled = true; out.textContent = 'Please wait'",
            "uncertain",
            "",
        ),
    ],
    ids=[
        "dead",
        "alert",
        "alert-and-success",
        "invalid",
        "toast",
        "words",
        "spinner",
        "dialog",
        "blank",
        "busy",
    ],
)
def test_what_does_not_happen_as_it_was_shown_is_not_done(
    saving: Stage, after: str, status: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memctl.procedural.running.proving._MOST", 1.0)
    monkeypatch.setattr("memctl.procedural.running.proving._LONGEST", 2.0)
    ended = saving.run("save", form(after), name="Bob")
    assert ended.status == status, ended.why
    assert said.lower() in ended.why.lower()
    assert ended.outcome == {"failed": "refuted", "uncertain": "uncertain"}[status]


def test_what_stood_there_before_proves_nothing(saving: Stage) -> None:
    before = "<h2>Saved</h2><p>Bob</p>"
    ended = saving.run("save", form("") + before, name="Bob")
    assert ended.status in {"failed", "uncertain"}


def test_a_dialog_of_the_browser_that_nobody_saw_is_not_agreed_to(saving: Stage) -> None:
    asks = "if (confirm('Send it to everybody?')) { did('sent'); " + SAVED + " }"
    ended = saving.run("save", form(asks), name="Bob")
    assert (ended.status, saving.done) == ("uncertain", [])
    assert "Send it to everybody?" in ended.why


def test_a_change_that_is_taken_back_is_none(stage: Stage) -> None:
    hopeful = """<script>const hope = (el) => { const row = rowOf(el), table = row.parentElement; did('x'); row.remove(); BACK };</script>"""
    page = hopeful + table(*PEOPLE, button="<button onclick=hope(this)>Delete</button>")
    stage.show(
        "hope",
        page.replace("BACK", ""),
        "click tr:nth-child(3) button",
        who="Bob Cole",
    )
    back = "setTimeout(() => table.append(row), 150)"
    ended = stage.run("hope", page.replace("BACK", back), who="Ann Berg")
    assert ended.status in {"failed", "uncertain"}


def test_an_act_whose_effect_was_never_seen_is_uncertain(stage: Stage) -> None:
    page = "<button onclick=did('pressed')>Ping</button><p>Nothing to see</p>"
    stage.show("ping", page, "click button")
    ended = stage.run("ping", page)
    assert (ended.status, stage.done) == ("uncertain", ["pressed"])
    assert "nothing is known that would show" in ended.why
