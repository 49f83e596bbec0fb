"""A store with some settings as its rows, what is done to its file, and writers elsewhere."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

from memctl.base.home import parse_address
from memctl.store import migrations
from memctl.store.store import Store

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

COUNT = "select count(*) from setting"
PUT = "insert into setting (key, value, changed_at) values (:key, :value, '')"
OPEN = f"""
    import sys
    from pathlib import Path
    from memctl.base.home import parse_address
    from memctl.store.store import Store

    address = parse_address("harbor")
    store = Store(address.path(Path(sys.argv[1])), address)

    def put(key):
        store.execute("{PUT}", {{"key": key, "value": ""}})
"""
"""How the script of another process begins."""


def made(home: Path, rows: int = 1) -> Path:
    """Make the store "harbor" with some rows in it; return its file, closed and whole."""
    address = parse_address("harbor")
    with Store(address.path(home), address) as store, store.transaction():
        store.execute_many(PUT, [{"key": str(n), "value": ""} for n in range(rows)])
    return address.path(home)


def put(store: Store, key: str, value: str = "") -> None:
    """Write one row."""
    store.execute(PUT, {"key": key, "value": value})


def opened(path: Path, *, readonly: bool = False) -> Store:
    """Return the store at a path."""
    return Store(path, parse_address("harbor"), readonly=readonly)


def again(store: Store, *, readonly: bool = False, wait_ms: int | None = None) -> Store:
    """Open the same file once more."""
    return Store(store.path, store.address, readonly=readonly, busy_timeout_ms=wait_ms)


def rows_in(path: Path, *, readonly: bool = False) -> int:
    """Count the rows of the store at a path."""
    with opened(path, readonly=readonly) as store:
        return int(store.value(COUNT))


def by_hand(path: Path, script: str) -> None:
    """Do what somebody types in the sqlite3 shell."""
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(script)


def know_a_later_step(monkeypatch: pytest.MonkeyPatch) -> int:
    """Let memctl know one step more, which stores made until now lack; return its number."""
    known = migrations.migrations()
    number = len(known) + 1
    sql = "alter table setting add column why text;"
    later = migrations.Migration(number, f"{number:04}_of_a_test", sql)
    monkeypatch.setattr(migrations, "migrations", lambda: (*known, later))
    return number
