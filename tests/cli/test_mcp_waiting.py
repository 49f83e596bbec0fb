"""A server that waits for something goes on answering its host."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

import memctl
from memctl_cli.mcp.build import build

if TYPE_CHECKING:
    from pathlib import Path


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
