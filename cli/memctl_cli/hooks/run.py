"""``memctl hook EVENT``: answers a host's hook, without the library of the command line.

A host waits for its hooks, some for a second and a half at most; reading the library of the
command line takes longer than the hook itself.
"""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING

from memctl_cli.hooks.host_calls import EVENTS, read_host_call

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["is_hook", "run_hook"]

_OPTIONS = ("--home", "--app")
# A byte more than what is read, so that what is longer is known to be.
_MOST_READ = 10_000_001
# Milliseconds that a hook waits for another writer.
_PATIENCE = "400"
# Seconds that a hook waits for the model of an endpoint, where the environment names no others.
_FOR_A_MODEL = "0.5"


def is_hook(words: Sequence[str]) -> bool:
    """Return whether a command line is that of a host's hook: ``hook prompt``, with options."""
    plain, _ = _parted(words)
    return len(plain) == len(("hook", "EVENT")) and plain[0] == "hook" and plain[1] in EVENTS


def run_hook(words: Sequence[str]) -> int:
    """Answer a hook on standard output; silent and 0 whatever happens, so that no host is blocked.

    ``MEMCTL_DEBUG=1`` shows on standard error what went wrong.
    """
    (_, event), options = _parted(words)
    try:
        answer = _answered(event, options)
        if answer is not None:
            sys.stdout.write(json.dumps(answer, ensure_ascii=False) + "\n")
            sys.stdout.flush()
    except Exception:
        if os.environ.get("MEMCTL_DEBUG"):
            raise
    return 0


def _answered(event: str, options: dict[str, str]) -> dict[str, object] | None:
    call = read_host_call(event, sys.stdin.buffer.read(_MOST_READ))
    if call is None:
        return None
    os.environ.setdefault("MEMCTL_BUSY_TIMEOUT_MS", _PATIENCE)
    os.environ.setdefault("MEMCTL_ENDPOINT_TIMEOUT_SECONDS", _FOR_A_MODEL)
    import memctl
    from memctl_cli.hooks.answers import answer_hook

    app = options.get("--app", "agent")
    with memctl.open(app, options.get("--home"), session=call.session) as memory:
        return answer_hook(memory, call)


def _parted(words: Sequence[str]) -> tuple[list[str], dict[str, str]]:
    """Return the words of a command line, and its options with their values."""
    plain: list[str] = []
    options: dict[str, str] = {}
    left = list(words)
    while left:
        word = left.pop(0)
        name, equals, value = word.partition("=")
        if name in _OPTIONS and (equals or left):
            options[name] = value if equals else left.pop(0)
        else:
            plain.append(word)
    return plain, options
