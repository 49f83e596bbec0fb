"""Every question in sql/reports/ says what it returns and reads, and does neither more nor less."""

from __future__ import annotations

from importlib import resources
from typing import TYPE_CHECKING

import duckdb
import pytest

from memctl.base.user_zone import UserZone
from memctl.reports.loading import SETTING_TABLE, engine, load, put_request
from memctl.reports.questions import (
    REPORTS,
    Question,
    _question,
    ask,
    make_step,
    needed,
    questions_of,
    steps,
    tables,
)
from memctl.store import statements
from tests.each import each

if TYPE_CHECKING:
    from collections.abc import Mapping

    Columns = Mapping[str, tuple[str, ...]]

ASKED = [question for name in REPORTS for question in questions_of(name)]
EVERY = [*ASKED, *steps().values()]


@each("question", EVERY)
def test_a_question_runs_on_what_it_says_it_reads_and_reads_nothing_in_vain(
    question: Question,
) -> None:
    with engine() as connection:
        put_request(connection, "2026-11-20T00:00:00Z", (None, None), UserZone())
        load(connection, [], needed([question])[0])
        for step in needed([question])[1]:
            make_step(connection, step)
        if question in ASKED:
            assert ask(connection, question).rows == ()
        for table, names in question.reads.items():
            for name in names:
                connection.execute(f'alter table "{table}" rename {name} to taken_away')
                with pytest.raises(duckdb.BinderException):
                    connection.execute(f"explain {question.sql}")
                connection.execute(f'alter table "{table}" rename taken_away to {name}')
        for followed in question.follows:
            connection.execute(f'drop table "{followed}"')
            with pytest.raises(duckdb.CatalogException):
                connection.execute(f"explain {question.sql}")
            make_step(connection, steps()[followed])


@each("question", EVERY)
def test_a_question_is_described(question: Question) -> None:
    assert question.title[0].isupper()
    assert not question.title.endswith(".")
    assert question.about.endswith(".") or question in steps().values()
    assert question.columns[0].name == "store"
    names = [column.name for column in question.columns]
    assert len(names) == len(set(names))
    assert all(len(column.about.split()) >= 1 for column in question.columns)
    if question in ASKED:
        assert question.nothing


def test_every_file_of_questions_belongs_to_a_report() -> None:
    files = {
        f"reports/{file.name.removesuffix('.sql')}"
        for file in resources.files("memctl.sql.reports").iterdir()
        if file.name.endswith(".sql")
    }
    held = {name for file in files for name in statements.load(file).statements}
    assert held == {question.name for question in EVERY}


def test_every_step_is_followed() -> None:
    assert {step for question in EVERY for step in question.follows} == set(steps())


def test_every_column_that_can_be_loaded_is_read_by_some_question() -> None:
    read = {
        (table, column)
        for question in EVERY
        for table, columns in question.reads.items()
        for column in columns
    } | {("origin", "address")}
    offered = {(table.name, column) for table in tables().values() for column in table.types}
    assert {pair for pair in read if pair[0] != SETTING_TABLE} == offered


def test_what_does_not_return_what_it_describes_is_a_defect(
    duck: duckdb.DuckDBPyConnection,
) -> None:
    header = "Title\nAbout.\nstore text: which\nrows count: how many"
    for sql in (
        "select 'a' as store",
        "select 'a' as store, 1 as number",
        "select 'a' as store, 1.5::double as rows",
        "select 'a' as store, 1 as rows, 2 as more",
    ):
        with pytest.raises(RuntimeError, match='"wrong" describes'):
            ask(duck, _question(statements.NamedStatement("wrong", header, sql)))
    right = _question(statements.NamedStatement("right", header, "select 'a' as store, 1 as rows"))
    assert ask(duck, right).records() == [{"store": "a", "rows": 1}]
