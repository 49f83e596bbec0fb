"""The life of a skill: shown, approved, run, judged and mended, and gone on with after it was killed."""

from __future__ import annotations

import os
import subprocess
import sys
from copy import copy
from typing import TYPE_CHECKING, Any

import pytest

from memctl.base.errors import RefusedError, UnusableInputError, UsageError
from memctl.procedural.skill_records import SkillDraft, SkillStep
from memctl.reports.report import make_report
from memctl.reports.sources import store_at
from tests.browsers import needs_browser
from tests.each import each
from tests.procedural.stage import HEAD, PEOPLE, table

if TYPE_CHECKING:
    from pathlib import Path

    from tests.procedural.stage import Stage

pytestmark = needs_browser

DELETE = table(*PEOPLE, button="<button onclick=drop(this)>Delete</button>")
SEARCH = """<label>Search <input id=q onkeydown="if (event.key === 'Enter') { did('sought ' + q.value); r.textContent = 'Found'; }"></label><p id=r></p>"""
DOOR = "<input type=password aria-label=Password id=p><button onclick=\"did('in'); document.body.innerHTML = '<h1>Hello</h1>'\">Sign in</button>"
SECRET = "ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"
ASKING = table(
    *PEOPLE, button="<button onclick=\"if (confirm('Sure?')) drop(this)\">Delete</button>"
)
BOB = "click tr:nth-child(3) button"


@pytest.fixture(scope="module")
def office(theatre: Stage) -> Stage:
    """A stage that knows how somebody is deleted, and sought."""
    theatre.show("delete", DELETE, BOB, who="Bob Cole")
    theatre.show("search", SEARCH, "click #q", "type ropes", "press Enter", what="ropes")
    return theatre


@pytest.fixture
def deleting(stage: Stage) -> Stage:
    """A stage of its own that knows how somebody is deleted, for what would change the others'."""
    stage.show("delete", DELETE, BOB, who="Bob Cole")
    return stage


def set_row(stage: Stage, sql: str, *values: object) -> None:
    with stage.memory.store.transaction():
        stage.memory.store.connection().execute(sql, values)


def dump(stage: Stage) -> str:
    return "\n".join(stage.memory.store.connection().iterdump())


def killed(stage: Stage, skill: str, step: int, params: str) -> int:
    """Keep a run of a process that is dead, and return its number."""
    with subprocess.Popen([sys.executable, "-c", ""]) as process:
        process.wait()
    owner = f"{os.uname().nodename} {process.pid}"
    set_row(
        stage,
        "insert into skill_run (skill_id, status, step, params, owner, started_at)"
        " values (?, 'running', ?, ?, ?, '2026-01-01T00:00:00Z')",
        *(stage.memory.skills.get(skill).id, step, params, owner),
    )
    return max(one.id for one in stage.memory.skills.runs(skill))


# -- shown -------------------------------------------------------------------------------------


def test_nothing_done_is_no_skill(office: Stage) -> None:
    with pytest.raises(UsageError, match="nothing was done"):
        office.memory.skills.record("nothing", [])


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


def test_a_script_answers_the_dialogs_of_a_page_itself(stage: Stage) -> None:
    """In a browser of memctl's own, whose driver would dismiss them; any value may be called name."""
    stage.open(ASKING)
    stage.page.once("dialog", lambda dialog: dialog.accept())
    with stage.memory.skills.watch(stage.page, "delete", name="Bob Cole"):
        stage.do(BOB)
    assert stage.done == ["removed Bob Cole"]
    stage.memory.skills.approve("delete")
    stage.open(ASKING)
    ended = stage.memory.skills.run("delete", stage.driver, {"name": "Ann Berg"})
    assert (ended.status, stage.done) == ("done", ["removed Ann Berg"])


def test_what_was_asked_and_not_agreed_to_is_no_recording(stage: Stage) -> None:
    stage.open(ASKING)
    stage.page.once("dialog", lambda dialog: dialog.dismiss())
    with (
        pytest.raises(UsageError, match='asked "Sure\\?", and nobody agreed'),
        stage.memory.skills.watch(stage.page, "delete", who="Bob Cole"),
    ):
        stage.do(BOB)


def test_a_script_that_fails_leaves_no_draft(stage: Stage) -> None:
    def watched() -> None:
        with stage.memory.skills.watch(stage.driver, "delete", who="Ann Berg"):
            stage.do(BOB)
            raise KeyError

    stage.open(DELETE)
    with pytest.raises(KeyError):
        watched()
    assert len(stage.memory.skills) == 0


def test_what_deletes_by_word_or_by_request_cannot_be_undone(office: Stage) -> None:
    office.pages["POST /x"] = ""
    page = "<button onclick=\"fetch('/x', { method: 'POST' }); this.textContent = 'B'\">A</button>"
    (posted,) = office.show("post", page, "click button").steps
    assert (posted.irreversible, posted.effects.sent) == (True, ("POST /x",))
    steps = {name: office.memory.skills.get(name).steps for name in ("delete", "search")}
    assert [step.irreversible for step in steps["delete"]] == [True]
    assert not any(step.irreversible for step in steps["search"])


# -- run ---------------------------------------------------------------------------------------


@each(
    ("params", "error"),
    [
        ({}, UsageError),
        ({"who": "Ann", "when": "now"}, UsageError),
        ({"who": "  "}, UsageError),
        ({"who": "x" * 10_000}, UsageError),
        ({"who": "../../etc/passwd"}, RefusedError),
        ({"who": "<script>alert(1)</script>"}, RefusedError),
    ],
)
def test_a_wrong_value_is_refused_before_anything_is_done(
    office: Stage, params: dict[str, str], error: type[Exception]
) -> None:
    runs = len(office.memory.skills.runs("delete"))
    with pytest.raises(error):
        office.memory.skills.run("delete", office.driver, params)
    assert len(office.memory.skills.runs("delete")) == runs


def test_an_act_that_cannot_be_undone_waits_for_proof(office: Stage) -> None:
    said = "cannot be undone (click Delete in the row that says {who})"
    office.memory.settings.set("skill_min_irreversible", 0.5)
    try:
        office.halts("delete", DELETE, said, who="Ann Berg")
    finally:
        office.memory.settings.set("skill_min_irreversible", 0.2)


@pytest.mark.parametrize(
    ("step", "status", "said"),
    [
        (SkillStep(1, "scroll", detail="0,120"), "done", ""),
        (SkillStep(1, "key", detail="Save"), "halted", 'no key "Save"'),
        (SkillStep(1, "type", detail="Ann"), "halted", "no field has the focus"),
        (SkillStep(1, "fly", target="Away"), "halted", "is no act of a runner"),
    ],
    ids=lambda step: getattr(step, "action", None),
)
def test_a_step_without_a_place_is_done_on_the_page_or_halts(
    stage: Stage, step: SkillStep, status: str, said: str
) -> None:
    stage.memory.skills.add(SkillDraft("written", (step,)))
    stage.memory.skills.approve("written", url=stage.url + "/")
    ended = stage.run("written", "<button>Away</button><p style='height: 9000px'>")
    assert ended.status == status, ended.why
    assert said in ended.why
    assert stage.page.evaluate("scrollY") == (120 if status == "done" else 0)


def test_a_browser_that_is_gone_is_told(office: Stage) -> None:
    lost = copy(office.driver)
    lost.page = office.page.context.new_page()
    lost.page.close()
    with pytest.raises(UnusableInputError, match="not open any more"):
        office.memory.skills.run("search", lost, {"what": "ropes"})


def test_what_must_be_known_is_asked_first(office: Stage) -> None:
    set_row(office, "update skill set facts = '[\"Ann agreed\"]' where name = 'delete'")
    office.halts("delete", DELETE, 'it is not known that "Ann agreed"', who="Ann Berg")
    office.memory.facts.store("Ann agreed")
    office.does("delete", DELETE, "removed Ann Berg", who="Ann Berg")


def test_who_watches_sees_each_step_with_its_picture(office: Stage) -> None:
    seen: list[Any] = []
    office.open(SEARCH)
    office.memory.skills.run("search", office.driver, {"what": "ropes"}, watch=seen.append)
    assert [one.number for one in seen] == [*range(1, len(seen) + 1)]
    assert all(one.png[:4] == b"\x89PNG" for one in seen)
    assert any("ropes" in one.words for one in seen)


def test_a_value_that_looks_like_a_secret_is_typed_and_not_kept(office: Stage) -> None:
    ended = office.run("search", SEARCH, what=SECRET)
    assert office.done == [f"sought {SECRET}"]
    assert ended.params == {"what": ""}
    assert SECRET not in dump(office)


def test_a_password_is_a_parameter_and_never_kept(stage: Stage) -> None:
    made = stage.show("enter", DOOR, "click #p", "type hunter2-orchid", "click button")
    assert list(made.parameters) == ["password"]
    ended = stage.run("enter", DOOR, password="another-orchid")  # noqa: S106  (no real one)
    assert (ended.status, ended.params, stage.done) == ("done", {"password": ""}, ["in"])
    assert "orchid" not in dump(stage)


def test_what_a_run_saved_is_what_its_demonstration_took_less_what_it_took(
    deleting: Stage, tmp_path: Path
) -> None:
    ended = deleting.run("delete", DELETE, who="Ann Berg")
    (row,) = make_report("lift", store_at("office", tmp_path)).answer("skills_worth").records()
    assert (row["runs"], row["done"], row["shown_looks"]) == (1, 1, 2)
    assert isinstance(row["shown_s"], float)
    assert row["saved_s"] == pytest.approx(row["shown_s"] - ended.seconds)
    assert row["saved_looks"] == 2 - ended.looks


# -- judged and mended -------------------------------------------------------------------------


def test_a_run_that_was_called_wrong_lowers_the_chance_until_it_is_not_run(deleting: Stage) -> None:
    skills = deleting.memory.skills
    before = skills.foresee("delete", {"who": "Ann Berg"})
    ended = deleting.run("delete", DELETE, who="Ann Berg")
    assert skills.feedback(ended.id, "wrong").feedback == "wrong"
    after = skills.foresee("delete", {"who": "Ann Berg"})
    assert after.steps[0].bound < before.steps[0].bound
    assert "cannot be undone" in after.halts
    deleting.halts("delete", DELETE, who="Cy Dunn")
    skill = skills.get("delete")
    assert (skill.runs, skill.done, skill.stopped) == (2, 0, 2)
    with pytest.raises(UsageError, match="no verdict"):
        skills.feedback(ended.id, "maybe")


@pytest.mark.usefixtures("hasty")
def test_a_refusal_of_the_app_does_not_lower_it(office: Stage) -> None:
    before = office.memory.skills.foresee("delete", {"who": "Ann Berg"}).steps[0].bound
    dead = DELETE.replace("drop(this)", "")
    assert office.run("delete", dead, who="Ann Berg").status == "failed"
    assert office.memory.skills.foresee("delete", {"who": "Ann Berg"}).steps[0].bound >= before


def test_a_run_teaches_the_twin(office: Stage) -> None:
    before = office.memory.skills.foresee("search", {"what": "ropes"})
    for _ in range(2):
        office.does("search", SEARCH, "sought anchors", what="anchors")
    after = office.memory.skills.foresee("search", {"what": "ropes"})
    assert after.probability > before.probability


@pytest.mark.usefixtures("hasty")
def test_where_two_would_fit_nothing_is_proposed(office: Stage) -> None:
    both = table(*PEOPLE, button="<button>Erase</button><button>Archive</button>")
    ended = office.run("delete", both, who="Ann Berg")
    assert "repair" not in ended.why
    with pytest.raises(UsageError, match="proposes nothing"):
        office.memory.skills.repair(ended.id)


# -- killed ------------------------------------------------------------------------------------


def test_a_killed_run_says_where_it_stood_and_goes_on(office: Stage) -> None:
    run = killed(office, "search", 1, '{"what": "knots"}')
    with pytest.raises(UsageError, match=r"killed after step 1"):
        office.run("search", SEARCH, what="knots")
    assert office.memory.skills.resume(run, office.driver).status == "done"
    office.page.evaluate("0")
    assert office.done == ["sought knots"]


def test_a_killed_run_is_given_up(office: Stage) -> None:
    run = killed(office, "search", 0, "{}")
    assert office.memory.skills.drop(run).status == "dropped"
