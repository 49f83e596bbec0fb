"""The trials of trust find what breaks, and only that."""

from __future__ import annotations

import shutil
import subprocess
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from benchmarks.trust.__main__ import main
from benchmarks.trust.commands import missing
from benchmarks.trust.disk import Call, Disk
from tests.processes import python

if TYPE_CHECKING:
    from pathlib import Path


def after(calls: list[Call], folder: Path) -> list[dict[str, bytes]]:
    """Return the files of ten power cuts after some calls below ``/r``."""
    disk, found = Disk("/r"), []
    for call in calls:
        disk.take(call)
    for seed in range(10):
        disk.after(folder, Random(seed))  # noqa: S311
        files = (path for path in folder.rglob("*") if path.is_file())
        found.append({path.name: path.read_bytes() for path in files})
    return found


def calls(*given: tuple[Any, ...]) -> list[Call]:
    return [Call(name, tuple(rest), returned) for name, *rest, returned in given]


MADE = (
    ("openat", "AT_FDCWD", b"/r/a", "O_RDWR|O_CREAT", 3),
    ("write", "3", b"x" * 2000, "2000", 2000),
)
FOLDER = (("openat", "AT_FDCWD", b"/r", "O_RDONLY", 4), ("fsync", "4", 0))


def test_a_name_outlives_a_cut_once_its_folder_is_synced(tmp_path: Path) -> None:
    synced = calls(*MADE, ("fsync", "3", 0))
    assert any("a" not in files for files in after(synced, tmp_path / "out"))
    named = [*synced, *calls(*FOLDER)]
    assert all(files == {"a": b"x" * 2000} for files in after(named, tmp_path / "out"))


def test_a_write_is_kept_left_out_or_torn_until_it_is_synced(tmp_path: Path) -> None:
    found = {files["a"] for files in after(calls(*MADE, *FOLDER), tmp_path / "out")}
    assert {b"", b"x" * 2000} <= found


@pytest.mark.skipif(shutil.which("strace") is None, reason="strace is not installed")
def test_a_few_power_cuts_break_nothing(tmp_path: Path) -> None:
    assert main(["--out", str(tmp_path), "power", "--cuts", "6", "--jobs", "1"]) == 0


def test_every_command_is_known_to_write_or_not_to() -> None:
    assert not missing()


def test_a_few_kills_break_nothing(tmp_path: Path) -> None:
    words = ["--out", str(tmp_path), "kills", "--kills", "6", "--jobs", "1", "--command", "alias"]
    done = python(
        "import sys; from benchmarks.trust.__main__ import main; main(sys.argv[1:])", *words
    )
    assert "0 broken promises" in done


@pytest.mark.skipif(
    subprocess.run(("unshare", "--net", "true"), check=False, capture_output=True).returncode != 0,
    reason="no namespace without a network",
)
def test_a_test_that_reaches_out_breaks_the_promise(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "test_out.py"
    file.write_text(
        "import socket\ndef test_here():\n    socket.create_server(('127.0.0.1', 0)).close()\n"
        "def test_away():\n    socket.create_connection(('192.0.2.1', 9))\n"
    )
    words = ("--out", str(tmp_path), "offline", "--jobs", "0", "--tests", str(file))
    assert main(words) == 1
    told = capsys.readouterr().out
    assert "test_away" in told
    assert "1 broken promises" in told
