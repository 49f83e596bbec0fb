"""A memory of its own for each test: run it by pytest test_with_a_memory.py."""

from collections.abc import Iterator
from pathlib import Path

import pytest

import memctl


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[memctl.Memory]:
    """Yield a memory that is empty before the test, and gone after it."""
    with memctl.open("test", home=tmp_path) as opened:
        yield opened


def test_what_is_stored_is_recalled(memory: memctl.Memory) -> None:
    memory.facts.store("Ann lives in Porto")
    assert memory.recall("Where does Ann live?")[0].text == "Ann lives in Porto"


def test_the_next_test_begins_with_nothing(memory: memctl.Memory) -> None:
    assert len(memory.facts) == 0
