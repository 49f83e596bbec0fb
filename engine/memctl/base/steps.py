"""The steps of a long call, reported to whoever waits for it and may stop it there."""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_watcher: ContextVar[Callable[[str], object] | None] = ContextVar("watcher", default=None)


def step(name: str = "") -> None:
    """Report the step that begins to the watcher of this call; whatever it raises ends the call.

    Without a name the watcher only decides whether the call is to go on.
    """
    watcher = _watcher.get()
    if watcher is not None:
        watcher(name)


@contextmanager
def watched(watcher: Callable[[str], object]) -> Iterator[None]:
    """Report the steps of the calls inside to `watcher`, in threads that they start as well."""
    before = _watcher.set(watcher)
    try:
        yield
    finally:
        _watcher.reset(before)
