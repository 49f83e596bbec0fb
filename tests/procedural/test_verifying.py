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
from tests.each import each
from tests.procedural.stage import PEOPLE, table

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.procedural.stage import Stage

pytestmark = needs_browser


@pytest.fixture(scope="module")
def taught(theatre: Stage) -> Stage:
    """A stage that knows how somebody is removed; what checks that is up to each test."""
    theatre.show("remove", table(*PEOPLE), "click tr:nth-child(3) button", who="Bob Cole")
    return theatre


@pytest.fixture
def commands(taught: Stage) -> Iterator[None]:
    """Programs may be asked."""
    taught.memory.settings.set("skill_commands", "true", home_wide=True)
    yield
    taught.memory.settings.unset("skill_commands", home_wide=True)


@pytest.fixture
def people(tmp_path: Path) -> Path:
    """A database in which Ann Berg is."""
    with closing(sqlite3.connect(tmp_path / "people.db")) as db, db:
        db.executescript("create table person (name text); insert into person values ('Ann Berg')")
    return tmp_path / "people.db"


def ended(stage: Stage, check: dict[str, Any], who: str = "Ann Berg") -> tuple[str, str]:
    """Return how a run ends whose skill is checked so, and why."""
    stage.memory.skills.update("remove", verify=[check])
    run = stage.run("remove", table(who, "Cy Dunn"), who=who)
    assert stage.done == [f"removed {who}"]
    return run.status, run.why


def test_what_a_server_says_decides(taught: Stage) -> None:
    check = {"kind": "http", "url": f"{taught.url}/who", "contains": "{who}", "not": "true"}
    taught.pages["/who"] = "Cy Dunn"
    assert ended(taught, check) == ("done", "")
    taught.pages["/who"] = "Ann Berg, Cy Dunn"
    assert ended(taught, check) == ("failed", f'{taught.url}/who says "Ann Berg"')


def test_a_value_in_the_address_of_a_check_is_one_word_of_it(taught: Stage) -> None:
    taught.pages["/Ann%20Berg"] = "gone"
    check = {"kind": "http", "url": taught.url + "/{who}", "contains": "gone"}
    assert ended(taught, check) == ("done", "")


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ("select count(*) from person where name <> :who", "done"),
        ("select count(*) from person where name = :who", "failed"),
        ("delete from person", "uncertain"),  # it is only read
    ],
)
def test_what_a_database_says_decides(taught: Stage, people: Path, query: str, status: str) -> None:
    check = {"kind": "sql", "file": str(people), "query": query, "equals": "0"}
    assert ended(taught, check)[0] == status
    with closing(sqlite3.connect(people)) as db:
        assert db.execute("select count(*) from person").fetchone() == (1,)


def test_what_cannot_be_asked_is_uncertain(taught: Stage, tmp_path: Path) -> None:
    nowhere = {"kind": "http", "url": taught.url + "/nowhere", "contains": "x"}
    status, why = ended(taught, nowhere)
    assert (status, "could not be asked" in why) == ("uncertain", True)
    none = {"kind": "sql", "file": str(tmp_path / "none.db"), "query": "select 1", "equals": "1"}
    assert ended(taught, none)[0] == "uncertain"
    assert not (tmp_path / "none.db").exists()


@pytest.mark.usefixtures("commands")
def test_what_a_program_says_decides_and_a_value_is_one_word_of_its_command(taught: Stage) -> None:
    who = "Ann; Berg"
    said = (
        f"{shlex.quote(sys.executable)} -c \"import sys; sys.exit(sys.argv[1] != '{who}')\" {{who}}"
    )
    assert ended(taught, {"kind": "command", "command": said}, who) == ("done", "")
    assert ended(taught, {"kind": "command", "command": said})[0] == "failed"


def test_a_program_is_asked_only_where_the_settings_let_it(taught: Stage) -> None:
    status, why = ended(taught, {"kind": "command", "command": "true"})
    assert (status, "not allowed here" in why) == ("uncertain", True)


@each(
    "check",
    [
        {"kind": "http", "url": "file:///etc/passwd", "contains": "x"},
        {"kind": "sql", "file": "a.db", "query": "select 1", "equals": "1", "shell": "x"},
    ],
)
def test_what_is_no_check_is_refused(taught: Stage, check: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        taught.memory.skills.update("remove", verify=[check])
