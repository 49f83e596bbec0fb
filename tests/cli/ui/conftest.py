"""One browser for all pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.browsers import chromium

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """The system's Chromium."""
    with chromium() as browser:
        yield browser
