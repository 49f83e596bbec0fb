"""Checks apart from the screen: a server, a database or a program has the last word."""

from __future__ import annotations

import shlex
import sqlite3
import sys
from contextlib import closing
from typing import TYPE_CHECKING, Any

import pytest

from memctl.base.errors import UsageError
from tests.browsers import needs_browser
from tests.procedural.stage import table

if TYPE_CHECKING:
    from pathlib import Path

    from tests.procedural.stage import Stage

pytestmark = needs_browser

PEOPLE = ("Ann Berg", "Bob Cole", "Cy Dunn")


@pytest.fixture(scope="module")
def taught(theatre: Stage) -> Stage:
    """A stage that knows how somebody is removed; what checks that is up to each test."""
    theatre.show("remove", table(*PEOPLE), "click tr:nth-child(3) button", who="Bob Cole")
    return theatre


def status(stage: Stage, *checks: dict[str, Any] | str) -> tuple[str, str]:
    """Return how a run ends whose skill is checked so, and why."""
    stage.memory.skills.update("remove", verify=checks)
    ended = stage.run("remove", table(*PEOPLE), who="Ann Berg")
    assert stage.done == ["removed Ann Berg"]
    return ended.status, ended.why


def test_what_a_server_says_decides(taught: Stage) -> None:
    check = {"kind": "http", "url": f"{taught.url}/who", "contains": "{who}", "not": "true"}
    taught.pages["/who"] = "Cy Dunn"
    assert status(taught, check) == ("done", "")
    taught.pages["/who"] = "Ann Berg, Cy Dunn"
    assert status(taught, check) == ("failed", f'{taught.url}/who says "Ann Berg"')


def test_a_value_in_the_address_of_a_check_is_one_word_of_it(taught: Stage) -> None:
    taught.pages["/Ann%20Berg"] = "gone"
    assert status(taught, {"kind": "http", "url": taught.url + "/{who}", "contains": "gone"}) == (
        "done",
        "",
    )


def test_a_check_that_cannot_be_asked_is_uncertain(taught: Stage) -> None:
    ended, why = status(taught, {"kind": "http", "url": taught.url + "/nowhere", "contains": "x"})
    assert ended == "uncertain"
    assert "could not be asked" in why


@pytest.mark.parametrize(("there", "ended"), [("Cy Dunn", "done"), ("Ann Berg", "failed")])
def test_what_a_database_says_decides(
    taught: Stage, tmp_path: Path, there: str, ended: str
) -> None:
    with closing(sqlite3.connect(tmp_path / "people.db")) as db, db:
        db.execute("create table person (name text)")
        db.execute("insert into person values (?)", (there,))
    query = "select count(*) from person where name = :who"
    check = {"kind": "sql", "file": str(tmp_path / "people.db"), "query": query, "equals": "0"}
    assert status(taught, check)[0] == ended


def test_a_database_is_only_read(taught: Stage, tmp_path: Path) -> None:
    file = tmp_path / "people.db"
    with closing(sqlite3.connect(file)) as db, db:
        db.execute("create table person (name text)")
    check = {
        "kind": "sql",
        "file": str(file),
        "query": "insert into person values ('x')",
        "equals": "",
    }
    assert status(taught, check)[0] == "uncertain"
    with closing(sqlite3.connect(file)) as db:
        assert db.execute("select count(*) from person").fetchone() == (0,)


def test_a_database_that_is_not_there_is_not_made(taught: Stage, tmp_path: Path) -> None:
    check = {"kind": "sql", "file": str(tmp_path / "none.db"), "query": "select 1", "equals": "1"}
    assert status(taught, check)[0] == "uncertain"
    assert not (tmp_path / "none.db").exists()


def test_a_program_is_asked_only_where_the_settings_let_it(taught: Stage) -> None:
    said = f"{shlex.quote(sys.executable)} -c \"import sys; sys.exit(sys.argv[1] != 'Ann Berg')\" {{who}}"
    check = {"kind": "command", "command": said}
    ended, why = status(taught, check)
    assert (ended, "not allowed here" in why) == ("uncertain", True)
    taught.memory.settings.set("skill_commands", "true")
    try:
        assert status(taught, check) == ("done", "")
        assert status(taught, {**check, "command": said.replace("Ann Berg", "Eve")})[0] == "failed"
    finally:
        taught.memory.settings.set("skill_commands", "false")


def test_a_value_is_one_word_of_a_command(taught: Stage, tmp_path: Path) -> None:
    taught.memory.settings.set("skill_commands", "true")
    taught.memory.skills.update("remove", verify=[{"kind": "command", "command": "true {who}"}])
    who = f"Ann; touch {tmp_path.name}-x"
    try:
        ended = taught.run("remove", table(who, "Cy Dunn"), who=who)
    finally:
        taught.memory.settings.set("skill_commands", "false")
    assert ended.status == "done"


@pytest.mark.parametrize(
    "check",
    [
        "screenshot",
        {"kind": "http", "url": "http://localhost/"},
        {"kind": "http", "url": "file:///etc/passwd", "contains": "x"},
        {"kind": "sql", "file": "a.db", "query": "select 1", "equals": "1", "shell": "x"},
    ],
)
def test_what_is_no_check_is_refused(taught: Stage, check: dict[str, Any] | str) -> None:
    with pytest.raises(UsageError):
        taught.memory.skills.update("remove", verify=[check])
