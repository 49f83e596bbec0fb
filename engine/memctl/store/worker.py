"""The thread in which an asyncio program's calls on one memory run, one after another."""

from __future__ import annotations

import asyncio
import os
import threading
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context
from typing import TYPE_CHECKING, TypeVar

from memctl.base.errors import ClosedStoreError, UsageError
from memctl.base.steps import watched

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")


class _Call:
    """A call of the thread, which may be stopped."""

    stopped = False

    def go_on(self, _: str = "") -> None:
        """End the call at a step, once nobody waits for it."""
        if self.stopped:
            raise asyncio.CancelledError


class Worker:
    """A thread that runs calls in the order in which they come.

    Parameters
    ----------
    name
        What it works for, in the name of the thread and in messages.
    interrupt
        Called with the thread when the call that runs there is cancelled: ends its statement.
    """

    def __init__(self, name: str, interrupt: Callable[[threading.Thread], object]) -> None:
        self._name = name
        self._interrupt = interrupt
        self._executor = ThreadPoolExecutor(1, thread_name_prefix=f"memctl {name}")
        self._pid = os.getpid()
        self._lock = threading.Lock()
        self._running: _Call | None = None
        self._thread: threading.Thread | None = None
        self._closing: Future[object] | None = None

    async def run(self, function: Callable[[], T]) -> T:
        """Run a function in the thread, in the context of the caller; return what it returns.

        Where the caller is cancelled, a function that waits for its turn never runs, and one that
        runs is stopped: at its next step, or within the statement that it is at.

        Raises
        ------
        ClosedStoreError
            When `close` was called.
        UsageError
            When the process is a fork of the one that made the thread.
        """
        if self._closing is not None:
            raise ClosedStoreError(f'the memory "{self._name}" is closed', hint="open it anew")
        if self._pid != os.getpid():  # it would wait for ever
            raise UsageError(
                f'the thread of "{self._name}" is in the process that this one was forked from',
                hint="call memctl.aopen in each process",
            )
        call = _Call()
        future = self._executor.submit(copy_context().run, self._work, call, function)
        try:
            return await asyncio.wrap_future(future)
        except asyncio.CancelledError:
            with self._lock:
                call.stopped = True
                if self._running is call and self._thread is not None:
                    self._interrupt(self._thread)
            raise

    async def close(self, last: Callable[[], object]) -> None:
        """Run a last function after all that was asked before, and end the thread.

        That goes on where the caller is cancelled. A second time it is waited for again.
        """
        if self._closing is None:
            self._closing = self._executor.submit(last)
            self._executor.shutdown(wait=False)
        await asyncio.shield(asyncio.wrap_future(self._closing))
        self._executor.shutdown()

    def _work(self, call: _Call, function: Callable[[], T]) -> T:
        with self._lock:
            call.go_on()
            self._running, self._thread = call, threading.current_thread()
        try:
            with watched(call.go_on):
                return function()
        except StopIteration as error:  # a future cannot carry it
            raise RuntimeError("the function raised StopIteration") from error
        finally:
            with self._lock:
                self._running = None
