"""How a call ends: 0 done, and 1 to 6 each for one kind of failure, in one line."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.cli.calling import Answer, memctl_process
from tests.each import each

if TYPE_CHECKING:
    from collections.abc import Callable

    Run = Callable[..., Answer]


def one_line(answer: Answer) -> str:
    """Return the line of a failure without ``--json``."""
    assert answer.out == ""
    assert answer.error.startswith("memctl: ")
    assert answer.error.count("\n") == 1
    return answer.error


def store_of(home: Path) -> Path:
    return home / "apps" / "harbor.db"


def by_hand(home: Path, script: str) -> None:
    with closing(sqlite3.connect(store_of(home))) as connection:
        connection.executescript(script)


def test_0_done(run: Run, known: Path) -> None:
    assert known.is_dir()
    answer = run("--app", "harbor", "status")
    assert (answer.code, answer.error) == (0, "")


def test_1_a_home_that_cannot_be_written(run: Run, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    answer = run("--home", tmp_path / "file", "config", "set", "forgetting", "everywhere")
    assert answer.code == 1
    assert "where a folder has to be" in one_line(answer)


@each(
    "words",
    [
        ["nonsense"],
        ["--nonsense"],
        ["path", "one"],
        ["--app", "../x", "status"],
        ["--home", "", "status"],
        ["--home", "~no-such-user-here", "status"],
        ["config", "get", "nonsense"],
        ["config", "set", "forget_threshold", "nan"],
        ["transitions", "commit", "many"],
        ["learn", "no-such-file.png"],
        ["learn", ".ci"],
        ["learn", "x.png", "--window", "1,2,3"],
        ["learn", "x.png", "--window", "1,2,3,four"],
    ],
)
def test_2_wrong_usage_or_unusable_input_makes_no_store(
    words: list[str], run: Run, home: Path
) -> None:
    answer = run(*words)
    assert answer.code == 2
    one_line(answer)
    assert not home.exists()


def test_0_a_component_is_pinned_unpinned_forgotten_and_restored(run: Run, known: Path) -> None:
    assert known.is_dir()
    said = [
        run("--app", "harbor", "components", verb, "Save").out
        for verb in ("pin", "unpin", "forget", "restore")
    ]
    assert said == [
        "Save is pinned\n",
        "Save is no longer pinned\n",
        "Save is forgotten; restore brings it back\n",
        "Save is back\n",
    ]


def test_3_unconfirmed(run: Run, known: Path) -> None:
    assert known.is_dir()
    answer = run("--app", "harbor", "components", "erase", "Save")
    assert answer.code == 3
    assert "add --yes" in one_line(answer)
    assert run("--app", "harbor", "components", "show", "Save").code == 0


@each(
    "words",
    [
        ["components", "list"],
        ["states", "list"],
        ["transitions", "list"],
        ["path", "one", "two"],
        ["memory", "list"],
        ["memory", "search", "tea"],
        ["memory", "forget", "--query", "tea"],
        ["recall", "tea"],
        ["episodes", "list"],
        ["status"],
        ["components", "rename", "Save", "Keep"],
        ["components", "pin", "Save"],
        ["components", "unpin", "Save"],
        ["components", "forget", "Save"],
        ["components", "erase", "Save", "--yes"],
        ["states", "rename", "one", "Two"],
        ["transitions", "record", "one", "click", "two"],
        ["transitions", "commit"],
        ["transitions", "discard"],
    ],
)
def test_4_without_a_store_nothing_is_found_and_no_store_is_made(
    words: list[str], run: Run, home: Path
) -> None:
    answer = run("--app", "harbor", *words)
    assert answer.code == 4
    assert 'no store "harbor"' in one_line(answer)
    assert not store_of(home).exists()


def test_4_a_misspelt_store_is_told_the_one_that_may_be_meant(run: Run) -> None:
    assert run("--app", "harbor", "log", "The pier is open.").code == 0
    answer = run("--app", "harbour", "recall", "pier")
    assert answer.code == 4
    assert 'no store "harbour" (did you mean "harbor"?' in one_line(answer)


def test_4_an_empty_file_is_no_store_and_not_told_to_mean_itself(run: Run, home: Path) -> None:
    store_of(home).parent.mkdir(parents=True)
    store_of(home).touch()
    answer = run("--app", "harbor", "recall", "pier")
    assert answer.code == 4
    assert 'no store "harbor" (the first write creates it)' in one_line(answer)


@each(
    "words",
    [
        ["components", "show", "nobody"],
        ["components", "restore", "nobody"],
        ["states", "show", "nobody"],
        ["states", "merge", "s_one", "nobody"],
        ["path", "s_one", "nobody"],
        ["path", "s_one", "s_two"],
        ["transitions", "record", "s_one", "click:Save", "nobody"],
        ["transitions", "commit", "99"],
        ["schema", "nobody"],
    ],
)
def test_4_what_is_not_there_is_named(words: list[str], run: Run, known: Path) -> None:
    assert known.is_dir()
    answer = run("--app", "harbor", *words)
    assert answer.code == 4
    assert words[-1] in one_line(answer)


def test_5_a_file_that_is_no_store(run: Run, home: Path) -> None:
    store_of(home).parent.mkdir(parents=True)
    store_of(home).write_text("my notes")
    for command in ("status", "config"):
        words = [command] if command == "status" else ["config", "set", "forgetting", "expected"]
        answer = run("--app", "harbor", *words)
        assert answer.code == 5
        assert "not a SQLite file" in one_line(answer)
    assert store_of(home).read_text() == "my notes"


def test_5_half_a_store(run: Run, known: Path) -> None:
    store_of(known).write_bytes(store_of(known).read_bytes()[:-5000])
    answer = run("--app", "harbor", "status", "--json")
    assert answer.code == 5
    assert answer.envelope["error"]["code"] == "store_damaged"


def test_5_a_newer_store(run: Run, known: Path) -> None:
    by_hand(known, "pragma user_version = 9999")
    answer = run("--app", "harbor", "status", "--json")
    assert answer.code == 5
    assert answer.envelope["error"]["code"] == "store_newer"


def test_6_busy(run: Run, known: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMCTL_BUSY_TIMEOUT_MS", "20")
    with closing(sqlite3.connect(store_of(known), isolation_level=None)) as holder:
        holder.execute("begin immediate")
        answer = run("--app", "harbor", "components", "rename", "Save", "Keep")
        assert answer.code == 6
        assert "MEMCTL_BUSY_TIMEOUT_MS" in one_line(answer)
        assert run("--app", "harbor", "components", "list").code == 0
        holder.execute("rollback")
    assert run("--app", "harbor", "components", "rename", "Save", "Keep").code == 0


def test_130_interrupted(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("memctl.upkeep.status.stores", interrupt)
    assert run("stores").code == 130


# -- what only a process of its own can show -----------------------------------------------


def test_a_reader_that_stops_early_is_no_failure(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "memctl", "--home", tmp_path, "schema"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 0


@pytest.mark.parametrize("words", [["schema"], ["schema", "--json"]], ids=" ".join)
def test_an_answer_that_cannot_be_written_is_a_failure_in_one_line(
    words: list[str], tmp_path: Path
) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("there is no /dev/full here")
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "memctl", "--home", tmp_path, *words],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == 1
    assert done.stderr == "memctl: No space left on device\n"


def test_an_invalid_byte_in_an_argument_is_shown_safely(tmp_path: Path) -> None:
    answer = memctl_process("--home", tmp_path, "components", "show", "bad\udcff\x1b[31m")
    assert answer.code == 4
    assert "\x1b" not in answer.error
