from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import memctl
from memctl.working.journal import Journal

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from memctl.memory import Memory


@pytest.fixture
def memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Memory]:
    monkeypatch.setenv("MEMCTL_NOW", "2026-11-20T12:00:00Z")
    with memctl.open("agent", tmp_path) as opened:
        yield opened


@pytest.fixture
def journal(memory: Memory) -> Journal:
    """The journal of the session "s1"."""
    return Journal(memory.store, "s1")
