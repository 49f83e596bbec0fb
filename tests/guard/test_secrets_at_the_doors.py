"""Every public call that writes a text refuses one that holds a secret, and writes nothing."""

from __future__ import annotations

import random
import string
from typing import TYPE_CHECKING

import pytest

import memctl

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from memctl.memory import Memory
    from memctl_cli.demo.bundle import Shot

# Made up, and the same on every run: the repository holds no key, not even a false one.
LETTERS = random.Random(7).choices(string.ascii_letters + string.digits, k=36)  # noqa: S311
SECRET = "ghp_" + "".join(LETTERS)


@pytest.fixture
def learned(memory: Memory, harbor: dict[str, Shot]) -> Memory:
    for name in ("login", "dashboard"):
        assert memory.learn(harbor[name].png, harbor[name].boxes_file()).state
    return memory


def bytes_of(memory: Memory) -> bytes:
    folder: Path = memory.store.path.parent
    return b"".join(path.read_bytes() for path in folder.iterdir())


def test_a_label_that_holds_a_secret_is_refused_and_the_rest_is_learned(
    memory: Memory, harbor: dict[str, Shot]
) -> None:
    boxes = harbor["login"].boxes_file()
    boxes[0]["label"] = f"token {SECRET}"
    answer = memory.learn(harbor["login"].png, boxes)
    assert [one.why for one in answer.refused].count("shows text that looks like a secret") == 1
    assert len(answer.learned) > 5
    assert SECRET.encode() not in bytes_of(memory)


@pytest.mark.parametrize("door", ["component", "state", "action", "page"])
def test_a_text_that_holds_a_secret_is_refused_at_every_door(
    door: str, learned: Memory, harbor: dict[str, Shot]
) -> None:
    first, second = (state.id for state in learned.states.list())
    attempts: dict[str, Callable[[], object]] = {
        "component": lambda: learned.components.rename(1, SECRET),
        "state": lambda: learned.states.rename(first, f"my {SECRET}"),
        "action": lambda: learned.transitions.record(first, f"type:{SECRET}", second),
        "page": lambda: learned.learn(harbor["login"].png, page=SECRET),
    }
    with pytest.raises(memctl.SecretRefusedError) as raised:
        attempts[door]()
    assert raised.value.exit_code == 3
    assert SECRET not in raised.value.message + raised.value.hint
    assert SECRET.encode() not in bytes_of(learned)
