"""Every line of docs/sql.md answers its question, on stores made by the calls of an agent."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from tests.docs.page import PAGE, Example, asked_in_shell, canned, columns_of, examples
from tests.each import each

ASKED = examples()


OF_SQLITE = [one for one in ASKED if one.words[0] == "sqlite3"]


OF_DUCKDB = [one for one in ASKED if one.words[0] == "python"]


(REPORTING,) = re.findall(r"^memctl report .+$", PAGE.read_text("utf-8"), re.MULTILINE)


@pytest.fixture(scope="module")
def answers(stores: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder in which the page's line of `memctl report` was run."""
    here = tmp_path_factory.mktemp("answers")
    command = [sys.executable, "-m", *shlex.split(REPORTING)]
    environment = {**os.environ, "MEMCTL_HOME": str(stores.parent)}
    subprocess.run(command, cwd=here, env=environment, capture_output=True, check=True)
    return here


def test_the_page_asks_twenty_questions() -> None:
    assert [one.number for one in ASKED] == list(range(1, 21))
    assert len({one.question for one in ASKED}) == 20
    assert len(OF_SQLITE) + len(OF_DUCKDB) == 20


def test_sqlite_is_asked_what_datasette_is_asked() -> None:
    assert len(OF_SQLITE) == len(canned())
    for example, one in zip(OF_SQLITE, canned(), strict=True):
        assert example.words[3].split() == asked_in_shell(one).split()
        assert example.question == one.description.partition("\n")[0]


def blurred(cell: object) -> str:
    """Return a cell without what differs from day to day, and how much is learned of a screen."""
    text = " ".join(str("" if cell is None else cell).split())
    return re.sub(r"\d{4}-\d\d-\d\d(T[\d:]+Z)?|\b[fs]_[0-9a-f]{6,12}|\d{2,}", "~", text)


@each("example", OF_SQLITE)
def test_a_line_answers_what_the_page_shows(
    example: Example, stores: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    shell, style, file, question = example.words
    assert (shell, style) == ("sqlite3", "-box")
    address = f"file:{stores / file}?mode=ro"  # what only asks can be asked of a file like that
    with closing(sqlite3.connect(address, uri=True)) as connection:
        # The shell has this function; Python's SQLite has it not.
        connection.create_function(
            "writefile", 2, lambda name, content: Path(name).write_bytes(content)
        )
        found = connection.execute(question)
        assert [column[0] for column in found.description] == example.columns
        answered = [[blurred(cell) for cell in row] for row in found]
    lines = [line for line in example.printed.splitlines() if line.startswith("│")][1:]
    assert answered == [[blurred(cell) for cell in line.strip("│").split("│")] for line in lines]
    assert answered


@pytest.mark.skipif(shutil.which("sqlite3") is None, reason="no sqlite3 shell here")
@each("example", OF_SQLITE)
def test_a_line_can_be_pasted_into_a_shell(example: Example, stores: Path, tmp_path: Path) -> None:
    for file in stores.glob("*.db"):
        if not (tmp_path / file.name).exists():
            (tmp_path / file.name).symlink_to(file)
    done = subprocess.run(
        ["sh", "-c", example.command], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert done.stderr == ""
    assert columns_of(done.stdout) == example.columns


@each("example", OF_DUCKDB)
def test_duckdb_answers_with_the_columns_that_the_page_shows(
    example: Example, answers: Path
) -> None:
    python, *words = example.words
    assert python == "python"
    done = subprocess.run(
        [sys.executable, *words], cwd=answers, capture_output=True, text=True, check=True
    )
    assert columns_of(done.stdout) == example.columns
    # The lines of the frame, the head of names and types, and at least one row.
    assert len(done.stdout.strip().splitlines()) > 5
