"""Reads the examples of docs/sql.md: a question, the line that answers it, what it prints.

``python -m tests.docs.page`` writes them anew: the questions that Datasette asks too from
``sql/browse/questions.sql``, and what each line prints on the stores of `tests.docs.story`.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tempfile
import textwrap
from dataclasses import dataclass
from pathlib import Path

from memctl.store import statements

__all__ = ["PAGE", "Example", "asked_in_shell", "canned", "examples"]

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


# What the page asks for where the questions have parameters.
GIVEN = {
    "looked_for": "Import",
    "pictures": "Sign_in_to",
    "about_one_thing": "Falcon",
    "changes": "deadline",
}
_SELECT = re.compile(r"^select\n(?P<columns>(?:    .*\n)+)from ", re.MULTILINE)
_PARAMETER = re.compile(r"(?P<before>'%' \|\| )?:\w+ \|\| '%'")


def canned() -> list[statements.NamedStatement]:
    """Return the questions that are asked in Datasette, in the order of the page."""
    return list(statements.load("browse/questions").statements.values())


def asked_in_shell(one: statements.NamedStatement) -> str:
    """Return a question as ``sqlite3`` is asked it: with a value, and a picture as a file."""
    given = GIVEN.get(one.name, "")
    sql = _PARAMETER.sub(lambda found: f"'{'%' if found['before'] else ''}{given}%'", one.sql)
    if one.name == "pictures":
        sql = sql.replace("png\n", "writefile('component.png', png) as bytes\n", 1)
    sql = re.sub(r"limit 100\b", "limit 3", sql)
    return _SELECT.sub(_wrapped, sql.rstrip(";"))


def _wrapped(found: re.Match[str]) -> str:
    columns = textwrap.wrap(" ".join(found["columns"].split()), 76, break_long_words=False)
    return "select " + "\n  ".join(columns) + "\nfrom "


def _written(example: Example, one: statements.NamedStatement) -> str:
    title, _, more = one.description.partition("\n")
    said = f"{more}\n\n" if more else ""
    sql = textwrap.indent(asked_in_shell(one), "  ")
    file = example.words[2]
    return f'### {example.number}. {title}\n\n{said}```sh\nsqlite3 -box {file} "\n{sql}"\n```\n\n'


def _write() -> None:
    from tests.docs.story import tell

    page = PAGE.read_text("utf-8")
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder, "memctl")  # where a home usually is: commands name no other
        tell(home)
        environment = {**os.environ, "XDG_DATA_HOME": folder, "MEMCTL_HOME": ""}
        here = Path(folder, "answers")
        here.mkdir()
        run = [
            sys.executable,
            "-m",
            "memctl",
            "report",
            "all",
            "--all-stores",
            "--parquet",
            "answers",
        ]
        subprocess.run(run, cwd=folder, env=environment, capture_output=True, check=True)
        for store in (home / "apps").iterdir():
            Path(folder, store.name).symlink_to(store)
        for example, found in zip(examples(), list(_EXAMPLE.finditer(page)), strict=True):
            head = found[0][: found[0].index("```text\n")]
            if example.number <= len(canned()):
                head = _written(example, canned()[example.number - 1])
            command = head.partition("```sh\n")[2].partition("```")[0]
            command = re.sub("^python ", f"{sys.executable} ", command)
            done = subprocess.run(
                ["sh", "-c", command], cwd=folder, capture_output=True, text=True, check=True
            )
            page = page.replace(found[0], f"{head}```text\n{done.stdout.strip()}\n```\n")
    PAGE.write_text(page, "utf-8")


if __name__ == "__main__":
    _write()
