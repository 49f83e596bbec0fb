"""Makes reports: loads what their questions need, once, and asks them in DuckDB."""

from __future__ import annotations

import re
import time
from datetime import date, datetime
from typing import TYPE_CHECKING

from memctl import clock
from memctl.errors import UsageError
from memctl.reports.loading import engine, load
from memctl.reports.questions import REPORTS, needed, questions_of
from memctl.reports.results import Answer, Report
from memctl.reports.sources import Source

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    import duckdb

    from memctl.reports.questions import Question
    from memctl.reports.results import Cell, Column

__all__ = ["REPORTS", "ask", "make_report", "make_reports"]

# Where nothing limits the time.
_EARLIEST, _LATEST = "0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z"
# What DuckDB may return for a column of each kind.
_NUMBERS = r"(TINY|SMALL|BIG|HUGE|U\w*)?INT(EGER)?"
_MAY_BE = {
    "text": "VARCHAR",
    "count": _NUMBERS,
    "bytes": _NUMBERS,
    "at": "TIMESTAMP|DATE",
    "share": f"DOUBLE|{_NUMBERS}",
    "days": f"DOUBLE|{_NUMBERS}",
    "ms": f"DOUBLE|{_NUMBERS}",
    "number": f"DOUBLE|{_NUMBERS}",
}


def make_report(
    name: str,
    sources: Source | Iterable[Source],
    *,
    since: str | None = None,
    until: str | None = None,
    now: str | None = None,
) -> Report:
    """Return one report; see `make_reports`."""
    return make_reports([name], sources, since=since, until=until, now=now)[0]


def make_reports(
    names: Iterable[str],
    sources: Source | Iterable[Source],
    *,
    since: str | None = None,
    until: str | None = None,
    now: str | None = None,
    progress: Callable[[], object] = bool,
) -> tuple[Report, ...]:
    """Return several reports over the same stores, loaded once.

    Parameters
    ----------
    names
        Of `REPORTS`.
    sources
        One store or many: `sources.store_at`, `sources.stores_at`, `sources.files_in`.
    since, until
        ISO-8601: what happened from `since`, up to and without `until`. What a store holds
        (components, states, facts) is always what it holds now.
    now
        What ages are counted to; the clock's time where nothing is said.
    progress
        Called once a store.

    Raises
    ------
    UsageError
        When there is no such report, or the times are none or backwards.
    MemctlError
        When one store alone is asked and cannot be read. Of several, those that cannot are
        listed in `Report.skipped`.
    """
    wanted = [_known(name) for name in names]
    asked = [sources] if isinstance(sources, Source) else list(sources)
    made_at = clock.parse_time(now) if now else clock.now()
    since, until = _range(since, until)
    questions = {name: questions_of(name) for name in wanted}
    columns, steps = needed([one for several in questions.values() for one in several])
    with engine() as connection:
        _put_request(connection, made_at, since, until)
        began = time.perf_counter()
        read, skipped = load(connection, asked, columns, progress, alone=len(asked) == 1)
        loading = _since(began)
        for step in steps:
            _make(connection, step)
        made = []
        for name in wanted:
            ms = {"load": loading}
            answers = []
            for question in questions[name]:
                began = time.perf_counter()
                answers.append(ask(connection, question))
                ms[question.name] = _since(began)
            made.append(Report(name, made_at, since, until, read, skipped, tuple(answers), (), ms))
    return tuple(made)


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
    return Answer(question.name, question.title, question.about, question.columns, rows)


def _make(connection: duckdb.DuckDBPyConnection, step: Question) -> None:
    connection.execute(f'create temp table "{step.name}" as {step.sql}')
    found = connection.execute(f'describe "{step.name}"').fetchall()
    _check(step, [(str(row[0]), str(row[1])) for row in found])


def _check(question: Question, found: list[tuple[str, str]]) -> None:
    said: tuple[Column, ...] = question.columns
    fits = [name for name, _ in found] == [column.name for column in said] and all(
        re.fullmatch(_MAY_BE[column.kind], kind)
        for column, (_, kind) in zip(said, found, strict=True)
    )
    if not fits:
        raise RuntimeError(f'"{question.name}" describes {said}, and returns {found}')


def _cell(value: object) -> Cell:
    if isinstance(value, datetime):
        return value.isoformat(timespec="seconds") + "Z"
    if isinstance(value, date):
        return value.isoformat()
    assert value is None or isinstance(value, (str, int, float))  # noqa: S101  (see _MAY_BE)
    return value


def _put_request(
    connection: duckdb.DuckDBPyConnection, made_at: str, since: str | None, until: str | None
) -> None:
    """Make the table of one row that tells the questions what was asked for."""
    connection.execute(
        "create table request (asked_at timestamp, since_at timestamp, until_at timestamp)"
    )
    moments = [_moment(made_at), _moment(since or _EARLIEST), _moment(until or _LATEST)]
    connection.execute("insert into request values (?, ?, ?)", moments)


def _moment(text: str) -> datetime:
    """Return a stored time as DuckDB takes it: UTC, without saying so."""
    return datetime.fromisoformat(text).replace(tzinfo=None)


def _range(since: str | None, until: str | None) -> tuple[str | None, str | None]:
    start = clock.parse_time(since, what="since") if since else None
    end = clock.parse_time(until, what="until") if until else None
    if start and end and start >= end:
        raise UsageError(
            f'since "{start}" is not before until "{end}"', hint="name the earlier time first"
        )
    return start, end


def _known(name: str) -> str:
    if name not in REPORTS:
        raise UsageError(f'there is no report "{name}"', hint=f"there are: {', '.join(REPORTS)}")
    return name


def _since(began: float) -> float:
    return round((time.perf_counter() - began) * 1000, 3)
