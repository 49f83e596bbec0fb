"""A browser that all tests of this folder share, and a stage for each file."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from memctl.drivers.browser_driver import BrowserDriver
from memctl.procedural.running import proving, seeking
from tests.procedural.stage import staged

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.procedural.stage import Stage


@pytest.fixture(scope="package")
def driver() -> Iterator[BrowserDriver]:
    with BrowserDriver(timeout=3, viewport=(1000, 600)) as opened:
        yield opened


@pytest.fixture
def stage(driver: BrowserDriver, tmp_path: Path) -> Iterator[Stage]:
    """A stage with an empty memory."""
    with staged(driver, tmp_path) as opened:
        yield opened


@pytest.fixture(scope="module")
def theatre(driver: BrowserDriver, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    """A stage for a whole file: what one of its fixtures has shown is there for all its tests."""
    with staged(driver, tmp_path_factory.mktemp("stage")) as opened:
        yield opened


@pytest.fixture(scope="package", autouse=True)
def _little_patience() -> Iterator[None]:
    """Wait less for what does not come: what is late on purpose is later than this anyway."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(seeking, "_LEAST", 0.8)
        patch.setattr(proving, "_LEAST", 1.0)
        yield
