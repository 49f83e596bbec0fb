"""Keeps Python's collector of cycles out of short work on large containers."""

from __future__ import annotations

import gc
import os
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["uncollected"]


@contextmanager
def uncollected() -> Iterator[None]:
    """Let no collection of cycles begin inside, in any thread of this process.

    A collection visits every number of every set that was made since the last one: in a recall
    of thousands of rows that makes no cycle, a tenth of the time of the slowest. Where
    collecting is switched off it stays so.
    """
    if not gc.isenabled():
        yield  # by whoever opened the store, or by a recall in another thread, which ends it
        return
    gc.disable()
    _paused.append(True)
    try:
        yield
    finally:
        _resume()


_paused: list[bool] = []


def _resume() -> None:
    """Collect again; in the child of a fork too, where nobody else ends what was begun."""
    if _paused:
        _paused.clear()
        gc.enable()


if hasattr(os, "register_at_fork"):  # there is none on Windows
    os.register_at_fork(after_in_child=_resume)
