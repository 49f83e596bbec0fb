"""Asks DuckDB the questions, and holds what comes back against what they describe."""

from __future__ import annotations

import math
import re
from datetime import date, datetime
from typing import TYPE_CHECKING

from memctl.base.categories import KINDS
from memctl.reports.answers import Answer

if TYPE_CHECKING:
    import duckdb

    from memctl.base.user_zone import UserZone
    from memctl.reports.answers import Cell, Column
    from memctl.reports.questions import Question

# Where nothing limits the time.
EARLIEST, LATEST = "0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z"
# What DuckDB may return for a column of each kind.
_NUMBERS = r"(TINY|SMALL|BIG|HUGE|U\w*)?INT(EGER)?"
_MAY_BE = {
    "text": "VARCHAR",
    "id": _NUMBERS,
    "count": _NUMBERS,
    "bytes": _NUMBERS,
    "at": "TIMESTAMP",
    "share": f"DOUBLE|{_NUMBERS}",
    "days": f"DOUBLE|{_NUMBERS}",
    "ms": f"DOUBLE|{_NUMBERS}",
    "number": f"DOUBLE|{_NUMBERS}",
}


def ask(connection: duckdb.DuckDBPyConnection, question: Question) -> Answer:
    """Ask one question of what is loaded.

    Raises
    ------
    RuntimeError
        When what comes back is not what its header describes: a defect.
    """
    found = connection.execute(question.sql)
    described = found.description or []
    _check(question, [(str(one[0]), str(one[1])) for one in described])
    rows = tuple(tuple(map(_cell, row)) for row in found.fetchall())
    return Answer(
        question.name, question.title, question.about, question.columns, rows, question.nothing
    )


def make_step(connection: duckdb.DuckDBPyConnection, step: Question) -> None:
    """Make the table of a step that questions share."""
    connection.execute(f'create temp table "{step.name}" as {step.sql}')
    found = connection.execute(f'describe "{step.name}"').fetchall()
    _check(step, [(str(row[0]), str(row[1])) for row in found])


def _check(question: Question, found: list[tuple[str, str]]) -> None:
    said: tuple[Column, ...] = question.columns
    fits = [name for name, _ in found] == [column.name for column in said] and all(
        re.fullmatch("DATE" if column.is_day else _MAY_BE[column.kind], kind)
        for column, (_, kind) in zip(said, found, strict=True)
    )
    if not fits:
        raise RuntimeError(f'"{question.name}" describes {said}, and returns {found}')


def _cell(value: object) -> Cell:
    if isinstance(value, datetime):
        return value.isoformat(timespec="seconds") + "Z"
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, float) and not math.isfinite(value):
        return None  # JSON has no word for it
    assert value is None or isinstance(value, (str, int, float))  # noqa: S101  (see _MAY_BE)
    return value


def put_request(
    connection: duckdb.DuckDBPyConnection,
    made_at: str,
    since: str | None,
    until: str | None,
    zone: UserZone,
) -> None:
    """Make what every question may read: ``request``, of one row, ``category_tag``, ``user_day()``."""
    if zone.known:

        def user_day(at: datetime) -> date:
            return date.fromisoformat(zone.day(at.isoformat() + "Z"))

        connection.create_function("user_day", user_day, ["TIMESTAMP"], "DATE")
    else:
        connection.execute("create macro user_day(moment) as moment::date")
    connection.execute(
        "create table request (asked_at timestamp, since_at timestamp, until_at timestamp)"
    )
    moments = [_moment(made_at), _moment(since or EARLIEST), _moment(until or LATEST)]
    connection.execute("insert into request values (?, ?, ?)", moments)
    connection.execute("create table category_tag (category varchar, tag varchar)")
    with connection.appender("category_tag") as tags:
        tags.append_rows([(kind.category, kind.tag) for kind in KINDS.values()])


def _moment(text: str) -> datetime:
    """Return a stored time as DuckDB takes it: UTC, without saying so."""
    return datetime.fromisoformat(text).replace(tzinfo=None)
