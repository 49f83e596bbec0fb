"""Parameters of a skill: what varies, refused where it is no plain value of its kind."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memctl.base.errors import RefusedError, UsageError
from memctl.base.near_words import one_of
from memctl.base.pattern import Pattern
from memctl.guard import door

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memctl.procedural.skill_records import Skill

# A value is typed, sought or read: what reaches out of its place is none.
_PATH = Pattern(r"(?:\A|[\\/])\.\.(?:[\\/]|\Z)|\A(?:[\\/~]|[A-Za-z]:[\\/]|file:)")
_SCRIPT = Pattern(r"(?i)<\s*/?[a-z][^>]*>|\b(?:javascript|vbscript|data):")


def checked_values(skill: Skill, given: Mapping[str, str]) -> dict[str, str]:
    """Return the values of a skill's parameters; all of them, and no other.

    Raises
    ------
    UsageError
        When one is missing, is not known, or is empty.
    RefusedError
        When a value is a path out of its folder, or a script.
    """
    unknown = sorted(given.keys() - skill.parameters.keys())
    missing = sorted(skill.parameters.keys() - given.keys())
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
    return {name: _checked(name, value) for name, value in given.items()}


def _checked(name: str, value: str) -> str:
    plain = door.clean(value, what=name, limit=door.MAX_LABEL)
    if not plain.strip():
        raise UsageError(f'"{name}" is empty', hint="give it a value")
    for shape, what in ((_PATH, "a path"), (_SCRIPT, "a script")):
        if shape.search(plain):
            raise RefusedError(f'"{name}" looks like {what}', hint="give a plain value")
    return plain
