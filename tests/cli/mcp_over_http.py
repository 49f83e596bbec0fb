"""A process that serves MCP over HTTP, and a client's way to it."""

from __future__ import annotations

from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tests import processes

if TYPE_CHECKING:
    import subprocess
    from collections.abc import AsyncIterator, Iterator
    from pathlib import Path

STOPPED = "2026-11-20T12:00:00Z"


@dataclass(frozen=True)
class Server:
    """A server that runs: its URL, its own token, its process."""

    url: str
    token: str
    process: subprocess.Popen[str]


@contextmanager
def serving(
    home: Path,
    *options: str,
    app: str = "agent",
    address: str = "127.0.0.1:0",
    said: str = "",
    **environment: str,
) -> Iterator[Server]:
    """Start a server of a home's memory."""
    words = ("--home", str(home), "--app", app, "mcp", "--http", address, *options)
    environment = {"MEMCTL_NOW": STOPPED, **environment}
    with processes.serving(*words, said=said, environment=environment) as (url, process):
        file = home / "mcp-token"
        yield Server(url, file.read_text().strip() if file.exists() else "", process)


@asynccontextmanager
async def transport(url: str, token: str) -> AsyncIterator[Any]:
    """Connect the SDK's client to a server."""
    import httpx2
    from mcp.client.streamable_http import streamable_http_client

    headers = {"Authorization": f"Bearer {token}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=60) as http,
        streamable_http_client(url, http_client=http) as streams,
    ):
        yield streams
