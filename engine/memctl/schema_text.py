"""The schema with its comments, as the migrations tell it: what ``memctl schema`` prints."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from memctl.errors import NotFoundError
from memctl.migrations import migrations, statements

__all__ = ["SchemaObject", "schema_objects"]

_CREATE = re.compile(
    r"create (?:unique |virtual )?(?P<type>table|view|index|trigger) (?P<name>\w+)", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class SchemaObject:
    """A table, view, index or trigger: what the comment above it says, and its SQL."""

    type: str
    name: str
    comment: str
    sql: str


def schema_objects(name: str | None = None) -> list[SchemaObject]:
    """Return every table and view with its comments, or the object of this name.

    Raises
    ------
    NotFoundError
        When nothing bears the name.
    """
    if name is None:
        return [one for one in _all() if one.type in {"table", "view"}]
    found = [one for one in _all() if one.name == name]
    if not found:
        known = ", ".join(one.name for one in _all() if one.type in {"table", "view"})
        raise NotFoundError(f'the schema has no "{name}"', hint=f"it has: {known}")
    return found


@cache
def _all() -> tuple[SchemaObject, ...]:
    objects = (_object(statement) for step in migrations() for statement in statements(step.sql))
    return tuple(one for one in objects if one is not None)


def _object(statement: str) -> SchemaObject | None:
    lines = statement.splitlines()
    start = next(
        (n for n, line in enumerate(lines) if line.strip() and not line.startswith("--")), None
    )
    if start is None:
        return None
    sql = "\n".join(lines[start:]).rstrip().removesuffix(";")
    match = _CREATE.match(sql)
    if match is None:
        return None
    # The comment right above, without the file's own heading further up.
    above: list[str] = []
    for line in reversed(lines[:start]):
        if not line.startswith("--"):
            break
        above.insert(0, line.removeprefix("--").strip())
    return SchemaObject(match["type"].lower(), match["name"], "\n".join(above), sql)
