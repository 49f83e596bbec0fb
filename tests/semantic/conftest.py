from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from memctl.base.home import Address
from memctl.config.settings import Settings
from memctl.semantic.facts import Facts
from memctl.store.store import Store

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from memctl.base.scope import Scope


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Set the time that the engine sees."""

    def set_time(time: str) -> None:
        monkeypatch.setenv("MEMCTL_NOW", time)

    set_time("2026-11-20T12:00:00Z")
    return set_time


@pytest.fixture
def store(tmp_path: Path, clock: object) -> Iterator[Store]:
    del clock  # it is set, and stays
    with Store(tmp_path / "agent.db", Address("agent")) as opened:
        yield opened


@pytest.fixture
def settings(store: Store) -> Settings:
    return Settings(store)


@pytest.fixture
def facts(store: Store, settings: Settings) -> Facts:
    return Facts(store, settings)


@pytest.fixture
def facts_of(store: Store, settings: Settings) -> Callable[[Scope], Facts]:
    return lambda scope: Facts(store, settings, scope)
