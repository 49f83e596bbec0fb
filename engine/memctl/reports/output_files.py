"""Reports in files: each written as a whole, or not at all."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal

from memctl.base.errors import FileAccessError, MemctlError, RefusedError, UsageError
from memctl.base.home import standing
from memctl.base.whole_file import give_name, part_folder, sync, whole_file
from memctl.reports.answers import Answer, Column
from memctl.reports.loading import engine
from memctl.reports.questions import REPORTS, questions_of

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable

    import duckdb

    from memctl.reports.answers import Report

_FINDINGS = (
    Column("store", "text", "which store"),
    Column("subject", "text", "what it is about"),
    Column("severity", "text", "high, medium or low"),
    Column("total", "count", "how many cases"),
    Column("since_at", "at", "since when; null: not known"),
    Column("text", "text", "what is wrong, with the worst cases"),
    Column("advice", "text", "what to do about it"),
    Column("show", "text", "the command that shows it, and changes nothing"),
    Column("mend", "text", "the command that mends all of it; empty where only a person can"),
)


def check_output(path: Path, *, force: bool, folder: bool) -> None:
    """Refuse an output that is in the way of something.

    Raises
    ------
    UsageError
        When its name holds control characters or bytes that are no text.
    RefusedError
        When it exists and may not be replaced; an empty folder may always be filled.
    MemctlError
        When it cannot be reached.
    """
    if not str(path).isprintable():
        raise UsageError(
            "the name of an output holds what cannot be printed", hint="choose another path"
        )
    try:
        is_folder = path.is_dir()
        there = is_folder or standing(path, hint="choose another path") is not None
        empty = is_folder and not any(path.iterdir())
    except FileAccessError:
        raise
    except OSError as error:
        raise unwritable(path, error) from error
    if there and is_folder != folder:
        kind = "a folder" if is_folder else "a file"
        raise RefusedError(f'"{path}" is {kind}', hint="choose another path")
    if there and not force and not empty:
        raise RefusedError(f'"{path}" exists', hint="add --force to replace it")


def write_tables(
    reports: Iterable[Report],
    folder: str | os.PathLike[str],
    form: Literal["parquet", "csv"],
    *,
    force: bool = False,
) -> list[Path]:
    """Write each answer into ``FOLDER/REPORT_ANSWER.FORM``, findings beside; return the files.

    Answers of other reports that were written there before are removed: beside the new ones
    they would look as new.

    Raises
    ------
    RefusedError
        When the folder has something in it and `force` is false.
    MemctlError
        When it cannot be written, a full disk included; what was there is as it was.
    """
    target = Path(folder)
    check_output(target, force=force, folder=True)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with part_folder(target.parent) as fresh, engine() as connection:
            for report in reports:
                for answer in (*report.answers, _as_answer(report)):
                    path = fresh / f"{report.name}_{answer.name}.{form}"
                    write_answer(connection, answer, path, form)
            return _move(fresh, target, _names(form))
    except OSError as error:
        raise unwritable(target, error) from error


def unwritable(path: Path, error: OSError) -> MemctlError:
    """Return the error for a file or folder that cannot be written, with its reason."""
    return MemctlError(
        f'"{path}" cannot be written: {error.strerror}',
        hint="check its permissions and the free space",
    )


def _move(fresh: Path, target: Path, replaced: set[str]) -> list[Path]:
    names = sorted(path.name for path in fresh.iterdir())
    # They hold what the store holds: as a store, they are their owner's alone.
    for name in names:
        (fresh / name).chmod(0o600)
        sync(fresh / name)
    if not target.exists():
        sync(fresh)
        give_name(fresh, target)
    for name in names if fresh.exists() else ():
        give_name(fresh / name, target / name)
    for name in replaced.difference(names):
        (target / name).unlink(missing_ok=True)
    return [target / name for name in names]


def _names(form: str) -> set[str]:
    """Return the names of all files that reports write."""
    return {
        f"{report}_{answer}.{form}"
        for report in REPORTS
        for answer in ("findings", *(question.name for question in questions_of(report)))
    }


def write_answer(
    connection: duckdb.DuckDBPyConnection, answer: Answer, path: Path, form: str
) -> None:
    """Write the rows of an answer into a file, by DuckDB."""
    import duckdb

    # CSV has no times: they are written as JSON has them, with their Z. Elsewhere a day has no
    # zone: it would be the day before.
    texts = [column for column in answer.columns if column.kind == "at"]
    listed = ", ".join(
        f'"{column.name}" {"varchar" if column in texts else column.sql_type}'
        for column in answer.columns
    )
    connection.execute(f"create or replace temp table answer ({listed})")
    with connection.appender("answer") as appender:
        appender.append_rows(answer.rows)
    rows, options = "from answer", "format csv, header"
    if form == "parquet":
        options = "format parquet"
        typed = ", ".join(
            f'"{column.name}"::{column.sql_type}'
            + (" at time zone 'UTC'" if column.sql_type == "timestamp" else "")
            + f' as "{column.name}"'
            for column in texts
        )
        rows = f"select * replace ({typed}) from answer" if texts else rows  # noqa: S608
    where = str(path).replace("'", "''")
    try:
        connection.execute(f"copy ({rows}) to '{where}' ({options})")
    except duckdb.IOException as error:
        # DuckDB says what is wrong, and where, in a message of several lines.
        raise MemctlError(
            f'"{path.name}" cannot be written: {str(error).splitlines()[0]}',
            hint="check the permissions of its folder and the free space",
        ) from error


def _as_answer(report: Report) -> Answer:
    names = [column.name for column in _FINDINGS]
    rows = tuple(tuple(getattr(finding, name) for name in names) for finding in report.findings)
    return Answer("findings", "What is wrong", "", _FINDINGS, rows)


def save(path: str | os.PathLike[str], make: Callable[[], bytes], *, force: bool) -> Path:
    """Write what `make` returns, readable by its owner alone, and return the file's path.

    It is called once the path is known to be free, so that no work is done in vain; the file
    appears under its name when it is complete.

    Raises
    ------
    RefusedError
        When a file is there and is not to be replaced, or a folder.
    MemctlError
        When it cannot be written; what was there is as it was.
    """
    target = Path(path)
    check_output(target, force=force, folder=False)
    content = make()
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with whole_file(target) as file:
            file.write(content)
            check_output(target, force=force, folder=False)  # it took a while to make
    except OSError as error:
        raise unwritable(target, error) from error
    return target
