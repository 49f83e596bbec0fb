"""The steps of a long call: told to whoever waits for it, who may stop the call there."""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_watcher: ContextVar[Callable[[str], object] | None] = ContextVar("watcher", default=None)


def step(name: str = "") -> None:
    """Tell the watcher of this call which step begins; whatever it raises ends the call.

    Without a name it is only asked whether the call is to go on.
    """
    watcher = _watcher.get()
    if watcher is not None:
        watcher(name)


@contextmanager
def watched(watcher: Callable[[str], object]) -> Iterator[None]:
    """Let `watcher` hear of the steps of the calls inside, in threads that they start as well."""
    before = _watcher.set(watcher)
    try:
        yield
    finally:
        _watcher.reset(before)
