"""The system's Chromium, for tests that open pages as people do."""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from memctl.base.errors import NotFoundError
from memctl.drivers.browsers import find_browser

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser

__all__ = ["chromium", "needs_browser"]


def _missing() -> bool:
    # .ci/run installs a Chromium and sets this: then a test without one fails.
    if os.environ.get("BROWSER_REQUIRED"):
        return False
    try:
        find_browser()
    except NotFoundError:
        return True
    return False


needs_browser = pytest.mark.skipif(
    _missing(), reason="no Chromium, Chrome or Edge: install chromium, or run .ci/run as root"
)


@contextmanager
def chromium() -> Iterator[Browser]:
    """Start the system's Chromium, headless; nothing is downloaded."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=find_browser(), args=["--no-sandbox", "--disable-gpu"]
        )
        yield browser
        browser.close()
