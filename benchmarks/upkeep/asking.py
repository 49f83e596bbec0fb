"""Asks a damaged copy of a store with every command, and judges each answer."""

from __future__ import annotations

import importlib
import io
import json
import os
import pickle
import pkgutil
import signal
import sys
import tempfile
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

from memctl_cli import main

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

__all__ = ["QUESTIONS", "Judged", "Reply", "ask", "in_a_child", "judge", "load_everything"]

T = TypeVar("T")
QUESTIONS = (
    "memory list",
    "memory search company",
    "recall quay --no-record",
    "turns list --limit 200",
    "episodes list",
    "components list",
    "states list",
    "transitions list",
    "path the~login the~archive",
    "match {screen} --no-record",
    "skills list",
    "wal get",
    "context",
    "cache list",
    "session list",
    "recalls list",
    "pending list",
    "config list",
    "dream status",
    "report health",
    "status",
    "log The~heron~flew",
    "backup {copy}",
    "doctor",
)
DAMAGED = 5
_SECONDS = 60
# What differs between two calls that say the same.
_MEASURED = frozenset({"ms", "duration_ms", "bytes", "seconds", "wal_bytes", "median_ms", "p95_ms"})


@dataclass(frozen=True, slots=True)
class Reply:
    """How a command ended, and what it said."""

    code: int
    said: Any = field(default=None)

    @property
    def line(self) -> str:
        """The code and the message, for a person."""
        error = self.said.get("error") if isinstance(self.said, dict) else None
        return f"exit {self.code} {(error or {}).get('message', '')}".strip()


@dataclass(frozen=True, slots=True)
class Judged:
    """What became of one command on one copy: right, damaged, unseen, or a failure."""

    command: str
    verdict: str
    why: str = ""


def ask(home: Path, app: str, words: str, places: dict[str, str]) -> Reply:
    """Call a command with ``--json`` in this process."""
    given = [word.replace("~", " ").format(**places) for word in words.split()]
    out, error = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(error):
        try:
            main(["--home", str(home), "--app", app, "--json", *given])
        except SystemExit as left:
            code = left.code if isinstance(left.code, int) else 1
    try:
        said = json.loads(out.getvalue())
    except ValueError:
        return Reply(code, {"error": {"message": out.getvalue() + error.getvalue()}})
    return Reply(code, _plain(said))


def judge(command: str, sound: Reply, reply: Reply, *, seen_by_doctor: bool) -> Judged:
    """Judge an answer by that of the undamaged store.

    A byte of a text, a number or a picture that is another one makes a file that is whole, of
    other content: SQLite keeps no sums of its pages. Where the doctor finds nothing either, an
    answer that differs is ``unseen``; where he does, it is a failure.
    """
    if reply == sound:
        return Judged(command, "right")
    if reply.code == DAMAGED:
        return Judged(command, "damaged")
    defect = reply.code == 1 or "Traceback" in str(reply.said)
    if not seen_by_doctor and not defect:
        return Judged(command, "unseen", reply.line)
    return Judged(command, "failure", reply.line)


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(one) for key, one in value.items() if key not in _MEASURED}
    return [_plain(one) for one in value] if isinstance(value, list) else value


def load_everything() -> None:
    """Import what the commands import: a child has it then, and need not do it again."""
    import cv2
    import duckdb  # noqa: F401  (as is what follows)
    import skimage  # noqa: F401

    import memctl
    from memctl_cli.app import command_of

    cv2.setNumThreads(1)
    for found in pkgutil.walk_packages(memctl.__path__, "memctl."):
        if not found.name.endswith("__main__"):
            importlib.import_module(found.name)
    for words in QUESTIONS:
        command_of(words.split()[0])


def in_a_child(call: Callable[[], T], seconds: int = _SECONDS) -> T | str:
    """Return what `call` returns in a process of its own, or in words how that ended instead."""
    with tempfile.TemporaryFile() as told:
        child = os.fork()
        if not child:
            signal.alarm(seconds)
            try:
                told.write(pickle.dumps(call()))
                told.flush()
            except BaseException as error:  # noqa: BLE001  (it is told, and judged)
                sys.stderr.write(f"{type(error).__name__}: {error}\n")
                os._exit(1)
            os._exit(0)
        _, status = os.waitpid(child, 0)
        if status:
            return f"ended by signal {status & 0x7F}" if status & 0x7F else "an exception"
        told.seek(0)
        answer: T = pickle.loads(told.read())  # noqa: S301  (our own child wrote it)
        return answer
