"""A browser that the tests of this folder share, and pages for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from memctl.drivers.browser_driver import BrowserDriver
from tests.drivers.serving import served

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from memctl.drivers.look import Look


@pytest.fixture(scope="package")
def driver() -> Iterator[BrowserDriver]:
    with BrowserDriver(timeout=3) as opened:
        yield opened


@pytest.fixture
def hurried(driver: BrowserDriver) -> Iterator[BrowserDriver]:
    """The browser with less patience, for pages that never come to an end."""
    usual, driver.timeout = driver.timeout, 1.0
    yield driver
    driver.timeout = usual


@pytest.fixture(scope="package")
def opened(driver: BrowserDriver) -> Iterator[Callable[..., BrowserDriver]]:
    """Serve a page and others by their names, and open it."""
    pages: dict[str, str] = {}
    with served(pages) as url:

        def opening(html: str, **others: str) -> BrowserDriver:
            pages.update({f"/{name}": page for name, page in others.items()})
            pages["/"] = f"<!doctype html><meta charset=utf-8>{html}"
            driver.goto(url + "/")
            return driver

        yield opening


@pytest.fixture(scope="package")
def look(opened: Callable[..., BrowserDriver]) -> Callable[..., Look]:
    """Serve a page, and look at it."""
    return lambda html, **others: opened(html, **others).look()


@pytest.fixture(scope="package")
def boxes(opened: Callable[..., BrowserDriver]) -> Callable[..., dict[str, dict[str, Any]]]:
    """Serve a page, and return its boxes by their labels; the first of equal ones."""
    return lambda html, **others: {
        box["label"]: box for box in reversed(opened(html, **others).boxes())
    }
