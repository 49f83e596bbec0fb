"""Stores written by hand, with times of their own: what reports are asked about."""

from __future__ import annotations

import sqlite3
import tempfile
from contextlib import closing
from functools import cache
from typing import TYPE_CHECKING

import pytest

import memctl
from memctl.base.home import parse_address
from memctl.reports.loading import engine
from memctl.reports.report import make_report
from memctl.reports.sources import store_at
from tests.reports.rich import fill

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    import duckdb

    from memctl.reports.answers import Answer, Report

NOW = "2026-11-20T12:00:00Z"


@cache
def _empty_store() -> bytes:
    """Return a store in which nothing was written: made once, and copied."""
    with tempfile.TemporaryDirectory() as folder, memctl.open("harbor", folder) as memory:
        with memory.store.transaction():
            pass
        memory.close()
        return memory.store.path.read_bytes()


def write_to(home: Path, app: str, sql: str) -> None:
    """Run SQL on the store of an app, which is made where there is none."""
    path = parse_address(app).path(home)
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(_empty_store())
        path.chmod(0o600)
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(f"begin; {sql}; commit;")
        connection.execute("update store set address = ?", [app])
        connection.commit()


@pytest.fixture
def write(home: Path) -> Callable[..., None]:
    """Run SQL on the store of an app, "harbor" unless another is named."""

    def run(sql: str = "", app: str = "harbor") -> None:
        write_to(home, app, sql)

    return run


@pytest.fixture
def report(home: Path) -> Callable[..., Report]:
    """Make a report on the store "harbor", as of a fixed moment."""

    def make(name: str, since: str | None = None, until: str | None = None) -> Report:
        return make_report(name, store_at("harbor", home), since=since, until=until, now=NOW)

    return make


@pytest.fixture
def answer(report: Callable[..., Report]) -> Callable[..., Answer]:
    """Make one answer of a report on the store "harbor"."""

    def make(name: str, question: str, **times: str) -> Answer:
        return report(name, **times).answer(question)

    return make


@pytest.fixture
def duck() -> Iterator[duckdb.DuckDBPyConnection]:
    """A DuckDB as reports open it."""
    with engine() as connection:
        yield connection


@pytest.fixture(scope="session")
def rich_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with the rich store "harbor", which tests only read."""
    folder = tmp_path_factory.mktemp("rich")
    fill(folder)
    return folder
