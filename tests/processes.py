"""Other processes for tests: Python with memctl, and somebody who is not root."""

from __future__ import annotations

import os
import pickle
import re
import signal
import subprocess
import sys
import textwrap
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar, cast

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

__all__ = ["as_another_user", "in_a_child", "python", "serving", "start_python"]

T = TypeVar("T")
_NOBODY = 65534


def start_python(script: str, *arguments: str | Path) -> subprocess.Popen[str]:
    """Start a script in an interpreter of its own; what it prints can be read line by line."""
    return subprocess.Popen(
        [sys.executable, "-W", "error", "-c", textwrap.dedent(script), *map(str, arguments)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def python(script: str, *arguments: str | Path) -> str:
    """Run a script in an interpreter of its own; return what it prints."""
    process = start_python(script, *arguments)
    out, error = process.communicate(timeout=60)
    assert process.returncode == 0, error
    return out.strip()


@contextmanager
def serving(
    *words: str | Path,
    said: str = "",
    end: int = signal.SIGTERM,
    environment: Mapping[str, str] | None = None,
) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """Run a command of memctl that serves; yield the address that it prints, and its process.

    It is ended as a service manager does: then it ends well, and has written nothing but `said`.
    """
    process = subprocess.Popen(
        [sys.executable, "-W", "error", "-m", "memctl", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **(environment or {})},
    )
    assert process.stdout is not None
    try:
        yield process.stdout.readline().strip(), process
    finally:
        process.send_signal(end)
        _, error = process.communicate(timeout=30)
    assert process.returncode == 0, error
    assert re.fullmatch(said, error), error


def as_another_user(call: Callable[[], T]) -> T:
    """Return what `call` returns to a user whom permissions bind, or raise what it raises.

    Root may do everything, so root makes a child that is somebody else. Anyone else is
    bound already.
    """
    return call() if os.geteuid() != 0 else in_a_child(lambda: os.setuid(_NOBODY), call)


def in_a_child(before: Callable[[], object], call: Callable[[], T]) -> T:
    """Return what `call` returns in a fork, or raise what it raises; `before` goes first."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        try:
            before()
            answer: object = call()
        except BaseException as error:  # noqa: BLE001 - it is raised again in the parent
            answer = error
        os.write(writing, pickle.dumps(answer))
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        answer = pickle.loads(pipe.read())  # noqa: S301 - our own child wrote it
    os.waitpid(child, 0)
    if isinstance(answer, BaseException):
        raise answer
    return cast("T", answer)
