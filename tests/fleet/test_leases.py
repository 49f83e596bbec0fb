"""Stores in a bucket that nobody owns: worked by one at a time, put back whole, never undone."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

import memctl
from memctl.base.errors import BusyError, LeaseLostError, RefusedError, UsageError
from memctl.fleet import buckets
from memctl.fleet.in_bucket import leases
from memctl.fleet.in_bucket.leases import borrowed
from tests.fleet.conftest import way_to

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from memctl.fleet import FleetStore


@pytest.fixture
def free(bucket: str, tmp_path: Path) -> FleetStore:
    """Return a store in the bucket that was given up."""
    with memctl.open("harbor", tmp_path / "home") as memory:
        memory.facts.store("Ann likes harbor")
    memctl.fleet.push(tmp_path / "home", bucket, release=True)
    return memctl.fleet.stores(bucket)[0]


def work(store: FleetStore, text: str, meanwhile: Callable[[], object] = bool) -> None:
    with borrowed(store) as path:
        with memctl.open(path) as memory:
            memory.facts.store(text)
        meanwhile()


def facts_in(store: FleetStore) -> set[str]:
    with borrowed(store, writes=False) as path, memctl.open(path, readonly=True) as memory:
        return {fact.text for fact in memory.facts.list()}


def prefix_of(store: FleetStore) -> str:
    return store.where.partition("/apps/")[0]


def test_a_store_is_worked_put_back_and_its_lease_is_gone(free: FleetStore) -> None:
    work(free, "Ben likes boats")
    assert facts_in(free) == {"Ann likes harbor", "Ben likes boats"}
    assert not [name for name in buckets.names(prefix_of(free)) if name.startswith("leases")]
    assert memctl.fleet.run("dream", prefix_of(free)).counts == {"done": 1}
    assert memctl.fleet.run("backup", prefix_of(free)).counts == {"failed": 1}


def test_what_changes_nothing_is_not_written_again(free: FleetStore) -> None:
    before = buckets.fetch(free.where)
    with borrowed(free):
        pass
    after = buckets.fetch(free.where)
    assert before is not None
    assert after is not None
    assert before.e_tag == after.e_tag


def test_a_failure_puts_nothing_back(free: FleetStore) -> None:
    def fail() -> None:
        with borrowed(free) as path, memctl.open(path) as memory:
            memory.facts.store("Ben likes boats")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert facts_in(free) == {"Ann likes harbor"}
    work(free, "the lease is free again")


def test_of_two_writers_one_waits_and_both_rows_are_kept(free: FleetStore) -> None:
    with borrowed(free) as path, memctl.open(path) as memory:
        memory.facts.store("Ben likes boats")
        with pytest.raises(BusyError, match='"harbor" is leased by'):
            work(free, "Cid likes canoes")
    work(free, "Cid likes canoes")
    assert facts_in(free) == {"Ann likes harbor", "Ben likes boats", "Cid likes canoes"}


def test_many_writers_at_once_lose_nothing(free: FleetStore) -> None:
    def write(number: int) -> None:
        while True:
            try:
                work(free, f"writer {number} was here")
            except BusyError:
                continue
            return

    threads = [threading.Thread(target=write, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(facts_in(free)) == 5


def test_a_stale_copy_is_refused_thrown_away_and_fetched_again(free: FleetStore) -> None:
    lease = f"{prefix_of(free)}/leases/harbor"

    def rival() -> None:
        """Work as one for whom the lease was over, and whose own is over in turn."""
        kept = buckets.fetch(lease)
        assert kept is not None
        buckets.remove(lease)
        work(free, "Cid likes canoes")
        buckets.put(lease, kept.data, kept.metadata, None)

    with pytest.raises(LeaseLostError, match="thrown away"):
        work(free, "Ben likes boats", meanwhile=rival)
    assert facts_in(free) == {"Ann likes harbor", "Cid likes canoes"}
    work(free, "Ben likes boats")
    assert facts_in(free) == {"Ann likes harbor", "Cid likes canoes", "Ben likes boats"}


def test_work_without_its_lease_is_lost_and_said_by_name(free: FleetStore) -> None:
    lease = f"{prefix_of(free)}/leases/harbor"
    with pytest.raises(LeaseLostError, match="taken by another worker"):
        work(free, "Ben likes boats", meanwhile=lambda: buckets.write(lease, b"a rival's"))
    assert facts_in(free) == {"Ann likes harbor"}
    assert buckets.read(lease) == b"a rival's"


def test_a_run_says_what_was_lost_and_fails(
    free: FleetStore, s3_server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def way(method: str, path: str, _headers: object) -> int | None:
        return 412 if method == "PUT" and path.endswith("harbor.db.zst") else None

    with way_to(s3_server, way) as address:
        monkeypatch.setenv("AWS_ENDPOINT_URL", address)
        done = memctl.fleet.run("vacuum", prefix_of(free), patience=0)
    assert done.counts == {"lost": 1}
    assert [outcome.name for outcome in done.failed] == ["harbor"]
    assert "thrown away" in done.failed[0].text


@pytest.mark.parametrize("answer", ["refused", "lost"])
def test_a_bucket_that_goes_away_before_or_after_the_put_loses_nothing(
    free: FleetStore, s3_server: str, monkeypatch: pytest.MonkeyPatch, answer: str
) -> None:
    """An answer that alone was lost is recognised; a put that did not arrive is said."""
    seen: list[str] = []

    def way(method: str, path: str, _headers: object) -> str | None:
        if method == "PUT" and path.endswith("harbor.db.zst"):
            seen.append(path)
            return answer
        return None

    with way_to(s3_server, way) as address:
        monkeypatch.setenv("AWS_ENDPOINT_URL", address)
        done = memctl.fleet.run("vacuum", prefix_of(free))
    assert seen
    assert done.counts == ({"done": 1} if answer == "lost" else {"failed": 1})
    monkeypatch.setenv("AWS_ENDPOINT_URL", s3_server)
    assert facts_in(free) == {"Ann likes harbor"}
    assert memctl.fleet.run("vacuum", prefix_of(free)).counts == {"done": 1}


_KILLED = """
import os, signal, sys
import memctl
from memctl.fleet.in_bucket import leases
from memctl.fleet.in_bucket.leases import borrowed
with borrowed(memctl.fleet.stores(sys.argv[1])[0]) as path:
    with memctl.open(path) as memory:
        memory.facts.store("Ben likes boats")
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_worker_killed_before_the_put_is_followed_when_its_lease_is_over(
    free: FleetStore,
) -> None:
    killed = subprocess.run(
        [sys.executable, "-c", _KILLED, prefix_of(free)],
        env=os.environ | {"MEMCTL_LEASE_SECONDS": "2"},
        check=False,
    )
    assert killed.returncode == -signal.SIGKILL
    with pytest.raises(BusyError) as busy:
        work(free, "too early")
    assert "is over in" in busy.value.hint
    done = memctl.fleet.run("vacuum", prefix_of(free))  # it waits, as for any busy store
    assert done.counts == {"done": 1}
    assert facts_in(free) == {"Ann likes harbor"}


def test_a_lease_is_renewed_while_work_lasts(
    free: FleetStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMCTL_LEASE_SECONDS", "1")
    with borrowed(free) as path, memctl.open(path) as memory:
        memory.facts.store("Ben likes boats")
        lease = f"{prefix_of(free)}/leases/harbor"
        first = buckets.read(lease)
        for _ in range(100):
            if buckets.read(lease) != first:
                break
            threading.Event().wait(0.02)
        assert buckets.read(lease) != first
    assert "Ben likes boats" in facts_in(free)


@pytest.fixture(params=[-1, 1], ids=["behind", "before"])
def shifted(
    request: pytest.FixtureRequest, s3_server: str, monkeypatch: pytest.MonkeyPatch
) -> Iterator[timedelta]:
    """Let the bucket's clock be an hour off this machine's, in all that it answers."""
    hour = timedelta(hours=request.param)
    with way_to(s3_server, lambda *_: None, shift=hour) as address:
        monkeypatch.setenv("AWS_ENDPOINT_URL", address)
        yield hour


def test_a_machine_s_clock_that_is_an_hour_off_neither_breaks_a_lease_nor_prolongs_it(
    free: FleetStore, shifted: timedelta, monkeypatch: pytest.MonkeyPatch
) -> None:
    off = buckets.server_now(prefix_of(free)) - datetime.now(UTC) - shifted
    assert abs(off.total_seconds()) < 5
    monkeypatch.setenv("MEMCTL_LEASE_SECONDS", "600")
    with borrowed(free), pytest.raises(BusyError):
        work(free, "too early")
    of_one_killed = leases._promise(0)
    buckets.put(f"{prefix_of(free)}/leases/harbor", of_one_killed, {}, None)
    assert memctl.fleet.run("vacuum", prefix_of(free)).counts == {"done": 1}


def test_a_store_that_belongs_to_a_machine_is_worked_there(bucket: str, tmp_path: Path) -> None:
    with memctl.open("harbor", tmp_path / "home") as memory:
        memory.facts.store("Ann likes harbor")
    memctl.fleet.push(tmp_path / "home", bucket)
    owned = memctl.fleet.stores(bucket)[0]
    with pytest.raises(RefusedError, match="belongs to "), borrowed(owned):
        pass
    assert facts_in(owned) == {"Ann likes harbor"}
    assert memctl.fleet.run("doctor", bucket).counts == {"done": 1}


def test_a_lease_time_that_is_none_is_refused(
    free: FleetStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMCTL_LEASE_SECONDS", "soon")
    with pytest.raises(UsageError, match="MEMCTL_LEASE_SECONDS"):
        work(free, "never")


def test_what_only_reads_takes_no_lease(free: FleetStore, tmp_path: Path) -> None:
    index = str(tmp_path / "index")
    with borrowed(free):
        assert memctl.fleet.run("index", prefix_of(free), index=index).counts == {"done": 1}
        rows = memctl.fleet.recall("what does Ann like?", prefix_of(free), index=index).rows
    assert [(row.store, row.row.text) for row in rows] == [("harbor", "Ann likes harbor")]
    again = memctl.fleet.run("index", prefix_of(free), index=index)
    assert [outcome.text for outcome in again.outcomes] == ["nothing new"]
