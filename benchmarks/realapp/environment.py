"""Installs one version of JupyterLab into a virtual environment of its own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

from platformdirs import user_cache_path

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["CACHE", "VERSIONS", "NotInstalledError", "interpreter"]

VERSIONS = {"4.1": "4.1.8", "4.6": "4.6.6"}
CACHE = user_cache_path("memctl-realapp")
_MINUTES = 20  # for an installation over a slow network
_BESIDE = ("ipykernel",)


class NotInstalledError(Exception):
    """PyPI did not give the app: no network, or no such version."""


def interpreter(version: str, cache: Path = CACHE) -> Path:
    """Return the Python of a virtual environment that has the app; installed where it is missing.

    Parameters
    ----------
    version
        A key of `VERSIONS`.
    cache
        The folder of the environments; they are used again.

    Raises
    ------
    NotInstalledError
        The index could not be reached or does not have this version.
    """
    release = VERSIONS[version]
    folder = cache / f"jupyterlab-{release}"
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    complete = folder / "installed"
    if not complete.is_file():
        shutil.rmtree(folder, ignore_errors=True)  # what a broken installation left behind
        folder.parent.mkdir(parents=True, exist_ok=True)
        _run([sys.executable, "-m", "venv", "--without-pip", str(folder)])
        pip = (sys.executable, "-m", "pip", "--python", str(python))
        _run([*pip, "install", "-q", "--no-input", f"jupyterlab=={release}", *_BESIDE])
        complete.touch()
    return python


def _run(command: list[str]) -> None:
    """Run one step of an installation."""
    try:
        done = subprocess.run(  # noqa: S603  # fixed commands, no shell
            command, capture_output=True, text=True, check=False, timeout=60 * _MINUTES
        )
    except subprocess.TimeoutExpired as error:
        raise NotInstalledError(f"{command[-1]}: not done after {_MINUTES} minutes") from error
    if done.returncode:
        errors = [line for line in done.stderr.splitlines() if line.startswith("ERROR")]
        raise NotInstalledError((errors or done.stderr.splitlines() or ["unknown"])[-1])
