"""Serves an ASGI application over HTTP: where it listens, which requests pass, how it ends.

``memctl ui``, ``mcp --http`` and ``browse`` share it. A page of another site can make a browser
send requests here. `Gate` refuses them: by ``Host``, where the site's own name was pointed at this
machine (DNS rebinding), and by ``Origin``, where its script writes to this address.
"""

from __future__ import annotations

import ipaddress
import logging
import re
import signal
import socket
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Any
from urllib.parse import SplitResult, urlsplit

from memctl.base.errors import RefusedError, UsageError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    Application = Callable[[Any, Any, Any], Awaitable[None]]

_PORTS = {"http": 80, "https": 443}
_PATH = re.compile(r"[/?#\\\s]")  # what a host has none of, and a URL that is made of it would
# Seconds until requests that are still open are cut off: longer than a write waits for another's.
_PATIENCE = 6


# -- where it listens ----------------------------------------------------------------------


def listen(address: str, *, allow_remote: bool = False) -> socket.socket:
    """Return a socket that listens on ``HOST:PORT``, or on a ``PORT`` of 127.0.0.1.

    Port 0 is any that is free. Beyond this machine it listens where that is allowed, with a warning
    on standard error.

    Raises
    ------
    UsageError
        When it is no address, or somebody else listens there.
    RefusedError
        When others can reach it and `allow_remote` is not set.
    """
    host, port = _host_and_port(address)
    try:
        family, *_, bound = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except (OSError, UnicodeError) as error:
        raise UsageError(
            f'host "{host}" is unknown: {getattr(error, "strerror", None) or error}',
            hint="127.0.0.1 is this machine",
        ) from None
    if not ipaddress.ip_address(bound[0]).is_loopback:
        if not allow_remote:
            raise RefusedError(
                f'others can reach "{address}"',
                hint="listen on 127.0.0.1, or set --allow-remote if that is meant",
            )
        print(  # noqa: T201  (this is the CLI)
            f"memctl: others can reach {address} and read what is sent; put TLS before it",
            file=sys.stderr,
        )
    try:
        return socket.create_server((bound[0], bound[1]), family=family, backlog=2048)
    except OSError as error:
        raise UsageError(
            f"port {port} cannot be listened on: {error.strerror}",
            hint="name another one; 0 takes any that is free",
        ) from error


def url_of(listening: socket.socket, path: str = "/") -> str:
    """Return the URL of a path on a socket that listens."""
    host, port = listening.getsockname()[:2]
    return f"http://{f'[{host}]' if ':' in host else host}:{port}{path}"


def _host_and_port(address: str) -> tuple[str, int]:
    whole = f"127.0.0.1:{address}" if address.isascii() and address.isdecimal() else address
    with suppress(ValueError):
        parts = urlsplit(f"//{whole}")
        if parts.hostname and parts.port is not None and parts.netloc == whole and "@" not in whole:
            return parts.hostname, parts.port
    raise UsageError(f'"{address}" is no address', hint="HOST:PORT, such as 127.0.0.1:8765")


# -- which requests pass -------------------------------------------------------------------


class Gate:
    """Passes requests on that ask for this server by its own name, and from no other site.

    An address of numbers or ``localhost`` is a name of its own everywhere: no other site can be
    called so. A request without ``Origin`` comes from no script of a page.

    Parameters
    ----------
    application
        What answers; Starlette, mostly.
    urls
        More URLs under which people know it: that of the proxy before it, of the host it was given.
    """

    def __init__(self, application: Application, *urls: str) -> None:
        self._application = application
        self._origins = {origin for url in urls if (origin := _origin(url))}
        self._hosts = {host for _, host, _ in self._origins}

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer one request, or refuse it: 421 for the host, 403 for the origin."""
        refusal = self._refusal(scope["headers"]) if scope["type"] == "http" else None
        if refusal is None:
            return await self._application(scope, receive, send)
        status, text = refusal
        headers = [(b"content-type", b"text/plain; charset=utf-8")]
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": text.encode()})
        return None

    def _refusal(self, headers: list[tuple[bytes, bytes]]) -> tuple[int, str] | None:
        given = {
            name: [v.decode("latin-1") for n, v in headers if n == name] for name, _ in headers
        }
        host, *more = given.get(b"host", [""])
        asked = None if _PATH.search(host) else _origin(f"http://{host}")
        if more or asked is None or not (asked[1] in self._hosts or _is_ours(asked[1])):
            return 421, "this server is not known by that host; --public-url names it\n"
        origins = [_origin(value) for value in given.get(b"origin", ())]
        for origin in origins:
            same = origin in (asked, _origin(f"https://{host}"))
            if origin is None or not (same or origin in self._origins):
                return 403, "refused: asked from a page of another origin\n"
        return None


def check_url(url: str) -> str:
    """Return a URL by which a server is known, without a slash at its end.

    Raises
    ------
    UsageError
        When it is none of http or https.
    """
    if _origin(url) is None:
        raise UsageError(f'"{url}" is no URL', hint="such as https://memory.example.com")
    return url.rstrip("/")


def _origin(url: str) -> tuple[str, str, int] | None:
    """Return scheme, host and port of a URL of http or https; ``None`` for anything else."""
    with suppress(ValueError):
        parts: SplitResult = urlsplit(url)
        if parts.scheme in _PORTS and parts.hostname and parts.username is None:
            return parts.scheme, parts.hostname.rstrip("."), parts.port or _PORTS[parts.scheme]
    return None


def _is_ours(host: str) -> bool:
    if host == "localhost" or host.endswith(".localhost"):
        return True
    with suppress(ValueError):
        return bool(ipaddress.ip_address(host))
    return False


# -- how it runs and ends ------------------------------------------------------------------


def serve(
    application: Application, listening: socket.socket, started: Callable[[str], object]
) -> None:
    """Serve an application until SIGINT or SIGTERM; return once what was open has ended.

    Parameters
    ----------
    started
        Called with the URL as soon as it can be opened.
    """
    import uvicorn

    class Server(uvicorn.Server):
        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            # That a request is cut off then is no error.
            logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)
            await super().shutdown(sockets)

    config = uvicorn.Config(
        application,
        log_level="error",  # a warning is that somebody does not speak HTTP
        access_log=False,  # it would write tokens down that stand in URLs
        server_header=False,
        lifespan="on",
        ws="none",
        timeout_graceful_shutdown=_PATIENCE,
    )
    # Uvicorn ends what is open, and raises the signal once more for who called it.
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        with listening, suppress(KeyboardInterrupt):
            started(url_of(listening))
            Server(config).run(sockets=[listening])
    finally:
        signal.signal(signal.SIGTERM, before)
