"""Empty stores without their migrations: these are taken once in a process, then pages are copied.

What comes out is the same file. Tests of how a store comes to be take the steps themselves, with
`take_steps`.
"""

from __future__ import annotations

import sqlite3
from functools import cache
from threading import Lock
from typing import TYPE_CHECKING

from memctl.base.clock import now
from memctl.store import migrations

if TYPE_CHECKING:
    from collections.abc import Callable

    import pytest

__all__ = ["apply_by_copying", "empty_store", "know_a_later_step", "take_steps"]

take_steps = migrations.apply
_steps = migrations.migrations
_one_at_a_time = Lock()


@cache
def empty_store() -> sqlite3.Connection:
    """Return the store that others are copied from, made once in a process."""
    connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    take_steps(connection)
    return connection


def apply_by_copying(
    connection: sqlite3.Connection,
    *,
    upto: int | None = None,
    within: Callable[[], object] | None = None,
) -> None:
    """Do what `memctl.store.migrations.apply` does; copy an empty store into an empty file."""
    with _one_at_a_time:
        begun = connection.execute("select count(*) from sqlite_schema").fetchone()[0]
        if begun or upto is not None or migrations.migrations is not _steps:
            take_steps(connection, upto=upto, within=within)
            return
        empty_store().backup(connection)
        connection.execute("begin immediate")
        connection.execute("update migration set applied_at = ?", (now(),))
        if within is not None:
            within()
        connection.execute("commit")


def know_a_later_step(monkeypatch: pytest.MonkeyPatch) -> int:
    """Let memctl know one step more, which stores made until now lack; return its number."""
    known = migrations.migrations()
    number = len(known) + 1
    sql = "alter table setting add column why text;"
    later = migrations.Migration(number, f"{number:04}_of_a_test", sql)
    monkeypatch.setattr(migrations, "migrations", lambda: (*known, later))
    return number
