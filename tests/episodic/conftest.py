from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from memctl.base.home import parse_address
from memctl.memory import Memory
from memctl.store.store import Store

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture(autouse=True)
def fixed_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMCTL_NOW", "2026-11-20T12:00:00Z")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "agent.db", parse_address("agent")) as opened:
        yield opened


@pytest.fixture
def memory(store: Store) -> Memory:
    return Memory(store)


@pytest.fixture
def kitchen(memory: Memory) -> Memory:
    """Two threads of talk about cooking and a trip, four turns each."""
    for text, speaker in (
        ("I made paella for my sister yesterday", "Ann"),
        ("How did it turn out?", "Bo"),
        ("Delicious, the saffron was worth its price", "Ann"),
        ("I only ever cook noodles", "Bo"),
    ):
        memory.log(text, speaker=speaker, session="food", logged_at="2026-05-08T10:00:00Z")
    for text, speaker in (
        ("The ferry to Bornholm was late again", "Bo"),
        ("Where will you sleep?", "Ann"),
        ("In a tent behind the lighthouse", "Bo"),
        ("Ann never goes camping", "Cid"),
    ):
        memory.log(text, speaker=speaker, session="trip", logged_at="2026-07-01T10:00:00Z")
    return memory
