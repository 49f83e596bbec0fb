"""`memctl.aopen`: a memory in an asyncio program, its calls in one thread."""

from __future__ import annotations

import asyncio
import functools
import gc
import inspect
import os
import threading
import traceback
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

import pytest

import memctl
from memctl.async_memory import COLLECTIONS, IN_STEPS
from tests.docs import async_stub
from tests.visual.drawn import numbered

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from pathlib import Path

    from memctl import AsyncMemory, Memory

LONG = "with recursive n(i) as (select 1 union all select i + 1 from n) select max(i) from n"


def opened(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    """Run a test in an event loop, with the memory of "harbor" open; no thread is left after it."""

    def run(home: Path) -> None:
        async def with_memory() -> None:
            async with memctl.aopen("harbor", home) as memory:
                await test(memory, home) if "home" in taken else await test(memory)

        before = threading.active_count()
        asyncio.run(with_memory())
        assert threading.active_count() == before

    taken = inspect.signature(test).parameters
    functools.update_wrapper(run, test)
    vars(run).pop("__wrapped__")
    return run


class Held:
    """A function for the memory's thread that waits there until it is let go."""

    def __init__(self, then: Callable[[Memory], object] = lambda _: None) -> None:
        self.begun, self.let_go = threading.Event(), threading.Event()
        self.raised: BaseException | None = None
        self._then = then

    def __call__(self, memory: Memory) -> object:
        self.begun.set()
        assert self.let_go.wait(10)
        try:
            return self._then(memory)
        except BaseException as error:
            self.raised = error
            raise

    async def running(self, memory: AsyncMemory) -> asyncio.Task[object]:
        """Call it, and return the task once the thread is at it."""
        task = asyncio.create_task(memory.run(self))
        await asyncio.to_thread(self.begun.wait, 10)
        return task


async def cancelled(task: asyncio.Task[Any]) -> None:
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


# ---- the same names, to be awaited


@opened
async def test_what_a_memory_does_is_awaited(memory: AsyncMemory) -> None:
    turn = await memory.log("Ann takes the ferry", speaker="Ann")
    (fact,) = (await memory.facts.store("Ann lives in Porto")).ids
    assert (await memory.recall("who takes the ferry?"))[0].text == "Ann takes the ferry"
    assert (await memory.facts.get(fact)).text == "Ann lives in Porto"
    assert [one.id async for one in memory.turns] == [turn]
    assert (await memory.turns.length(), await memory.turns.contains(turn)) == (1, True)
    assert not await memory.turns.contains(7)
    assert str(await memory.address()) == "harbor"
    assert await memory.dream.knowledge() == []
    assert await memory.settings.get("recall_limit") == (
        await memory.run(lambda memory: memory.settings["recall_limit"])
    )


@opened
async def test_a_screen_is_learned_and_found(memory: AsyncMemory) -> None:
    image, boxes = numbered("Page", 3).given
    await memory.learn(image, boxes)
    location = await memory.locate("Page_a", image)
    assert location.found
    await memory.components.rename("Page_a", "First")
    assert [one.name for one in await memory.components.pin(keys=[1])] == ["First"]


@opened
async def test_several_calls_are_one_function(memory: AsyncMemory) -> None:
    def add(memory: Memory, text: str, *, times: int) -> int:
        return [memory.log(text) for _ in range(times)][-1]

    assert await memory.run(add, "again", times=3) == 3


def test_a_name_that_is_not_there_is_an_error_at_once(home: Path) -> None:
    memory: Any = memctl.aopen("harbor", home)
    for name in ("recal", "_opened_", *IN_STEPS):
        assert not hasattr(memory, name) or name in {"of", "watch"}
    for face, name in ((memory.facts, "stroe"), (memory, "browser"), (memory.skills, "watch")):
        with pytest.raises(AttributeError, match=name):
            getattr(face, name)
    assert {"recall", "facts", "run"} <= set(dir(memory))
    assert "browser" not in dir(memory)
    assert repr(memory.facts) == "<memctl.AsyncCollection of Facts>"
    assert repr(memory) == "<memctl.AsyncMemory harbor>"


def test_no_name_of_a_memory_is_missed() -> None:
    memory = memctl.aopen("harbor")
    parts = {
        name
        for name, member in inspect.getmembers_static(memctl.Memory)
        if isinstance(member, functools.cached_property)
    }
    assert COLLECTIONS.keys() == (parts | {"settings"}) - IN_STEPS
    for name in COLLECTIONS:
        face = getattr(memory, name)
        for method in set(dir(face._kind)) - IN_STEPS:
            if not method.startswith("_"):
                assert inspect.iscoroutinefunction(getattr(face, method)), (name, method)


def test_the_stub_is_as_the_code() -> None:
    written = async_stub.STUB.read_text(encoding="utf-8")
    assert written == async_stub.stub(), "python -m tests.docs.async_stub"


def test_help_and_tool_makers_read_the_methods_themselves(home: Path) -> None:
    memory = memctl.aopen("harbor", home)
    assert memory.recall.__doc__ == memctl.Memory.recall.__doc__
    taken = inspect.signature(memctl.Memory.recall).parameters
    assert list(inspect.signature(memory.recall).parameters) == list(taken)[1:]
    assert inspect.signature(memctl.aopen) == inspect.signature(memctl.open)


# ---- at once


@opened
async def test_a_hundred_calls_at_once_are_all_answered(memory: AsyncMemory) -> None:
    ids = await asyncio.gather(*(memory.log(f"turn {n}") for n in range(100)))
    assert ids == list(range(1, 101))
    answers = await asyncio.gather(*(memory.recall(f"turn {n}", 1) for n in range(100)))
    assert [answer[0].text for answer in answers] == [f"turn {n}" for n in range(100)]


@opened
async def test_two_memories_are_read_at_once(memory: AsyncMemory, home: Path) -> None:
    async with memctl.aopen("agent", home) as agent:
        await asyncio.gather(
            memory.facts.store("The ferry leaves at nine"),
            agent.facts.store("Ann lives in Porto"),
        )
        block = await memory.context("where does Ann live?", also=agent)
        assert "Porto" in block.text


@opened
async def test_a_call_runs_in_the_context_of_its_caller(memory: AsyncMemory) -> None:
    asked_by: ContextVar[str] = ContextVar("asked_by", default="nobody")

    async def ask(who: str) -> str:
        asked_by.set(who)
        return await memory.run(lambda _: asked_by.get())

    assert [*await asyncio.gather(ask("Ann"), ask("Ben"))] == ["Ann", "Ben"]
    assert asked_by.get() == "nobody"


@opened
async def test_an_error_keeps_its_type_its_traceback_and_its_notes(memory: AsyncMemory) -> None:
    def refuse(_: Memory) -> None:
        error = KeyError("x")
        error.add_note("a note")
        raise error

    with pytest.raises(KeyError) as raised:
        await memory.run(refuse)
    assert raised.value.__notes__ == ["a note"]
    assert traceback.extract_tb(raised.value.__traceback__)[-1].name == "refuse"
    with pytest.raises(memctl.NotFoundError) as missing:
        await memory.components.get("Save")
    assert missing.value.hint
    with pytest.raises(RuntimeError, match="StopIteration"):
        await memory.run(lambda _: next(iter(())))


# ---- cancelled


@opened
async def test_a_cancelled_call_that_waits_for_its_turn_never_runs(memory: AsyncMemory) -> None:
    held = Held()
    task = await held.running(memory)
    waiting = asyncio.create_task(memory.log("never"))
    await asyncio.sleep(0)
    await cancelled(waiting)
    held.let_go.set()
    await task
    assert await memory.turns.length() == 0


@opened
async def test_a_cancelled_call_is_interrupted_in_its_statement_and_undone(
    memory: AsyncMemory,
) -> None:
    def write_and_read_on(memory: Memory) -> None:
        with memory.store.transaction():
            memory.log("half")
            inside.set()
            memory.store.rows(LONG)

    inside = threading.Event()
    task = asyncio.create_task(memory.run(write_and_read_on))
    await asyncio.to_thread(inside.wait, 10)
    await asyncio.sleep(0.02)  # the statement without an end has begun
    await cancelled(task)
    assert await memory.turns.length() == 0
    await memory.log("whole")
    assert all(check.ok for check in await memory.doctor())


@opened
async def test_a_cancelled_call_writes_nothing_once_it_comes_to_it(memory: AsyncMemory) -> None:
    held = Held(lambda memory: memory.log("never"))
    task = await held.running(memory)
    await cancelled(task)
    held.let_go.set()
    assert await memory.turns.length() == 0
    assert isinstance(held.raised, asyncio.CancelledError)


@opened
async def test_a_cancelled_call_that_is_past_its_last_step_is_done_whole(
    memory: AsyncMemory,
) -> None:
    def write(memory: Memory) -> None:
        with memory.store.transaction():
            memory.log("one")
            held(memory)
            memory.log("two")

    held = Held()
    task = asyncio.create_task(memory.run(write))
    await asyncio.to_thread(held.begun.wait, 10)
    await cancelled(task)
    held.let_go.set()
    assert await memory.turns.length() == 2


# ---- opened and closed


def test_closing_waits_for_what_runs_and_for_what_was_asked_before(home: Path) -> None:
    async def main() -> None:
        memory = memctl.aopen("harbor", home)
        held = Held(lambda memory: memory.log("first"))
        first = await held.running(memory)
        second = asyncio.create_task(memory.log("second"))
        await asyncio.sleep(0)
        closing = asyncio.create_task(memory.close())
        await asyncio.sleep(0)
        with pytest.raises(memctl.ClosedStoreError) as raised:
            await memory.log("too late")
        assert raised.value.hint == "open it anew"
        assert not closing.done()
        held.let_go.set()
        await closing
        assert [await first, await second] == [1, 2]
        await memory.close()

    asyncio.run(main())
    with memctl.open("harbor", home) as memory:
        assert [turn.text for turn in memory.turns.list()] == ["second", "first"]


def test_closing_goes_on_where_its_task_is_cancelled(home: Path) -> None:
    async def main() -> None:
        memory = memctl.aopen("harbor", home)
        held = Held()
        task = await held.running(memory)
        closing = asyncio.create_task(memory.close())
        await asyncio.sleep(0)
        await cancelled(closing)
        held.let_go.set()
        await task
        await memory.close()

    before = threading.active_count()
    asyncio.run(main())
    assert threading.active_count() == before


def test_a_memory_that_cannot_be_opened_leaves_no_thread(home: Path) -> None:
    async def main(**given: Any) -> None:
        async with memctl.aopen(**given):
            pass

    before = threading.active_count()
    with pytest.raises(memctl.UsageError, match="is a path"):
        asyncio.run(main(address="/etc"))
    with pytest.raises(memctl.WrongTypeError, match="readonly"):
        asyncio.run(main(address="harbor", home=home, readonly="yes"))
    assert threading.active_count() == before


def test_a_damaged_file_is_named_as_for_a_memory(home: Path) -> None:
    with memctl.open("harbor", home) as memory:
        memory.log("x")
        path = memory.store.path
    path.write_bytes(b"no store" * 1000)

    async def main() -> None:
        async with memctl.aopen("harbor", home) as memory:
            await memory.recall("x")

    with pytest.raises(memctl.ForeignStoreError):
        asyncio.run(main())


def test_a_fork_is_told_to_open_its_own(home: Path) -> None:
    memory = memctl.aopen("harbor", home)

    async def log() -> str:
        try:
            await memory.log("x")
        except memctl.UsageError as error:
            return error.message
        return ""

    assert asyncio.run(log()) == ""
    reading, writing = os.pipe()
    if not (child := os.fork()):
        os.write(writing, asyncio.run(log()).encode())
        os._exit(0)
    os.waitpid(child, 0)
    assert b"forked" in os.read(reading, 1000)
    os.close(reading)
    os.close(writing)
    asyncio.run(memory.close())


def test_a_memory_serves_one_loop_after_another(home: Path) -> None:
    memory = memctl.aopen("harbor", home)
    assert [asyncio.run(memory.log(text)) for text in ("a", "b")] == [1, 2]
    asyncio.run(memory.close())


def test_a_memory_that_nobody_closed_ends_its_thread(home: Path) -> None:
    before = {*threading.enumerate()}
    memory = memctl.aopen("harbor", home)
    asyncio.run(memory.log("x"))
    (thread,) = {*threading.enumerate()} - before
    del memory
    for _ in range(100):  # it may be on its way back from the call
        gc.collect()
        thread.join(0.05)
        if not thread.is_alive():
            break
    assert not thread.is_alive()
