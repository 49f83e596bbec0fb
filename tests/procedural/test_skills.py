"""Skills as rows: drafts wait, a person decides, words find them, files carry them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from memctl.base.errors import NotFoundError, SecretRefusedError, UnusableInputError, UsageError
from memctl.procedural.skill_records import SkillDraft, SkillStep

if TYPE_CHECKING:
    from pathlib import Path

    from memctl.memory import Memory
    from memctl.procedural.skill_records import Skill


def draft(name: str = "send-an-invoice", *steps: SkillStep, trigger: str = "") -> SkillDraft:
    made = steps or (
        SkillStep(1, "click", target="New_invoice"),
        SkillStep(2, "type", detail="{customer}"),
        SkillStep(3, "click", target="Send"),
    )
    return SkillDraft(name, made, origin="mined", triggers=(trigger or name.replace("-", " "),))


@pytest.fixture
def active(memory: Memory) -> Skill:
    return memory.skills.approve(memory.skills.add(draft()).id)


def test_a_draft_waits_until_a_person_approves_it(memory: Memory) -> None:
    made = memory.skills.add(draft())
    assert (made.status, memory.skills.match("send an invoice")) == ("draft", [])
    memory.skills.approve(made.name)
    assert [one.skill.id for one in memory.skills.match("send an invoice")] == [made.id]


def test_what_does_the_same_is_one_skill(memory: Memory) -> None:
    first = memory.skills.add(draft())
    assert memory.skills.add(draft("invoice-somebody")).id == first.id


def test_what_was_rejected_is_not_proposed_again(memory: Memory) -> None:
    memory.skills.reject(memory.skills.add(draft()).id, why="too risky")
    again = memory.skills.add(draft("another-name"))
    assert (again.status, again.why, len(memory.skills)) == ("rejected", "too risky", 0)


def test_an_act_that_cannot_be_undone_is_named(active: Skill) -> None:
    assert [step.irreversible for step in active.steps] == [False, False, True]


def test_a_run_that_would_halt_at_such_an_act_is_foreseen_as_that(
    memory: Memory, active: Skill
) -> None:
    halts = memory.skills.foresee(active.name, {"customer": "Ann"}).halts
    assert halts.startswith("step 3 cannot be undone (click Send)")
    assert "0.20 is wanted" in halts
    harmless = memory.skills.add(draft("look", SkillStep(1, "click", target="Open")))
    assert memory.skills.foresee(memory.skills.approve(harmless.id).name).halts == ""


def test_a_draft_that_was_written_by_hand_was_never_shown(memory: Memory) -> None:
    made = memory.skills.add(SkillDraft("send", (SkillStep(1, "click", target="Send"),)))
    assert memory.skills.foresee(memory.skills.approve(made.id).name).steps[0].bound == 0


def test_the_parameters_are_those_in_braces(active: Skill) -> None:
    assert list(active.parameters) == ["customer"]


def test_a_match_names_the_words_that_it_shares(memory: Memory, active: Skill) -> None:
    (found,) = memory.skills.match("please send the invoice to Ann")
    assert found.skill.id == active.id
    assert {word for word, _ in found.terms} == {"send", "invoi"}


@pytest.mark.usefixtures("active")
def test_of_two_skills_for_one_trigger_none_is_meant(memory: Memory) -> None:
    other = draft(
        "invoice-by-mail", SkillStep(1, "click", target="Mail"), trigger="send an invoice"
    )
    memory.skills.approve(memory.skills.add(other).id)
    assert len(memory.skills.match("send an invoice")) == 2
    assert memory.skills.meant("send an invoice") is None


def test_a_name_is_taken_once(memory: Memory, active: Skill) -> None:
    with pytest.raises(UsageError, match="already"):
        memory.skills.add(draft(active.name, SkillStep(1, "click", target="Other")))


@pytest.mark.parametrize("name", ["Send", "send an", "-send", "send--it", "", "x" * 65])
def test_a_name_is_one_of_the_open_format(memory: Memory, name: str) -> None:
    with pytest.raises(UsageError):
        memory.skills.add(draft(name))


def test_a_secret_is_no_step(memory: Memory) -> None:
    secret = "ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"
    with pytest.raises(SecretRefusedError):
        memory.skills.add(draft("log-in", SkillStep(1, "type", detail=secret)))


def test_an_unknown_skill_is_an_error(memory: Memory) -> None:
    with pytest.raises(NotFoundError):
        memory.skills.get("nothing")


def test_an_exported_skill_comes_back_as_a_draft(
    memory: Memory, active: Skill, tmp_path: Path
) -> None:
    folder = memory.skills.export(active.name, tmp_path)
    text = (folder / "SKILL.md").read_text("utf-8")
    assert text.startswith("---\nname: send-an-invoice\ndescription: ")
    assert "memctl-runs" in text
    memory.skills.archive(active.name)
    again = memory.skills.read(folder)
    assert (again.status, again.origin, again.steps) == ("draft", "imported", active.steps)


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"format": "other"}', '{"format": "memctl skill 1", "name": 3}']
)
def test_a_broken_file_is_no_skill(memory: Memory, tmp_path: Path, text: str) -> None:
    (tmp_path / "skill.json").write_text(text)
    with pytest.raises(UnusableInputError):
        memory.skills.read(tmp_path)
    assert len(memory.skills) == 0


def test_a_step_with_an_unknown_field_is_no_step(
    memory: Memory, active: Skill, tmp_path: Path
) -> None:
    file = memory.skills.export(active.name, tmp_path) / "skill.json"
    told = json.loads(file.read_text("utf-8"))
    told["steps"][0]["shell"] = "rm -rf /"
    file.write_text(json.dumps(told))
    with pytest.raises(UnusableInputError, match="shell"):
        memory.skills.read(file)


def test_without_evidence_the_twin_trusts_nothing_irreversible(
    memory: Memory, active: Skill
) -> None:
    twin = memory.skills.foresee(active.name, {"customer": "Ann"})
    assert [step.bound for step in twin.steps] == [0.0, 0.0, 0.0]
    assert twin.steps[1].words == "type Ann"
