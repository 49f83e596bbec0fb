"""Loads named statements from the ``.sql`` files in ``sql/``.

A file holds statements, each under a line ``-- name: the_name``; comment lines right
below it are its description::

    -- name: component_named
    -- The living component that bears a name.
    select ... from component where name = :name;
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from memctl.base.packaged import text_in

__all__ = ["Statement", "Statements", "load"]

_HEADER = re.compile(r"^-- name: (?P<name>[a-z_][a-z0-9_]*)[ \t]*$", re.MULTILINE)


class Statement(NamedTuple):
    """One named statement.

    Parameters
    ----------
    name
        As the file names it.
    description
        The comment lines below the name, one a line.
    sql
        The statement, without them.
    """

    name: str
    description: str
    sql: str


class Statements:
    """The statements of one file, read as attributes: ``SQL.component_named``.

    A misspelt name raises AttributeError with the file's name; a test compares the
    names that the code uses with those that the files hold, in both directions.
    """

    def __init__(self, source: str, statements: dict[str, Statement]) -> None:
        self.source = source
        self.statements = statements
        # As attributes proper: each is read with every call.
        self.__dict__.update({name: statement.sql for name, statement in statements.items()})

    def __getattr__(self, name: str) -> str:
        raise AttributeError(f'"{self.source}" holds no statement "{name}"')


@cache
def load(name: str) -> Statements:
    """Return the statements of ``sql/<name>.sql``; `name` such as ``"store/component"``."""
    folder, _, stem = name.rpartition("/")
    package = ".".join(["memctl.sql", *folder.split("/")])
    return Statements(f"{name}.sql", _parse(text_in(package, f"{stem}.sql"), f"{name}.sql"))


def _parse(text: str, source: str) -> dict[str, Statement]:
    statements: dict[str, Statement] = {}
    headers = list(_HEADER.finditer(text))
    ends = [header.start() for header in headers[1:]] + [len(text)]
    for header, end in zip(headers, ends, strict=True):
        name = header["name"]
        if name in statements:
            raise ValueError(f'"{source}" names "{name}" twice')
        statements[name] = _statement(name, text[header.end() : end])
    return statements


def _statement(name: str, body: str) -> Statement:
    lines = body.strip().splitlines()
    comments = 0
    while comments < len(lines) and lines[comments].startswith("--"):
        comments += 1
    description = "\n".join(
        line.removeprefix("--").removeprefix(" ").rstrip() for line in lines[:comments]
    )
    return Statement(name, description, "\n".join(lines[comments:]).rstrip().rstrip(";"))
