"""The stores that docs/sql.md asks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.docs.story import tell

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="session")
def stores(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that the page tells to go to: two stores after a fortnight, only read."""
    home = tmp_path_factory.mktemp("story")
    tell(home)
    return home / "apps"
