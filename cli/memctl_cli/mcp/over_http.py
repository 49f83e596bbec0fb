"""MCP over HTTP: a server for each token, so that none sees what another's agent keeps.

The transport is the SDK's, without sessions: each request stands alone, as in the protocol of
2026, and a restart of the server is noticed by nobody. A journal is its owner's, not a connection's.
"""

from __future__ import annotations

import logging
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from typing import TYPE_CHECKING, Any

import anyio
import anyio.to_thread
from mcp.server.auth.middleware.bearer_auth import BearerAuthBackend, RequireAuthMiddleware
from mcp.server.auth.provider import AccessToken
from mcp.server.transport_security import TransportSecuritySettings
from sse_starlette.sse import AppStatus
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.authentication import AuthenticationMiddleware
from starlette.requests import ClientDisconnect
from starlette.responses import JSONResponse
from starlette.routing import Route

from memctl.base.errors import MemctlError
from memctl_cli.access_tokens import Grant, NamedTokens, is_token

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from contextlib import AbstractContextManager
    from pathlib import Path

    from anyio.abc import TaskGroup, TaskStatus

    from memctl_cli.mcp.server import MemoryServer

    Opened = Callable[[Grant], AbstractContextManager[MemoryServer]]

PATH = "/mcp"
# The gate before it looks at Host and Origin.
_GATED = TransportSecuritySettings(enable_dns_rebinding_protection=False)


class _Granted(AccessToken):
    grant: Grant


class TokenServers:
    """An MCP server for each token that somebody used, started when it is used first.

    Parameters
    ----------
    tokens
        Those with a name; they are read anew for each request.
    own
        The digest of the server's own token; empty: it has none.
    opened
        Opens the memory that a token reaches, and the server before it.
    """

    def __init__(self, tokens: NamedTokens, own: str, opened: Opened) -> None:
        self._tokens = tokens
        self._own = own
        self._opened = opened
        self._starting = anyio.Lock()
        self._writers: dict[Path, anyio.Lock] = {}
        self._running: dict[Grant, tuple[MemoryServer, anyio.CancelScope]] = {}

    async def verify_token(self, token: str) -> AccessToken | None:
        """Return a token with its grant; ``None`` for one that is none of ours, or was revoked."""
        named = self._tokens.of(token)
        grant = Grant(digest=self._own) if self._own and is_token(token, self._own) else named
        if grant is None:
            return None
        return _Granted(token=grant.digest, client_id=grant.digest, scopes=[], grant=grant)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer a request whose token was verified."""
        try:
            server = await self._server(scope["user"].access_token.grant)
        except MemctlError as error:
            said = {"error": error.code, "message": error.message, "hint": error.hint}
            return await JSONResponse(said, status_code=503)(scope, receive, send)
        with suppress(ClientDisconnect):
            await server.session_manager.handle_request(scope, receive, send)
        return None

    @asynccontextmanager
    async def running(self, _application: object) -> AsyncIterator[None]:
        """Run the servers while the application does."""
        async with anyio.create_task_group() as group:
            self._group: TaskGroup = group
            yield
            group.cancel_scope.cancel()

    async def _server(self, grant: Grant) -> MemoryServer:
        async with self._starting:
            self._end_revoked()
            if grant not in self._running:
                await self._group.start(self._serve, grant)
            return self._running[grant][0]

    def _end_revoked(self) -> None:
        for grant, (_, scope) in list(self._running.items()):
            if grant.name and not self._tokens.holds(grant):
                del self._running[grant]
                scope.cancel()

    async def _serve(self, grant: Grant, *, task_status: TaskStatus[None]) -> None:
        async with AsyncExitStack() as stack:
            server = await anyio.to_thread.run_sync(stack.enter_context, self._opened(grant))
            stack.enter_context(server.with_vectors())
            server.writers = self._writers.setdefault(server.store, server.writers)
            server.streamable_http_app(stateless_http=True, transport_security=_GATED)
            with anyio.CancelScope() as scope:
                async with server.session_manager.run():
                    self._running[grant] = server, scope
                    task_status.started()
                    await anyio.sleep_forever()


def _is_no_departure(record: logging.LogRecord) -> bool:
    """Return whether a line of the log is worth it: that a client has left is none."""
    return not (record.exc_info and isinstance(record.exc_info[1], ClientDisconnect))


def application(servers: TokenServers) -> Starlette:
    """Return the application that answers at `PATH`; 401 without a token and for a wrong one.

    Without sessions a GET would open a stream that says nothing until the end: 405 is the answer.
    """
    # A call that is at work when the server ends is answered, if it is done in time.
    AppStatus.enable_automatic_graceful_drain = False
    logging.getLogger("mcp.server.streamable_http").addFilter(_is_no_departure)
    return Starlette(
        routes=[Route(PATH, RequireAuthMiddleware(servers, []), methods=["POST"])],
        middleware=[Middleware(AuthenticationMiddleware, backend=BearerAuthBackend(servers))],
        lifespan=servers.running,
    )
