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

from memctl.base.steps import remarked
from memctl_cli.hooks import EVENTS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from memctl.store.store import Store
    from memctl_cli.hooks.host_calls import HostCall

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

    An error is one line on standard error; ``MEMCTL_DEBUG=1`` shows all of it.
    """
    gc.disable()  # what a hook leaves behind goes with its process
    (_, event), options = _parted(words)
    hook = _Hook(event, options)
    problem: Exception | None
    try:
        with _within(_LONGEST), remarked(hook.remarks):
            problem = hook.answer()
    except Exception as error:  # noqa: BLE001  (no host is blocked)
        problem = error
    if problem is not None:
        hook.keep_for_later(problem)
        hook.remarks.insert(0, " ".join(str(problem).split()) or type(problem).__name__)
    if hook.remarks:
        with suppress(OSError):
            sys.stderr.write(f"memctl hook {event}: {'; '.join(hook.remarks)}\n")
            sys.stderr.flush()
    if problem is not None and os.environ.get("MEMCTL_DEBUG"):
        raise problem
    return 0


class _Hook:
    """One call of a hook, and what is known of it by the time that something goes wrong.

    Attributes
    ----------
    remarks
        Lines beside the problem.
    """

    def __init__(self, event: str, options: dict[str, str]) -> None:
        self._event = event
        self._options = options
        self._call: HostCall | None = None
        self._store: Store | None = None
        self._said_at = ""  # in the user's zone, where the store could still be asked for it
        self.remarks: list[str] = []

    def answer(self) -> Exception | None:
        """Answer a hook; return what could not be kept, or read."""
        from memctl_cli.hooks.host_calls import read_host_call

        self._call = call = read_host_call(self._event, sys.stdin.buffer.read(_MOST_READ))
        os.environ["MEMCTL_BUSY_TIMEOUT_MS"] = _PATIENCE
        os.environ.setdefault("MEMCTL_ENDPOINT_TIMEOUT_SECONDS", _FOR_A_MODEL)
        import memctl
        from memctl_cli.hooks.answers import answer_hook

        options = self._options
        pairs = options.get("--set", "").split("\n")
        with memctl.open(
            options.get("--app", "agent"),
            options.get("--home"),
            session=call.session,
            project=_project(options, call.folder),
            settings=dict(pair.split("=", 1) for pair in pairs if pair),
        ) as memory:
            self._store = memory.store
            self._take_in(memory.store)
            answer, problem = answer_hook(memory, call)
            if answer is not None:  # told before the store is closed, which may go wrong too
                # ASCII, with escapes: a pipe of any encoding carries it.
                sys.stdout.write(json.dumps(answer) + "\n")
                sys.stdout.flush()
            if problem is not None:
                self._said_at = memory.store.zone.now()
            if self._event == "start":
                from memctl_cli.hooks.background import dream_if_due

                dream_if_due(memory)
        return problem

    def keep_for_later(self, problem: Exception) -> None:
        """Keep the turn beside a store that could not be written; a refused one is not kept."""
        from memctl.base.errors import BusyError, DiskFullError, ReadOnlyError, StoreDamagedError

        passing = (BusyError, DiskFullError, ReadOnlyError, StoreDamagedError, OSError)
        call = self._call
        if call is None or not call.text.strip() or call.done or not isinstance(problem, passing):
            return
        try:
            from memctl.base.home import default_home, parse_address
            from memctl.base.user_zone import UserZone
            from memctl.guard.secret_search import find_secret
            from memctl.upkeep.spool import SpooledTurn, spool

            if find_secret(call.text):  # what failed may have failed before the door looked
                self.remarks.append("the turn is not kept: it looks like a secret")
                return
            store, options = self._store, self._options
            home = default_home(options.get("--home"))
            path = store.path if store else parse_address(options.get("--app", "agent")).path(home)
            owner = dict(store.owner) if store else {"project": self._project_name(call.folder)}
            said_at = self._said_at or UserZone().now()
            spool(path, SpooledTurn(call.text, call.role, call.session, said_at, owner))
            self.remarks.append("the turn waits beside the store")
        except Exception as error:  # noqa: BLE001  (no host is blocked)
            self.remarks.append(f"the turn is lost: {error}")

    def _take_in(self, store: Store) -> None:
        """Take in the turns that wait beside a store."""
        if store.path.with_name(f"{store.path.name}-spool").exists():
            from memctl.upkeep.spool import take_in

            if told := str(take_in(store)):
                self.remarks.append(told)

    def _project_name(self, folder: str) -> str:
        """Return the project of a call whose store could not even be opened."""
        from memctl.base.projects import project_of

        said = _project(self._options, folder)
        return project_of(said) if isinstance(said, Path) else said or ""


@contextmanager
def _within(seconds: float) -> Iterator[None]:
    """Give up after so many seconds, or where the host ends the hook, if the system has alarms."""

    def ring(number: int, _: object) -> None:
        if number == signal.SIGTERM:
            raise TimeoutError("the host gave up")
        raise TimeoutError(f"gave up after {seconds:g} s: is another process at work on the store?")

    try:
        before = {
            number: signal.signal(number, ring) for number in (signal.SIGALRM, signal.SIGTERM)
        }
    except (AttributeError, ValueError):  # Windows has none, and a thread is not rung up
        yield
        return
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        for number, handler in before.items():
            signal.signal(number, handler)


def _project(options: dict[str, str], folder: str) -> str | Path | None:
    """Return the project that an option names, else the folder that the agent works in."""
    said = options.get("--project", "auto")
    if said == "auto":
        # A process whose folder is gone was started in the one that its shell tells.
        with suppress(FileNotFoundError):
            return Path(folder) if folder else Path.cwd()
        return Path(os.environ.get("PWD", "/"))
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
