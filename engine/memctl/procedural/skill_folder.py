"""Skills as files: a folder with SKILL.md, as the open format has it, and the steps as JSON beside it."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memctl.base.errors import FileAccessError, NotFoundError, UnusableInputError, UsageError
from memctl.base.pattern import Pattern
from memctl.base.whole_file import whole_file
from memctl.procedural.parameters import KINDS, parameter_name
from memctl.procedural.skill_checking import fitted
from memctl.procedural.skill_records import ParameterSpec, SkillDraft, SkillStep
from memctl.procedural.skill_rows import skill_name
from memctl.visual.graph.components import Components
from memctl.visual.graph.states import States
from memctl.visual.reading.input_files import read_limited

if TYPE_CHECKING:
    import os

    from memctl.procedural.skill_records import Skill
    from memctl.store.store import Store

_FILE, _STEPS = "SKILL.md", "skill.json"
_FORMAT = "memctl skill 1"
_OWN = "component_id"  # which says nothing elsewhere
_LARGEST = 1_000_000  # bytes
_TRAVELS = (
    "name", "description", "url", "triggers", "facts", "parameters", "specs", "verify", "aliases",
)  # fmt: skip
# MemoryClaw's types and ours, the keys of a step's input, and those that are none of it.
_KINDS = {
    "string": "text", "str": "text", "integer": "number", "int": "number", "float": "number",
    "bool": "boolean", "datetime": "date", "uri": "url",
}  # fmt: skip
_INPUTS = ("params", "parameters", "inputs", "input", "args", "arguments")
_ABOUT = frozenset([*_INPUTS, "tool", "action", "name", "description", "output", "id", "step"])
_VALUE = Pattern(r"\$\{?([^\W\d]\w*)\}?|\{{1,2}\s*([^\W\d]\w*)\s*\}{1,2}")
_PROOF = (
    "origin", "runs", "done", "stopped", "success", "support", "expected", "p_value", "chance_rate",
)  # fmt: skip


def skill_json(skill: Skill) -> dict[str, Any]:
    """Return a skill as JSON has it; components and states by their names, which travel."""
    specs = {name: asdict(spec) for name, spec in skill.specs.items() if spec != ParameterSpec()}
    return {
        "format": _FORMAT,
        **{key: getattr(skill, key) for key in _TRAVELS},
        "specs": specs,
        "steps": [_step_json(step) for step in skill.steps],
        "proof": {key: getattr(skill, key) for key in _PROOF},
    }


def _step_json(step: SkillStep) -> dict[str, Any]:
    result = {key: getattr(step, key) for key in SkillStep.__dataclass_fields__ if key != _OWN}
    targets = {key: result[key].plain() for key in ("place", "onto", "effects") if result[key]}
    return {
        key: value
        for key, value in (result | targets).items()
        if value not in (None, False, "", {})
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
        text = json.dumps(skill_json(skill), indent=1, ensure_ascii=False)
        for name, content in ((_FILE, _markdown(skill)), (_STEPS, text + "\n")):
            with whole_file(into / name, text=True) as file:
                file.write(content)
    except OSError as error:
        raise FileAccessError(f'"{into}" cannot be written: {error.strerror}') from None
    return into


def read_draft(path: str | os.PathLike[str]) -> SkillDraft:
    """Return the draft of a folder, or of its JSON file, without ids.

    Raises
    ------
    UnusableInputError
        When it cannot be read, or is no skill.
    """
    file = Path(path).expanduser()
    file = file / _STEPS if file.is_dir() else file
    try:
        loads = json.loads(read_limited(file, most=_LARGEST, what="a skill"))
    except UnusableInputError:
        raise  # a ValueError too
    except (ValueError, RecursionError) as error:
        raise UnusableInputError(f'"{file}" is no JSON: {error}') from None
    return draft_of(loads, str(file))


def draft_of(given: Any, where: str) -> SkillDraft:
    """Return the draft that `skill_json` describes, or MemoryClaw's own JSON, without ids.

    Raises
    ------
    UnusableInputError
        When it is none; `where` names it.
    """
    try:
        return _draft(given, Path(where).name.partition(".")[0])
    except UsageError as error:
        raise UnusableInputError(
            f'"{where}" is no skill of memctl: {error.message}',
            hint=error.hint or "memctl skills export writes one",
        ) from None


def known_here(draft: SkillDraft, store: Store) -> SkillDraft:
    """Return a draft with the components and states that this store knows by those names."""
    return replace(draft, steps=tuple(_known(step, store) for step in draft.steps))


def _draft(file: Any, stem: str) -> SkillDraft:
    if not isinstance(file, dict) or not isinstance(file.get("steps"), list):
        raise UsageError("it has no list of steps")
    if "format" not in file:
        return _foreign(file, stem)
    if file["format"] != _FORMAT:
        raise UsageError(f'its format is "{file["format"]!s:.40}"')
    steps = [
        {**{k: v for k, v in step.items() if k != _OWN}, "number": at}
        if isinstance(step, dict) else step for at, step in enumerate(file["steps"], 1)
    ]  # fmt: skip
    given = {key: file[key] for key in _TRAVELS if file.get(key) is not None}
    return fitted({**given, "steps": steps, "origin": "imported"}, SkillDraft)


def _foreign(file: dict[str, Any], stem: str) -> SkillDraft:
    """Return the draft of MemoryClaw's JSON: tools with inputs, and parameters with types."""
    name, meta = fitted(file.get("name") or stem, str, "name"), file.get("_meta")
    note = meta.get("note") if isinstance(meta, dict) else None
    listed = file.get("parameters") or file.get("preconditions") or {}
    if not isinstance(listed, (dict, list)):
        raise UsageError("its parameters are no list")
    pairs = listed.items() if isinstance(listed, dict) else [
        (step.get("name") if isinstance(step, dict) else step, step) for step in listed
    ]  # fmt: skip
    names: dict[str, str] = {}
    specs = {
        _named(fitted(of, str, "a parameter's name"), names): _spec(about) for of, about in pairs
    }
    given = {
        "name": skill_name(name),
        "steps": [_tool_step(at, step, names) for at, step in enumerate(file["steps"], 1)],
        "description": file.get("description") or note or "",
        "origin": "imported",
        "triggers": file.get("triggers") or (),
        "parameters": dict.fromkeys(specs, ""),
        "specs": specs,
        "aliases": [] if name == skill_name(name) else [name],
    }
    return fitted(given, SkillDraft)


def _named(words: str, names: dict[str, str]) -> str:
    """Return the name of a parameter; one in other letters than a name has gets a number of its own."""
    if words.isascii():
        return parameter_name(words)
    taken = len(names)
    return names.setdefault(words, f"{parameter_name(words)[:36]}_{taken + 1}")


def _spec(about: Any) -> dict[str, Any]:
    if not isinstance(about, dict):
        about = {"type": about}
    kind = str(about.get("type", "")).lower()
    return {
        "kind": _KINDS.get(kind, kind if kind in KINDS else "text"),
        "description": about.get("description") or "",
        "required": about.get("required", not about.get("optional", False)),
    }


def _tool_step(number: int, step: Any, names: dict[str, str]) -> dict[str, Any]:
    where = f"step {number}"
    if not isinstance(step, dict):
        raise UsageError(f"{where} is no object")
    action = fitted(step.get("action") or step.get("name") or "", str, f"{where}, action")
    tool = fitted(step.get("tool") or action, str, f"{where}, tool")
    if not tool:
        raise UsageError(f"{where} names no tool")
    key = next((key for key in _INPUTS if step.get(key)), None)
    values = {k: v for k, v in step.items() if k not in _ABOUT} if key is None else step[key]
    if action not in {"", tool} and isinstance(values, dict):
        values = {"action": action, **values}  # what of the tool is meant
    given = json.dumps(values, ensure_ascii=False) if values else None
    # A parameter is written in braces here; the braces of JSON hold none.
    detail = _VALUE.sub(lambda m: f"{{{_named(m[1] or m[2], names)}}}", given) if given else None
    output = step.get("output")
    return {
        "number": number, "action": tool, "tool": tool, "detail": detail,
        "output": output if isinstance(output, str) else None,
    }  # fmt: skip


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
