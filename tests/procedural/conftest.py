"""A browser, and a store that two skills of the app of orders were shown to: made once."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

import memctl
from memctl.drivers.browser_driver import BrowserDriver
from tests.drivers.serving import served
from tests.procedural.orders import DELETE, ORDERS, Demonstrated

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from memctl.memory import Memory


@pytest.fixture(scope="package")
def driver() -> Iterator[BrowserDriver]:
    with BrowserDriver(timeout=3) as opened:
        yield opened


@pytest.fixture(scope="package")
def taught(driver: BrowserDriver, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home in which two skills of the app of orders were recorded and approved."""
    home = tmp_path_factory.mktemp("taught")
    with served({"/": ORDERS}) as url, memctl.open("orders", home) as memory:
        driver.goto(url + "/")
        shown = Demonstrated(driver)
        shown.click("tr:nth-child(2) .del")
        shown.click("#yes")
        memory.skills.record(DELETE, shown.acts, parameters={"who": "Bob Cole"})
        driver.goto(url + "/")
        shown = Demonstrated(driver)
        shown.click("#q")
        shown.type("anchors")
        shown.press("Enter")
        memory.skills.record("search-orders", shown.acts, parameters={"what": "anchors"})
        for one in memory.skills:
            memory.skills.approve(one.id)
    return home


@pytest.fixture
def learned(taught: Path, tmp_path: Path) -> Iterator[Memory]:
    """A copy of that home's store."""
    (tmp_path / "apps").mkdir()
    other = sqlite3.connect(tmp_path / "apps" / "orders.db")
    with closing(sqlite3.connect(next((taught / "apps").glob("orders*.db")))) as first:
        first.backup(other)
    other.close()
    (tmp_path / "apps" / "orders.db").chmod(0o600)
    with memctl.open("orders", tmp_path) as memory:
        yield memory
