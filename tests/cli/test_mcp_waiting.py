"""A server that waits for something goes on answering its host."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from contextlib import closing
from typing import TYPE_CHECKING, TypeVar

import cv2
import numpy as np
import pytest

import memctl
from memctl_cli.mcp.build import build

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path

    from mcp import Client

T = TypeVar("T")


@pytest.fixture
def screen(tmp_path: Path) -> Path:
    """A large screenshot with many boxes to find."""
    picture = np.full((1080, 1920, 3), 255, np.uint8)
    noise = np.random.default_rng(1).integers(0, 255, (16, 40, 3), np.uint8)
    for top in range(40, 1040, 60):
        for left in range(40, 1860, 160):
            picture[top : top + 16, left : left + 40] = np.roll(noise, left + top, axis=1)
    path = tmp_path / "screen.png"
    cv2.imwrite(str(path), picture)
    return path


def held(home: Path) -> sqlite3.Connection:
    """Hold the lock of a store that no writer passes."""
    with memctl.open("agent", home) as memory:
        memory.log("The ferry leaves at nine")
        path = memory.store.path
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("begin immediate")
    return connection


def serve(
    home: Path, act: Callable[[Client], Awaitable[T]], *, app: str = "agent", **settings: str
) -> T:
    """Do something as the client of a server in this process."""
    from mcp import Client

    async def conversation() -> T:
        with memctl.open(app, home, settings=settings) as memory:
            async with Client(build(memory, profile="all"), mode="legacy") as client:
                return await act(client)

    return asyncio.run(conversation())


@pytest.mark.filterwarnings("ignore:ping is removed")  # newer hosts ask for the tools
def test_a_ping_is_answered_while_a_tool_waits(tmp_path: Path) -> None:
    async def act(client: Client) -> str:
        waiting = asyncio.create_task(client.call_tool("log", {"text": "It is late"}))
        await asyncio.sleep(0.1)
        await client.send_ping()
        assert not waiting.done()
        lock.execute("rollback")
        return str((await waiting).content)

    with closing(held(tmp_path)) as lock:
        assert "Kept: turn 2" in serve(tmp_path, act)


def test_a_cancelled_call_is_not_waited_for_and_writes_nothing(tmp_path: Path) -> None:
    async def act(client: Client) -> str:
        waiting = asyncio.create_task(client.call_tool("log", {"text": "It is late"}))
        await asyncio.sleep(0.1)
        waiting.cancel()
        found = await client.call_tool("recall", {"query": "When does the ferry leave?"})
        lock.execute("rollback")
        await client.call_tool("log", {"text": "It is early"})
        await asyncio.sleep(0.3)
        return str(found.content)

    with closing(held(tmp_path)) as lock:
        assert "leaves at nine" in serve(tmp_path, act)
    with memctl.open("agent", tmp_path) as memory:
        texts = [turn.text for turn in memory.turns.list()]
    assert texts == ["It is early", "The ferry leaves at nine"]


def test_nothing_is_announced_that_there_is_not(tmp_path: Path) -> None:
    async def act(client: Client) -> tuple[bool, bool, bool]:
        can = client.server_capabilities
        return can.tools is not None, can.resources is not None, can.prompts is not None

    assert serve(tmp_path, act) == (True, False, False)


@pytest.mark.filterwarnings("ignore:ping is removed")
def test_a_ping_is_answered_at_once_during_a_slow_learn(tmp_path: Path, screen: Path) -> None:
    steps: list[str | None] = []

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        assert (progress, total) == (len(steps) + 1, None)
        steps.append(message)

    async def act(client: Client) -> list[float]:
        learning = asyncio.create_task(
            client.call_tool("learn", {"image": str(screen)}, progress_callback=hear)
        )
        waited = []
        while not learning.done():
            asked = time.perf_counter()
            await client.send_ping()
            waited.append(time.perf_counter() - asked)
            await asyncio.sleep(0.02)
        assert not (await learning).is_error
        return waited

    assert max(serve(tmp_path, act, app="harbor")) < 0.3
    assert steps[0] == "decode"
    assert "compare" in steps


def test_an_answer_without_rows_says_that_meaning_was_not_asked(tmp_path: Path) -> None:
    async def act(client: Client) -> str:
        await client.call_tool("log", {"text": "The ferry leaves at nine"})
        return str((await client.call_tool("recall", {"query": "zeppelin"})).content)

    model = str(tmp_path / "none")
    assert "there is no model" in serve(tmp_path, act, fallback="model", fallback_model=model)
