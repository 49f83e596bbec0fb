"""OpenAdapt Flow, in an environment of its own, and its demo app for both sides."""

from __future__ import annotations

import functools
import json
import subprocess
import threading
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.realapp.environment import NotInstalledError, installed
from memctl.drivers.browsers import find_browser

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Rival", "app_served", "interpreter_of_flow", "opened"]

_REQUIREMENT = "openadapt-flow[browser]==2.4.0"
# Those of memctl's own driver: both see the same pixels.
_FLAGS = ("--disable-lcd-text", "--force-color-profile=srgb", "--hide-scrollbars")
_INSIDE = Path(__file__).with_name("inside.py")
_ASK = """
import json, pathlib, importlib.metadata, openadapt_flow, playwright
static = pathlib.Path(openadapt_flow.__file__).parent / "mockmed" / "static"
print(json.dumps([importlib.metadata.version("openadapt-flow"), str(static), static.is_dir()]))
"""


def interpreter_of_flow(given: Path | None, cache: Path) -> tuple[Path, str, Path]:
    """Return a Python that has it, its version, and the folder of its demo app.

    Raises
    ------
    NotInstalledError
        PyPI did not give it, or the given one has none.
    """
    python = installed(_REQUIREMENT, cache=cache) if given is None else given
    # The interpreter is the caller's own choice or was just made, and the script is ours.
    done = subprocess.run(  # noqa: S603
        [python, "-c", _ASK], capture_output=True, text=True, check=False
    )
    version, static, there = json.loads(done.stdout) if done.stdout else ("", "", False)
    if not there:
        why = done.stderr.strip().splitlines()[-1:] or ["its demo app is not where it was"]
        raise NotInstalledError(f"{python} has no openadapt-flow[browser]: {why[0]}")
    return python, version, Path(static)


@contextmanager
def app_served(static: Path) -> Iterator[str]:
    """Serve the demo app on loopback; yield its address."""
    handler = functools.partial(_Quiet, directory=str(static))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


class _Quiet(SimpleHTTPRequestHandler):
    """Serves files and says nothing."""

    def log_message(self, *_: object) -> None:
        """Say nothing."""


class Rival:
    """A running interpreter of Flow that follows orders, as `inside` describes them."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def ask(self, **order: Any) -> dict[str, Any]:
        """Have an order followed; return what came of it.

        Raises
        ------
        RuntimeError
            When it broke off.
        """
        into, out = self._process.stdin, self._process.stdout
        assert into is not None  # noqa: S101  (piped below)
        assert out is not None  # noqa: S101  (the same)
        into.write(json.dumps(order) + "\n")
        into.flush()
        line = out.readline()
        if not line:
            raise RuntimeError(f"openadapt-flow broke off at {order}")
        told: dict[str, Any] = json.loads(line)
        return told


@contextmanager
def opened(python: Path, log: Path) -> Iterator[Rival]:
    """Start Flow with a browser; what it says goes to a file."""
    with (
        log.open("w", encoding="utf-8") as said,
        # The interpreter is the caller's own choice or was made for this, and the script is ours.
        subprocess.Popen(  # noqa: S603
            [str(python), str(_INSIDE), find_browser(), *_FLAGS],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=said,
            text=True,
        ) as process,
    ):
        yield Rival(process)
