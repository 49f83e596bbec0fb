"""Installs packages from PyPI into virtual environments of their own: a version of JupyterLab, a rival."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

from platformdirs import user_cache_path

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["CACHE", "VERSIONS", "NotInstalledError", "installed", "interpreter"]

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
    return installed(f"jupyterlab=={VERSIONS[version]}", *_BESIDE, cache=cache)


def installed(requirement: str, *beside: str, cache: Path = CACHE) -> Path:
    """Return the Python of a virtual environment that has a package in one version.

    Parameters
    ----------
    requirement
        As pip has it: ``name==version``; the environment is called after it.
    beside
        What else is installed there.

    Raises
    ------
    NotInstalledError
        The index could not be reached or does not have this version.
    """
    folder = cache / requirement.replace("==", "-")
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    complete = folder / "installed"
    if not complete.is_file():
        shutil.rmtree(folder, ignore_errors=True)  # what a broken installation left behind
        folder.parent.mkdir(parents=True, exist_ok=True)
        _run([sys.executable, "-m", "venv", "--without-pip", str(folder)])
        pip = (sys.executable, "-m", "pip", "--python", str(python))
        _run([*pip, "install", "-q", "--no-input", requirement, *beside])
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
