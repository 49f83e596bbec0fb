"""Homes of many stores, for tests of a fleet."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import memctl

if TYPE_CHECKING:
    from pathlib import Path


def a_home(home: Path, *addresses: str) -> Path:
    """Return a home with stores that know one fact each, and a turn that a dream reads."""
    for address in addresses:
        with memctl.open(address, home) as memory:
            memory.facts.store(f"Ann likes {address}")
            memory.log(f"Remember that I prefer the night train to {address}.", session="s")
    return home


def dreams_in(home: Path) -> list[int]:
    """Return how many dreams each store of a home has had."""
    counts = []
    for store in memctl.fleet.stores(home):
        with closing(sqlite3.connect(store.where)) as connection:
            counts += connection.execute("select count(*) from dream_run").fetchone()
    return counts


def files_of(folder: Path, *names: str) -> str:
    """Return the pattern of files that are empty: for tasks that open none."""
    for name in names:
        (folder / f"{name}.db").touch()
    return str(folder / "*.db")
