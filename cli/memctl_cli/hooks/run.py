"""``memctl hook EVENT``: answers a host's hook, without the library of the command line.

A host waits for its hooks, some for a second and a half at most; reading the library of the
command line takes longer than the hook itself.
"""

from __future__ import annotations

import gc
import json
import os
import signal
import sys
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from memctl_cli.hooks.events import EVENTS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["is_hook", "run_hook"]

_OPTIONS = ("--home", "--app", "--project", "--set")
# A byte more than what is read, so that what is longer is known to be.
_MOST_READ = 10_000_001
# Seconds after which a hook gives up: longer only where the machine is busy.
_LONGEST = 2.5
# Milliseconds that a hook waits for another writer.
_PATIENCE = "300"
# Seconds that a hook waits for the model of an endpoint, where the environment names no others.
_FOR_A_MODEL = "0.5"


def is_hook(words: Sequence[str]) -> bool:
    """Return whether a command line is that of a host's hook: ``hook prompt``, with options."""
    plain, _ = _parted(words)
    return len(plain) == len(("hook", "EVENT")) and plain[0] == "hook" and plain[1] in EVENTS


def run_hook(words: Sequence[str]) -> int:
    """Answer a hook on standard output; 0 whatever happens, so that no host is blocked.

    What went wrong is told in one line on standard error; ``MEMCTL_DEBUG=1`` shows all of it.
    """
    gc.disable()  # what a hook leaves behind goes with its process
    (_, event), options = _parted(words)
    problem: Exception | None
    try:
        with _within(_LONGEST):
            problem = _answer(event, options)
    except Exception as error:
        if os.environ.get("MEMCTL_DEBUG"):
            raise
        problem = error
    if problem is not None:
        with suppress(OSError):
            told = " ".join(str(problem).split()) or type(problem).__name__
            sys.stderr.write(f"memctl hook {event}: {told}\n")
            sys.stderr.flush()
    return 0


@contextmanager
def _within(seconds: float) -> Iterator[None]:
    """Give up after so many seconds, where the system has an alarm clock: a host waits."""

    def ring(*_: object) -> None:
        raise TimeoutError(f"gave up after {seconds:g} s: is another process at work on the store?")

    try:
        before = signal.signal(signal.SIGALRM, ring)
    except (AttributeError, ValueError):  # Windows has none, and a thread is not rung up
        yield
        return
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _answer(event: str, options: dict[str, str]) -> Exception | None:
    """Answer a hook; return what could not be kept, or read."""
    from memctl_cli.hooks.host_calls import read_host_call

    call = read_host_call(event, sys.stdin.buffer.read(_MOST_READ))
    os.environ["MEMCTL_BUSY_TIMEOUT_MS"] = _PATIENCE
    os.environ.setdefault("MEMCTL_ENDPOINT_TIMEOUT_SECONDS", _FOR_A_MODEL)
    import memctl
    from memctl_cli.hooks.answers import answer_hook

    app = options.get("--app", "agent")
    with memctl.open(
        app,
        options.get("--home"),
        session=call.session,
        project=_project(options, call.folder),
        settings=dict(pair.split("=", 1) for pair in options.get("--set", "").split("\n") if pair),
    ) as memory:
        answer, problem = answer_hook(memory, call)
        if answer is not None:  # told before the store is closed, which may go wrong too
            # ASCII, with escapes: a pipe of any encoding carries it.
            sys.stdout.write(json.dumps(answer) + "\n")
            sys.stdout.flush()
    return problem


def _project(options: dict[str, str], folder: str) -> str | Path | None:
    """Return the project that an option names, else the folder that the agent works in."""
    said = options.get("--project", "auto")
    if said == "auto":
        return Path(folder) if folder else Path.cwd()
    return None if said == "none" else said


def _parted(words: Sequence[str]) -> tuple[list[str], dict[str, str]]:
    """Return the words of a command line, and its options with their values."""
    plain: list[str] = []
    options: dict[str, str] = {}
    left = list(words)
    while left:
        word = left.pop(0)
        name, equals, value = word.partition("=")
        if name in _OPTIONS and (equals or left):
            given = value if equals else left.pop(0)
            several = name == "--set" and name in options
            options[name] = f"{options[name]}\n{given}" if several else given
        else:
            plain.append(word)
    return plain, options
