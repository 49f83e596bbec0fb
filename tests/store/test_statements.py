"""Every statement in sql/ is used, every one that is used is there, and each one runs."""

from __future__ import annotations

import ast
import re
import sqlite3
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import memctl
from memctl.reports.loading import sql_functions
from memctl.reports.questions import REPORTS, needed, questions_of
from memctl.store import migrations, statements

if TYPE_CHECKING:
    from collections.abc import Iterator

ENGINE = Path(memctl.__file__).parent


def files_of(folder: str) -> list[str]:
    """Return the files of a folder of sql/, as `statements.load` names them."""
    files = resources.files("memctl.sql").joinpath(folder).iterdir()
    return sorted(f"{folder}/{file.name[:-4]}" for file in files if file.name.endswith(".sql"))


FILES = files_of("store")
# Those of a fleet are DuckDB's.
OF_FLEETS = [
    (file, name) for file in files_of("fleet") for name in statements.load(file).statements
]
EVERY = [(file, name) for file in FILES for name in statements.load(file).statements]


def uses_in(path: Path) -> Iterator[tuple[str, str]]:
    """Find every ``SQL.name`` in a module: the file that SQL was loaded from, and the name."""
    text = path.read_text(encoding="utf-8")
    if "statements.load" not in text:
        return
    tree = ast.parse(text)
    loaded = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
            call = node.value
            if ast.unparse(call.func) == "statements.load":
                assert isinstance(call.args[0], ast.Constant), f"{path}: a computed file name"
                assert isinstance(node.targets[0], ast.Name)
                loaded[node.targets[0].id] = str(call.args[0].value)
    for node in ast.walk(tree):
        if not (isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)):
            continue
        if node.value.id in loaded:
            yield loaded[node.value.id], node.attr


def test_the_statements_that_the_code_uses_are_those_that_the_files_hold() -> None:
    held = {*EVERY, *OF_FLEETS}
    used = {use for path in ENGINE.rglob("*.py") for use in uses_in(path)}
    # What reports load is named in the headers of their questions.
    loaded, _ = needed([question for name in REPORTS for question in questions_of(name)])
    used |= {use for use in EVERY if use[0].startswith("store/report") and use[1] in loaded}
    texts = "".join(resources.files("memctl.sql").joinpath(f"{f}.sql").read_text() for f in FILES)
    used |= {use for use in EVERY if use[0] == statements.CONDITIONS and f":{use[1]}" in texts}
    assert not {f"{file}: {name}" for file, name in held - used}, "held, and never used"
    assert not {f"{file}: {name}" for file, name in used - held}, "used, and not held"


_MAKES = ("create virtual table", "create table")


@pytest.fixture(scope="module")
def fresh() -> Iterator[sqlite3.Connection]:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    migrations.apply(connection)
    connection.execute("pragma writable_schema = on")  # as where a schema is mended
    sql_functions(connection)
    # Some statements work on temporary tables, which others make.
    for file, name in EVERY:
        sql = statements.load(file).statements[name].sql
        if sql.startswith(_MAKES):
            connection.execute(sql)
    yield connection
    connection.close()


def test_every_statement_prepares_against_a_fresh_store(fresh: sqlite3.Connection) -> None:
    wrong: dict[str, str] = {}
    for file, name in EVERY:
        sql = statements.load(file).statements[name].sql
        parameters = dict.fromkeys(_parameters(sql)) or (None,) * sql.count("?")
        if sql.startswith(_MAKES):
            assert re.search(r'"temp"\.\w+', sql), "made for every statement before this test"
            continue
        try:
            fresh.execute(f"explain {sql}", parameters)
        except sqlite3.Error as error:
            wrong[f"{file}:{name}"] = str(error)
    assert wrong == {}


def _parameters(sql: str) -> Iterator[str]:
    yield from re.findall(r"(?<!:):([a-z_]\w*)", sql)


def test_a_statement_that_is_not_there_is_named_with_its_file() -> None:
    with pytest.raises(AttributeError, match=r'"store/store.sql" holds no statement "nothing"'):
        _ = statements.load("store/store").nothing


def test_a_description_is_what_stands_above_the_statement() -> None:
    parsed = statements._parse("-- name: one\n-- First\n-- line.\nselect 1;\n", "x.sql")
    assert parsed["one"] == statements.NamedStatement("one", "First\nline.", "select 1")


def test_several_statements_are_told_apart() -> None:
    parsed = statements._parse("-- name: one\nselect 1;\n\n-- name: two\nselect 2;\n", "x.sql")
    assert [statement.sql for statement in parsed.values()] == ["select 1", "select 2"]


def test_a_name_that_is_given_twice_is_refused() -> None:
    with pytest.raises(ValueError, match='names "one" twice'):
        statements._parse("-- name: one\nselect 1;\n-- name: one\nselect 2;\n", "x.sql")


def test_sql_lives_in_sql_files_alone() -> None:
    """Statements in Python strings are found by how they begin; pragmas and one count may stay."""
    begin = ("select ", "insert ", "update ", "delete ", "create ", "drop ", "alter ", "with ")
    allowed = {"status.py", "connections.py", "loading.py", "run_changes.py"}
    allowed |= {"pages.py"}  # it counts the rows of any statement
    allowed |= {"doctor.py", "recovery.py", "erased_cells.py"}  # a table's name, in all of these
    found = [
        f"{path.relative_to(ENGINE)}: {node.value[:40]}"
        for path in ENGINE.rglob("*.py")
        if path.name not in allowed
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        if node.value.lower().startswith(begin) and " from " in node.value.lower()
        if "\n" not in node.value and node.value.islower()
    ]
    assert found == []
