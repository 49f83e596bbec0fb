"""One task over many stores: here, and in processes that are killed, stopped and interrupted."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

import memctl
from memctl.fleet.spreading import spread
from tests.fleet import tasks
from tests.fleet.homes import a_home, dreams_in, files_of
from tests.processes import start_python

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from memctl.fleet.store_queue import Finished


TEN = tuple(f"app{number}" for number in range(10))


def by_name(finished: Iterable[Finished[str]]) -> dict[str, Finished[str]]:
    """Return what came of each store, after a look that none came twice."""
    every = list(finished)
    result = {entry.store.name: entry for entry in every}
    assert len(result) == len(every)
    return result


@pytest.mark.parametrize("jobs", [1, 2])
def test_any_error_is_the_failure_of_its_store_alone(tmp_path: Path, jobs: int) -> None:
    stores = memctl.fleet.stores(files_of(tmp_path, *TEN))
    done = by_name(spread(tasks.broken, stores, jobs=jobs))
    assert set(done) == set(TEN)
    assert {name for name, finished in done.items() if finished.error} == {"app1", "app2"}
    assert "Input/output error" in str(done["app1"].error)
    assert "ZeroDivisionError" in str(done["app2"].error)


def test_an_answer_that_cannot_be_sent_fails_its_store_alone(tmp_path: Path) -> None:
    done = list(spread(tasks.unsendable, memctl.fleet.stores(files_of(tmp_path, *TEN)), jobs=2))
    assert [finished.store.name for finished in done if finished.error] == ["app1"]


def test_a_store_that_kills_its_worker_fails_alone_and_by_name(tmp_path: Path) -> None:
    stores = memctl.fleet.stores(files_of(tmp_path, *TEN, "poison"))
    done = by_name(spread(tasks.poisoned, stores, jobs=2))
    assert [name for name, finished in done.items() if finished.error] == ["poison"]
    assert str(done["poison"].error) == "its worker was killed (signal 9)"
    assert len(done) == 11


def test_dreams_whose_workers_are_killed_before_and_after_equal_those_of_none(
    tmp_path: Path,
) -> None:
    names = [f"app{number}" for number in range(8)]
    shutil.copytree(a_home(tmp_path / "killed", *names), tmp_path / "control")
    killed = memctl.fleet.stores(tmp_path / "killed")
    done = by_name(spread(tasks.dream_and_die_once, killed, jobs=2))
    assert not any(finished.error for finished in done.values())
    assert list(tmp_path.glob("killed/apps/*.killed"))
    memctl.fleet.run("dream", tmp_path / "control")
    for name in names:
        counts = []
        for home in ("killed", "control"):
            with closing(sqlite3.connect(tmp_path / home / "apps" / f"{name}.db")) as store:
                counts.append(
                    store.execute(
                        "select (select group_concat(kind || status) from dream_run),"
                        " (select count(*) from fact), (select count(*) from episode)"
                    ).fetchone()
                )
        assert counts[0] == counts[1]


def holding(path: Path) -> subprocess.Popen[str]:
    """Start a process that holds the write lock of a store, and is stopped."""
    writer = start_python(
        """
        import sqlite3, sys, time
        store = sqlite3.connect(sys.argv[1], isolation_level=None)
        store.execute("begin immediate")
        print("held", flush=True)
        sys.stdin.readline()
        store.execute("commit")
        print("let go", flush=True)
        sys.stdin.readline()
        """,
        path,
    )
    assert writer.stdout is not None
    assert writer.stdout.readline() == "held\n"
    writer.send_signal(signal.SIGSTOP)
    return writer


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_store_that_a_stopped_process_writes_delays_no_other_and_is_done_later(
    tmp_path: Path, jobs: int
) -> None:
    a_home(tmp_path, *TEN[:4])
    writer = holding(tmp_path / "apps" / "app0.db")
    outcomes = []

    def note(outcome: memctl.fleet.Outcome) -> None:
        outcomes.append(outcome.name)
        if len(outcomes) == 3:
            writer.send_signal(signal.SIGCONT)
            assert writer.stdin is not None
            writer.stdin.write("\n")
            writer.stdin.flush()

    done = memctl.fleet.run("dream", tmp_path, jobs=jobs, progress=note)
    writer.communicate("\n")
    assert done.counts == {"done": 4}
    assert outcomes[-1] == "app0"
    assert dreams_in(tmp_path) == [1] * 4


def test_a_store_that_stays_busy_fails_by_name(tmp_path: Path) -> None:
    a_home(tmp_path, *TEN[:3])
    writer = holding(tmp_path / "apps" / "app1.db")
    done = memctl.fleet.run("dream", tmp_path, patience=0.3)
    writer.kill()
    writer.communicate()
    assert [(outcome.name, outcome.code) for outcome in done.failed] == [("app1", "busy")]
    assert done.counts == {"done": 2, "failed": 1}


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_interrupt_lets_those_at_work_end_and_begins_no_other(tmp_path: Path, jobs: int) -> None:
    stores = memctl.fleet.stores(files_of(tmp_path, *TEN))
    done: list[Finished[str]] = []
    for finished in spread(tasks.slow, stores, jobs=jobs):
        if not done:
            os.kill(os.getpid(), signal.SIGINT)
        done.append(finished)
    assert len(done) == len(TEN)
    ended = {finished.store.name for finished in done if not finished.error}
    assert {path.name.split(".")[0] for path in tmp_path.glob("*.begun")} == ended
    assert {path.name.split(".")[0] for path in tmp_path.glob("*.ended")} == ended
    assert 1 <= len(ended) <= 2 * jobs
    assert all(finished.interrupted for finished in done if finished.error)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_second_interrupt_ends_the_workers(tmp_path: Path) -> None:
    stores = memctl.fleet.stores(files_of(tmp_path, *TEN))

    def interrupted(given: Iterable[Finished[str]]) -> None:
        for _ in given:
            os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        interrupted(spread(tasks.slow, stores, jobs=2))


def test_a_script_without_a_guard_is_told_so_and_starts_no_more(tmp_path: Path) -> None:
    a_home(tmp_path / "home", "app0")
    script = tmp_path / "unguarded.py"
    script.write_text(
        f"import memctl\nmemctl.fleet.run('doctor', {str(tmp_path)!r} + '/home', jobs=2)\n"
    )
    ran = subprocess.run([sys.executable, script], capture_output=True, text=True, check=False)
    assert 'a script asks for jobs under: if __name__ == "__main__":' in ran.stderr


def test_a_command_that_is_interrupted_says_what_is_left_and_the_next_goes_on(
    tmp_path: Path,
) -> None:
    a_home(tmp_path, *(f"app{number}" for number in range(8)))
    words = [sys.executable, "-m", "memctl", "fleet", "run", "dream", str(tmp_path), "--json"]
    command = subprocess.Popen([*words, "--jobs", "2"], stdout=subprocess.PIPE, text=True)
    while not list(tmp_path.glob("apps/*-wal")):
        time.sleep(0.01)
    command.send_signal(signal.SIGINT)
    out, _ = command.communicate(timeout=30)
    assert command.returncode == 130
    counts = json.loads(out)["counts"]
    assert counts["left"] > 0
    assert counts["done"] + counts["left"] == 8
    assert memctl.fleet.run("dream", tmp_path).counts == {"done": 8}
    assert dreams_in(tmp_path) == [1] * 8
