"""The questions in ``sql/reports/``: their SQL, their described columns, and what they read.

Above each statement stands a header that is read here::

    -- name: totals
    -- Rows and bytes by table
    -- How to read it, in as many lines
    -- as it takes.
    -- needs texts
    -- reads arrival: entity, rows
    -- follows life
    -- nothing: nothing was ever written
    -- store text: which store
    -- rows count: how many

The first line is the title. ``reads`` names the columns of a table that are loaded for it
(the statements of ``sql/store/report*.sql``), ``follows`` a step that is made before it (the
statements of ``sql/reports/steps*.sql``), ``nothing`` says what no rows mean; one that ``needs
texts`` reads what words there are in them. Every other line of the form ``NAME KIND: what`` is a column of its answer.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from datetime import date, datetime
from functools import cache
from typing import TYPE_CHECKING

from memctl.reports.answers import SQL_TYPES, Answer, Column
from memctl.store import statements

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    import duckdb

    from memctl.reports.answers import Cell, Kind

_FILES: Mapping[str, tuple[str, ...]] = {
    "health": ("reports/health", "reports/health_words"),
    "decay": ("reports/decay", "reports/decay_drift"),
    "recall": ("reports/recall",),
    "matching": ("reports/matching",),
    "growth": ("reports/growth",),
    "lift": ("reports/lift",),
}
REPORTS: tuple[str, ...] = tuple(_FILES)

_STEPS = tuple(f"reports/steps{area}" for area in ("", "_facts", "_sizes", "_life", "_lift"))
# SQLite's statements: one a table that can be loaded.
_TABLES = ("store/report", "store/report_sums")

_KINDS: Mapping[str, Kind] = {kind: kind for kind in SQL_TYPES}
_READS = re.compile(r"reads (?P<table>\w+): (?P<columns>[\w, ]+)")
_FOLLOWS = re.compile(r"follows (?P<step>\w+)")
_NEEDS_TEXTS = "needs texts"
_NOTHING = re.compile(r"nothing: (?P<words>.+)")
_COLUMN = re.compile(rf"(?P<name>\w+) (?P<kind>{'|'.join(_KINDS)}): (?P<about>.+)")
_TYPED = re.compile(r"(?P<name>\w+) (?P<type>text|words|integer|real|at)(?:: .+)?")
_WHOLE_NUMBER = re.compile(r"(tiny|small|big|huge|u\w*)?int(eger)?")


@dataclass(frozen=True, slots=True)
class Question:
    """One statement of ``sql/reports/``, with its header.

    Parameters
    ----------
    reads
        Columns by table of the store.
    follows
        Names of the steps that it reads.
    nothing
        What it means that no row comes back.
    needs_texts
        It is not enough to know which texts are equal.
    """

    name: str
    title: str
    about: str
    columns: tuple[Column, ...]
    reads: Mapping[str, tuple[str, ...]]
    follows: tuple[str, ...]
    sql: str
    nothing: str
    needs_texts: bool = False


@dataclass(frozen=True, slots=True)
class SourceTable:
    """A table that reports load: its SQLite query, and its columns' types."""

    name: str
    types: Mapping[str, str]
    sql: str


def questions_of(report: str) -> tuple[Question, ...]:
    """Return the questions of a report, in order."""
    return tuple(question for file in _FILES[report] for question in _questions(file).values())


def steps() -> Mapping[str, Question]:
    """Return the steps that several questions share."""
    return {name: step for file in _STEPS for name, step in _questions(file).items()}


@cache
def tables() -> Mapping[str, SourceTable]:
    """Return the tables that reports load from a store, by name."""
    return {
        name: SourceTable(
            name,
            {
                match["name"]: match["type"]
                for line in statement.description.splitlines()
                if (match := _TYPED.fullmatch(line))
            },
            statement.sql,
        )
        for file in _TABLES
        for name, statement in statements.load(file).statements.items()
    }


def needed(asked: Iterable[Question]) -> tuple[dict[str, tuple[str, ...]], list[Question]]:
    """Return the columns by table, and the steps in order, that questions need."""
    order: list[Question] = []
    for question in asked:
        _follow(question, order)
    # How a command about a file of a folder begins is known from what the file says it is.
    columns: dict[str, dict[str, None]] = {"origin": {"address": None}}
    for question in [*asked, *order]:
        for table, names in question.reads.items():
            columns.setdefault(table, {}).update(dict.fromkeys(names))
    return {table: tuple(names) for table, names in columns.items()}, order


def _follow(question: Question, order: list[Question]) -> None:
    for name in question.follows:
        step = steps()[name]
        if step not in order:
            _follow(step, order)
            order.append(step)


@cache
def _questions(file: str) -> Mapping[str, Question]:
    named = statements.load(file).statements
    return {name: _question(statement) for name, statement in named.items()}


def _question(statement: statements.NamedStatement) -> Question:
    title, *lines = statement.description.splitlines()
    columns: list[Column] = []
    reads: dict[str, tuple[str, ...]] = {}
    follows: list[str] = []
    about: list[str] = []
    nothing, needs_texts = "", False
    for line in lines:
        if match := _READS.fullmatch(line):
            more = tuple(re.findall(r"\w+", match["columns"]))
            reads[match["table"]] = reads.get(match["table"], ()) + more
        elif match := _FOLLOWS.fullmatch(line):
            follows.append(match["step"])
        elif match := _NOTHING.fullmatch(line):
            nothing = match["words"]
        elif match := _COLUMN.fullmatch(line):
            columns.append(Column(match["name"], _KINDS[match["kind"]], match["about"]))
        elif line == _NEEDS_TEXTS:
            needs_texts = True
        else:
            about.append(line)
    return Question(
        statement.name,
        title,
        " ".join(about),
        tuple(columns),
        reads,
        tuple(follows),
        statement.sql,
        nothing,
        needs_texts,
    )


def ask(connection: duckdb.DuckDBPyConnection, question: Question) -> Answer:
    """Ask one question of what is loaded.

    Raises
    ------
    RuntimeError
        When what comes back is not what its header describes: a defect.
    """
    result = connection.execute(question.sql)
    _check(question, [(str(column[0]), str(column[1])) for column in result.description or []])
    rows = tuple(tuple(map(_cell, row)) for row in result.fetchall())
    return Answer(
        question.name, question.title, question.about, question.columns, rows, question.nothing
    )


def left_out(question: Question) -> Answer:
    """Return the answer to a question that cannot be asked, because no texts were loaded."""
    nothing = "left out: it is made of texts, which only --texts keeps"
    return Answer(question.name, question.title, question.about, question.columns, (), nothing)


def make_step(connection: duckdb.DuckDBPyConnection, step: Question) -> None:
    """Make the table of a step that questions share."""
    connection.execute(f'create temp table "{step.name}" as {step.sql}')
    rows = connection.execute(f'describe "{step.name}"').fetchall()
    _check(step, [(str(row[0]), str(row[1])) for row in rows])


def _check(question: Question, returned: list[tuple[str, str]]) -> None:
    fits = [name for name, _ in returned] == [column.name for column in question.columns] and all(
        kind.lower() == column.sql_type
        or (column.sql_type in {"bigint", "double"} and _WHOLE_NUMBER.fullmatch(kind.lower()))
        for column, (_, kind) in zip(question.columns, returned, strict=True)
    )
    if not fits:
        raise RuntimeError(f'"{question.name}" describes {question.columns}, returns {returned}')


def _cell(value: object) -> Cell:
    if isinstance(value, datetime):
        return value.isoformat(timespec="seconds") + "Z"
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, float) and not math.isfinite(value):
        return None  # JSON has no word for it
    assert value is None or isinstance(value, (str, int, float))  # noqa: S101  (see _check)
    return value
