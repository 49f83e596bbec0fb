"""Every public call that writes a text refuses one that holds a secret, and writes nothing."""

from __future__ import annotations

import json
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


@pytest.mark.parametrize("where", ["app", "session", "agent", "user", "key", "speaker"])
def test_a_secret_in_a_name_is_refused(where: str, memory: Memory, tmp_path: Path) -> None:
    attempts: dict[str, Callable[[], object]] = {
        "app": lambda: memctl.open(SECRET, tmp_path / "home"),
        "session": lambda: memory.journal.of(SECRET).task("Buy rope"),
        "agent": lambda: memctl.open("harbor", tmp_path / "home", agent=SECRET),
        "user": lambda: memctl.open("harbor", tmp_path / "home", user=SECRET),
        "key": lambda: memory.journal.context("wifi password", "sunflower42"),
        "speaker": lambda: memory.log("hello", speaker=SECRET),
    }
    with pytest.raises(memctl.SecretRefusedError):
        attempts[where]()


def test_a_secret_in_a_file_of_ten_megabytes_is_refused_by_its_place(
    memory: Memory, tmp_path: Path
) -> None:
    # A record is its text; what else its line holds is not taken, and is read all the same.
    padding = "".join(f"{number} " for number in range(100_000))
    texts = [f"Buoy {at} drifts" for at in range(18)]
    texts[7] = f"token {SECRET}"
    lines = [json.dumps({"role": "user", "text": text, "padding": padding}) for text in texts]
    (tmp_path / "log.jsonl").write_text("\n".join(lines), "utf-8")
    done = memory.import_from(tmp_path / "log.jsonl")

    assert (tmp_path / "log.jsonl").stat().st_size > 10_000_000
    assert [one.where for one in done.refused] == ["log.jsonl:8"]
    assert done.written == 17
    assert SECRET.encode() not in bytes_of(memory)
