"""What tests share: a home of their own, an open memory, the demo's screenshots, a stopped clock."""

from __future__ import annotations

import atexit
import os
import shutil
import signal
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

import memctl
from memctl.base.home import parse_address
from memctl.store.store import Store
from memctl_cli.demo import bundle

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memctl.memory import Memory

# Tests start hundreds of processes and rewrite their own assertions: all of it is compiled once,
# also where Python is told to keep nothing of it.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# Thousands of stores are made, and each waits for the disk several times: in memory, where there
# is room for them, nothing waits. A folder whose test has passed is removed (pyproject.toml).
MEMORY, ROOM = Path("/dev/shm"), 1 << 30  # noqa: S108  (pytest makes its own folder there)
if MEMORY.is_dir() and os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free > ROOM:
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))

# What a killed process leaves among the temporary files, the doctor tells: not of other tests.
TEMPORARY = tempfile.mkdtemp(prefix="memctl-tests-")
Path(TEMPORARY).chmod(0o1777)  # as the system's: a test is another user at times
os.environ["TMPDIR"] = tempfile.tempdir = TEMPORARY
atexit.register(shutil.rmtree, TEMPORARY, ignore_errors=True)

# A worker has a core for itself at best: threads of OpenCV would wait there for one another.
os.environ.setdefault("OPENCV_FOR_THREADS_NUM", "1")

# A few examples show that a rule holds at all; a mass of them is what `benchmarks/` are for.
# A busy machine is no failure: no timing is asserted.
settings.register_profile("memctl", max_examples=20, deadline=None, database=None)
settings.load_profile("memctl")

# A shell starts what goes on behind it with Ctrl-C ignored, and every process of ours inherits that:
# one that a test interrupts would go on for ever.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

STOPPED = "2026-11-20T16:33:04Z"


@pytest.fixture(autouse=True)
def _no_settings_of_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        # A width is a person's wish for a table: xdist says one to its workers.
        if name.startswith("MEMCTL_") or name == "COLUMNS":
            monkeypatch.delenv(name)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home that nobody has written to yet."""
    return tmp_path / "home"


@pytest.fixture
def memory(home: Path) -> Iterator[Memory]:
    """The memory of the app "harbor", open for writing; its file does not exist yet."""
    with memctl.open("harbor", home) as opened:
        yield opened


@pytest.fixture
def store(home: Path) -> Iterator[Store]:
    """The store of the app "harbor", open for writing; its file does not exist yet."""
    address = parse_address("harbor")
    with Store(address.path(home), address) as opened:
        yield opened


@pytest.fixture
def shared() -> Iterator[Path]:
    """A home that every user may read and only its owner may write."""
    # Not tmp_path: no other user may enter that.
    folder = Path(tempfile.mkdtemp(prefix="memctl-test-"))
    folder.chmod(0o755)
    yield folder
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o700)
    shutil.rmtree(folder)


@pytest.fixture
def harbor() -> dict[str, bundle.Shot]:
    """The demo's screenshots by name."""
    return {shot.name: shot for shot in bundle.shots()}


@pytest.fixture
def fixed_clock(monkeypatch: pytest.MonkeyPatch) -> str:
    """Stop the clock; the time it shows."""
    monkeypatch.setenv("MEMCTL_NOW", STOPPED)
    return STOPPED
