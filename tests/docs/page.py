"""Reads the examples of docs/sql.md: a question, the line that answers it, what it prints."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from pathlib import Path

__all__ = ["PAGE", "Example", "examples"]

PAGE = Path(__file__).parents[2] / "docs" / "sql.md"
_EXAMPLE = re.compile(
    r"^### (?P<number>\d+)\. (?P<question>.+)\n"
    r"(?:(?!^#)[^`].*\n|`[^`].*\n|\n)*"  # what is said of it
    r"```sh\n(?P<command>(?:(?!```).*\n)+)```\n\n"
    r"```text\n(?P<printed>(?:(?!```).*\n)+)```\n",
    re.MULTILINE,
)
_RULE = re.compile(r"[─┬┼┴├┤┌┐└┘═╞╪╡\s]*")


@dataclass(frozen=True)
class Example:
    """One question of the page.

    Parameters
    ----------
    command
        What is typed, as it stands there.
    printed
        What it printed once: a table drawn with lines.
    """

    number: int
    question: str
    command: str
    printed: str

    @property
    def words(self) -> list[str]:
        """The command's words, as a shell splits them."""
        return shlex.split(self.command)

    @property
    def columns(self) -> list[str]:
        """The names in the head of the printed table."""
        return columns_of(self.printed)


def columns_of(table: str) -> list[str]:
    """Return the names in the head of a table that is drawn with lines."""
    head = next(line for line in table.splitlines() if not _RULE.fullmatch(line))
    return [cell.strip() for cell in head.strip("│ ").split("│")]


def examples() -> list[Example]:
    """Return every example of the page, in its order."""
    return [
        Example(int(found["number"]), found["question"], found["command"], found["printed"])
        for found in _EXAMPLE.finditer(PAGE.read_text("utf-8"))
    ]
