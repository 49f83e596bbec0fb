from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import memctl
from tests.endpoint.model_server import ModelServer, model_server

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from memctl.memory import Memory


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with model_server() as made:
        yield made


@pytest.fixture
def memory(
    tmp_path: Path, server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Memory]:
    """A store that names the server, and holds a turn."""
    monkeypatch.setenv("MEMCTL_NOW", "2026-11-20T12:00:00Z")
    with memctl.open("agent", tmp_path) as opened:
        opened.settings.set("endpoint_url", server.url)
        opened.settings.set("endpoint_model", "first")
        opened.settings.set("endpoint_timeout_seconds", 5)
        yield opened
