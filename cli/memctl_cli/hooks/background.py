"""The dream of a hook: in a process of its own, behind the start of a session, never in a prompt's time."""

from __future__ import annotations

import os
import sys
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from memctl.base import clock
from memctl.consolidation.runs import Runs, is_due

if TYPE_CHECKING:
    from memctl.memory import Memory

# Others who work on the machine come first.
_SCRIPT = "import os, sys; getattr(os, 'nice', int)(10); from memctl_cli.program import main; main(sys.argv[1:])"
_AFTER_FAILURE = timedelta(hours=1)
# What a hook says to itself about waiting is nothing that its dream has to hurry for.
_OF_HOOKS = ("MEMCTL_BUSY_TIMEOUT_MS", "MEMCTL_ENDPOINT_TIMEOUT_SECONDS")


def dream_if_due(memory: Memory) -> bool:
    """Start a dream in the background where one is due; return whether one was started.

    It prints nothing. Two never run at once, as each run is its store's only one; one that fails
    is kept as a failed run, which `doctor` reports, and is tried again after an hour.

    Parameters
    ----------
    memory
        The open memory; what is read and written is its whole store, not the project at hand.
    """
    store = memory.store
    home = store.address.home_of(store.path)
    if home is None or not store.exists or not store.writable:
        return False
    if not memory.settings.get("dream_auto"):
        return False
    runs = Runs(store)
    with store.unscoped():
        if _failed_lately(runs) or not is_due(store, memory.settings, runs)[0]:
            return False
    options = ["--home", str(home), "--app", str(store.address)]
    for name, value in store.flags.items():
        options += ["--set", f"{name}={value}"]
    from subprocess import DEVNULL, Popen

    started = Popen(  # noqa: S603  (our own command)
        [sys.executable, "-P", "-c", _SCRIPT, *options, "dream", "run", "--apply", "--if-due"],
        stdin=DEVNULL,
        stdout=DEVNULL,
        stderr=DEVNULL,
        cwd=home,
        env={name: value for name, value in os.environ.items() if name not in _OF_HOOKS},
        start_new_session=True,
    )
    started.returncode = 0  # it outlives us, on purpose
    return True


def _failed_lately(runs: Runs) -> bool:
    last = next((run for run in runs.list(5) if run.kind == "dream"), None)
    if last is None or last.status != "failed" or last.ended_at is None:
        return False
    passed = datetime.fromisoformat(clock.now()) - datetime.fromisoformat(last.ended_at)
    return timedelta(0) <= passed < _AFTER_FAILURE
