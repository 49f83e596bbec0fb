"""A file is written whole or not at all."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

from memctl.base.whole_file import leftovers, part_folder, sweep, whole_file
from tests.processes import start_python

if TYPE_CHECKING:
    from pathlib import Path


def test_it_has_its_name_once_it_is_complete_and_is_its_owners_alone(tmp_path: Path) -> None:
    path = tmp_path / "notes"
    with whole_file(path) as file:
        file.write(b"half")
        assert not path.exists()
    assert path.read_bytes() == b"half"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert list(tmp_path.iterdir()) == [path]


def test_what_was_there_stays_where_the_writing_ends_badly(tmp_path: Path) -> None:
    path = tmp_path / "notes"
    path.write_bytes(b"before")

    def write_half() -> None:
        with whole_file(path) as file:
            file.write(b"half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_half()
    assert path.read_bytes() == b"before"
    assert list(tmp_path.iterdir()) == [path]


def test_text_is_utf_8_with_plain_line_ends(tmp_path: Path) -> None:
    with whole_file(tmp_path / "notes", text=True) as file:
        file.write("港口\n")
    assert (tmp_path / "notes").read_bytes() == "港口\n".encode()


def test_a_new_file_does_not_take_the_place_of_another(tmp_path: Path) -> None:
    path = tmp_path / "notes"

    def write_second() -> None:
        with whole_file(path, new=True) as file:
            file.write(b"mine")
            path.write_bytes(b"theirs")

    with pytest.raises(FileExistsError):
        write_second()
    assert path.read_bytes() == b"theirs"
    assert list(tmp_path.iterdir()) == [path]


OWN_NUMBERS = ("unshare", "--map-root-user", "--pid", "--fork", "--mount-proc")
UNFINISHED = """
import sys, time
from pathlib import Path
from memctl.base.whole_file import part_folder, whole_file
place = Path(sys.argv[1])
with whole_file(place / "notes") as file, part_folder(place) as folder:
    (folder / "half").touch()
    print("ready", flush=True)
    time.sleep(60)
"""


def test_what_a_killed_process_left_goes_with_the_next_file_of_its_folder(tmp_path: Path) -> None:
    with start_python(UNFINISHED, tmp_path) as killed:
        assert killed.stdout is not None
        killed.stdout.readline()
        unfinished = list(tmp_path.iterdir())
        sweep(tmp_path)
        assert list(tmp_path.iterdir()) == unfinished  # it lives
        killed.send_signal(signal.SIGKILL)
    assert len(leftovers(tmp_path)) == 2
    with whole_file(tmp_path / "other"):
        pass
    assert list(tmp_path.iterdir()) == [tmp_path / "other"]


@pytest.mark.skipif(
    subprocess.run((*OWN_NUMBERS, "true"), check=False, capture_output=True).returncode != 0,
    reason="no process may be numbered anew here",
)
def test_what_a_process_writes_stays_beside_one_whose_sandbox_does_not_see_it(
    tmp_path: Path,
) -> None:
    with whole_file(tmp_path / "notes") as file:
        file.write(b"half")
        sweeping = "import sys, pathlib, memctl.base.whole_file as files; "
        sweeping += "files.sweep(pathlib.Path(sys.argv[1]))"
        subprocess.run((*OWN_NUMBERS, sys.executable, "-c", sweeping, str(tmp_path)), check=True)
    assert (tmp_path / "notes").read_bytes() == b"half"


def test_what_a_process_of_another_machine_writes_stays_for_a_day(tmp_path: Path) -> None:
    theirs = tmp_path / ".memctl-00000000-1-x.part"
    theirs.touch()
    assert not leftovers(tmp_path)
    yesterday = time.time() - 90_000
    os.utime(theirs, (yesterday, yesterday))
    assert leftovers(tmp_path) == [theirs]


def test_a_file_of_the_users_own_is_never_a_leftover(tmp_path: Path) -> None:
    for name in (".memctl-notes", ".film.999999.part", ".memctl-notes.part", "memctl-1.part"):
        (tmp_path / name).touch()
    assert not leftovers(tmp_path)


def test_a_folder_is_gone_after_its_use(tmp_path: Path) -> None:
    with part_folder(tmp_path) as folder:
        (folder / "file").touch()
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert not list(tmp_path.iterdir())
