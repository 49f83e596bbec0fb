"""Installs apps from PyPI into environments of their own, once, and serves them on loopback."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.error import URLError
from urllib.request import Request, urlopen

from platformdirs import user_cache_path

from benchmarks.realapp.jupyterlab import write_settings, write_workspace

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence


# -- environment -------------------------------------------------

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


# -- serving -----------------------------------------------------

_SECONDS = 180  # until the server answers; the first start of an installation is slow
_OPTIONS = (
    "--no-browser",
    "--allow-root",
    "--ip=127.0.0.1",
    "--ServerApp.port_retries=0",
    "--ServerApp.disable_check_xsrf=True",
    "--ServerApp.terminals_enabled=False",
    "--IdentityProvider.token=",
    "--PasswordIdentityProvider.hashed_password=",
    "--LabApp.news_url=None",
    "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
)


@dataclass(frozen=True, slots=True)
class App:
    """A running JupyterLab.

    Parameters
    ----------
    root
        ``http://127.0.0.1:PORT``.
    workspace
        The folder whose files it shows.
    """

    root: str
    workspace: Path

    @property
    def url(self) -> str:
        """Address of the app with an empty layout."""
        return f"{self.root}/lab?reset"

    def reset(self) -> None:
        """End all kernels and write the files anew."""
        for session in json.loads(self._call("GET", "/api/sessions")):
            self._call("DELETE", f"/api/sessions/{session['id']}")
        write_workspace(self.workspace)

    def _call(self, method: str, path: str) -> bytes:
        request = Request(self.root + path, method=method)  # noqa: S310  # loopback
        with urlopen(request, timeout=10) as answer:  # noqa: S310  # the same
            data: bytes = answer.read()
            return data


@contextmanager
def served(
    version: str, *, theme: str = "light", cache: Path = CACHE, options: Sequence[str] = ()
) -> Iterator[App]:
    """Start a version of the app, wait until it answers, and end it.

    Parameters
    ----------
    version
        A key of `VERSIONS`; installed where it is missing.
    theme
        ``"light"`` or ``"dark"``.
    options
        More options of its command.

    Raises
    ------
    NotInstalledError
        The version cannot be installed.
    TimeoutError
        The server does not answer.
    """
    python = interpreter(version, cache)
    # Windows keeps the log open until the last kernel has ended.
    with tempfile.TemporaryDirectory(prefix="memctl-lab-", ignore_cleanup_errors=True) as scratch:
        folder = Path(scratch)
        app = App(f"http://127.0.0.1:{free_port()}", folder / "workspace")
        write_workspace(app.workspace)
        write_settings(folder / "settings", theme)
        command = [str(python), "-m", "jupyterlab", *_OPTIONS, *_places(app), *options]
        with running(
            command, f"{app.root}/api/status", folder, cwd=app.workspace, env=_environment(folder)
        ):
            yield app


@contextmanager
def running(
    command: Sequence[str], url: str, folder: Path, *, cwd: Path, env: Mapping[str, str]
) -> Iterator[None]:
    """Start a server, wait until it answers, and end it.

    Parameters
    ----------
    command
        The server's command; no shell reads it.
    url
        An address that answers once the server is up.
    folder
        The folder of its log, ``server.log``.

    Raises
    ------
    TimeoutError
        The server does not answer.
    """
    log = folder / "server.log"
    with log.open("wb") as written:
        server = subprocess.Popen(  # noqa: S603  # our own installation, no shell
            command,
            cwd=cwd,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=written,
            stderr=subprocess.STDOUT,
        )
    try:
        _wait(server, url, log)
        yield
    finally:
        _end(server)


def free_port() -> int:
    """Return a port of loopback that nothing listens on."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
        return port


def _places(app: App) -> tuple[str, ...]:
    port = app.root.rpartition(":")[2]
    return f"--ServerApp.port={port}", f"--ServerApp.root_dir={app.workspace}"


def _environment(folder: Path) -> dict[str, str]:
    """Return an environment in which nothing of the user's own Jupyter is read or written."""
    kept = {
        key: value
        for key, value in os.environ.items()
        if not key.startswith(("JUPYTER", "IPYTHON", "PYTHON"))
    }
    own: dict[str, Any] = {
        "JUPYTER_CONFIG_DIR": folder / "config",
        "JUPYTER_DATA_DIR": folder / "data",
        "JUPYTER_RUNTIME_DIR": folder / "runtime",
        "JUPYTERLAB_SETTINGS_DIR": folder / "settings",
        "JUPYTERLAB_WORKSPACES_DIR": folder / "workspaces",
        "IPYTHONDIR": folder / "ipython",
    }
    return kept | {key: str(value) for key, value in own.items()}


def _wait(server: subprocess.Popen[bytes], url: str, log: Path) -> None:
    """Wait until the server answers."""
    last = time.monotonic() + _SECONDS
    while time.monotonic() < last and server.poll() is None:
        try:
            with urlopen(url, timeout=5):  # noqa: S310  # loopback
                return
        except (URLError, OSError):
            time.sleep(0.2)
    lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
    raise TimeoutError(
        "\n".join([f"nothing answers at {url}; the server's last words:", *lines[-8:]])
    )


def _end(server: subprocess.Popen[bytes]) -> None:
    server.terminate()
    try:
        server.wait(timeout=15)
    except subprocess.TimeoutExpired:
        server.kill()
        server.wait()
