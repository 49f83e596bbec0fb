"""The life of a skill: shown, approved, run, judged and mended, and gone on with after it was killed."""

from __future__ import annotations

import os
import subprocess
import sys
from copy import copy
from typing import TYPE_CHECKING, Any

import pytest

from memctl.base.errors import RefusedError, UnusableInputError, UsageError
from memctl.drivers.demonstration import Demonstration
from tests.browsers import needs_browser
from tests.procedural.stage import HEAD, table

if TYPE_CHECKING:
    from tests.procedural.stage import Stage

pytestmark = needs_browser

PEOPLE = ("Ann Berg", "Bob Cole", "Cy Dunn")
DELETE = table(*PEOPLE, button="<button onclick=drop(this)>Delete</button>")
SEARCH = """<label>Search <input id=q onkeydown="if (event.key === 'Enter') { did('sought ' + q.value); r.textContent = 'Found'; }"></label><p id=r></p>"""
SECRET = "ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"


@pytest.fixture(scope="module")
def office(theatre: Stage) -> Stage:
    """A stage that knows how somebody is deleted, and sought."""

    theatre.show("delete", DELETE, "click tr:nth-child(3) button", who="Bob Cole")
    theatre.show("search", SEARCH, "click #q", "type ropes", "press Enter", what="ropes")
    return theatre


def set_row(stage: Stage, sql: str, *values: object) -> None:
    with stage.memory.store.transaction():
        stage.memory.store.connection().execute(sql, values)


def test_a_draft_is_not_run(stage: Stage) -> None:
    stage.open(DELETE)
    with Demonstration(stage.driver) as seen:
        stage.page.click("tr:nth-child(3) button")
    stage.memory.skills.record("delete", seen.acts, parameters={"who": "Bob Cole"})
    with pytest.raises(UsageError, match="draft"):
        stage.run("delete", DELETE, who="Ann Berg")
    assert stage.done == []


def test_nothing_done_is_no_skill(stage: Stage) -> None:
    with pytest.raises(UsageError, match="nothing was done"):
        stage.memory.skills.record("nothing", [])


def test_a_script_of_somebody_else_is_watched(stage: Stage) -> None:
    """Its page is Playwright's own, as any script has one."""
    assert stage.page.context.browser is not None
    with stage.page.context.browser.new_context() as context:
        page = context.new_page()
        stage.pages["/"] = HEAD + DELETE
        page.goto(stage.url + "/")
        with stage.memory.skills.watch(page, "delete", who="Ann Berg"):
            page.get_by_role("row", name="Ann Berg").get_by_text("Delete").click()
    made = stage.memory.skills.get("delete")
    assert (made.status, made.url) == ("draft", stage.url + "/")
    assert [step.words for step in made.steps] == ["click Delete in the row that says {who}"]


def test_a_script_that_fails_leaves_no_draft(stage: Stage) -> None:
    def watched() -> None:
        with stage.memory.skills.watch(stage.driver, "delete", who="Ann Berg"):
            stage.page.click("tr:nth-child(2) button")
            raise KeyError

    stage.open(DELETE)
    with pytest.raises(KeyError):
        watched()
    assert len(stage.memory.skills) == 0


@pytest.mark.parametrize(
    ("params", "error"),
    [
        ({}, UsageError),
        ({"who": "Ann", "when": "now"}, UsageError),
        ({"who": "  "}, UsageError),
        ({"who": "x" * 10_000}, UsageError),
        ({"who": "../../etc/passwd"}, RefusedError),
        ({"who": "<script>alert(1)</script>"}, RefusedError),
    ],
    ids=["none", "strange", "empty", "long", "path", "script"],
)
def test_a_wrong_value_is_refused_before_anything_is_done(
    office: Stage, params: dict[str, str], error: type[Exception]
) -> None:
    runs = len(office.memory.skills.runs("delete"))
    with pytest.raises(error):
        office.memory.skills.run("delete", office.driver, params)
    assert len(office.memory.skills.runs("delete")) == runs


def test_an_act_that_cannot_be_undone_waits_for_proof(office: Stage) -> None:
    office.memory.settings.set("skill_min_irreversible", 0.5)
    try:
        ended = office.run("delete", DELETE, who="Ann Berg")
    finally:
        office.memory.settings.set("skill_min_irreversible", 0.2)
    assert (ended.status, office.done) == ("halted", [])
    assert "cannot be undone (click Delete in the row that says {who})" in ended.why


def test_a_run_that_was_called_wrong_lowers_the_chance_until_it_is_not_run(stage: Stage) -> None:
    stage.show("delete", DELETE, "click tr:nth-child(3) button", who="Bob Cole")
    before = stage.memory.skills.foresee("delete", {"who": "Ann Berg"})
    ended = stage.run("delete", DELETE, who="Ann Berg")
    assert stage.memory.skills.feedback(ended.id, "wrong").feedback == "wrong"
    after = stage.memory.skills.foresee("delete", {"who": "Ann Berg"})
    assert after.steps[0].bound < before.steps[0].bound
    assert "cannot be undone" in after.halts
    assert stage.run("delete", DELETE, who="Cy Dunn").status == "halted"
    skill = stage.memory.skills.get("delete")
    assert (skill.runs, skill.done, skill.stopped) == (2, 0, 2)
    with pytest.raises(UsageError, match="no verdict"):
        stage.memory.skills.feedback(ended.id, "maybe")


def test_a_refusal_of_the_app_does_not_lower_it(office: Stage) -> None:
    before = office.memory.skills.foresee("delete", {"who": "Ann Berg"}).steps[0].bound
    dead = table(*PEOPLE, button="<button>Delete</button>")
    assert office.run("delete", dead, who="Ann Berg").status == "failed"
    assert office.memory.skills.foresee("delete", {"who": "Ann Berg"}).steps[0].bound >= before


def test_a_run_teaches_the_twin(office: Stage) -> None:
    before = office.memory.skills.foresee("search", {"what": "ropes"})
    for _ in range(2):
        assert office.run("search", SEARCH, what="anchors").status == "done"
    after = office.memory.skills.foresee("search", {"what": "ropes"})
    assert after.probability > before.probability


def test_what_must_be_known_is_asked_first(office: Stage) -> None:
    set_row(office, "update skill set facts = '[\"Ann agreed\"]' where name = 'delete'")
    assert 'it is not known that "Ann agreed"' in office.run("delete", DELETE, who="Ann Berg").why
    assert office.done == []
    office.memory.facts.store("Ann agreed")
    assert office.run("delete", DELETE, who="Ann Berg").status == "done"


RENAMED = table(*PEOPLE, button="<button onclick=drop(this)>Erase</button>")


def test_a_label_that_changed_halts_with_a_proposal_that_a_person_accepts(stage: Stage) -> None:
    stage.show("delete", DELETE, "click tr:nth-child(3) button", who="Bob Cole")
    ended = stage.run("delete", RENAMED, who="Ann Berg")
    assert (ended.status, stage.done) == ("halted", [])
    assert f"memctl skills repair {ended.id}" in ended.why
    (step,) = stage.memory.skills.trace(ended.id)
    assert step.proposal is not None
    assert (step.proposal["old"]["name"], step.proposal["new"]["name"]) == ("Delete", "Erase")
    assert step.after_png is not None
    assert stage.memory.skills.get("delete").steps[0].place.name == "Delete"  # type: ignore[union-attr]
    repaired = stage.memory.skills.repair(ended.id)
    assert repaired.steps[0].words == "click Erase in the row that says {who}"
    assert stage.run("delete", RENAMED, who="Cy Dunn").status == "done"
    assert stage.done == ["removed Cy Dunn"]


def test_where_two_would_fit_nothing_is_proposed(office: Stage) -> None:
    both = table(*PEOPLE, button="<button>Erase</button><button>Archive</button>")
    ended = office.run("delete", both, who="Ann Berg")
    assert "repair" not in ended.why
    with pytest.raises(UsageError, match="proposes nothing"):
        office.memory.skills.repair(ended.id)


def test_what_deletes_by_word_or_by_request_cannot_be_undone(office: Stage) -> None:
    steps = {name: office.memory.skills.get(name).steps for name in ("delete", "search")}
    assert [step.irreversible for step in steps["delete"]] == [True]
    assert not any(step.irreversible for step in steps["search"])


def test_a_request_that_changes_something_makes_any_button_one_of_those(stage: Stage) -> None:
    stage.pages["POST /x"] = ""
    page = "<button onclick=\"fetch('/x', { method: 'POST' }); this.textContent = 'B'\">A</button>"
    made = stage.show("post", page, "click button")
    assert (made.steps[0].irreversible, made.steps[0].effects.sent) == (True, ("POST /x",))


def test_a_browser_that_is_gone_is_told(office: Stage) -> None:
    lost = copy(office.driver)
    lost.page = office.page.context.new_page()
    lost.page.close()
    with pytest.raises(UnusableInputError, match="not open any more"):
        office.memory.skills.run("search", lost, {"what": "ropes"})


def test_a_value_that_looks_like_a_secret_is_typed_and_not_kept(office: Stage) -> None:
    ended = office.run("search", SEARCH, what=SECRET)
    assert office.done == [f"sought {SECRET}"]
    assert ended.params == {"what": ""}
    assert SECRET not in "\n".join(office.memory.store.connection().iterdump())


def test_a_password_is_a_parameter_and_never_kept(stage: Stage) -> None:
    door = "<input type=password aria-label=Password id=p><button onclick=\"did('in'); document.body.innerHTML = '<h1>Hello</h1>'\">Sign in</button>"
    made = stage.show("enter", door, "click #p", "type hunter2-orchid", "click button")
    assert list(made.parameters) == ["password"]
    ended = stage.run("enter", door, password="another-orchid")  # noqa: S106  (no real one)
    assert (ended.status, ended.params, stage.done) == ("done", {"password": ""}, ["in"])
    dump = "\n".join(stage.memory.store.connection().iterdump())
    assert "hunter2" not in dump
    assert "another-orchid" not in dump


def test_who_watches_sees_each_step_with_its_picture(office: Stage) -> None:
    seen: list[Any] = []
    office.open(SEARCH)
    office.memory.skills.run("search", office.driver, {"what": "ropes"}, watch=seen.append)
    assert [one.number for one in seen] == [*range(1, len(seen) + 1)]
    assert all(one.png[:4] == b"\x89PNG" for one in seen)
    assert any("ropes" in one.words for one in seen)


def test_a_killed_run_says_where_it_stood_and_goes_on(office: Stage) -> None:
    steps = office.memory.skills.get("search").steps
    typed = next(one.number for one in steps if one.action == "type")
    set_row(
        office,
        "insert into skill_run (skill_id, status, step, params, owner, started_at)"
        " values (?, 'running', ?, '{\"what\": \"knots\"}', ?, '2026-01-01T00:00:00Z')",
        *(office.memory.skills.get("search").id, typed - 1, f"{os.uname().nodename} {_dead()}"),
    )
    office.open(SEARCH)
    office.done.clear()
    with pytest.raises(UsageError, match=rf"killed after step {typed - 1}"):
        office.memory.skills.run("search", office.driver, {"what": "knots"})
    (killed,) = [one for one in office.memory.skills.runs("search") if one.status == "running"]
    assert office.memory.skills.resume(killed.id, office.driver).status == "done"
    assert office.done == ["sought knots"]


def test_a_killed_run_is_given_up(stage: Stage) -> None:
    stage.show(
        "ping",
        "<button onclick=\"this.textContent = 'B'\">A</button>",
        "click button",
    )
    set_row(
        stage,
        "insert into skill_run (skill_id, status, owner, started_at) values (?, 'running', ?, '2026-01-01T00:00:00Z')",
        *(stage.memory.skills.get("ping").id, f"{os.uname().nodename} {_dead()}"),
    )
    assert stage.memory.skills.drop(1).status == "dropped"


def _dead() -> int:
    with subprocess.Popen([sys.executable, "-c", ""]) as process:
        process.wait()
    return process.pid
