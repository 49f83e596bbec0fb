"""Runs of skills in words: how one ended, what proves its steps, and what is checked."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from memctl.procedural.skill_records import Skill, SkillRun, SkillStep

_ENDED = {
    "failed": "the app refused it, or nothing changed",
    "uncertain": "nobody can tell; look before you do it again",
    "dropped": "given up",
}


def verdict(run: SkillRun) -> str:
    """Return how a run ended, in words that differ by what is known of it."""
    if run.status == "halted":
        did = f"step {run.step} was the last that was done" if run.step else "nothing was done"
        return f"halted before step {run.step + 1}: {did}"
    if run.status in _ENDED:
        return f"{run.status} after step {run.step}: {_ENDED[run.status]}"
    return f"{run.status} after step {run.step}"


def plain_run(run: SkillRun) -> dict[str, Any]:
    """Return a run as JSON has it, with its outcome."""
    return {**asdict(run), "outcome": run.outcome}


def plain_skill(skill: Skill) -> dict[str, Any]:
    """Return a skill as JSON has it: each step with its words, and with what proves it."""
    plain = asdict(skill)
    for step, told in zip(skill.steps, plain["steps"], strict=True):
        told |= {"words": step.words, "proof": step.effects.words()}
    return plain


def act_words(step: SkillStep) -> str:
    """Describe what a step does, and whether that can be undone."""
    return step.words + (" (cannot be undone)" if step.irreversible else "")


def checks_of(skill: Skill) -> Sequence[str]:
    """Return the checks of a skill in words; that of a deed where none is chosen."""
    if skill.verify:
        return [check_words(one) for one in skill.verify]
    deed = any(step.irreversible and step.effects.sent for step in skill.steps)
    return [check_words({"kind": "reload"})] if deed else []


def check_words(check: Mapping[str, Any]) -> str:
    """Return a check in words."""
    kind = check["kind"]
    if kind == "http":
        lacks = check.get("not", "") not in {"", "false", "False"}
        return f'{check["url"]} says {"nothing of " if lacks else ""}"{check["contains"]}"'
    if kind == "sql":
        return f'{check["file"]} answers "{check["equals"]}" to {check["query"]}'
    if kind == "command":
        said = f' and says "{check["contains"]}"' if check.get("contains") else ""
        return f"{check['command']} ends with 0{said}"
    return {"reload": "the page is loaded anew and looked at again"}.get(kind, "the screen alone")
