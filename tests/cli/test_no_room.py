"""The command on a full disk and in a folder that is read-only: reading goes on, writing says why."""

from __future__ import annotations

import io
import resource
import shlex
from contextlib import redirect_stderr, redirect_stdout
from typing import TYPE_CHECKING

import pytest

import memctl
from memctl_cli import main
from tests.cli.calling import Answer
from tests.processes import as_another_user, in_a_child

if TYPE_CHECKING:
    from pathlib import Path

READS = ["memory list", "memory search falcon", "turns list", "status", "doctor", "config list"]


@pytest.fixture
def remembered(shared: Path) -> Path:
    with memctl.open("harbor", shared) as memory:
        memory.log("The heron flew over the lake")
        memory.facts.store("Falcon's deadline is 1 December")
    return shared


def called(home: Path, words: str) -> Answer:
    with redirect_stdout(io.StringIO()) as out, redirect_stderr(io.StringIO()) as error:
        try:
            main(["--home", str(home), "--app", "harbor", *shlex.split(words)])
        except SystemExit as left:
            return Answer(int(left.code or 0), out.getvalue(), error.getvalue())
    raise AssertionError("a command leaves with its exit code")


def without_room(home: Path, words: str) -> Answer:
    """Call the command where no file may grow by a byte."""
    return in_a_child(
        lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0)), lambda: called(home, words)
    )


def as_a_reader(home: Path, words: str) -> int:
    """Call the command as somebody who may not write; return its exit code."""
    return as_another_user(lambda: called(home, words)).code


def closed(home: Path) -> Path:
    for each in (home, *home.rglob("*")):
        each.chmod(0o555 if each.is_dir() else 0o444)
    return home


@pytest.mark.parametrize("words", READS)
def test_reading_goes_on_where_there_is_no_room(remembered: Path, words: str) -> None:
    answer = without_room(remembered, words)
    assert (answer.code, answer.error) == (0, "")


def test_a_recall_on_a_full_disk_answers_and_says_once_that_it_was_not_recorded(
    remembered: Path,
) -> None:
    answer = without_room(remembered, "recall heron")
    assert answer.code == 0
    assert "The heron flew" in answer.out
    assert answer.out.count("not recorded") == 1
    found = without_room(remembered, "recall heron --json").envelope["recall"]
    assert (found["id"], "disk is full" in found["unrecorded"]) == (None, True)


def test_a_write_on_a_full_disk_is_one_line_with_exit_1(remembered: Path) -> None:
    answer = without_room(remembered, "log more")
    assert (answer.code, answer.out, answer.error.count("\n")) == (1, "", 1)
    assert "the disk is full" in answer.error
    assert without_room(remembered, "log more --json").envelope["error"]["code"] == "disk_full"


@pytest.mark.parametrize("words", [*READS, "recall heron"])
def test_a_store_in_a_read_only_folder_is_read(remembered: Path, words: str) -> None:
    assert as_a_reader(closed(remembered), words) == 0


@pytest.mark.parametrize(
    "words", ["log more", 'memory store "User likes tea"', "config set forgetting everywhere"]
)
def test_a_store_in_a_read_only_folder_is_not_written(remembered: Path, words: str) -> None:
    assert as_a_reader(closed(remembered), words) == 3
