from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import memctl

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from memctl.memory import Memory


@pytest.fixture
def m(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Memory]:
    """The assistant's own memory, on 23 November 2026."""
    monkeypatch.setenv("MEMCTL_NOW", "2026-11-23T10:00:00Z")
    with memctl.open("agent", tmp_path) as memory:
        yield memory
