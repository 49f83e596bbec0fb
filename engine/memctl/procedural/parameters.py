"""Parameters of a skill: what varies, refused where it is no plain value of its kind."""

from __future__ import annotations

import json
from datetime import datetime
from typing import TYPE_CHECKING, Any

from memctl.base.errors import RefusedError, UsageError
from memctl.base.near_words import one_of
from memctl.base.pattern import Pattern
from memctl.guard import door
from memctl.procedural.skill_records import ParameterSpec
from memctl.scenes.wording import filled

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memctl.procedural.skill_records import Skill, SkillStep

KINDS = {
    "text": "text", "number": "a number, such as 2.5", "email": "an email address",
    "date": "a date, such as 2026-11-30", "url": "an http or https URL", "boolean": "true or false",
}  # fmt: skip
"""What a parameter may take, in words."""
_SHAPES = {
    "number": Pattern(r"[+-]?(?:\d{1,40}\.?\d{0,40}|\.\d{1,40})(?:[eE][+-]?\d{1,2})?"),
    "email": Pattern(r"[^@\s<>\",;]+@[^@\s<>\",;.]+(?:\.[^@\s<>\",;.]+)*"),
    "url": Pattern(r"(?i)https?://[^\s/?#]+\S*"),
    "boolean": Pattern(r"(?i)true|false"),
}
# A value is typed, sought or read: what reaches out of its place is none.
_PATH = Pattern(r"(?:\A|[\\/])\.\.(?:[\\/]|\Z)|\A(?:[\\/~]|[A-Za-z]:[\\/]|file:)")
_SCRIPT = Pattern(r"(?i)<\s*/?[a-z][^>]*>|\b(?:javascript|vbscript|data):")
_OTHER_NAMES = Pattern(r"[^a-z0-9]")


def parameter_name(words: str) -> str:
    """Return a name of a parameter for some words: small letters, digits and _."""
    plain = _OTHER_NAMES.sub("_", words.lower()).strip("_") or "value"
    return (plain if plain[0].isalpha() else f"v_{plain}")[:40]


def checked_values(skill: Skill, given: Mapping[str, str]) -> dict[str, str]:
    """Return the values of a skill's parameters, each of its kind; one that may be left out is empty.

    Raises
    ------
    UsageError
        When one is missing, is not known, is empty, or is not of its kind.
    RefusedError
        When a value is a path out of its folder, or a script.
    """
    unknown = sorted(given.keys() - skill.parameters.keys())
    missing = sorted(
        name for name in skill.parameters.keys() - given.keys() if _spec(skill, name).required
    )
    if unknown:
        takes = (
            one_of(unknown[0], sorted(skill.parameters)) if skill.parameters else "it takes none"
        )
        raise UsageError(f'"{skill.name}" takes no "{unknown[0]}"', hint=takes)
    if missing:
        example = skill.parameters[missing[0]]
        raise UsageError(
            f'"{skill.name}" needs "{missing[0]}"',
            hint=f"--param {missing[0]}={example or 'VALUE'}",
        )
    checked = {name: _checked(name, value, _spec(skill, name)) for name, value in given.items()}
    return {**dict.fromkeys(skill.parameters, ""), **checked}


def _spec(skill: Skill, name: str) -> ParameterSpec:
    return skill.specs.get(name, ParameterSpec())


def _checked(name: str, value: str, spec: ParameterSpec) -> str:
    plain = door.clean(value, what=name, limit=door.MAX_LABEL)
    if not plain.strip():
        if not spec.required:
            return ""
        raise UsageError(f'"{name}" is empty', hint="give it a value")
    for shape, what in ((_PATH, "a path"), (_SCRIPT, "a script")):
        if shape.search(plain):
            raise RefusedError(f'"{name}" looks like {what}', hint="give a plain value")
    if spec.kind != "text":
        plain = plain.strip()
        fits = _is_date(plain) if spec.kind == "date" else _SHAPES[spec.kind].fullmatch(plain)
        if not fits:
            raise UsageError(f'"{name}" takes {KINDS[spec.kind]}, not "{plain:.60}"')
    return plain


def _is_date(text: str) -> bool:
    try:
        return bool(datetime.fromisoformat(text))
    except ValueError:
        return False


def tool_input(skill: Skill, step: SkillStep, values: Mapping[str, str]) -> str:
    """Return the input of a step's tool as JSON, whatever its values contain.

    A text that is nothing but a number's or a boolean's name becomes one.
    """

    def put(value: Any) -> Any:
        if isinstance(value, dict):
            return {filled(key, values): put(inner) for key, inner in value.items()}
        if isinstance(value, list):
            return [put(inner) for inner in value]
        if not isinstance(value, str):
            return value
        name = value[1:-1] if value[:1] == "{" and value[-1:] == "}" else ""
        if name in values and (kind := _spec(skill, name).kind) in {"number", "boolean"}:
            return _typed(values[name], kind)
        return filled(value, values)

    return json.dumps(put(json.loads(step.detail or "{}")), ensure_ascii=False)


def _typed(value: str, kind: str) -> float | bool | None:
    if not value:
        return None
    if kind == "boolean":
        return value.lower() == "true"
    return int(value) if value.lstrip("+-").isdigit() else float(value)
