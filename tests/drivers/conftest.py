"""A browser that the tests of this folder share, and pages for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from memctl.drivers.browser_driver import BrowserDriver
from tests.drivers.serving import served

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from memctl.drivers.look import Look

    Look_ = Callable[..., Look]


@pytest.fixture(scope="package")
def driver() -> Iterator[BrowserDriver]:
    with BrowserDriver(timeout=3) as opened:
        yield opened


@pytest.fixture
def look(driver: BrowserDriver) -> Callable[[str], Look]:
    """Serve a page, and look at it."""

    def looked(html: str, **pages: str) -> Look:
        others = {f"/{name}": page for name, page in pages.items()}
        with served({"/": f"<!doctype html><meta charset=utf-8>{html}", **others}) as url:
            driver.goto(url + "/")
            return driver.look()

    return looked


@pytest.fixture
def boxes(look: Callable[[str], Look]) -> Callable[[str], dict[str, dict[str, Any]]]:
    """Serve a page, and return its boxes by their labels; the first of equal ones."""

    def named(html: str, **pages: str) -> dict[str, dict[str, Any]]:
        return {box["label"]: box for box in reversed(look(html, **pages).boxes)}

    return named
