"""Verbs on every store of a fleet: each wholly or not at all, and once though it is asked twice."""

from __future__ import annotations

import subprocess
import sys
from functools import partial
from typing import TYPE_CHECKING

import pytest

import memctl
from memctl.base.errors import UsageError
from memctl.fleet import fleet_run
from memctl.fleet.spreading import spread
from tests.cli.calling import memctl_process
from tests.fleet.homes import a_home

if TYPE_CHECKING:
    from pathlib import Path


def damaged(file: Path) -> None:
    """Overwrite the pages of a store behind its first."""
    with file.open("r+b") as store:
        store.seek(4096)
        store.write(b"\xff" * (file.stat().st_size - 4096))


@pytest.mark.parametrize("verb", ["dream", "doctor", "vacuum", "backup"])
def test_a_damaged_store_fails_by_name_and_says_what_mends_it(tmp_path: Path, verb: str) -> None:
    a_home(tmp_path, "app0", "app1", "app2")
    damaged(tmp_path / "apps" / "app1.db")
    done = memctl.fleet.run(verb, tmp_path)
    assert [outcome.name for outcome in done.failed] == ["app1"]
    assert done.failed[0].code == "store_damaged"
    assert "memctl recover" in done.failed[0].text
    assert done.counts == {"done": 2, "failed": 1}
    assert not list(tmp_path.glob("backups/app1/*"))


def test_a_backup_that_a_killed_worker_has_made_is_the_answer_of_the_next(tmp_path: Path) -> None:
    a_home(tmp_path, "app0", "app1")
    stores = memctl.fleet.stores(tmp_path)
    task = partial(fleet_run._done, "backup", "fleet-1234")
    first = [finished.value for finished in spread(task, stores)]
    assert [finished.value for finished in spread(task, stores)] == first
    assert len(list(tmp_path.glob("backups/*/*.db"))) == 2
    memctl.fleet.run("backup", tmp_path)
    assert len(list(tmp_path.glob("backups/*/*.db"))) == 4


def test_an_unknown_verb_is_refused_with_those_there_are(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match='no verb "dreem"') as raised:
        memctl.fleet.run("dreem", a_home(tmp_path, "app0"))
    assert "dream" in raised.value.hint


def test_the_summary_comes_first_and_of_the_failed_twenty_are_named(tmp_path: Path) -> None:
    a_home(tmp_path, "agent")
    for number in range(22):
        (tmp_path / "apps" / f"app{number}.db").write_bytes(b"no store" * 1000)
    answer = memctl_process("fleet", "run", "doctor", tmp_path)
    lines = answer.out.splitlines()
    assert answer.code == 1
    assert lines[0] == "doctor: 23 stores, 1 done, 22 failed"
    assert sum(line.strip().startswith("app") for line in lines) == 20
    assert lines[-1] == "and 2 more: --json has all"
    answer = memctl_process("fleet", "run", "doctor", tmp_path, "--json")
    assert answer.code == 1
    assert answer.envelope["counts"] == {"done": 1, "failed": 22}
    assert sum(outcome["state"] == "failed" for outcome in answer.envelope["data"]) == 22


def test_a_scheduler_of_this_machine_does_what_the_pool_does(tmp_path: Path) -> None:
    a_home(tmp_path, "app0", "app1", "app2")
    words = (sys.executable, "-m", "memctl", "fleet", "run", "dream", tmp_path)
    ran = subprocess.run((*words, "--scheduler", "local"), capture_output=True, check=False)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, b"dream: 3 stores, 3 done\n", b"")
