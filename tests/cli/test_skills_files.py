"""Skills from files at the command line: approved for a site, then run there or by tools."""

from __future__ import annotations

import json
import stat
from typing import TYPE_CHECKING

import pytest

import memctl
from memctl.procedural.skill_records import SkillDraft, SkillStep
from tests.drivers.serving import served

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.cli.calling import Answer

    Run = Callable[..., Answer]

MAIL = {
    "name": "send_email",
    "parameters": [{"name": "to", "type": "email"}],
    "steps": [{"tool": "email_api", "params": {"to": "$to"}}],
}
PAGE = "<!doctype html><button onclick=\"this.after('Opened')\">Open</button>"


@pytest.fixture
def mail(run: Run, tmp_path: Path) -> None:
    """A skill of MemoryClaw's JSON in the store "bills", approved."""
    (tmp_path / "mail.json").write_text(json.dumps(MAIL), "utf-8")
    assert run("skills", "import", tmp_path / "mail.json", "--app", "bills").code == 0
    assert run("skills", "approve", "send_email", "--app", "bills").out == "send-email is active\n"


@pytest.fixture
def tools(tmp_path: Path) -> Path:
    """A command that keeps what it is given, and ends as the file "ends" says."""
    path = tmp_path / "tools.sh"
    path.write_text(
        f'#!/bin/sh\n(echo "$1"; cat) > {tmp_path}/given\nexit $(cat {tmp_path}/ends)\n', "utf-8"
    )
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


@pytest.fixture
def opening(home: Path) -> None:
    """A draft in the store "bills" that presses a button."""
    with memctl.open("bills", home) as memory:
        memory.skills.add(SkillDraft("open", (SkillStep(1, "click", target="Open"),)))


@pytest.mark.usefixtures("mail")
@pytest.mark.parametrize(("ends", "status", "code"), [("0", "done", 0), ("4", "failed", 3)])
def test_a_command_does_the_steps_of_tools(
    run: Run, tools: Path, ends: str, status: str, code: int
) -> None:
    (tools.parent / "ends").write_text(ends)
    words = ("--app", "bills", "--tools", tools, "--param", "to=ann@example.com", "--json")
    answer = run("skills", "run", "send_email", *words)
    assert answer.code == code
    assert json.loads(answer.out)["data"]["status"] == status
    assert (tools.parent / "given").read_text() == 'email_api\n{"to": "ann@example.com"}'


@pytest.mark.usefixtures("mail")
def test_what_is_no_address_is_refused_before_a_tool_is_started(run: Run, tools: Path) -> None:
    words = ("--app", "bills", "--tools", tools, "--param", "to=notanemail")
    answer = run("skills", "run", "send_email", *words)
    assert (answer.code, "an email address" in answer.error) == (2, True)
    assert not (tools.parent / "given").exists()


@pytest.mark.usefixtures("mail")
def test_next_needs_no_image_for_a_tool(run: Run) -> None:
    answer = run(
        "skills", "next", "send_email", "--app", "bills", "--param", "to=a@b.org", "--json"
    )
    assert (answer.data["act"], answer.data["text"]) == ("email_api", '{"to": "a@b.org"}')


@pytest.mark.usefixtures("opening")
def test_next_without_an_image_says_that_an_act_on_the_screen_needs_one(run: Run) -> None:
    run("skills", "approve", "open", "--app", "bills")
    answer = run("skills", "next", "open", "--app", "bills")
    assert (answer.code, "needs the screen" in answer.error) == (2, True)


@pytest.mark.usefixtures("opening")
def test_the_page_of_a_draft_is_not_opened(run: Run) -> None:
    asked: list[str] = []
    with served({"/": lambda at: asked.append(at.path)}) as url:
        answer = run("skills", "run", "open", "--app", "bills", "--url", url + "/")
    assert (answer.code, "open is draft" in answer.error.replace('"', "")) == (2, True)
    assert asked == []


@pytest.mark.usefixtures("opening")
def test_another_site_than_the_approved_one_is_not_opened(run: Run) -> None:
    asked: list[str] = []
    with served({"/": PAGE}) as url, served({"/": lambda at: asked.append(at.path)}) as other:
        approved = run("skills", "approve", "open", "--app", "bills", "--url", url + "/")
        assert approved.out == f"open is active, for {url}\n"
        answer = run("skills", "run", "open", "--app", "bills", "--url", other + "/")
    assert (answer.code, f"--url {other}/" in answer.error) == (3, True)
    assert asked == []


def test_next_of_a_url_looks_into_the_store_of_its_site(run: Run) -> None:
    with served({"/": PAGE}) as url:
        run("learn", url + "/")
        answer = run("skills", "next", "open", url + "/")
    assert (answer.code, 'no skill "open"' in answer.error) == (4, True)
