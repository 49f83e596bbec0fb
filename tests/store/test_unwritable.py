"""What can be read is read where nothing can be written, and a write there is one clear error."""

from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

import memctl
from memctl.base.errors import ReadOnlyError
from tests.processes import as_another_user, python

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

IN_MEMORY = 2  # https://www.sqlite.org/pragma.html#pragma_temp_store
# A disk on which no file of this process may grow by a byte.
FULL = """
    import json, resource, signal, sys
    import memctl

    def fill(most=0):
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, resource.RLIM_INFINITY))

    def free():
        resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY,) * 2)

    home = sys.argv[1]
"""


def remembered(home: Path) -> None:
    with memctl.open("harbor", home) as memory:
        memory.log("The heron flew over the lake", session="s1")
        memory.facts.store("Falcon's deadline is 1 December")
        memory.recall("heron")
        memory.log("The osprey fled", session="s1")


def on_a_full_disk(home: Path, script: str) -> Any:
    return json.loads(python(FULL + script, home))


def closed_to_all(home: Path) -> None:
    for each in (home, *home.rglob("*")):
        each.chmod(0o555 if each.is_dir() else 0o444)


def reads(home: Path) -> list[Any]:
    with memctl.open("harbor", home) as memory:
        found = memory.recall("the heron and the osprey")
        return [
            len(found),
            found.id,
            found.unrecorded,
            len(memory.facts.search("falcon")),
            len(memory.facts.list()),
            len(memory.turns.list()),
        ]


def test_a_store_can_be_read_where_there_is_no_room_for_a_byte(home: Path) -> None:
    remembered(home)
    found = on_a_full_disk(
        home,
        """
    fill()
    with memctl.open("harbor", home) as memory:
        rows = memory.recall("the heron and the osprey")
        print(json.dumps([
            len(rows), rows.id, "the disk is full" in rows.unrecorded,
            len(memory.facts.search("falcon")), len(memory.facts.list()),
            memory.recall("heron", record=False).unrecorded,
        ]))
    """,
    )
    assert found == [2, None, True, 1, 1, ""]


def test_a_write_where_there_is_no_room_is_one_error_and_works_once_there_is(home: Path) -> None:
    remembered(home)
    assert on_a_full_disk(
        home,
        """
    fill()
    told = []
    with memctl.open("harbor", home) as memory:
        for write in (
            lambda: memory.log("The tern left"),
            lambda: memory.facts.store("User likes tea"),
            lambda: memory.facts.store("The wifi password is sunflower42"),
            lambda: memory.feedback(1, outcome="ok"),
            lambda: memory.settings.set("forgetting", "everywhere"),
        ):
            try:
                write()
            except memctl.MemctlError as error:
                told.append([error.code, error.exit_code, bool(error.hint)])
        free()
        memory.log("The tern left")
        told.append(len(memory.recall("tern")))
    print(json.dumps(told))
    """,
    ) == [
        ["disk_full", 1, True],
        ["disk_full", 1, True],
        ["secret_refused", 3, True],
        ["disk_full", 1, True],
        ["disk_full", 1, True],
        1,
    ]


def test_a_disk_that_fills_while_the_store_is_open_costs_the_recording_alone(home: Path) -> None:
    remembered(home)
    assert on_a_full_disk(
        home,
        """
    with memctl.open("harbor", home) as memory:
        memory.log("The tern left")
        memory.recall("tern")
        fill()
        found = memory.recall("tern")
        print(json.dumps([len(found), found.id, "no more bytes" in found.unrecorded]))
    """,
    ) == [1, None, True]


def test_what_a_killed_process_left_is_read_on_a_full_disk(home: Path) -> None:
    remembered(home)
    python(
        """
        import os, sys, memctl

        memory = memctl.open("harbor", sys.argv[1])
        memory.facts.store("Osprey's owner is Ann")
        os._exit(0)
        """,
        home,
    )
    (wal,) = home.rglob("*-wal")
    assert wal.stat().st_size > 0
    (shm,) = home.rglob("*-shm")
    shm.unlink()
    assert on_a_full_disk(
        home,
        """
    from pathlib import Path

    (file,) = Path(home).rglob("*.db")
    fill(file.stat().st_size)
    with memctl.open("harbor", home, readonly=True) as memory:
        print(json.dumps(sorted(fact.text for fact in memory.facts.list())))
    """,
    ) == ["Falcon's deadline is 1 December", "Osprey's owner is Ann"]


def test_a_long_reading_of_a_full_disk_sees_what_others_write_later(home: Path) -> None:
    remembered(home)
    assert on_a_full_disk(
        home,
        """
    import subprocess

    fill()
    with memctl.open("harbor", home) as memory:
        counts = [len(memory.facts.list())]
        free()
        subprocess.run(
            [sys.executable, "-m", "memctl", "--home", home, "--app", "harbor"]
            + ["memory", "store", "User likes tea"],
            check=True, stdout=subprocess.DEVNULL,
        )
        counts.append(len(memory.facts.list()))
    print(json.dumps(counts))
    """,
    ) == [1, 2]


def test_a_store_in_a_read_only_folder_is_read_without_asking_for_it(shared: Path) -> None:
    remembered(shared)
    closed_to_all(shared)
    found = as_another_user(lambda: reads(shared))
    assert "may not be written" in found.pop(2)
    assert found == [2, None, 1, 1, 2]


WRITES: dict[str, Callable[[memctl.Memory], object]] = {
    "log": lambda memory: memory.log("The tern left"),
    "store": lambda memory: memory.facts.store("User likes tea"),
    "feedback": lambda memory: memory.feedback(1, outcome="ok"),
    "setting": lambda memory: memory.settings.set("forgetting", "everywhere"),
    "alias": lambda memory: memory.aliases.add("bird", "heron"),
}


def test_a_write_to_a_store_that_may_not_be_written_is_refused(shared: Path) -> None:
    remembered(shared)
    closed_to_all(shared)
    for write in WRITES.values():
        with (
            pytest.raises(ReadOnlyError, match="may not be written") as refused,
            memctl.open("harbor", shared) as memory,
        ):
            as_another_user(partial(write, memory))
        assert (refused.value.exit_code, refused.value.code) == (3, "read_only")
        assert refused.value.hint


def test_a_folder_that_may_not_be_written_is_enough_to_refuse(shared: Path) -> None:
    remembered(shared)
    closed_to_all(shared)
    (file,) = shared.rglob("*.db")
    file.chmod(0o666)
    assert as_another_user(lambda: reads(shared))[0] == 2
    with pytest.raises(ReadOnlyError), memctl.open("harbor", shared) as memory:
        as_another_user(lambda: memory.log("The tern left"))


def test_what_a_search_keeps_for_itself_is_in_memory(home: Path) -> None:
    with memctl.open("harbor", home) as memory:
        memory.log("The heron flew over the lake")
        assert memory.store.value("pragma temp_store") == IN_MEMORY
    with memctl.open("harbor", home, readonly=True) as memory:
        assert memory.store.value("pragma temp_store") == IN_MEMORY
