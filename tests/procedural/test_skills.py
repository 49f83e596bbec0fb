"""Skills as rows: drafts wait, a person decides, words find them, folders carry them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from memctl.base.errors import RefusedError, UsageError
from memctl.procedural.skill_records import SkillDraft, SkillStep
from tests.each import each

if TYPE_CHECKING:
    from pathlib import Path

    from memctl.memory import Memory
    from memctl.procedural.skill_records import Skill


INVOICE = (
    SkillStep(1, "click", target="New_invoice"),
    SkillStep(2, "type", detail="{customer}"),
    SkillStep(3, "click", target="Send"),
)


def draft(name: str = "send-an-invoice", *steps: SkillStep, trigger: str = "") -> SkillDraft:
    triggers = (trigger or name.replace("-", " "),)
    return SkillDraft(name, steps or INVOICE, origin="mined", triggers=triggers)


@pytest.fixture
def active(memory: Memory) -> Skill:
    return memory.skills.approve(memory.skills.add(draft()).id)


def test_a_draft_waits_until_a_person_approves_it(memory: Memory) -> None:
    made = memory.skills.add(draft())
    assert (made.status, memory.skills.match("send an invoice")) == ("draft", [])
    assert memory.skills.add(draft("invoice-somebody")).id == made.id  # it does the same
    assert list(made.parameters) == ["customer"]
    assert [step.irreversible for step in made.steps] == [False, False, True]
    for url in ({"url": "http://localhost:9/a"}, {}):  # the site stays the one that was named
        assert memory.skills.approve(made.name, **url).url == "http://localhost:9/a"
    assert [one.skill.id for one in memory.skills.match("send an invoice")] == [made.id]


def test_a_draft_that_was_written_by_hand_was_never_shown(memory: Memory) -> None:
    made = memory.skills.add(SkillDraft("send", (SkillStep(1, "click", target="Send"),)))
    assert memory.skills.foresee(memory.skills.approve(made.id).name).steps[0].bound == 0


def test_what_was_rejected_is_not_proposed_again(memory: Memory) -> None:
    memory.skills.reject(memory.skills.add(draft()).id, why="too risky")
    again = memory.skills.add(draft("another-name"))
    assert (again.status, again.why, len(memory.skills)) == ("rejected", "too risky", 0)


def test_without_evidence_a_run_would_halt_at_what_cannot_be_undone(
    memory: Memory, active: Skill
) -> None:
    twin = memory.skills.foresee(active.name, {"customer": "Ann"})
    assert [step.bound for step in twin.steps] == [0.0, 0.0, 0.0]
    assert twin.steps[1].words == "type Ann"
    assert twin.halts.startswith("step 3 cannot be undone (click Send)")
    assert "0.20 is wanted" in twin.halts
    harmless = memory.skills.add(draft("look", SkillStep(1, "click", target="Open")))
    assert memory.skills.foresee(memory.skills.approve(harmless.id).name).halts == ""


def test_a_match_names_the_words_that_it_shares(memory: Memory, active: Skill) -> None:
    (found,) = memory.skills.match("please send the invoice to Ann")
    assert found.skill.id == active.id
    assert {word for word, _ in found.terms} == {"send", "invoi"}


@pytest.mark.usefixtures("active")
def test_of_two_skills_for_one_trigger_none_is_meant(memory: Memory) -> None:
    mail = SkillStep(1, "click", target="Mail")
    memory.skills.approve(
        memory.skills.add(draft("invoice-by-mail", mail, trigger="send an invoice")).id
    )
    assert len(memory.skills.match("send an invoice")) == 2
    assert memory.skills.meant("send an invoice") is None


@each("name", ["Send", "send an", "-send", "send--it", "", "x" * 65])
def test_a_name_is_one_of_the_open_format_and_taken_once(
    memory: Memory, active: Skill, name: str
) -> None:
    with pytest.raises(UsageError):
        memory.skills.add(draft(name))
    with pytest.raises(UsageError, match="already"):
        memory.skills.add(draft(active.name, SkillStep(1, "click", target="Other")))


@each(
    ("step", "why"),
    [
        (SkillStep(1, "click", target=5), "step 1, "),  # type: ignore[arg-type]
        (SkillStep(1, "type", detail=["a"]), "step 1, "),  # type: ignore[arg-type]
        (SkillStep(1, "click", place={"kind": 1}), "step 1, "),  # type: ignore[arg-type]
        (SkillStep(1, "click", effects="gone"), "step 1, "),  # type: ignore[arg-type]
        (SkillStep(1, "mail", tool="mail", detail="to {who}"), "no JSON"),
    ],
)
def test_a_step_of_other_types_is_refused(memory: Memory, step: SkillStep, why: str) -> None:
    with pytest.raises(UsageError, match=why):
        memory.skills.add(SkillDraft("open-orders", (step,)))


@pytest.mark.parametrize("url", ["file:///etc", "localhost:9", "http://u:p@host/", ""])
def test_a_skill_is_approved_for_web_pages_alone(memory: Memory, url: str) -> None:
    memory.skills.add(draft())
    with pytest.raises(RefusedError):
        memory.skills.approve("send-an-invoice", url=url)
    assert memory.skills.get("send-an-invoice").status == "draft"


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
