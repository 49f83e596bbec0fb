"""HTTP request to an endpoint, with a deadline by the clock on the wall and a limit of bytes."""

from __future__ import annotations

import asyncio
from concurrent.futures import Future
from threading import Thread
from typing import TYPE_CHECKING

from memctl.base.errors import EndpointError, MemctlError, UsageError
from memctl.config.setting import is_local

if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import ModuleType

# Seconds beyond the deadline that a request has to end by itself.
_GRACE = 0.5
_BAD, _MOVED = 400, 300


def post(url: str, body: bytes, headers: Mapping[str, str], *, seconds: float, most: int) -> bytes:
    """Send one request to a server and return the body of its answer.

    The request runs in a loop and a thread of its own: so a server that sends a byte now and then,
    in its headers too, is left at the deadline, and a caller may run in a loop itself. The deadline
    is that of name, connection and answer, which has `most` bytes.

    Raises
    ------
    EndpointError
        When the server is not reached, late, moved, answers with an error or with too much.
    UsageError
        When httpx is not installed.
    """
    try:
        import httpx as client
    except ImportError as error:
        hint = "pip install 'memctl-engine[llm]'"
        raise UsageError("httpx is not installed", hint=hint) from error
    answer: Future[bytes] = Future()

    def run() -> None:
        try:
            answer.set_result(asyncio.run(_posted(client, url, body, headers, seconds, most)))
        except BaseException as error:  # noqa: BLE001  (it is raised where it is waited for)
            answer.set_exception(error)

    Thread(target=run, daemon=True).start()
    try:
        return answer.result(seconds + _GRACE)
    except TimeoutError:
        raise EndpointError(
            f'the endpoint "{url}" gave no answer within {seconds:.3g} seconds',
            hint="memctl config set endpoint_timeout_seconds SECONDS",
            status="timeout",
        ) from None
    except client.TransportError as error:
        raise EndpointError(
            f'the endpoint "{url}" is not reached: {type(error).__name__}',
            hint="start the server, or name another: endpoint_url",
            status="unavailable",
        ) from None
    except Exception as error:  # a bad address or server breaks libraries anyhow
        if isinstance(error, MemctlError):
            raise
        raise EndpointError(
            f'the endpoint "{url}" cannot be asked: {type(error).__name__}',
            hint="memctl config get endpoint_url shows its address",
        ) from None


async def _posted(
    client: ModuleType,
    url: str,
    body: bytes,
    headers: Mapping[str, str],
    seconds: float,
    most: int,
) -> bytes:
    options = {
        "timeout": None,  # of one read: the deadline is above all of them
        "follow_redirects": False,
        "trust_env": not is_local(url),  # no proxy stands before this machine
        "verify": url.startswith("https:"),  # its certificates take a tenth of a second to read
    }
    received = bytearray()
    async with (
        asyncio.timeout(seconds),
        client.AsyncClient(**options) as session,
        session.stream("POST", url, content=body, headers=dict(headers)) as response,
    ):
        _refuse_status(url, response.status_code)
        async for chunk in response.aiter_raw():
            received += chunk
            if len(received) > most:
                raise EndpointError(
                    f'the endpoint "{url}" answers with more than {most:,} bytes',
                    hint="its answers are to be short: ask another model",
                )
    return bytes(received)


def _refuse_status(url: str, status: int) -> None:
    if status >= _BAD:
        key = "put the key into the environment variable that endpoint_key_variable names"
        hint = {
            401: key,
            403: key,
            404: "look whether endpoint_url ends as the server wants it, and its model's name",
        }.get(status, "the log of the server says why")
        raise EndpointError(f'the endpoint "{url}" answers with HTTP {status}', hint=hint)
    if status >= _MOVED:
        raise EndpointError(
            f'the endpoint "{url}" sends elsewhere, which is not followed',
            hint="name the server itself: endpoint_url",
        )
