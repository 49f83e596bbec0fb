"""Writes queue, are whole or not at all, and outlive a kill; what is read stands still."""

from __future__ import annotations

import signal
import sqlite3
import threading
from pathlib import Path

import pytest

from memctl.errors import BusyError, MemctlError, ReadOnlyError
from memctl.home import parse_address
from memctl.store import Store
from tests.processes import python, start_python

PUT = "insert into setting (key, value, changed_at) values (:key, :value, '')"
COUNT = "select count(*) from setting"


def put(store: Store, key: str, value: str = "") -> None:
    store.execute(PUT, {"key": key, "value": value})


def again(store: Store, *, readonly: bool = False, wait_ms: int | None = None) -> Store:
    """Open the same file once more."""
    return Store(store.path, store.address, readonly=readonly, busy_timeout_ms=wait_ms)


OPEN = """
    import sys
    from pathlib import Path
    from memctl.home import parse_address
    from memctl.store import Store

    address = parse_address("harbor")
    store = Store(address.path(Path(sys.argv[1])), address)
    PUT = "insert into setting (key, value, changed_at) values (:key, '', '')"
"""


def test_a_transaction_is_kept_whole(store: Store) -> None:
    with store.transaction():
        put(store, "a")
        put(store, "b")
    assert again(store).value(COUNT) == 2


def interrupted(store: Store) -> None:
    with store.transaction():
        put(store, "b")
        raise KeyboardInterrupt


def test_a_transaction_that_fails_leaves_nothing(store: Store) -> None:
    with store.transaction():
        put(store, "a")
    with pytest.raises(KeyboardInterrupt):
        interrupted(store)
    assert store.value(COUNT) == 1


def test_a_nested_transaction_joins_the_outer(store: Store) -> None:
    def both() -> None:
        with store.transaction():
            with store.transaction():
                put(store, "a")
            assert again(store).value(COUNT) == 0
            raise RuntimeError

    with store.transaction():
        pass
    with pytest.raises(RuntimeError):
        both()
    assert store.value(COUNT) == 0


def test_the_store_can_be_written_after_a_failure(store: Store) -> None:
    with pytest.raises(sqlite3.IntegrityError), store.transaction():
        store.execute_many(PUT, [{"key": "a", "value": ""}] * 2)
    with store.transaction():
        put(store, "a")
    assert store.value(COUNT) == 1


def test_a_write_outside_of_a_transaction_is_a_programming_error(store: Store) -> None:
    with pytest.raises(RuntimeError, match="outside of Store"):
        put(store, "a")
    assert not store.path.exists()


def test_what_another_writes_is_seen_by_the_next_read(store: Store) -> None:
    with store.transaction():
        put(store, "a")
    reader = again(store, readonly=True)
    assert reader.value(COUNT) == 1
    with store.transaction():
        put(store, "b")
    assert reader.value(COUNT) == 2


def test_a_snapshot_does_not_see_what_others_commit_meanwhile(store: Store) -> None:
    with store.transaction():
        put(store, "a")
    reader = again(store, readonly=True)
    with reader.snapshot():
        assert reader.value(COUNT) == 1
        with store.transaction():
            put(store, "b")
        assert reader.value(COUNT) == 1
    assert reader.value(COUNT) == 2


def test_nobody_reads_what_is_not_committed(store: Store) -> None:
    with store.transaction():
        put(store, "a")
    with store.transaction():
        put(store, "b")
        assert again(store, readonly=True).value(COUNT) == 1


def test_writers_of_several_processes_queue_and_none_is_lost(store: Store, home: Path) -> None:
    with store.transaction():
        pass
    script = f"""{OPEN}
    for _ in range(25):
        with store.transaction():
            count = store.value("select learn_count from store")
            store.execute("update store set learn_count = :new", {{"new": count + 1}})
    """
    processes = [start_python(script, home) for _ in range(4)]
    errors = [process.communicate(timeout=60)[1] for process in processes]
    assert errors == [""] * 4
    assert store.value("select learn_count from store") == 100


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


@pytest.mark.parametrize("bad", ["soon", "-1", "1.5", "9" * 20, "\u0663"])
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
            store.execute(PUT, {{"key": f"{{n}} first"}})
            store.execute(PUT, {{"key": f"{{n}} second"}})
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
            store.execute(PUT, {{"key": str(n)}})
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


def test_each_thread_has_a_connection_of_its_own(store: Store) -> None:
    with store.transaction():
        pass
    seen: list[sqlite3.Connection] = []
    thread = threading.Thread(target=lambda: seen.append(store.connection()))
    thread.start()
    thread.join()
    assert seen[0] is not store.connection()
    assert store.connection() is store.connection()


def test_threads_write_at_once_and_all_is_kept(store: Store) -> None:
    def write(name: str) -> None:
        for n in range(10):
            with store.transaction():
                put(store, f"{name} {n}")

    threads = [threading.Thread(target=write, args=(name,)) for name in "abcd"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert store.value(COUNT) == 40


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="counts open files by /proc")
def test_threads_that_have_ended_keep_no_files_open(store: Store) -> None:
    with store.transaction():
        pass
    before = len(list(Path("/proc/self/fd").iterdir()))
    for _ in range(20):
        thread = threading.Thread(target=lambda: store.value(COUNT))
        thread.start()
        thread.join()
    assert len(list(Path("/proc/self/fd").iterdir())) <= before + 6


def test_close_closes_the_connections_of_every_thread(store: Store) -> None:
    with store.transaction():
        pass
    opened: list[sqlite3.Connection] = []
    release = threading.Event()

    def hold() -> None:
        opened.append(store.connection())
        release.wait(10)

    thread = threading.Thread(target=hold)
    thread.start()
    while not opened:
        pass
    store.close()
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        opened[0].execute("select 1")
    release.set()
    thread.join()


def test_a_closed_store_opens_again_when_it_is_used(store: Store) -> None:
    with store.transaction():
        put(store, "a")
    store.close()
    assert store.value(COUNT) == 1


FORK = f"""{OPEN}
    import os

    with store.transaction():
        store.execute(PUT, {{"key": "parent"}})
"""


def test_a_fork_gets_a_connection_of_its_own(home: Path) -> None:
    assert (
        python(
            f"""{FORK}
    before = id(store.connection())
    if (child := os.fork()) == 0:
        own = id(store.connection()) != before
        with store.transaction():
            store.execute(PUT, {{"key": "child"}})
        store.close()
        os._exit(0 if own else 1)
    assert os.waitpid(child, 0)[1] == 0
    with store.transaction():
        store.execute(PUT, {{"key": "parent again"}})
    print(store.value("select count(*) from setting"), store.value("pragma integrity_check"))
    """,
            home,
        )
        == "3 ok"
    )


def test_a_fork_inside_a_transaction_is_outside_of_it(home: Path) -> None:
    assert (
        python(
            f"""{FORK}
    with store.transaction():
        if (child := os.fork()) == 0:
            try:
                store.execute(PUT, {{"key": "child"}})
            except RuntimeError:
                os._exit(0)
            os._exit(1)
        refused = os.waitpid(child, 0)[1] == 0
    print(refused, store.value("select count(*) from setting"))
    """,
            home,
        )
        == "True 1"
    )


def test_a_full_disk_loses_only_the_call_that_met_it(store: Store) -> None:
    with store.transaction():
        put(store, "before")
    pages = store.value("pragma page_count")
    store.connection().execute(f"pragma max_page_count = {pages + 4}")
    with pytest.raises(MemctlError, match="the disk is full") as raised, store.transaction():
        store.execute_many(PUT, [{"key": str(n), "value": "x" * 4000} for n in range(100)])
    assert raised.value.exit_code == 1
    assert store.value(COUNT) == 1
    with store.transaction():
        put(store, "after")
    assert store.value("pragma integrity_check") == "ok"


def test_a_file_that_may_not_grow_loses_only_the_call_that_met_it(home: Path) -> None:
    assert python(
        f"""{FORK}
    import resource
    import memctl

    size = store.path.stat().st_size
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
    try:
        with store.transaction():
            for n in range(3_000):
                store.execute(PUT, {{"key": f"{{n}} " + 400 * "x"}})
        print("written")
    except memctl.MemctlError as error:
        print(error.exit_code, "harbor.db" in error.message, bool(error.hint))
    print(store.value("select count(*) from setting"), store.value("pragma integrity_check"))
    """,
        home,
    ).splitlines() == ["1 True True", "1 ok"]


def test_a_store_that_has_no_room_to_be_made_is_one_clear_error(home: Path) -> None:
    printed = python(
        f"""{OPEN}
    import resource
    import memctl

    unlimited = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, unlimited[1]))
    try:
        with store.transaction():
            store.execute(PUT, {{"key": "a"}})
        print("written")
    except memctl.MemctlError as error:
        print(error.exit_code, "harbor.db" in error.message)
    store.close()
    resource.setrlimit(resource.RLIMIT_FSIZE, unlimited)
    with store.transaction():
        store.execute(PUT, {{"key": "a"}})
    print(store.value("select address from store"))
    """,
        home,
    )
    assert printed.splitlines() == ["1 True", "harbor"]


def test_a_read_only_store_refuses_a_transaction_by_name(store: Store) -> None:
    with store.transaction():
        pass
    reader = again(store, readonly=True)
    with pytest.raises(ReadOnlyError, match='"harbor" is open read-only'), reader.transaction():
        pass


def test_sqlite_itself_refuses_the_write_of_a_read_only_store(store: Store) -> None:
    with store.transaction():
        put(store, "a")
    reader = again(store, readonly=True)
    reader.connection().execute("pragma query_only = off")
    with pytest.raises(ReadOnlyError) as raised:
        reader.rows("delete from setting")
    assert raised.value.exit_code == 3
    assert store.value(COUNT) == 1


def test_a_read_only_store_is_never_created(home: Path) -> None:
    address = parse_address("harbor")
    with Store(address.path(home), address, readonly=True) as reader:
        with pytest.raises(ReadOnlyError), reader.transaction():
            pass
        assert not home.exists()
