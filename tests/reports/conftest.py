"""Stores written by hand, with times of their own: what reports are asked about."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import memctl
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


def write_to(home: Path, app: str, sql: str) -> None:
    """Run SQL on the store of an app, which is made where there is none."""
    with memctl.open(app, home) as memory:
        with memory.store.transaction():
            pass
        memory.store.connection().executescript(sql)


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
