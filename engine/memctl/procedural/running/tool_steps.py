"""Calls of a host's tools: a command does a step of a skill, and how it ends is the proof."""

from __future__ import annotations

import shlex
import subprocess

from memctl.procedural.running.proving import Proof

_SECONDS = 120.0
_SAID = 300  # characters of what it prints


def called(command: str, tool: str, given: str) -> tuple[Proof, str]:
    """Start a command with a tool's name and its input as JSON on standard input.

    Returns
    -------
    tuple
        How it went: confirmed where it ended with 0, uncertain where it was killed or took too long,
        halted where it cannot be started, else refuted; and what it printed, or else the last line of
        its errors.
    """
    try:
        done = subprocess.run(  # noqa: S603  (given by who runs the skill)
            [*shlex.split(command), tool],
            input=given.encode(),
            capture_output=True,
            timeout=_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return Proof("uncertain", f'"{tool}" took more than {_SECONDS:.0f} seconds'), ""
    except (OSError, ValueError) as error:
        return Proof("halted", f'"{command:.80}" cannot be started: {error}'), ""
    if done.returncode == 0:
        return Proof("confirmed"), _text(done.stdout)
    said = _text(done.stderr.strip().rpartition(b"\n")[2])
    if done.returncode < 0:
        return Proof("uncertain", f'"{tool}" was killed by signal {-done.returncode}'), said
    return Proof("refuted", f'"{tool}" ended with {done.returncode}'), said


def _text(said: bytes) -> str:
    return said.decode("utf-8", "replace").strip()[:_SAID]
