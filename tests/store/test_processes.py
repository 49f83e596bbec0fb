"""Writers queue and are told when they wait too long; a kill undoes nothing acknowledged."""

from __future__ import annotations

import signal
import sqlite3
from typing import TYPE_CHECKING

import pytest

from memctl.base.errors import BusyError, MemctlError
from tests.each import each
from tests.processes import start_python
from tests.store.stored import COUNT, OPEN, again, put

if TYPE_CHECKING:
    from pathlib import Path

    from memctl.store.store import Store


def test_writers_of_several_processes_queue_and_none_is_lost(store: Store, home: Path) -> None:
    with store.transaction():
        pass
    script = f"""{OPEN}
    for _ in range(13):
        with store.transaction():
            count = store.value("select learn_count from store")
            store.execute("update store set learn_count = :new", {{"new": count + 1}})
    """
    processes = [start_python(script, home) for _ in range(8)]
    errors = [process.communicate(timeout=60)[1] for process in processes]
    assert errors == [""] * 8
    assert store.value("select learn_count from store") == 8 * 13


def test_a_writer_that_waits_too_long_is_told_who_is_busy(store: Store) -> None:
    with store.transaction():
        put(store, "a")
        other = again(store, wait_ms=30)
        with pytest.raises(BusyError, match="harbor") as raised, other.transaction():
            put(other, "b")
    assert raised.value.exit_code == 6
    assert store.value(COUNT) == 1


def test_the_time_out_comes_from_the_environment(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMCTL_BUSY_TIMEOUT_MS", "20")
    with store.transaction():
        put(store, "a")
        other = again(store)
        with pytest.raises(BusyError), other.transaction():
            put(other, "b")


@each("bad", ["soon", "-1", "1.5", "9" * 20, "\u0663"])
def test_a_bad_time_out_is_refused(bad: str, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMCTL_BUSY_TIMEOUT_MS", bad)
    with pytest.raises(MemctlError, match="MEMCTL_BUSY_TIMEOUT_MS") as raised:
        again(store)
    assert raised.value.exit_code == 2


def test_a_reader_never_waits_for_a_writer(store: Store) -> None:
    with store.transaction():
        put(store, "a")
        with store.snapshot():
            pass
    reader = again(store, readonly=True, wait_ms=0)
    with store.transaction():
        put(store, "b")
        assert reader.value(COUNT) == 1


def test_a_reader_of_a_store_that_another_keeps_to_itself_is_told_it_is_busy(store: Store) -> None:
    with store.transaction():
        put(store, "a")
    store.close()
    holder = sqlite3.connect(store.path, isolation_level=None)
    holder.execute("pragma locking_mode = exclusive")
    holder.execute("update setting set value = 'kept back'")
    try:
        with pytest.raises(BusyError):
            again(store, readonly=True, wait_ms=10).value(COUNT)
    finally:
        holder.close()


def test_a_killed_process_loses_nothing_acknowledged_and_leaves_nothing_half_done(
    store: Store, home: Path
) -> None:
    writer = start_python(
        f"""{OPEN}
    for n in range(100_000):
        with store.transaction():
            put(f"{{n}} first")
            put(f"{{n}} second")
        print(n, flush=True)
    """,
        home,
    )
    assert writer.stdout is not None
    acknowledged = -1
    while acknowledged < 30:
        acknowledged = int(writer.stdout.readline())
    writer.send_signal(signal.SIGKILL)
    for line in writer.communicate(timeout=60)[0].split():
        acknowledged = int(line)
    keys = {row["key"] for row in store.rows("select key from setting")}
    written = {int(key.split()[0]) for key in keys}
    assert written >= set(range(acknowledged + 1))
    assert keys == {f"{n} {half}" for n in written for half in ("first", "second")}
    assert store.value("pragma integrity_check") == "ok"


def test_a_process_killed_inside_a_transaction_leaves_nothing_of_it(
    store: Store, home: Path
) -> None:
    with store.transaction():
        put(store, "before")
    writer = start_python(
        f"""{OPEN}
    with store.transaction():
        for n in range(2_000):
            put(str(n))
        print("written", flush=True)
        sys.stdin.read()
    """,
        home,
    )
    assert writer.stdout is not None
    assert writer.stdout.readline() == "written\n"
    writer.send_signal(signal.SIGKILL)
    writer.communicate(timeout=60)
    assert store.value(COUNT) == 1
    with store.transaction():
        put(store, "after")
    assert store.value("pragma integrity_check") == "ok"
