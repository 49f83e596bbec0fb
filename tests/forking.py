"""A process that has loaded memctl and forks for every call of the command.

A call in an interpreter of its own imports thousands of lines before it does anything, and a
new store takes every step of the schema: half a second, as hundreds of calls before it. A fork
has its own memory, files, folder, environment and exit code just as well. What a start costs,
and what an interpreter is told by its environment, is tested in one of its own.
"""

from __future__ import annotations

import atexit
import contextlib
import gc
import json
import os
import pkgutil
import select
import signal
import socket
import subprocess
import sys
import tempfile
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

# Loaded by few calls, and slow to load.
_LATER = ("memctl_cli.mcp.", "memctl_cli.demo.", "memctl.__main__")
# Loaded by many calls when they need them; a call that need not is tested in an interpreter.
_LIBRARIES = ("cv2", "duckdb", "jinja2", "skimage.metrics")
_LONGEST = 1 << 20
# A command of a shell that hands its files, folder and environment to the process that forks.
_COMMAND = """#!{python} -IS
import json, os, socket, sys
caller = socket.socket(socket.AF_UNIX)
caller.connect({server!r})
call = json.dumps({{"words": sys.argv[1:], "environment": dict(os.environ)}}).encode()
files = [0, 1, 2, os.open(".", os.O_RDONLY)]
socket.send_fds(caller, [len(call).to_bytes(4, "big") + call], files)
code = int(caller.recv(64) or b"1")
sys.exit(code if code >= 0 else 128 - code)
"""


def run_forked(
    words: Sequence[str], stdin: bytes, environment: Mapping[str, str]
) -> tuple[int, bytes, bytes]:
    """Run ``memctl`` with some words; return its exit code and what it printed."""
    with contextlib.ExitStack() as opened:
        given, out, error = (opened.enter_context(tempfile.TemporaryFile()) for _ in range(3))
        given.write(stdin)
        given.seek(0)
        folder = os.open(".", os.O_RDONLY)  # it may have been removed, and so have no name
        opened.callback(os.close, folder)
        caller = opened.enter_context(socket.socket(socket.AF_UNIX))
        caller.connect(str(_server()))
        call = json.dumps({"words": words, "environment": dict(environment)}).encode()
        files = [given.fileno(), out.fileno(), error.fileno(), folder]
        socket.send_fds(caller, [len(call).to_bytes(4), call], files)
        code = int(caller.recv(64))
        out.seek(0)
        error.seek(0)
        return code, out.read(), error.read()


def forking_command(folder: Path) -> Path:
    """Write a command ``memctl`` for scripts of a shell into a folder, and return its file."""
    command = folder / "memctl"
    text = _COMMAND.format(python=sys.executable, server=str(_server()))
    command.write_text(text, encoding="utf-8")
    command.chmod(0o700)
    return command


@cache
def _server() -> Path:
    """Start the process that forks; it ends with this one."""
    path = Path(tempfile.mkdtemp(prefix="memctl-test-"), "calls")
    server = subprocess.Popen(
        [sys.executable, "-W", "error", "-m", "tests.forking", path],
        cwd=Path(__file__).parent.parent,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert server.stdin is not None
    assert server.stdout is not None
    assert server.stdout.readline() == b"ready\n"

    def end() -> None:
        server.communicate()
        path.unlink()
        path.parent.rmdir()

    atexit.register(end)
    return path


def _serve(path: str) -> None:
    _load()
    # Who forks waits for nobody: a child of its own waits for each call.
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    with socket.socket(socket.AF_UNIX) as calls:
        calls.bind(path)
        calls.listen()
        print("ready", flush=True)  # noqa: T201
        while sys.stdin.buffer not in select.select([calls, sys.stdin.buffer], [], [])[0]:
            caller, _ = calls.accept()
            with caller:
                if not os.fork():
                    calls.close()
                    _answer(caller)
                    return


def _load() -> None:
    """Import what the command imports, and make the store that others are copied from."""
    import memctl
    import memctl_cli
    from memctl.store import migrations

    for package in (memctl, memctl_cli):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if not f"{module.name}.".startswith(_LATER):
                import_module(module.name)
    for library in _LIBRARIES:
        import_module(library)
    migrations.empty_store(migrations.migrations())
    gc.freeze()


def _answer(caller: socket.socket) -> None:
    """Wait for a call in a child, and tell who called how it ended."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    message, files, _, _ = socket.recv_fds(caller, _LONGEST, 4)
    while len(message) < 4 + int.from_bytes(message[:4]):
        message += caller.recv(_LONGEST)
    child = os.fork()
    if child:
        _, status = os.waitpid(child, 0)
        caller.sendall(b"%d" % os.waitstatus_to_exitcode(status))
        os._exit(0)
    caller.close()
    _call(json.loads(message[4:]), files)


def _call(call: dict[str, Any], files: list[int]) -> None:
    from memctl_cli import main

    code: str | int | None = 0
    *streams, folder = files
    os.fchdir(folder)
    os.close(folder)
    for number, file in enumerate(streams):
        os.dup2(file, number)
        os.close(file)
    os.environ.clear()
    os.environ.update(call["environment"])
    sys.argv = ["memctl", *call["words"]]
    try:
        main()
    except SystemExit as ended:
        code = ended.code
    sys.stdout.flush()
    sys.stderr.flush()
    if isinstance(code, int):
        os._exit(code)  # to take down what was loaded before would cost more than the call
    sys.exit(code)


if __name__ == "__main__":
    _serve(sys.argv[1])
