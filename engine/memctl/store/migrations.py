"""Brings a store's schema up to date, one ``.sql`` file a step.

A step is a file ``NNNN_what.sql`` in ``schema/``: the first six make the schema, one an
area, and a later one changes it. Once released it is never edited. A step, its row in
``migration`` and the new ``user_version`` are in one transaction, so a killed process
leaves a store at a whole step.
"""

from __future__ import annotations

import hashlib
import re
import sqlite3
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from memctl.base.clock import now
from memctl.base.errors import ForeignStoreError, StoreDamagedError
from memctl.base.packaged import names_in, text_in
from memctl.store import statements

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

SQL = statements.load("store/store")

# "memc" in ASCII; SQLite keeps it at offset 68 of the file, where file(1) finds it too.
APPLICATION_ID = 0x6D656D63
_COMMENT = re.compile(r" *--[^\n]*")  # no text in our schema holds two hyphens
_TABLE = re.compile(r"^create table (\w+)", re.MULTILINE)
# What schema/0009_seal.sql writes out for one table and one kind of change, of all.
_MODEL = "create trigger setting_unseals_insert"


class Migration(NamedTuple):
    """One step: its number (counted from 1, without gaps), its file's stem, its SQL."""

    number: int
    name: str
    sql: str


@cache
def migrations() -> tuple[Migration, ...]:
    """Return every step in order. Reads the package, never a store."""
    package = "memctl.schema"
    steps: list[Migration] = []
    for name in names_in(package):
        if name.endswith(".sql"):
            sql = _for_each_table(text_in(package, name), steps)
            steps.append(Migration(int(name[:4]), name.removesuffix(".sql"), sql))
    if [step.number for step in steps] != list(range(1, len(steps) + 1)):
        raise ValueError("the files in schema/ are not numbered 0001, 0002, ... without gaps")
    return tuple(steps)


def _for_each_table(sql: str, earlier: Sequence[Migration]) -> str:
    """Put a trigger for each table of earlier steps, and each kind of change, behind their model."""
    begin = sql.find(_MODEL)
    if begin < 0:
        return sql
    triggers = [
        sql[begin:].replace("setting", table).replace("insert", event)
        for step in earlier
        for table in _TABLE.findall(step.sql)
        for event in ("insert", "update", "delete")
    ]
    return sql[:begin] + "\n".join(triggers)


def is_ours(number: int, name: str) -> bool:
    """Return whether a step of this number may have this name; a later memctl's may have any."""
    known = migrations()
    return not 0 < number <= len(known) or known[number - 1].name == name


def apply(
    connection: sqlite3.Connection,
    *,
    upto: int | None = None,
    within: Callable[[], object] | None = None,
) -> None:
    """Take the steps that `connection` lacks, up to and including number `upto`.

    Several processes may call it at once on one file: each looks again, under the write
    lock, which steps are still due. A new store takes them all in one transaction, another
    takes each in its own. `within` is called in each transaction, after its steps.
    """
    due = migrations()[:upto]
    for steps in [(step,) for step in due] if _version(connection) else [due]:
        if not steps or _version(connection) >= steps[-1].number:
            continue
        connection.execute("begin immediate")
        try:
            version = _version(connection)
            for step in steps:
                if version < step.number:
                    _take(connection, step)
            if within is not None and version < steps[-1].number:
                within()
            connection.execute("commit")
        except BaseException:
            if connection.in_transaction:  # a full disk has rolled back already
                connection.execute("rollback")
            raise


def split_script(sql: str) -> list[str]:
    """Split a script into statements, trigger bodies kept whole.

    ``executescript`` would commit the transaction that a step runs in.
    """
    result: list[str] = []
    pending = ""
    for piece in re.findall(r"[^;]*;|[^;]+$", sql):
        pending += piece
        if sqlite3.complete_statement(pending):
            result.append(pending.strip())
            pending = ""
    if any(line.strip() and not line.lstrip().startswith("--") for line in pending.splitlines()):
        raise ValueError(f"a script ends in the middle of a statement: {pending.strip()[:60]!r}")
    return result


def schema_of(connection: sqlite3.Connection) -> dict[str, str]:
    """Return ``{"table component": "create table ...", ...}`` as the file has it. Read-only."""
    return dict(connection.execute(SQL.schema_objects))


def without_comments(schema: Mapping[str, str]) -> dict[str, str]:
    """Return a schema as every SQLite keeps it: 3.53 drops other comments along with a column."""
    return {
        thing: "\n".join(filter(str.strip, _COMMENT.sub("", sql).split("\n")))
        for thing, sql in schema.items()
    }


def digest_of(schema: Mapping[str, str]) -> str:
    """Return the digest of a schema; ``digest.txt`` has the latest one's, with comments and without."""
    return hashlib.sha256(repr(sorted(schema.items())).encode()).hexdigest()


@cache
def expected_schema(version: int) -> dict[str, str]:
    """Return the schema that the first `version` steps make of an empty database: 20 ms."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    try:
        apply(connection, upto=version)
        return schema_of(connection)
    finally:
        connection.close()


@cache
def empty_store(steps: tuple[Migration, ...]) -> bytes:
    """Return the file that all these steps make; new stores are copies of it."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    try:
        apply(connection, upto=len(steps))
        return connection.serialize()
    finally:
        connection.close()


def check_schema(path: Path, found: Mapping[str, str], version: int) -> None:
    """Refuse a schema that is not what the first `version` steps make.

    A user's own views and indexes are fine.

    Raises
    ------
    StoreDamagedError
        When something of it is missing.
    ForeignStoreError
        When something of it was altered, or a trigger stands there that is none of ours.
    """
    known = text_in("memctl.schema", "digest.txt").split() if version == len(migrations()) else ()
    if digest_of(found) in known:
        return  # the steps need not be taken: they make just this
    found = without_comments(found)
    if digest_of(found) in known:
        return
    expected = without_comments(expected_schema(version))
    for thing, sql in expected.items():
        if thing not in found:
            raise StoreDamagedError(f'"{path}" lacks the {thing}')
        if found[thing] != sql:
            raise ForeignStoreError(
                f'"{path}" has an altered {thing}', hint="memctl restore brings a backup back"
            )
    for thing in found.keys() - expected.keys():
        if thing.startswith("trigger "):
            raise ForeignStoreError(
                f'"{path}" has an unknown {thing}',
                hint=f"if it is yours, remove it: drop {thing}",
            )


def _version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("pragma user_version").fetchone()[0])


def _take(connection: sqlite3.Connection, step: Migration) -> None:
    for statement in split_script(step.sql):
        connection.execute(statement)
    connection.execute(
        SQL.record_migration, {"number": step.number, "name": step.name, "applied_at": now()}
    )
    connection.execute(f"pragma user_version = {step.number}")
    connection.execute(f"pragma application_id = {APPLICATION_ID}")
