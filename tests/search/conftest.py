from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import memctl

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from memctl.memory import Memory


@pytest.fixture
def memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Memory]:
    """An empty store, on a Friday."""
    monkeypatch.setenv("MEMCTL_NOW", "2026-11-20T12:00:00Z")
    with memctl.open("agent", tmp_path) as opened:
        yield opened


@pytest.fixture
def chat(memory: Memory) -> Memory:
    """Two people about a trip, and a user with an assistant about a budget."""
    for text, speaker, day in (
        ("The ferry to Bornholm was late again", "Bo", "2026-05-03"),
        ("Where will you sleep?", "Ann", "2026-05-03"),
        ("In a tent behind the lighthouse", "Bo", "2026-05-04"),
    ):
        memory.log(text, speaker=speaker, session="trip", logged_at=f"{day}T10:00:00Z")
    for text, role, day in (
        ("My budget for the kitchen is 4,000 dollars", "user", "2026-08-01"),
        ("With that budget I would keep the old cabinets", "assistant", "2026-08-01"),
        ("The budget for the kitchen is 5,500 dollars now", "user", "2026-09-01"),
        ("Then new cabinets fit into the budget", "assistant", "2026-09-01"),
    ):
        memory.log(text, role=role, session="kitchen", logged_at=f"{day}T10:00:00Z")
    return memory
