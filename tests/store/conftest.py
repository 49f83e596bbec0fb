"""Stores come to be here as they do anywhere: step by step."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def _empty_stores_are_copied() -> None:
    """Take the place of the copies."""
