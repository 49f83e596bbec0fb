"""Serves stores in Datasette, to this machine alone, and read-only."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from memctl_cli.browsing.about_stores import metadata_of
from memctl_cli.serving import listen
from memctl_cli.serving import serve as serve_application

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from datasette.app import Datasette

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
    made = datasette_of(stores)
    with listen(str(port)) as listening:
        asyncio.run(made.invoke_startup())
        path = made.urls.database(next(iter(stores))) if len(stores) == 1 else made.urls.instance()
        serve_application(made.app(), listening, lambda url: started(f"{url.rstrip('/')}{path}"))
