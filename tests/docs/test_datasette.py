"""Datasette opens stores as docs/sql.md says: it shows the views and alters nothing."""

from __future__ import annotations

import json
import re
import shlex
import sqlite3
import subprocess
import sys
from contextlib import closing
from typing import TYPE_CHECKING, Any

import pytest

import memctl
from tests.docs.page import PAGE

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

OPENING, IMMUTABLE = re.findall(r"^datasette .+$", PAGE.read_text("utf-8"), re.MULTILINE)


@pytest.fixture
def folder(home: Path) -> Path:
    """The folder of two stores, closed; the app's holds nothing yet but a setting."""
    with memctl.open("agent", home) as memory:
        memory.facts.store(text="Falcon's deadline is 2026-12-01", category="project")
    with memctl.open("harbor", home) as memory:
        memory.settings.set("keep_screenshots", "3")
    return home / "apps"


def get(path: str, command: str, folder: Path) -> Any:
    """Return the JSON of one page, without a server."""
    words = [sys.executable, "-W", "error", "-m", *shlex.split(command), "--get", path]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


@pytest.fixture
def writer(folder: Path) -> Iterator[sqlite3.Connection]:
    """Somebody who has written to the agent's store and keeps it open."""
    with closing(sqlite3.connect(folder / "agent.db", isolation_level=None)) as connection:
        connection.execute("insert into alias (term, synonym) values ('boat', 'ship')")
        yield connection


def test_it_shows_every_view(folder: Path) -> None:
    with closing(sqlite3.connect(folder / "harbor.db")) as connection:
        views = connection.execute("select name from sqlite_schema where type = 'view'").fetchall()
    shown = get("/harbor.json", OPENING, folder)
    assert {view["name"] for view in shown["views"]} == {name for (name,) in views}
    assert len(views) > 10


def test_a_view_shows_its_rows_and_the_file_is_not_altered(folder: Path) -> None:
    before = (folder / "agent.db").read_bytes()
    (row,) = get("/agent/fact_current.json?_shape=array&_facet=category", OPENING, folder)
    assert (row["subject"], row["attribute"], row["value"]) == ("Falcon", "deadline", "2026-12-01")
    assert (folder / "agent.db").read_bytes() == before


def test_what_is_written_meanwhile_is_seen(folder: Path, writer: sqlite3.Connection) -> None:
    assert get("/agent/alias.json?_shape=array", OPENING, folder)
    assert writer.execute("select count(*) from alias").fetchone() == (1,)


def test_an_immutable_store_leaves_nothing_beside_it_and_hides_what_is_being_written(
    folder: Path, writer: sqlite3.Connection
) -> None:
    assert get("/agent/alias.json?_shape=array", IMMUTABLE, folder) == []
    writer.close()
    assert get("/agent/alias.json?_shape=array", IMMUTABLE, folder)
    assert {path.name for path in folder.iterdir()} == {"agent.db", "harbor.db"}
