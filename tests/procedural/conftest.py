"""A browser that all tests of this folder share, and a stage for each file."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from memctl.drivers import page_looks
from memctl.drivers.browser_driver import BrowserDriver
from tests.procedural.stage import haste, staged

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.procedural.stage import Stage


@pytest.fixture(scope="package")
def done() -> list[str]:
    """What pages said was done to them."""
    return []


@pytest.fixture(scope="package")
def driver(done: list[str]) -> Iterator[BrowserDriver]:
    def hear(what: str) -> None:
        done.append(what)

    with (
        pytest.MonkeyPatch.context() as patch,
        BrowserDriver(timeout=3, viewport=(1000, 600)) as opened,
    ):
        patch.setattr(page_looks, "_APART", 0.0)  # what moves between two pictures is not at stake
        opened.page.context.expose_function("did", hear)
        yield opened


@pytest.fixture
def stage(driver: BrowserDriver, tmp_path: Path, done: list[str]) -> Iterator[Stage]:
    """A stage with an empty memory."""
    with staged(driver, tmp_path, done) as opened:
        yield opened


@pytest.fixture(scope="module")
def theatre(
    driver: BrowserDriver, tmp_path_factory: pytest.TempPathFactory, done: list[str]
) -> Iterator[Stage]:
    """A stage for a whole file: what one of its fixtures has shown is there for all its tests."""
    with staged(driver, tmp_path_factory.mktemp("stage"), done) as opened:
        yield opened


@pytest.fixture
def hasty() -> Iterator[None]:
    """Little is waited for what will not come."""
    with haste():
        yield
