"""Skills at the command line: how a run ended is said in words that differ, and what to do then."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from PIL import Image

import memctl
from memctl.drivers.browser_driver import BrowserDriver
from memctl.procedural.skill_records import SkillRun
from memctl_cli.output.run_words import check_words, plain_run, verdict
from tests.browsers import needs_browser
from tests.drivers.serving import served
from tests.each import each

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.cli.calling import Answer

    Run = Callable[..., Answer]

PAGE = """<!doctype html><meta charset=utf-8><title>Guests</title><h1>Guests</h1>
<table><tbody id=t></tbody></table><p id=said></p><script>
for (const who of ["Ann Berg", "Bob Cole", "Cy Dunn"]) {
  const row = t.insertRow(), button = document.createElement("button");
  row.insertCell().textContent = who;
  row.insertCell().append(button);
  button.textContent = LABEL;
  button.onclick = () => { DOES };
}
</script>"""
REMOVES = "row.remove()"
REFUSES = 'said.role = "alert"; said.textContent = "This guest has paid"'
ASKS = 'if (confirm("Really?")) row.remove()'
SITE = "http://127.0.0.1:9/"
SKILL = {
    "format": "memctl skill 1", "name": "remove-a-guest", "description": "", "url": SITE,
    "triggers": [], "facts": [], "parameters": {"who": "Ann Berg"},
    "steps": [{
        "action": "click",
        "place": {"kind": "button", "tag": "button", "name": "Remove",
                  "anchors": [{"text": "{who}", "how": "row", "tag": "tr", "ups": 2}]},
        "effects": {"gone": ["{who}"], "sent": ["DELETE /guests/{#}"]},
    }],
}  # fmt: skip
ENDED = SkillRun(
    id=3, skill_id="k_1", status="done", step=2, params={}, outputs={}, predicted=0.5, why="",
    looks=0, seconds=1.5, started_at="2026-01-01T00:00:00Z", ended_at="2026-01-01T00:00:02Z",
)  # fmt: skip


def page(label: str = "Remove", does: str = REMOVES) -> str:
    return PAGE.replace("LABEL", repr(label)).replace("DOES", does)


@pytest.fixture
def told(home: Path, tmp_path: Path) -> Path:
    """A home with that skill, of a file; no page is needed."""
    file = tmp_path / "skill.json"
    file.write_text(json.dumps(SKILL))
    with memctl.open("guests", home) as memory:
        memory.skills.read(file)
    return home


@pytest.fixture
def shown() -> dict[str, str]:
    """What the site answers: a test may change it."""
    return {"/": page()}


@pytest.fixture
def site(home: Path, shown: dict[str, str]) -> Iterator[str]:
    """A site whose skill "remove-a-guest" was shown by a script, and approved."""
    with served(shown) as url:
        with memctl.open("guests", home) as memory:
            with BrowserDriver() as driver:
                driver.goto(url + "/")
                with memory.skills.watch(driver, "remove-a-guest", who="Ann Berg"):
                    driver.page.get_by_role("row", name="Ann Berg").get_by_role("button").click()
            memory.skills.approve("remove-a-guest")
        yield url + "/"


@needs_browser
def test_a_run_is_failed_uncertain_or_halted_and_a_proposal_is_taken_over(
    run: Run, site: str, shown: dict[str, str], tmp_path: Path
) -> None:
    words = ("--app", "guests", "skills")
    asked = (*words, "run", "remove-a-guest", "--url", site, "--param", "who=Bob Cole")

    shown["/"] = page(does=REFUSES)
    failed = run(*asked, "--json")
    assert (failed.code, failed.data["status"], failed.data["outcome"]) == (3, "failed", "refuted")
    assert "This guest has paid" in failed.data["why"]

    shown["/"] = page(does=ASKS)
    uncertain = run(*asked)
    assert uncertain.code == 3
    assert "run 2: uncertain after step 0" in uncertain.out
    assert "nobody can tell; look before you do it again" in uncertain.out

    shown["/"] = page("Take off")
    halted = run(*asked)
    assert halted.code == 3
    assert "run 3: halted before step 1" in halted.out
    assert "nothing was done" in halted.out

    png = tmp_path / "proposed.png"
    unasked = run(*words, "repair", "3", "--png", png)
    assert unasked.code == 3
    assert '"Take off in the row that says {who}" from now on' in unasked.error
    with Image.open(png) as drawn:
        assert drawn.width > 100
    tried = run(*words, "repair", "3", "--dry-run", "--json")
    assert tried.envelope["dry_run"]
    assert tried.data["old"] == "Remove in the row that says {who}"
    assert run(*words, "repair", "3", "--yes").code == 0
    assert "click Take off in the row" in run(*words, "show", "remove-a-guest").out

    done = run(*asked)
    assert (done.code, done.out.startswith("run 4: done after step 1, ")) == (0, True)
    told = run(*words, "feedback", "4", "wrong")
    assert told.out == "run 4 was wrong; remove-a-guest: 0 of 4 runs done\n"


def test_a_draft_a_file_and_another_site_open_no_page(run: Run, told: Path) -> None:
    words = ("--app", "guests", "skills", "run", "remove-a-guest", "--param", "who=Bob Cole")
    draft = run(*words, "--url", SITE)  # nobody listens there: to open it would be another error
    assert (draft.code, "is draft" in draft.error) == (2, True)
    with memctl.open("guests", told) as memory:
        memory.skills.approve("remove-a-guest")
    other = run(*words, "--url", "http://localhost:9/")
    assert (other.code, "is another site than the skill's" in other.error) == (3, True)
    assert "is no address of a web page" in run(*words, "--url", "file:///etc/hosts").error


@pytest.mark.usefixtures("told")
def test_a_skill_is_shown_with_its_proof_its_risk_and_its_checks(run: Run) -> None:
    words = ("--app", "guests", "skills")
    shown = run(*words, "show", "remove-a-guest").out
    assert ", draft, imported" in shown
    assert "(cannot be undone)" in shown
    assert '"{who}" goes' in shown
    assert "checked at the end: the page is loaded anew and looked at again" in shown  # by default
    update = (*words, "update", "remove-a-guest", "--verify")
    said = run(*update, f"http={SITE}guests lacks={{who}}").out
    assert f'checked at the end: {SITE}guests says nothing of "{{who}}"' in said
    step = run(*words, "show", "remove-a-guest", "--json").data["skill"]["steps"][0]
    assert step["proof"] == '"{who}" goes'
    assert step["words"] == "click Remove in the row that says {who}"


@pytest.mark.usefixtures("told")
@each(
    ("check", "why"),
    [
        ("relaod", 'there is no check "relaod"'),
        ("ftp=x", 'there is no check "ftp"'),
        ("http=http://localhost/", 'the check "http" needs "contains"'),
        ("{", "a check is no JSON"),
    ],
)
def test_a_check_that_is_none_is_refused(check: str, why: str, run: Run) -> None:
    answer = run("--app", "guests", "skills", "update", "remove-a-guest", "--verify", check)
    assert (answer.code, why in answer.error) == (2, True)


@pytest.mark.usefixtures("told")
def test_checks_are_typed_in_words_or_as_json(run: Run) -> None:
    sql = "sql=shop.db query=select count(*) from guest where who = :who equals=0"
    words = ("--app", "guests", "skills", "update", "remove-a-guest", "--verify", sql)
    kept = run(*words, "--verify", '{"kind": "command", "command": "true"}', "--json").data
    assert kept["verify"] == [
        {
            "kind": "sql",
            "file": "shop.db",
            "query": "select count(*) from guest where who = :who",
            "equals": "0",
        },
        {"kind": "command", "command": "true"},
    ]


def test_the_last_acts_become_a_draft(run: Run, home: Path, known: Path) -> None:
    assert known == home
    words = ("--app", "harbor")
    empty = run(*words, "skills", "draft", "go-on", "--last")
    assert (empty.code, "no act is known" in empty.error) == (2, True)
    assert "--last" in run(*words, "skills", "draft", "go-on").error
    run(*words, "transitions", "record", "s_one", "click:Save", "s_two")
    made = run(*words, "skills", "draft", "go-on", "--last")
    assert made.out.startswith("go-on: 1 step, draft\n  1. click Save")


@each(
    ("status", "step", "told", "outcome"),
    [
        ("done", 2, "done after step 2", "confirmed"),
        ("failed", 1, "failed after step 1: the app refused it, or nothing changed", "refuted"),
        (
            "uncertain",
            1,
            "uncertain after step 1: nobody can tell; look before you do it again",
            "uncertain",
        ),
        ("halted", 0, "halted before step 1: nothing was done", ""),
        ("halted", 1, "halted before step 2: step 1 was the last that was done", ""),
    ],
)
def test_each_end_of_a_run_has_its_own_words(
    status: str, step: int, told: str, outcome: str
) -> None:
    ended = replace(ENDED, status=status, step=step)
    assert verdict(ended) == told
    assert plain_run(ended)["outcome"] == outcome


def test_the_screen_alone_is_said_where_no_other_check_is_wanted() -> None:
    assert check_words({"kind": "none"}) == "the screen alone"
