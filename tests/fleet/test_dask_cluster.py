"""Many stores on a Dask cluster of two machines, whose workers are killed, lost and of other versions."""

from __future__ import annotations

import os
import signal
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import memctl
from memctl.base.errors import MemctlError, NotFoundError, RefusedError, UsageError
from memctl.fleet import dask_cluster
from memctl.fleet.spreading import spread
from tests.fleet import tasks
from tests.fleet.clusters import HERE, THERE, DaskProcesses, dask_processes
from tests.fleet.homes import a_home, dreams_in, files_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memctl.fleet.store_queue import Finished


@pytest.fixture(scope="session")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DaskProcesses]:
    """Return a cluster of two machines: one with two workers, one with one; each has a home."""
    folder = tmp_path_factory.mktemp("cluster")
    a_home(folder / "here", "harbor", "agent")
    a_home(folder / "there", "harbor", "chromium/united.com")
    with dask_processes(folder) as made:
        made.worker(HERE, 2, MEMCTL_HOME=str(folder / "here"))
        made.worker(THERE, MEMCTL_HOME=str(folder / "there"))
        made.wait_for(3)
        yield made


def test_each_store_is_worked_on_its_machine_as_its_workers_announce_it(
    cluster: DaskProcesses,
) -> None:
    stores = memctl.fleet.stores(scheduler=cluster.address)
    assert [(store.name, store.machine) for store in stores] == [
        ("agent", HERE),
        ("chromium/united.com", THERE),
        (f"harbor ({HERE})", HERE),
        (f"harbor ({THERE})", THERE),
    ]
    done = {
        finished.store.name: finished.value
        for finished in spread(tasks.worker_of, stores, scheduler=cluster.address)
    }
    assert {name: str(value).split(":")[0] for name, value in done.items()} == {
        store.name: store.machine for store in stores
    }
    assert memctl.fleet.run("dream", scheduler=cluster.address).counts == {"done": 4}


def test_a_file_that_two_machines_see_is_read_once_and_written_by_none(
    cluster: DaskProcesses, tmp_path: Path
) -> None:
    a_home(tmp_path, "harbor")
    (refused,) = memctl.fleet.run("dream", tmp_path, scheduler=cluster.address).failed
    assert refused.text.startswith(f"{HERE}, {THERE} see the same file")
    assert refused.code == "refused"
    assert memctl.fleet.run("doctor", tmp_path, scheduler=cluster.address).counts == {"done": 1}


def test_places_that_no_worker_has_are_an_error(cluster: DaskProcesses, tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match="no worker holds a store"):
        memctl.fleet.stores(tmp_path, scheduler=cluster.address)
    with pytest.raises(UsageError, match="no path of every machine"):
        memctl.fleet.stores("memory", scheduler=cluster.address)


def test_a_store_that_kills_its_workers_fails_alone_and_by_name_though_others_share_its_task(
    cluster: DaskProcesses, tmp_path: Path
) -> None:
    names = [f"app{number}" for number in range(60)]
    stores = memctl.fleet.stores(files_of(tmp_path, *names, "poison"))
    done = list(spread(tasks.poisoned, stores, scheduler=cluster.address))
    assert sorted(finished.store.name for finished in done) == sorted([*names, "poison"])
    wrong = {finished.store.name: str(finished.error) for finished in done if finished.error}
    assert wrong == {"poison": "its worker was killed each time"}
    cluster.wait_for(3)


def test_dreams_of_killed_workers_are_done_once_each(
    cluster: DaskProcesses, tmp_path: Path
) -> None:
    a_home(tmp_path, *(f"app{number}" for number in range(4)))
    stores = memctl.fleet.stores(tmp_path)
    done = list(spread(tasks.dream_and_die_once, stores, scheduler=cluster.address))
    assert not any(finished.error for finished in done)
    assert len(done) == len(stores)
    assert dreams_in(tmp_path) == [1] * 4
    cluster.wait_for(3)


def test_two_coordinators_do_nothing_twice(cluster: DaskProcesses, tmp_path: Path) -> None:
    a_home(tmp_path / "apps-of", *(f"app{number}" for number in range(8)))
    stores = memctl.fleet.stores(tmp_path / "apps-of")
    counts: list[int] = []

    def coordinate() -> None:
        done = spread(tasks.dream, stores, scheduler=cluster.address)
        counts.append(sum(finished.error is None for finished in done))

    other = threading.Thread(target=coordinate)
    other.start()
    coordinate()
    other.join()
    assert counts == [8, 8]
    assert dreams_in(tmp_path / "apps-of") == [1] * 8


def test_an_interrupt_lets_what_workers_are_at_end(cluster: DaskProcesses, tmp_path: Path) -> None:
    stores = memctl.fleet.stores(files_of(tmp_path, *(f"app{number}" for number in range(60))))
    done: list[Finished[str]] = []
    for finished in spread(tasks.slow, stores, scheduler=cluster.address):
        if not done:
            os.kill(os.getpid(), signal.SIGINT)
        done.append(finished)
    ended = {finished.store.name for finished in done if not finished.error}
    assert len(done) == 60
    assert all(finished.interrupted for finished in done if finished.error)
    assert {path.name.split(".")[0] for path in tmp_path.glob("*.begun")} == ended
    assert len(ended) < 30


def test_a_worker_of_another_version_is_refused_by_name(
    cluster: DaskProcesses, tmp_path: Path
) -> None:
    kept = tmp_path / "memctl_engine-99.0.dist-info"
    kept.mkdir()
    (kept / "METADATA").write_text("Metadata-Version: 2.1\nName: memctl-engine\nVersion: 99.0\n")
    path = os.pathsep.join([str(tmp_path), str(Path(__file__).parents[2])])
    stranger = cluster.worker(THERE, PYTHONPATH=path)
    cluster.wait_for(4)
    with pytest.raises(RefusedError, match=rf"1 worker .*{THERE}:\d+ \(99.0\)"):
        memctl.fleet.run("doctor", scheduler=cluster.address)
    stranger.terminate()
    cluster.wait_for(3)


def test_a_scheduler_that_is_none_is_an_error_that_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(UsageError, match="no address of a scheduler"):
        memctl.fleet.stores(scheduler="harbor:8786")
    with pytest.raises(UsageError, match="needs certificates"):
        memctl.fleet.stores(scheduler="tls://127.0.0.1:8786")
    with dask_processes(tmp_path) as alone:
        with pytest.raises(MemctlError, match="has no worker") as raised:
            memctl.fleet.stores(scheduler=alone.address)
        assert f"dask worker {alone.address}" in raised.value.hint
    monkeypatch.setattr(dask_cluster, "_ANSWER", 0.5)
    with pytest.raises(MemctlError, match="does not answer"):
        memctl.fleet.stores(scheduler=alone.address)


def test_a_machine_and_a_scheduler_that_are_lost_fail_their_stores_by_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dask_cluster, "_GONE", 1.0)
    for home, number in (("here", 30), ("there", 4)):
        (tmp_path / home / "apps").mkdir(parents=True)
        files_of(tmp_path / home / "apps", *(f"app{place}" for place in range(number)))
    with dask_processes(tmp_path) as cluster:
        cluster.worker(HERE, MEMCTL_HOME=str(tmp_path / "here"))
        lost = cluster.worker(THERE, MEMCTL_HOME=str(tmp_path / "there"))
        cluster.wait_for(2)
        stores = memctl.fleet.stores(scheduler=cluster.address)
        done: list[Finished[str]] = []
        for finished in spread(tasks.slow, stores, scheduler=cluster.address):
            if not done:
                lost.kill()
            if finished.error and finished.store.machine == THERE:
                cluster.scheduler.kill()
            done.append(finished)
    assert sorted(entry.store.name for entry in done) == sorted(store.name for store in stores)
    why = {entry.store.machine: set[str]() for entry in done}
    for entry in done:
        why[entry.store.machine].add(str(entry.error or ""))
    assert f'no worker of the machine "{THERE}" is left' in why[THERE]
    assert why[HERE] <= {
        "",
        "the scheduler was lost",
        "the scheduler was lost while it was at work",
    }
