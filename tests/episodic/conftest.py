from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from memctl.home import parse_address
from memctl.store import Store


@pytest.fixture(autouse=True)
def fixed_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMCTL_NOW", "2026-11-20T12:00:00Z")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "agent.db", parse_address("agent")) as opened:
        yield opened
