"""Skills from files and callers are checked field by field, and tools do their steps."""

from __future__ import annotations

import json
import os
import stat
from typing import TYPE_CHECKING, Any

import pytest

from memctl.base.errors import RefusedError, SecretRefusedError, UnusableInputError, UsageError
from memctl.procedural.skill_records import ParameterSpec, SkillDraft, SkillStep
from tests.drivers.serving import served

if TYPE_CHECKING:
    from pathlib import Path

    from memctl.drivers.browser_driver import BrowserDriver
    from memctl.memory import Memory
    from memctl.procedural.skill_records import Skill

OWN: dict[str, Any] = {
    "format": "memctl skill 1",
    "name": "open-orders",
    "url": "http://localhost:8000/",
    "steps": [
        {"action": "goto", "detail": "/orders"},
        {
            "action": "click",
            "target": "Open",
            "place": {"kind": "button", "tag": "button", "name": "Open"},
            "effects": {"came": ["Orders"]},
        },
    ],
}
MAIL: dict[str, Any] = {
    "name": "send_email",
    "description": "Sends an email",
    "parameters": [
        {"name": "to", "type": "email", "required": True, "description": "who gets it"},
        {"name": "subject", "type": "string", "required": True},
        {"name": "copies", "type": "integer", "required": False},
        {"name": "onDay", "type": "date", "required": False},
        {"name": "urgent", "type": "boolean", "required": False},
        {"name": "link", "type": "url", "required": False},
    ],
    "steps": [
        {
            "tool": "email_api",
            "params": {
                "to": "$to",
                "subject": "Re: {{subject}}",
                "copies": "$copies",
                "day": "${onDay}",
                "urgent": "{urgent}",
                "link": "{link}",
            },
        }
    ],
}
ANN = {"to": "ann@example.com", "subject": "hello"}


def put(folder: Path, told: object, name: str = "skill.json") -> Path:
    path = folder / name
    path.write_text(json.dumps(told), "utf-8")
    return path


def changed(step: dict[str, Any] | None = None, **fields: Any) -> dict[str, Any]:
    """Return the skill of a file with other fields, or with another last step."""
    steps = OWN["steps"] if step is None else [*OWN["steps"][:1], {**OWN["steps"][1], **step}]
    return {**OWN, "steps": steps, **fields}


@pytest.fixture
def mail(memory: Memory, tmp_path: Path) -> Skill:
    """The skill of MemoryClaw's JSON, approved."""
    return memory.skills.approve(memory.skills.read(put(tmp_path, MAIL)).id)


def command(folder: Path, script: str) -> str:
    """Write a program that does the steps of tools, and return the command."""
    path = folder / "tools.sh"
    path.write_text(f"#!/bin/sh\n{script}\n", "utf-8")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(path)


# -- what a file may hold ------------------------------------------------------------------


def test_a_file_becomes_a_draft_with_all_that_it_says(memory: Memory, tmp_path: Path) -> None:
    made = memory.skills.read(put(tmp_path, OWN))
    assert (made.status, made.origin, made.url) == ("draft", "imported", OWN["url"])
    assert made.steps[1].effects.came == ("Orders",)
    assert made.steps[1].place is not None
    assert made.steps[1].place.name == "Open"


@pytest.mark.parametrize(
    ("told", "why"),
    [
        ([1, 2], "no list of steps"),
        ({**OWN, "steps": "click"}, "no list of steps"),
        ({**OWN, "steps": ["click"]}, "step 1 is no object"),
        (changed(name=5), "name is no text"),
        (changed(triggers="open"), "triggers is no list"),
        (changed(parameters=["who"]), "parameters is no object"),
        (changed(verify=[3]), "verify 1 is no object"),
        (changed({"detail": ["a"]}), "step 2, detail is no text"),
        (changed({"action": None}), "step 2, action is no text"),
        (changed({"target": "x" * 800_000}), "step 2, target has 800000 characters"),
        (changed({"irreversible": "yes"}), "step 2, irreversible is no true or false"),
        (changed({"mean_ms": "fast"}), "step 2, mean_ms is no number"),
        (changed({"speed": 1}), "step 2, 'speed' is not known"),
        (changed({"place": [1]}), "step 2, place is no object"),
        (changed({"place": {"kind": "button"}}), "step 2, place, tag is missing"),
        (changed({"place": {"kind": 1, "tag": "a", "name": ""}}), "step 2, place, kind is no text"),
        (changed({"effects": {"came": "Orders"}}), "step 2, effects, came is no list"),
        (changed({"effects": {"moved": [["a"]]}}), "step 2, effects, moved 1 has 1 entries"),
        (changed({"effects": {"state": {"checked": 1}}}), "step 2, effects, state checked is no"),
        ({**OWN, "steps": OWN["steps"] * 5_000}, "steps has 10000 entries"),
        ({**OWN, "steps": OWN["steps"] * 101}, "steps has 202 entries"),
    ],
)
def test_what_does_not_fit_is_named_by_its_step_and_field(
    memory: Memory, tmp_path: Path, told: object, why: str
) -> None:
    with pytest.raises(UnusableInputError) as refused:
        memory.skills.read(put(tmp_path, told))
    assert why in str(refused.value)
    assert len(memory.skills) == 0


def test_a_file_of_more_than_a_megabyte_is_not_read(memory: Memory, tmp_path: Path) -> None:
    with pytest.raises(UnusableInputError, match="too large"):
        memory.skills.read(put(tmp_path, {**OWN, "more": "x" * 1_000_001}))


def test_control_characters_are_stripped(memory: Memory, tmp_path: Path) -> None:
    made = memory.skills.read(put(tmp_path, changed({"target": "Op\x1b[31men\x00"})))
    assert made.steps[1].target == "Op[31men"


@pytest.mark.parametrize(
    "step",
    [
        SkillStep(1, "click", target=5),  # type: ignore[arg-type]
        SkillStep(1, "type", detail=["a"]),  # type: ignore[arg-type]
        SkillStep(1, "click", place={"kind": 1}),  # type: ignore[arg-type]
        SkillStep(1, "click", effects="gone"),  # type: ignore[arg-type]
    ],
)
def test_a_callers_draft_is_checked_likewise(memory: Memory, step: SkillStep) -> None:
    with pytest.raises(UsageError, match="step 1, "):
        memory.skills.add(SkillDraft("open-orders", (step,)))


@pytest.mark.parametrize(
    "told",
    [
        changed(url="http://u:p@host/"),
        changed(url="http://ann@host/"),
        changed(url="http://host/?token=abc123def"),
        changed(url="http://host/#access_token=abc123def"),
        changed({"action": "goto", "detail": "/orders?api_key=foo12345"}),
        changed({"output": "http://u:p@host/"}),
        changed({"tool": "http://u:p@host/", "detail": "{}"}),
        changed({"action": "http://u:p@host/"}),
        changed({"page": "/orders?password=hunter2"}),
        changed({"beside": "the wifi password is sunflower42"}),
        changed({"effects": {"sent": ["GET /orders?token=abc123def"]}}),
        changed({"place": {"kind": "", "tag": "a", "name": "https://u:p@host"}}),
        changed(aliases=["http://u:p@host/"]),
        changed(facts=["the wifi password is sunflower42"]),
        changed(verify=[{"kind": "http", "url": "http://u:p@host/", "contains": "x"}]),
        changed(parameters={"who": "http://u:p@host/"}),
        changed(specs={"who": {"description": "http://u:p@host/"}}),
    ],
)
def test_a_secret_in_any_field_is_refused(
    memory: Memory, tmp_path: Path, told: dict[str, Any]
) -> None:
    with pytest.raises(SecretRefusedError):
        memory.skills.read(put(tmp_path, told))
    assert len(memory.skills) == 0


@pytest.mark.parametrize(
    "told",
    [
        changed(url="file:///etc/passwd"),
        changed(url="javascript:alert(1)"),
        changed({"action": "goto", "detail": "file:///etc/passwd"}),
        changed({"action": "goto", "detail": " java\tscript:alert(1)"}),
    ],
)
def test_only_web_pages_are_opened(memory: Memory, tmp_path: Path, told: dict[str, Any]) -> None:
    with pytest.raises(RefusedError):
        memory.skills.read(put(tmp_path, told))


@pytest.mark.parametrize("name", ["Who", "a b", "user:password", ""])
def test_a_parameters_name_is_plain(memory: Memory, tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError, match="no name of a parameter"):
        memory.skills.read(put(tmp_path, changed(parameters={name: "x"})))


def test_the_key_in_a_pages_address_is_no_part_of_a_recording(
    memory: Memory, driver: BrowserDriver
) -> None:
    from memctl.drivers.demonstration import Demonstration

    page = "<!doctype html><button onclick=\"this.after('Opened')\">Open</button>"
    with served({"/?token=abc123def": page, "/": page}) as url:
        where = url + "/?token=abc123def"
        driver.goto(where)
        with Demonstration(driver) as seen:
            driver.page.click("button")
            seen.wait(0.5)
        made = memory.skills.record("open", seen.acts, url=where)
    assert (made.url, made.steps[0].page) == (url + "/", "/")


# -- MemoryClaw's JSON ---------------------------------------------------------------------


def test_the_old_name_is_an_alias(memory: Memory, mail: Skill) -> None:
    assert (mail.name, mail.aliases) == ("send-email", ("send_email",))
    assert memory.skills.get("send_email").id == mail.id


def test_the_types_of_parameters_are_kept(mail: Skill) -> None:
    assert mail.specs["to"] == ParameterSpec("email", "who gets it")
    assert {name: one.kind for name, one in mail.specs.items()} == {
        "to": "email", "subject": "text", "copies": "number", "onday": "date",
        "urgent": "boolean", "link": "url",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("to", "notanemail"),
        ("copies", "two"),
        ("onday", "2026-13-01"),
        ("urgent", "maybe"),
        ("link", "example.com"),
        ("link", "ftp://example.com/"),
    ],
)
def test_a_value_of_another_kind_is_refused(
    memory: Memory, mail: Skill, name: str, value: str
) -> None:
    with pytest.raises(UsageError, match=f'"{name}" takes '):
        memory.skills.next(mail.name, params={**ANN, name: value})


def test_what_is_not_required_may_be_left_out_and_the_rest_may_not(
    memory: Memory, mail: Skill
) -> None:
    now = memory.skills.next("send_email", params=ANN)
    assert json.loads(now.text) == {
        "to": "ann@example.com", "subject": "Re: hello", "copies": None, "day": "",
        "urgent": None, "link": "",
    }  # fmt: skip
    with pytest.raises(UsageError, match='needs "to"'):
        memory.skills.next(mail.name, params={"subject": "hello"})


def test_a_tool_comes_back_with_its_types_and_old_name(
    memory: Memory, mail: Skill, tmp_path: Path
) -> None:
    folder = memory.skills.export(mail.name, tmp_path)
    memory.skills.archive(mail.name)
    again = memory.skills.read(folder)
    assert (again.aliases, again.specs) == (mail.aliases, mail.specs)
    assert [(one.tool, one.detail) for one in again.steps] == [
        (one.tool, one.detail) for one in mail.steps
    ]


def test_nested_inputs_of_a_tool_come_and_go_whole(memory: Memory, tmp_path: Path) -> None:
    told = {"mail": {"to": ["$to", {"as": "Re: ${to}_x"}], "flags": [1, True, None]}, "k$to": {}}
    step = {"tool": "mail", "params": told}
    file = put(tmp_path, {"name": "mail", "parameters": {"to": "string"}, "steps": [step]})
    made = memory.skills.approve(memory.skills.read(file).id)
    assert json.loads(memory.skills.next("mail", params={"to": "Ann"}).text) == {
        "mail": {"to": ["Ann", {"as": "Re: Ann_x"}], "flags": [1, True, None]}, "kAnn": {},
    }  # fmt: skip
    memory.export_to(tmp_path / "out", "memoryclaw")
    memory.skills.archive("mail")
    again = memory.skills.read(tmp_path / "out" / "skills" / "mail.json")
    assert [one.detail for one in again.steps] == [one.detail for one in made.steps]


# -- the steps of tools --------------------------------------------------------------------


def test_a_host_is_told_a_tool_and_its_input_without_a_screenshot(
    memory: Memory, mail: Skill
) -> None:
    now = memory.skills.next(mail.name, params={**ANN, "copies": "2", "urgent": "True"})
    assert (now.act, now.tool, now.x, now.halt) == ("email_api", True, None, "")
    told = json.loads(now.text)
    assert (told["copies"], told["urgent"]) == (2, True)
    assert memory.skills.next(mail.name, params=ANN, after=1).done


def test_a_value_with_quotes_stays_one_text_of_the_input(memory: Memory, mail: Skill) -> None:
    odd = 'x", "to": "eve@example.com\\'
    told = json.loads(memory.skills.next(mail.name, params={**ANN, "subject": odd}).text)
    assert (told["to"], told["subject"]) == ("ann@example.com", f"Re: {odd}")


def test_a_command_does_the_steps_of_tools(memory: Memory, mail: Skill, tmp_path: Path) -> None:
    tools = command(tmp_path, f'echo "$1" > {tmp_path}/tool; cat > {tmp_path}/input')
    ended = memory.skills.run(mail.name, params=ANN, tools=tools)
    assert (ended.status, ended.outcome, ended.step) == ("done", "confirmed", 1)
    assert (tmp_path / "tool").read_text() == "email_api\n"
    assert json.loads((tmp_path / "input").read_text())["to"] == "ann@example.com"
    assert memory.skills.get(mail.name).done == 1


@pytest.mark.parametrize(
    ("script", "status", "why"),
    [
        ("echo no such address >&2; exit 4", "failed", "ended with 4: no such address"),
        ("kill -9 $$", "uncertain", "killed by signal 9"),
    ],
)
def test_how_a_tool_ends_is_how_the_run_ends(
    memory: Memory, mail: Skill, tmp_path: Path, script: str, status: str, why: str
) -> None:
    ended = memory.skills.run(mail.name, params=ANN, tools=command(tmp_path, script))
    assert (ended.status, ended.step) == (status, 0)
    assert why in ended.why
    assert [one.outcome for one in memory.skills.trace(ended.id)] == [status]


def test_a_command_that_does_not_start_halts_the_run(
    memory: Memory, mail: Skill, tmp_path: Path
) -> None:
    ended = memory.skills.run(mail.name, params=ANN, tools=f"{tmp_path}{os.sep}none")
    assert ended.status == "halted"
    assert "cannot be started" in ended.why


def test_a_tools_step_without_a_command_is_refused(memory: Memory, mail: Skill) -> None:
    with pytest.raises(UsageError, match='done by the tool "email_api"'):
        memory.skills.run(mail.name, params=ANN)


def test_the_input_of_a_tool_is_json(memory: Memory) -> None:
    step = SkillStep(1, "mail", tool="mail", detail="to {who}")
    with pytest.raises(UsageError, match="no JSON"):
        memory.skills.add(SkillDraft("mail", (step,)))


# -- where a skill is used -----------------------------------------------------------------


PAGE = "<!doctype html><button onclick=\"this.after('Opened')\">Open</button>"
OPEN = SkillDraft("open", (SkillStep(1, "click", target="Open"),))


def test_an_approved_skill_is_used_at_the_site_that_is_named(memory: Memory) -> None:
    memory.skills.add(OPEN)
    assert memory.skills.approve("open", url="http://localhost:9/a").url == "http://localhost:9/a"
    assert memory.skills.approve("open").url == "http://localhost:9/a"


@pytest.mark.parametrize("url", ["file:///etc", "localhost:9", "http://u:p@host/", ""])
def test_a_skill_is_approved_for_web_pages_alone(memory: Memory, url: str) -> None:
    memory.skills.add(OPEN)
    with pytest.raises(RefusedError):
        memory.skills.approve("open", url=url)
    assert memory.skills.get("open").status == "draft"


def test_another_port_is_another_site_and_is_not_opened(
    memory: Memory, driver: BrowserDriver
) -> None:
    memory.skills.add(OPEN)
    with served({"/": PAGE}) as url, served({"/": PAGE}) as other:
        memory.skills.approve("open", url=url + "/")
        driver.goto("about:blank")
        with pytest.raises(RefusedError, match="another site") as refused:
            memory.skills.run("open", driver, url=other + "/", opens=True)
    assert refused.value.hint is not None
    assert f"approve NAME --url {other}/" in refused.value.hint
    assert driver.page.url == "about:blank"


def test_a_page_of_another_site_halts_the_run(memory: Memory, driver: BrowserDriver) -> None:
    memory.skills.add(OPEN)
    with served({"/": PAGE}) as url, served({"/": PAGE}) as other:
        memory.skills.approve("open", url=url + "/")
        driver.goto(other + "/")
        ended = memory.skills.run("open", driver)
    assert ended.status == "halted"
    assert f'approved for "{url}"' in ended.why


def test_a_page_is_opened_once_the_skill_is_approved(memory: Memory, driver: BrowserDriver) -> None:
    memory.skills.add(OPEN)
    with served({"/": PAGE}) as url:
        driver.goto("about:blank")
        with pytest.raises(UsageError, match="is draft"):
            memory.skills.run("open", driver, url=url + "/", opens=True)
        assert driver.page.url == "about:blank"
        memory.skills.approve("open", url=url + "/")
        memory.skills.run("open", driver, opens=True)
        assert driver.page.url == url + "/"
