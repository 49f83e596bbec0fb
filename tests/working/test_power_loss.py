"""A loss of power takes no entry of the journal that a call has returned.

Memctl writes to a disk that is recorded (`tests.working.recorded_disk`); the files are made anew
as they would be had the power gone at some moment, and opened by memctl. Proven is what memctl
asks of the disk: that whatever an entry needs is synced before the call returns. Not proven: that
a disk which says it has synced has done so, and that the name of a new file is in its folder.
"""

from __future__ import annotations

import _sqlite3
import random
from contextlib import nullcontext
from typing import TYPE_CHECKING

import pytest

import memctl
from benchmarks.writes import killed
from tests.working.recorded_disk import Change, RecordedDisk, recorded_disk

if TYPE_CHECKING:
    from pathlib import Path


pytestmark = pytest.mark.skipif(
    not hasattr(_sqlite3, "__file__"), reason="SQLite is built into this Python, out of reach"
)


_ENTRIES = 40


# Some pages an entry, so that the log is moved into the file on the way, and begun anew.
_TEXT = "The ferry leaves at nine. " * 350


_MOVED_AFTER = 60  # pages


def write(folder: Path, *, durable: bool = True) -> tuple[RecordedDisk, list[int]]:
    """Write entries; return the disk, and its number of changes when each call returned."""
    told = []
    with memctl.open("agent", folder) as memory, memory.store.transaction():
        pass
    # Python writes a new store, and syncs it before it has its name (`base.whole_file`).
    made = (folder / "apps" / "agent.db").read_bytes()
    begun = [Change("write", "agent.db", 0, made), Change("sync", "agent.db")]
    with recorded_disk() as disk, memctl.open("agent", folder, session="s1") as memory:
        disk.changes += begun
        for number in range(_ENTRIES):
            # An entry in a transaction of the caller's is as durable as that.
            with nullcontext() if durable else memory.store.transaction():
                memory.journal.observe(f"{number} {_TEXT}")
            told.append(len(disk.changes))
            memory.store.connection().execute(f"pragma wal_autocheckpoint = {_MOVED_AFTER}")
    return disk, told


def kept(disk: RecordedDisk, moment: int, folder: Path, lucky: random.Random | None) -> list[str]:
    """Return the entries that are found after a power loss, by their first word."""
    disk.after_power_loss(moment, folder / "apps", lucky)
    with memctl.open("agent", folder, session="s1") as memory:
        assert memory.store.value("pragma quick_check") == "ok"
        return [entry.text.split()[0] for entry in memory.journal.get().observations]


@pytest.mark.parametrize("seed", [None, 1], ids=["nothing unsynced", "some"])
def test_every_acknowledged_entry_outlives_a_power_loss(tmp_path: Path, seed: int | None) -> None:
    disk, told = write(tmp_path)
    written = [one for one in disk.changes[told[0] : told[-1]] if one.kind == "write"]
    assert any(one.file == "agent.db" for one in written)  # the log is moved into it on the way
    assert sum(one.file == "agent.db-wal" and one.at == 0 for one in written) > 1
    lucky = None if seed is None else random.Random(seed)  # noqa: S311
    # Right when a call returns, and at moments in the middle of the next.
    between = random.Random(0).sample(range(told[0], told[-1]), k=10)  # noqa: S311
    for moment in sorted({*told, *between}):
        acknowledged = sum(when <= moment for when in told)
        found = kept(disk, moment, tmp_path / "after", lucky)
        assert found[:acknowledged] == [str(number) for number in range(acknowledged)]
        assert len(found) <= acknowledged + 1


def test_without_a_sync_at_each_commit_the_same_record_loses_entries(tmp_path: Path) -> None:
    disk, told = write(tmp_path, durable=False)
    found = [kept(disk, moment, tmp_path / "after", None) for moment in told[-8:]]
    assert any(len(one) < _ENTRIES - 8 + n for n, one in enumerate(found, start=1))


def test_every_acknowledged_entry_outlives_a_kill(tmp_path: Path) -> None:
    for seed in range(2):
        found = killed(tmp_path / str(seed), seed)
        assert found.told > 0
        assert found.lost == 0
