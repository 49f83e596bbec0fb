"""Run the suite, or some of its tests, where there is no network but loopback.

A test that reaches out fails there, by whatever library it goes. Linux only: as root, where a user may
have a network namespace of his own, or by sudo. A test that is skipped proves nothing, and is counted.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from benchmarks.running import ROOT
from benchmarks.trust.verdict import Verdict

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

_UNSHARE = ("unshare", "--net")
_WAYS = (_UNSHARE, (*_UNSHARE, "--map-root-user"), ("sudo", "-nE", *_UNSHARE))
# Loopback is down in a new namespace (0x8914 is SIOCSIFFLAGS, 0x41 up and running). Nothing else leads away.
_LOOPBACK_ALONE = """
import fcntl, os, socket, struct, sys
with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
    fcntl.ioctl(probe, 0x8914, struct.pack("16sH14x", b"lo", 0x41))
    assert probe.connect_ex(("192.0.2.1", 9)), "there is a way out"
os.execvp(sys.argv[1], sys.argv[1:])
"""


def options(parser: argparse.ArgumentParser) -> None:
    """Add the options of this trial."""
    parser.add_argument("--tests", nargs="+", default=["tests"], help="files or tests; else all")


def run(options: argparse.Namespace) -> Verdict:
    """Run tests without a network; one that fails is a broken promise."""
    way = _way()
    if way is None:
        return _verdict({}, ["nothing was tried: no namespace without a network can be made here"])
    ends: dict[str, list[str]] = {"passed": [], "skipped": [], "failed": []}
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder, "report.xml")
        pytest = [sys.executable, "-m", "pytest", "-q", f"-n{options.jobs}", f"--junitxml={report}"]
        code = _inside(way, [*pytest, *options.tests], options.seconds)
        # The report is that of our own run.
        cases = ET.parse(report).iter("testcase") if report.exists() else ()  # noqa: S314
        for case in cases:
            kinds = {part.tag for part in case}
            failed = kinds & {"failure", "error"}
            end = "failed" if failed else "skipped" if "skipped" in kinds else "passed"
            ends[end].append(f"{case.get('classname')}::{case.get('name')}")
    broken = [f"fails without a network: {name}" for name in ends["failed"]]
    return _verdict(ends, broken or ([f"pytest ended with {code}"] if code else []))


def _way() -> Sequence[str] | None:
    for way in _WAYS:
        try:
            if not _inside(way, ["true"]):
                return way
        except OSError:  # there is no such program
            continue
    return None


def _inside(way: Sequence[str], words: Sequence[str], seconds: float | None = None) -> int:
    command = [*way, sys.executable, "-c", _LOOPBACK_ALONE, *words]
    environment = {**os.environ, "HF_HUB_OFFLINE": "1"}
    # A fixed command, and tests that the caller names.
    done = subprocess.run(command, cwd=ROOT, env=environment, timeout=seconds, check=False)  # noqa: S603
    return done.returncode


def _room(name: str) -> str:
    return name.partition("::")[0].removeprefix("tests.").partition(".")[0]


def _verdict(ends: dict[str, list[str]], broken: list[str]) -> Verdict:
    rooms = {end: Counter(map(_room, names)) for end, names in ends.items()}
    all_rooms: set[str] = set().union(*rooms.values())
    rows = [(room, *(rooms[end][room] for end in ends)) for room in sorted(all_rooms)]
    rows.append(("all", *map(len, ends.values())))
    heads = ("room", *ends)
    return Verdict("tests without a network", heads, rows, [*enumerate(broken)])
