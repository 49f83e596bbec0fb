"""Skills from files and callers are checked field by field, and tools do their steps."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from memctl.base.errors import RefusedError, SecretRefusedError, UnusableInputError, UsageError
from memctl.drivers.demonstration import Demonstration
from memctl.procedural.skill_records import ParameterSpec, SkillDraft, SkillStep
from tests.browsers import needs_browser
from tests.each import each

if TYPE_CHECKING:
    from pathlib import Path

    from memctl.memory import Memory
    from memctl.procedural.skill_records import Skill
    from tests.procedural.stage import Stage

# fmt: off
OWN: dict[str, Any] = {
    "format": "memctl skill 1", "name": "open-orders", "url": "http://localhost:8000/",
    "steps": [
        {"action": "goto", "detail": "/orders"},
        {"action": "click", "target": "Open", "effects": {"came": ["Orders"]},
         "place": {"kind": "button", "tag": "button", "name": "Open"}},
    ],
}
MAIL: dict[str, Any] = {
    "name": "send_email", "description": "Sends an email",
    "parameters": [
        {"name": "to", "type": "email", "required": True, "description": "who gets it"},
        {"name": "subject", "type": "string", "required": True},
        *({"name": name, "type": kind, "required": False} for name, kind in (
            ("copies", "integer"), ("onDay", "date"), ("urgent", "boolean"), ("link", "url"))),
    ],
    "steps": [{"tool": "email_api", "params": {
        "to": "$to", "subject": "Re: {{subject}}", "copies": "$copies", "day": "${onDay}",
        "urgent": "{urgent}", "link": "{link}"}}],
}
# fmt: on
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


# -- what a file may hold ------------------------------------------------------------------


def test_a_file_becomes_a_draft_with_all_that_it_says(memory: Memory, tmp_path: Path) -> None:
    made = memory.skills.read(put(tmp_path, OWN))
    assert (made.status, made.origin, made.url) == ("draft", "imported", OWN["url"])
    assert made.steps[1].effects.came == ("Orders",)
    assert made.steps[1].place is not None
    assert made.steps[1].place.name == "Open"


@each(
    ("told", "why"),
    [
        ([1, 2], "no list of steps"),
        ({**MAIL, "parameters": True}, "its parameters are no list"),
        (changed(name=json.loads("[" * 900 + "]" * 900)), "name is no text"),
        ({"format": "other"}, ""),
        ({"format": "memctl skill 1", "name": 3}, ""),
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
        (changed({"shell": "rm -rf /"}), "step 2, 'shell' is not known"),
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


def test_a_file_that_is_no_json_or_too_large_is_not_read(memory: Memory, tmp_path: Path) -> None:
    with pytest.raises(UnusableInputError, match="too large"):
        memory.skills.read(put(tmp_path, {**OWN, "more": "x" * 1_000_001}))
    (tmp_path / "skill.json").write_text("{", "utf-8")
    with pytest.raises(UnusableInputError):
        memory.skills.read(tmp_path)


def test_control_characters_are_stripped(memory: Memory, tmp_path: Path) -> None:
    made = memory.skills.read(put(tmp_path, changed({"target": "Op\x1b[31men\x00"})))
    assert made.steps[1].target == "Op[31men"


@each(
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


@each(
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


@each("name", ["Who", "a b", "user:password", ""])
def test_a_parameters_name_is_plain(memory: Memory, tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError, match="no name of a parameter"):
        memory.skills.read(put(tmp_path, changed(parameters={name: "x"})))


# -- MemoryClaw's JSON ---------------------------------------------------------------------


def test_the_old_name_and_the_types_of_parameters_are_kept_also_in_a_folder(
    memory: Memory, mail: Skill, tmp_path: Path
) -> None:
    assert memory.skills.get("send_email").id == mail.id
    assert mail.specs["to"] == ParameterSpec("email", "who gets it")
    assert {name: one.kind for name, one in mail.specs.items()} == {
        "to": "email", "subject": "text", "copies": "number", "onday": "date",
        "urgent": "boolean", "link": "url",
    }  # fmt: skip
    folder = memory.skills.export(mail.name, tmp_path)
    memory.skills.archive(mail.name)
    again = memory.skills.read(folder)
    assert (again.aliases, again.specs) == (("send_email",), mail.specs)
    assert again.steps == mail.steps


@each(
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


def test_parameters_in_other_letters_are_told_apart(memory: Memory, tmp_path: Path) -> None:
    step = {"tool": "mail", "params": {"to": "$收件人", "text": "“{{正文}}” {}"}}
    told = {
        "name": "发送邮件",
        "parameters": {"收件人": "string", "正文": "string"},
        "steps": [step],
    }
    made = memory.skills.approve(memory.skills.read(put(tmp_path, told)).id)
    assert (list(made.parameters), made.aliases) == (["value_1", "value_2"], ("发送邮件",))
    given = {"value_1": "Ann", "value_2": "Hi"}
    assert memory.skills.next("发送邮件", params=given).text == '{"to": "Ann", "text": "“Hi” {}"}'


# -- the steps of tools --------------------------------------------------------------------


def test_a_host_is_told_a_tool_and_its_input_without_a_screenshot(
    memory: Memory, mail: Skill
) -> None:
    odd = 'x", "to": "eve@example.com\\'
    given = {**ANN, "subject": odd, "copies": "2", "urgent": "True"}
    now = memory.skills.next(mail.name, params=given)
    assert (now.act, now.tool, now.x, now.halt) == ("email_api", True, None, "")
    told = json.loads(now.text)
    assert (told["copies"], told["urgent"]) == (2, True)
    assert (told["to"], told["subject"]) == ("ann@example.com", f"Re: {odd}")
    assert memory.skills.next(mail.name, params=ANN, after=1).done


@pytest.mark.parametrize(
    ("script", "status", "why"),
    [
        ("cat > given", "done", ""),
        ("echo no such address >&2; exit 4", "failed", "ended with 4: no such address"),
        ("kill -9 $$", "uncertain", "killed by signal 9"),
        (None, "halted", "cannot be started"),
    ],
)
def test_how_a_tool_ends_is_how_the_run_ends(
    memory: Memory, mail: Skill, tmp_path: Path, script: str | None, status: str, why: str
) -> None:
    tools = tmp_path / "tools.sh"
    if script is not None:
        tools.write_text(f"#!/bin/sh\ncd {tmp_path}\n{script}\n", "utf-8")
        tools.chmod(0o700)
    ended = memory.skills.run(mail.name, params=ANN, tools=str(tools))
    assert (ended.status, ended.step) == (status, int(status == "done"))
    assert why in ended.why
    assert [one.outcome for one in memory.skills.trace(ended.id)] == [status]
    assert memory.skills.get(mail.name).done == ended.step


def test_a_tools_step_without_a_command_is_refused(memory: Memory, mail: Skill) -> None:
    with pytest.raises(UsageError, match='done by the tool "email_api"'):
        memory.skills.run(mail.name, params=ANN)


# -- addresses -----------------------------------------------------------------------------

PAGE = "<!doctype html><button onclick=\"this.after('Opened')\">Open</button>"


@needs_browser
def test_the_key_in_a_pages_address_is_no_part_of_a_recording(stage: Stage) -> None:
    stage.pages["/"] = PAGE
    where = stage.url + "/?token=abc123def"
    stage.driver.goto(where)
    with Demonstration(stage.driver) as seen:
        stage.page.click("button")
    made = stage.memory.skills.record("open", seen.acts, url=where)
    assert (made.url, made.steps[0].page) == (stage.url + "/", "/")


@needs_browser
def test_the_page_of_an_approved_skill_is_opened_by_its_run(stage: Stage) -> None:
    stage.pages["/"] = PAGE
    stage.memory.skills.add(SkillDraft("open", (SkillStep(1, "click", target="Open"),)))
    stage.memory.skills.approve("open", url=stage.url + "/")
    stage.driver.goto("about:blank")
    with pytest.raises(RefusedError, match="another site"):
        stage.memory.skills.run("open", stage.driver, url="http://localhost:9/", opens=True)
    assert stage.page.url == "about:blank"
    stage.memory.skills.run("open", stage.driver, opens=True)
    assert stage.page.url == stage.url + "/"
