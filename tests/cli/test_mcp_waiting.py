"""A server that waits for something goes on answering its host."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from contextlib import closing
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

import memctl
from memctl_cli.mcp.build import build

if TYPE_CHECKING:
    from pathlib import Path


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


@pytest.mark.filterwarnings("ignore:ping is removed")  # newer hosts ask for the tools
def test_a_ping_is_answered_while_a_tool_waits(tmp_path: Path) -> None:
    from mcp import Client

    async def talk(lock: sqlite3.Connection) -> str:
        with memctl.open("agent", tmp_path) as memory:
            async with Client(build(memory, profile="all"), mode="legacy") as client:
                waiting = asyncio.create_task(client.call_tool("log", {"text": "It is late"}))
                await asyncio.sleep(0.1)
                await client.send_ping()
                assert not waiting.done()
                lock.execute("rollback")
                return str((await waiting).content)

    with closing(held(tmp_path)) as lock:
        assert "Kept: turn 2" in asyncio.run(talk(lock))


def test_a_cancelled_call_is_not_waited_for(tmp_path: Path) -> None:
    from mcp import Client

    async def talk(lock: sqlite3.Connection) -> str:
        with memctl.open("agent", tmp_path) as memory:
            async with Client(build(memory, profile="all"), mode="legacy") as client:
                waiting = asyncio.create_task(client.call_tool("log", {"text": "It is late"}))
                await asyncio.sleep(0.1)
                waiting.cancel()
                found = await client.call_tool("recall", {"query": "When does the ferry leave?"})
                lock.execute("rollback")
                return str(found.content)

    with closing(held(tmp_path)) as lock:
        assert "leaves at nine" in asyncio.run(talk(lock))


def test_nothing_is_announced_that_there_is_not(tmp_path: Path) -> None:
    from mcp import Client

    async def announced() -> tuple[bool, bool, bool]:
        with memctl.open("agent", tmp_path) as memory:
            async with Client(build(memory)) as client:
                can = client.server_capabilities
                return can.tools is not None, can.resources is not None, can.prompts is not None

    assert asyncio.run(announced()) == (True, False, False)


@pytest.mark.filterwarnings("ignore:ping is removed")
def test_a_ping_is_answered_at_once_during_a_slow_learn(tmp_path: Path, screen: Path) -> None:
    from mcp import Client

    async def talk() -> tuple[list[float], list[str | None]]:
        told: list[str | None] = []

        async def hear(progress: float, total: float | None, message: str | None) -> None:
            assert (progress, total) == (len(told) + 1, None)
            told.append(message)

        with memctl.open("harbor", tmp_path) as memory:
            async with Client(build(memory, profile="all"), mode="legacy") as client:
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
                return waited, told

    waited, told = asyncio.run(talk())
    assert max(waited) < 0.3
    assert told[0] == "decode"
    assert "compare" in told


def test_a_cancelled_call_writes_nothing(tmp_path: Path) -> None:
    from mcp import Client

    async def talk(lock: sqlite3.Connection) -> None:
        with memctl.open("agent", tmp_path) as memory:
            async with Client(build(memory, profile="all"), mode="legacy") as client:
                waiting = asyncio.create_task(client.call_tool("log", {"text": "It is late"}))
                await asyncio.sleep(0.1)
                waiting.cancel()
                await asyncio.sleep(0.1)
                lock.execute("rollback")
                await client.call_tool("log", {"text": "It is early"})
            await asyncio.sleep(0.3)

    with closing(held(tmp_path)) as lock:
        asyncio.run(talk(lock))
    with memctl.open("agent", tmp_path) as memory:
        assert [turn.text for turn in memory.turns.list()] == [
            "It is early",
            "The ferry leaves at nine",
        ]


def test_an_answer_without_rows_says_that_meaning_was_not_asked(tmp_path: Path) -> None:
    from mcp import Client

    async def talk() -> str:
        settings = {"fallback": "model", "fallback_model": str(tmp_path / "none")}
        with memctl.open("agent", tmp_path, settings=settings) as memory:
            memory.log("The ferry leaves at nine")
            async with Client(build(memory)) as client:
                return str((await client.call_tool("recall", {"query": "zeppelin"})).content)

    assert "there is no model" in asyncio.run(talk())
