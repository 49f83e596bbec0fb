"""What the tests of the visual memory share: a home of their own, a memory, raw SQL."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING, Any, Protocol

import pytest

import memctl

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from memctl.memory import Memory


class OpenMemory(Protocol):
    """Opens a memory in the test's home; it is closed after the test."""

    def __call__(self, address: str = "app", *, readonly: bool = False, **settings: str) -> Memory:
        """Open it; `settings` win over everything else."""


class Query(Protocol):
    """Asks the file itself, as ``sqlite3 FILE`` does."""

    def __call__(self, sql: str, *parameters: object) -> list[tuple[Any, ...]]:
        """Return all rows."""


class Lessons(Protocol):
    """Makes a memory begin with what another one was taught, once for all tests."""

    def __call__(self, memory: Memory, name: str, teach: Callable[[Memory], object]) -> Memory:
        """Copy the file of the lesson of this name; `teach` makes it."""


@pytest.fixture(scope="session")
def lessons(tmp_path_factory: pytest.TempPathFactory) -> Lessons:
    files: dict[str, Path] = {}

    def begin(memory: Memory, name: str, teach: Callable[[Memory], object]) -> Memory:
        if name not in files:
            with memctl.open("app", home=tmp_path_factory.mktemp(name)) as teacher:
                teach(teacher)
            files[name] = teacher.store.path
        memory.store.path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(files[name], memory.store.path)
        return memory

    return begin


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[OpenMemory]:
    memories: list[Memory] = []

    def open_one(address: str = "app", *, readonly: bool = False, **settings: str) -> Memory:
        memory = memctl.open(address, home=tmp_path, readonly=readonly, settings=settings)
        memories.append(memory)
        return memory

    yield open_one
    for memory in memories:
        memory.close()


@pytest.fixture
def memory(opened: OpenMemory) -> Memory:
    return opened()


@pytest.fixture
def query(memory: Memory) -> Query:
    def ask(sql: str, *parameters: object) -> list[tuple[Any, ...]]:
        with closing(sqlite3.connect(memory.store.path)) as connection:
            return connection.execute(sql, parameters).fetchall()

    return ask
