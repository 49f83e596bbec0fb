"""Calls the command line, in this process or in one of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tests.forking import run_forked

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["Answer", "memctl_process"]

_OF_THE_INTERPRETER = ("PYTHON", "LANG", "LC_")


@dataclass(frozen=True)
class Answer:
    """What a call printed, and how it ended."""

    code: int
    out: str
    error: str

    @property
    def envelope(self) -> dict[str, Any]:
        """The one line of JSON on standard output."""
        assert self.out.count("\n") == 1, self.out
        parsed = json.loads(self.out, parse_constant=_refuse)
        assert isinstance(parsed, dict)
        return parsed

    @property
    def data(self) -> Any:
        """The data of a call that succeeded."""
        assert self.envelope["status"] == "ok", self.out
        return self.envelope["data"]


def _refuse(word: str) -> None:
    raise AssertionError(f"{word} is no JSON")


def memctl_process(
    *words: str | Path, stdin: bytes = b"", environment: dict[str, str] | None = None
) -> Answer:
    """Call the command in a process of its own.

    It is a fork of one that has loaded memctl, unless the environment speaks to the interpreter.
    """
    environment = environment or {}
    if not any(name.startswith(_OF_THE_INTERPRETER) for name in environment):
        called = {**os.environ, **environment}
        code, out, error = run_forked([str(word) for word in words], stdin, called)
        return Answer(code, out.decode(), error.decode())
    done = subprocess.run(
        [sys.executable, "-W", "error", "-m", "memctl", *map(str, words)],
        input=stdin,
        capture_output=True,
        check=False,
        env={**os.environ, **environment},
    )
    return Answer(done.returncode, done.stdout.decode(), done.stderr.decode())
