"""The steps of a long call, for whoever waits for it and may stop it there; remarks on any call."""

from __future__ import annotations

import warnings
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_remarks: ContextVar[list[str] | None] = ContextVar("remarks", default=None)
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


def remark(text: str) -> None:
    """Say something about this call that is no error, once; a caller of Python's is warned."""
    remarks = _remarks.get()
    if remarks is None:
        warnings.warn(text, UserWarning, stacklevel=2)
    elif text not in remarks:
        remarks.append(text)


def remarks_made() -> list[str]:
    """Return the remarks on the calls of whoever collects them, up to now."""
    return [*(_remarks.get() or ())]


@contextmanager
def remarked(remarks: list[str]) -> Iterator[None]:
    """Add the remarks on the calls inside to a list, in threads that they start as well."""
    before = _remarks.set(remarks)
    try:
        yield
    finally:
        _remarks.reset(before)
