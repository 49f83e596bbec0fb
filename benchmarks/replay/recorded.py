"""Reads the recorded calls, and the changes that are expected of their answers.

A file of calls holds groups (``== name``); each begins in an empty home, in a folder with the
bundled screenshots and their boxes. A line is one call, and its first word says how it is made:

- ``$ NAME=VALUE memctl WORDS < FILE`` in one process with the others, which is fast; standard
  input may also be ``<<< TEXT``, the variables and the input may be left out
- ``! COMMAND`` by bash, in processes of their own
- ``@ memctl mcp`` starts an MCP server and records its list of tools
- ``> TOOL {JSON}`` is one call of a tool of that server
- ``>>> PYTHON`` one line of Python, in which `memctl` is imported

``{f1}`` is the first id of a fact, ``{s2}`` the second id of a state that a group's answers held.
A call that the two sides spell differently stands in two lines, ``old ...`` and ``new ...``.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

_LINE = re.compile(r"(?:(?P<side>old|new) )?(?P<kind>[$!@]|>|>>>) (?P<text>.+)")


@dataclass(frozen=True)
class Call:
    """One recorded call: how it is made, and its words on either side."""

    kind: str
    old: str
    new: str

    def __str__(self) -> str:
        return f"{self.kind} {self.old}" + ("" if self.old == self.new else f"  =>  {self.new}")


@dataclass(frozen=True)
class Expected:
    """A change that is intended.

    Parameters
    ----------
    call
        A pattern of `fnmatch` for the group and call as they are printed: ``[group] $ memctl``.
    reason
        Why its answer differs.
    lines
        A regular expression; where given, it is found in every line that differs.
    """

    call: str
    reason: str
    lines: str = ""

    def allows(self, call: object, changed: Iterable[str]) -> bool:
        """Return whether a change of a call's answer is this one."""
        fits = fnmatchcase(str(call), self.call)
        return fits and all(re.search(self.lines, line) for line in changed)


def groups_in(folder: Path) -> dict[str, list[Call]]:
    """Return the calls of all files of a folder, by group.

    Raises
    ------
    ValueError
        When a line is no call; it is named.
    """
    groups: dict[str, list[Call]] = {}
    for file in sorted(folder.glob("*.txt")):
        calls, old = list[Call](), ""
        for number, line in enumerate(file.read_text("utf-8").splitlines(), 1):
            if not line or line.startswith("#"):
                continue
            if line.startswith("== "):
                calls = groups.setdefault(line[3:], [])
                continue
            read = _LINE.fullmatch(line)
            if read is None or (read["side"] == "new") != bool(old):
                raise ValueError(f'{file.name}, line {number} is no call: "{line}"')
            if read["side"] == "old":
                old = read["text"]
                continue
            calls.append(Call(read["kind"], old or read["text"], read["text"]))
            old = ""
    return groups


def expected_in(file: Path) -> list[Expected]:
    """Return the expected changes of a file: its tables ``[[change]]``."""
    return [Expected(**one) for one in tomllib.loads(file.read_text("utf-8")).get("change", [])]
