"""Run README's first line where nothing is installed; print what that takes, and what it leaves.

    python -m benchmarks.install

The home and every cache are empty; Python and uv are those of this environment. A wheel that is
built here stands for the package's name. The first run downloads, the second does not.
"""

from __future__ import annotations

import os
import re
import resource
import shlex
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.running import ROOT, arguments, keep

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

# How this machine reaches an index.
_NETWORK = re.compile(r"(UV_(?!CACHE)|PIP_(?!CACHE)|SSL_|.*_PROXY$)", re.IGNORECASE)


def first_line() -> str:
    """Return the line by which README begins."""
    lines = ROOT.joinpath("README.md").read_text("utf-8").splitlines()
    return next(line.split("  #")[0].rstrip() for line in lines if line.startswith("uvx "))


def _built(folder: Path) -> Path:
    words = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder)]
    subprocess.run([*words, str(ROOT)], check=True, capture_output=True)  # noqa: S603  (the project)
    (wheel,) = folder.glob("*.whl")
    return wheel


def _run(line: str, home: Path) -> dict[str, Any]:
    """Run a line with an environment that holds nothing; return its seconds, and what is there then."""
    reached = {name: value for name, value in os.environ.items() if _NETWORK.match(name)}
    path = f"{Path(sys.executable).parent}:/usr/bin:/bin"
    environment = {"HOME": str(home), "PATH": path, "UV_PYTHON": sys.executable, **reached}
    began, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(  # noqa: S603  (README's own line)
        shlex.split(line), env=environment, check=True, capture_output=True
    )
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return {
        "seconds": time.perf_counter() - began,
        "cpu": used.ru_utime + used.ru_stime - before.ru_utime - before.ru_stime,
        "megabytes": sum(_sizes(home)) / 1e6,
    }


def _sizes(folder: Path) -> Iterator[int]:
    """Yield what each file takes on the disk; one of several names once."""
    found = [path.lstat() for path in folder.rglob("*")]
    yield from {(one.st_dev, one.st_ino): one.st_blocks * 512 for one in found}.values()


def main(words: Sequence[str] | None = None) -> None:
    """Run the line twice, print seconds and megabytes, and keep them."""
    options = arguments(__doc__, "install").parse_args(words)
    with tempfile.TemporaryDirectory(prefix="memctl-install-") as name:
        folder = Path(name)
        wheel = _built(folder / "dist")
        line = first_line().replace("memctl-engine", str(wheel), 1)
        runs = {run: _run(line, folder / "home") for run in ("first", "again")}
        megabytes = wheel.stat().st_size / 1e6
    for run, took in runs.items():
        print(
            f"{run}: {took['seconds']:.1f} s ({took['cpu']:.1f} s of the processor), "
            f"{took['megabytes']:.0f} MB on the disk"
        )
    print(f"the wheel itself: {megabytes:.1f} MB")
    keep("install", {"line": first_line(), "wheel": megabytes, **runs}, options.out)


if __name__ == "__main__":
    main()
