"""The memory of one app or site for asyncio: each call runs in a thread of its own memory.

What `memctl.Memory` and its collections have is here under the same names, to be awaited. What a
type checker reads is written by ``python -m tests.docs.async_stub`` into ``async_memory.pyi``.
"""

from __future__ import annotations

import functools
import inspect
from importlib import import_module
from typing import TYPE_CHECKING, Any, Self, TypeVar

from memctl.base.arguments import resolvable
from memctl.memory import Memory

if TYPE_CHECKING:
    import threading
    from collections.abc import AsyncIterator, Callable
    from types import TracebackType

    from memctl.store.worker import Worker

T = TypeVar("T")

COLLECTIONS = {
    "settings": "memctl.config.settings.Settings",
    "components": "memctl.visual.graph.components.Components",
    "states": "memctl.visual.graph.states.States",
    "transitions": "memctl.visual.graph.transitions.Transitions",
    "turns": "memctl.episodic.log.Log",
    "episodes": "memctl.episodic.episodes.Episodes",
    "aliases": "memctl.text.aliases.Aliases",
    "recalls": "memctl.recall.recalls.Recalls",
    "facts": "memctl.semantic.facts.Facts",
    "journal": "memctl.working.journal.Journal",
    "sessions": "memctl.working.live_sessions.Sessions",
    "cache": "memctl.working.session_cache.SessionCache",
    "tool_calls": "memctl.working.tool_calls.ToolCalls",
    "skills": "memctl.procedural.skills.Skills",
    "dream": "memctl.consolidation.dream.Dream",
    "packs": "memctl.porting.packs.packs.Packs",
}
"""The classes of a memory's collections, imported when they are asked for."""

IN_STEPS = frozenset({"browser", "of", "screenshots", "visual", "watch"})
"""Members whose value is itself called, step by step: `AsyncMemory.run` is for these."""


def collection_class(name: str) -> type:
    """Return the class of a memory's collection."""
    module, _, kind = COLLECTIONS[name].rpartition(".")
    of: type = getattr(import_module(module), kind)
    return of


@resolvable
class AsyncFace:
    """The public methods of an object of a memory, each awaited; so are its properties, as methods."""

    def __init__(self, kind: type, worker: Worker, reach: Callable[[], Any]) -> None:
        # `reach` returns the object; it is called in the thread alone.
        self._kind = kind
        self._worker = worker
        self._reach = reach

    def __repr__(self) -> str:
        return f"<memctl.{type(self).__name__} of {self._kind.__name__}>"

    def __dir__(self) -> list[str]:
        names = [name for name in dir(self._kind) if not name.startswith("_")]
        return sorted({*super().__dir__(), *names} - IN_STEPS)

    def __getattr__(self, name: str) -> Callable[..., Any]:
        member = None if name.startswith("_") else inspect.getattr_static(self._kind, name, None)
        if member is None or name in IN_STEPS:
            raise AttributeError(
                f"{type(self).__name__} of {self._kind.__name__} has no {name!r}"
                + ("; a function has it: await m.run(function)" if name in IN_STEPS else "")
            )

        async def call(*args: Any, **named: Any) -> Any:
            for key, value in named.items():
                if isinstance(value, AsyncMemory):
                    named[key] = await value.run(lambda memory: memory)
            return await self._worker.run(lambda: _got(getattr(self._reach(), name), args, named))

        if inspect.isfunction(member):
            functools.update_wrapper(call, member.__get__(self))
        return call


@resolvable
class AsyncCollection(AsyncFace):
    """A collection of a memory: its methods are awaited, its members come by ``async for``."""

    async def __aiter__(self) -> AsyncIterator[Any]:
        for member in await self._worker.run(lambda: list(self._reach())):
            yield member

    async def length(self) -> int:
        """Return the number of living members, as `len` does of a collection."""
        return await self._worker.run(lambda: len(self._reach()))

    async def contains(self, key: object) -> bool:
        """Return whether a living member has this id or name, as ``in`` does."""
        return await self._worker.run(lambda: key in self._reach())


@resolvable
class AsyncMemory(AsyncFace):
    """One open store for asyncio. ``memctl.aopen`` makes it; ``async with`` opens and closes it.

    What `memctl.Memory` has is awaited here: ``await m.recall("...")``, ``await
    m.facts.list()``; a property too is called: ``await m.address()``. Calls run one after
    another in a thread of this memory. A task that is cancelled takes back what waits for its turn,
    and stops what runs: it is undone, or done already.
    """

    def __init__(self, opens: Callable[[], Memory], name: str) -> None:
        from memctl.store.worker import Worker

        self._opens = opens
        self._name = name
        self._memory: Memory | None = None
        super().__init__(Memory, Worker(name, self._interrupt), self._opened)

    def __repr__(self) -> str:
        return f"<memctl.AsyncMemory {self._name}>"

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *COLLECTIONS})

    def __getattr__(self, name: str) -> Any:
        if name not in COLLECTIONS:
            return super().__getattr__(name)
        of = collection_class(name)
        face = AsyncCollection if hasattr(of, "__len__") else AsyncFace
        return face(of, self._worker, lambda: getattr(self._opened(), name))

    async def __aenter__(self) -> Self:
        try:
            await self.run(Memory.__enter__)
        except BaseException:
            await self.close()
            raise
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        def leave() -> None:
            if self._memory is not None:
                self._memory.__exit__(kind, error, trace)

        await self._worker.close(leave)

    async def close(self) -> None:
        """Close the files, after all that was asked before; the thread ends."""
        await self.__aexit__(None, None, None)

    async def run(self, function: Callable[..., T], /, *args: Any, **named: Any) -> T:
        """Run a function of the `memctl.Memory` in its thread, with no other call in between.

        Parameters
        ----------
        function
            Takes the memory, then `args` and `named`.
        args, named
            Its other arguments.

        Examples
        --------
        >>> async def newest(m):
        ...     return await m.run(lambda memory: memory.turns.list(limit=1)[0].text)
        """
        return await self._worker.run(lambda: function(self._opened(), *args, **named))

    def _opened(self) -> Memory:
        if self._memory is None:
            self._memory = self._opens()
        return self._memory

    def _interrupt(self, thread: threading.Thread) -> None:
        if self._memory is not None:
            self._memory.store.interrupt(thread)


def _got(member: Any, args: tuple[Any, ...], named: dict[str, Any]) -> Any:
    return member(*args, **named) if callable(member) else member
