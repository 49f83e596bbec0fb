"""Serves stores in Datasette, to this machine alone, and read-only."""

from __future__ import annotations

import asyncio
import socket
from contextlib import suppress
from typing import TYPE_CHECKING

from memctl.base.errors import UsageError
from memctl_cli.browsing.about_stores import metadata_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from datasette.app import Datasette

_HOST = "127.0.0.1"
# A view of a large store takes longer than the second that Datasette allows.
_SETTINGS = {"sql_time_limit_ms": 20_000, "facet_time_limit_ms": 1_000, "allow_download": False}


def datasette_of(stores: Mapping[str, Path]) -> Datasette:
    """Return Datasette with stores that it opens read-only, by the names that they have there."""
    from datasette.app import Datasette
    from datasette.database import Database
    from datasette.plugins import pm

    from memctl_cli.browsing import cells

    if not pm.has_plugin("memctl"):
        pm.register(cells, "memctl")
    made = Datasette(metadata=metadata_of(stores), settings=_SETTINGS)
    made.remove_database("_memory")
    for name, path in stores.items():
        made.add_database(Database(made, path=str(path), is_mutable=True), name=name)
    return made


def serve(stores: Mapping[str, Path], port: int, started: Callable[[str], object]) -> None:
    """Serve stores until somebody interrupts it.

    Parameters
    ----------
    stores
        Their files, by the names that they have in the address.
    port
        Where to listen on 127.0.0.1; 0: wherever there is room.
    started
        Called with the address as soon as it can be opened.

    Raises
    ------
    UsageError
        When somebody else listens on that port.
    """
    import uvicorn

    made = datasette_of(stores)
    with _listening(port) as listening:
        asyncio.run(made.invoke_startup())
        path = made.urls.database(next(iter(stores))) if len(stores) == 1 else made.urls.instance()
        started(f"http://{_HOST}:{listening.getsockname()[1]}{path}")
        config = uvicorn.Config(made.app(), log_level="warning", lifespan="on")
        with suppress(KeyboardInterrupt):
            uvicorn.Server(config).run(sockets=[listening])


def _listening(port: int) -> socket.socket:
    listening = socket.socket()
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((_HOST, port))
        listening.listen()
    except OSError as error:
        listening.close()
        raise UsageError(
            f"port {port} cannot be listened on: {error.strerror}",
            hint="name another one: memctl browse --port 0 takes any that is free",
        ) from error
    return listening
