"""Makes an environment for a checkout, and plays groups of calls in it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import venv
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import memctl

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

HERE = Path(__file__).parents[2]
_INSIDE = Path(__file__).with_name("inside.py")
_SECONDS = 900
_FIXED = {
    "MEMCTL_NOW": "2026-11-20T16:33:04Z",
    "LANG": "C.UTF-8",
    "TZ": "UTC",
    "OPENCV_FOR_THREADS_NUM": "1",
}


class Side:
    """A checkout that is installed, editable, in an environment of its own.

    What the running Python has installed from there already serves as it is.

    Parameters
    ----------
    checkout
        The folder.
    folder
        A new folder for the environment. Dependencies are those of the running Python.
    """

    def __init__(self, checkout: Path, folder: Path) -> None:
        self._bin = Path(sys.executable).parent
        if checkout.resolve() in Path(memctl.__file__).resolve().parents:
            return
        self._bin = folder / "bin"
        venv.create(folder, symlinks=True)
        (own,) = (folder / "lib").glob("python*/site-packages")
        shared = [path for path in sys.path if path.endswith("site-packages")]
        (own / "shared.pth").write_text("\n".join(shared), encoding="utf-8")
        words = "-m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation"
        command = [str(self._bin / "python"), *words.split(), "--editable", str(checkout)]
        # This project's own installation, in a folder made for it.
        done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
        if done.returncode:
            raise RuntimeError(f"{checkout} cannot be installed: {done.stderr[-2000:]}")

    @property
    def python(self) -> Path:
        """The interpreter of its environment."""
        return self._bin / "python"

    def answers(self, calls: Sequence[tuple[str, str]], folder: Path) -> list[tuple[str, str, int]]:
        """Return standard output, standard error and exit code of calls in an empty home.

        The folder is made and removed: both sides get the same one, so that paths are equal.
        """
        work, home = folder / "work", folder / "home"
        for path in (work, home, folder / "tmp"):
            path.mkdir(parents=True)
        _put_screens(work)
        asked, told = folder / "calls.json", folder / "answers.jsonl"
        asked.write_text(json.dumps(calls), encoding="utf-8")
        done = subprocess.run(  # noqa: S603  (the player of this benchmark)
            [str(self._bin / "python"), str(_INSIDE), str(asked), str(told)],
            cwd=work,
            env={
                "PATH": f"{self._bin}{os.pathsep}{os.environ.get('PATH', os.defpath)}",
                "HOME": str(home),
                "MEMCTL_HOME": str(home / "memctl"),
                "TMPDIR": str(folder / "tmp"),
                **_FIXED,
            },
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=_SECONDS,
        )
        lines = told.read_text("utf-8").splitlines() if told.exists() else []
        shutil.rmtree(folder)
        if len(lines) < len(calls):
            raise RuntimeError(f"not played: {calls[len(lines)][1]}: {done.stderr[-4000:]}")
        return [*map(json.loads, lines)]


@contextmanager
def checked_out(name: str, folder: Path) -> Iterator[Path]:
    """Yield a folder as it is, or a commit in a worktree that is removed afterwards."""
    if Path(name).is_dir():
        yield Path(name).resolve()
        return
    _git("worktree", "add", "--quiet", "--detach", str(folder), name)
    try:
        yield folder
    finally:
        _git("worktree", "remove", "--force", str(folder))


def _put_screens(work: Path) -> None:
    """Write each bundled screenshot as ``NAME.png``, and its boxes as ``NAME.json``."""
    manifest = next((HERE / "cli").rglob("screens.json"))
    for shot in json.loads(manifest.read_text("utf-8"))["shots"]:
        shutil.copy(manifest.parent / shot["file"], work / f"{shot['name']}.png")
        (work / f"{shot['name']}.json").write_text(json.dumps(shot["boxes"]), encoding="utf-8")


def _git(*words: str) -> None:
    subprocess.run(["git", *words], cwd=HERE, check=True)  # noqa: S603, S607  (no shell)
