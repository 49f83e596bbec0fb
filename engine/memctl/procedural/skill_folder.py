"""Skills as files: a folder with SKILL.md, as the open format has it, and the steps as JSON beside it."""

from __future__ import annotations

import json
from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memctl.base.errors import FileAccessError, NotFoundError, UnusableInputError
from memctl.procedural.effects import Effects
from memctl.procedural.skill_records import SkillDraft, SkillStep
from memctl.procedural.targets import Target
from memctl.procedural.verifying import checked_checks
from memctl.visual.graph.components import Components
from memctl.visual.graph.states import States

if TYPE_CHECKING:
    import os

    from memctl.procedural.skill_records import Skill
    from memctl.store.store import Store

__all__ = ["draft_of", "known_here", "read_draft", "read_skill", "skill_json", "write_skill"]

_FILE, _STEPS = "SKILL.md", "skill.json"
_FORMAT = "memctl skill 1"
_OWN = ("component_id",)  # ids, which say nothing elsewhere
_LARGEST = 1_000_000  # bytes
_PROOF = (
    "origin", "runs", "done", "stopped", "success", "support", "expected", "p_value", "chance_rate",
)  # fmt: skip


def skill_json(skill: Skill) -> dict[str, Any]:
    """Return a skill as JSON has it; components and states by their names, which travel."""
    steps = []
    for step in skill.steps:
        told = {key: value for key, value in asdict(step).items() if value not in (None, False, "")}
        for own in _OWN:
            told.pop(own, None)
        targets = {"place": step.place, "onto": step.onto, "effects": step.effects}
        told |= {key: one.plain() for key, one in targets.items() if one is not None}
        told = {key: value for key, value in told.items() if value != {}}
        steps.append(told)
    return {
        "format": _FORMAT,
        "name": skill.name,
        "description": skill.description,
        "url": skill.url,
        "triggers": list(skill.triggers),
        "facts": list(skill.facts),
        "parameters": dict(skill.parameters),
        "verify": list(skill.verify),
        "aliases": list(skill.aliases),
        "steps": steps,
        "proof": {key: getattr(skill, key) for key in _PROOF},
    }


def write_skill(skill: Skill, folder: str | os.PathLike[str]) -> Path:
    """Write a skill into a folder of its name, and return that.

    Raises
    ------
    FileAccessError
        When it cannot be written.
    """
    into = Path(folder).expanduser() / skill.name
    try:
        into.mkdir(parents=True, exist_ok=True)
        (into / _FILE).write_text(_markdown(skill), "utf-8")
        told = json.dumps(skill_json(skill), indent=1, ensure_ascii=False)
        (into / _STEPS).write_text(told + "\n", "utf-8")
    except OSError as error:
        raise FileAccessError(f'"{into}" cannot be written: {error.strerror}') from None
    return into


def read_skill(path: str | os.PathLike[str], store: Store) -> SkillDraft:
    """Return the draft of a folder, or of its JSON file; ids are those of this store.

    Raises
    ------
    UnusableInputError
        When it cannot be read, or is no skill.
    """
    return known_here(read_draft(path), store)


def read_draft(path: str | os.PathLike[str]) -> SkillDraft:
    """Return the draft of a folder, or of its JSON file, as `read_skill`, but without ids."""
    file = Path(path).expanduser()
    file = file / _STEPS if file.is_dir() else file
    try:
        if file.stat().st_size > _LARGEST:
            raise UnusableInputError(f'"{file}" is too large for a skill')
        told = json.loads(file.read_text("utf-8"))
    except OSError as error:
        raise UnusableInputError(f'"{file}" cannot be read: {error.strerror}') from None
    except (ValueError, RecursionError) as error:
        raise UnusableInputError(f'"{file}" is no JSON: {error}') from None
    return draft_of(told, str(file))


def draft_of(told: Any, where: str) -> SkillDraft:
    """Return the draft that `skill_json` describes, without ids.

    Raises
    ------
    UnusableInputError
        When it is none; `where` names it.
    """
    try:
        return _draft(told)
    except KeyError as error:
        why = f'"{error.args[0]}" is missing'
    except ValueError as error:
        why = str(error)
    except (TypeError, AttributeError):
        why = "a part of it is of another form"
    raise UnusableInputError(
        f'"{where}" is no skill of memctl: {why}', hint="memctl skills export writes one"
    )


def known_here(draft: SkillDraft, store: Store) -> SkillDraft:
    """Return a draft with the components and states that this store knows by those names."""
    return replace(draft, steps=tuple(_known(step, store) for step in draft.steps))


def _draft(told: dict[str, Any]) -> SkillDraft:
    if told["format"] != _FORMAT:
        raise ValueError(f'its format is "{told["format"]!s:.40}"')
    strange = {key for one in told["steps"] for key in one} - {
        one.name for one in fields(SkillStep)
    }
    if strange:
        raise ValueError(f'a step has an unknown "{min(strange):.40}"')
    steps = tuple(
        SkillStep(**{**one, **_told_of(one), "number": number})
        for number, one in enumerate(told["steps"], 1)
    )
    return SkillDraft(
        name=str(told["name"]),
        steps=steps,
        description=str(told["description"]),
        origin="imported",
        url=told["url"] and str(told["url"]),
        triggers=tuple(map(str, told["triggers"])),
        facts=tuple(map(str, told["facts"])),
        parameters={str(name): str(value) for name, value in told["parameters"].items()},
        verify=checked_checks(told.get("verify", ())),
        aliases=tuple(map(str, told.get("aliases", ()))),
    )


def _told_of(step: dict[str, Any]) -> dict[str, Any]:
    targets = {key: Target.read(step[key]) for key in ("place", "onto") if step.get(key)}
    return {**targets, "effects": Effects.read(step.get("effects", {}))}


def _known(step: SkillStep, store: Store) -> SkillStep:
    """Return a step with the component and the states that this store knows by those names."""
    component = Components(store).named(step.target) if store.exists and step.target else None
    before, after = (_state(store, name) for name in (step.from_state, step.to_state))
    return replace(step, component_id=component, from_state=before, to_state=after)


def _state(store: Store, name: str | None) -> str | None:
    try:
        return States(store).resolve(name) if name and store.exists else None
    except NotFoundError:
        return None


def _markdown(skill: Skill) -> str:
    proof = {key: getattr(skill, key) for key in _PROOF if getattr(skill, key) is not None}
    described = skill.description or f"Does this: {skill.name.replace('-', ' ')}"
    lines = ["---", f"name: {skill.name}", f"description: {json.dumps(described)}", "metadata:"]
    lines += [f"  memctl-{key.replace('_', '-')}: {json.dumps(str(v))}" for key, v in proof.items()]
    lines += ["---", "", f"# {skill.name}", ""]
    if skill.triggers:
        lines += ["Asked for with: " + "; ".join(skill.triggers), ""]
    if skill.parameters:
        lines += ["Parameters: " + ", ".join(f"`{name}`" for name in skill.parameters), ""]
    for step in skill.steps:
        risk = " (cannot be undone)" if step.irreversible else ""
        lines.append(f"{step.number}. {step.words}{risk}")
    run = f"memctl skills run {skill.name}"
    lines += ["", f"`{run} --dry-run` foresees a run, `{run} --url URL` does one.", ""]
    return "\n".join(lines)
