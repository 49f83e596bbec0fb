"""``memctl ui``: pages in a browser to see, correct and forget what is remembered."""

from __future__ import annotations

import secrets
import sys
from functools import partial
from importlib.util import find_spec
from typing import Annotated
from urllib.parse import urlsplit

from typer import Option

from memctl.base.errors import UsageError
from memctl_cli.call import Answer, Call


def ui(
    call: Call,
    port: Annotated[
        int, Option(min=0, max=65_535, help="Port on 127.0.0.1; 0: any that is free.")
    ] = 0,
    readonly: Annotated[
        bool, Option("--readonly", help="Open stores read-only: nothing can be changed.")
    ] = False,
    no_open: Annotated[
        bool, Option("--no-open", help="Only print the address; open no browser.")
    ] = False,
) -> None:
    """Open pages to see, correct, forget and approve what is remembered, in your browser.

    They are served on 127.0.0.1 alone, until Ctrl-C, to whoever has the address with its token. It
    needs the extra "ui" of memctl-engine.

    Example: memctl --app harbor ui
    """
    if not all(map(find_spec, ("starlette", "uvicorn"))):
        raise UsageError(
            "Starlette or uvicorn is not installed", hint="pip install 'memctl-engine[ui]'"
        )
    from memctl_cli.serving import listen, serve
    from memctl_cli.ui.app import application_of
    from memctl_cli.ui.view import Site, path_of

    opened = partial(call.memory, readonly=readonly)
    with opened(reading=call.named) as memory:
        first = path_of(str(memory.address), "") if memory.store.exists else "/"
    site = Site(lambda address: opened(reading=True, address=address), call.home_folder, readonly)
    token, once = secrets.token_urlsafe(), secrets.token_urlsafe()

    def started(url: str) -> None:
        begin = urlsplit(url)._replace(path=first)
        address = begin._replace(query=f"token={token}").geturl()
        call.print(Answer({"address": address}, address))
        sys.stdout.flush()
        if not no_open:
            import webbrowser

            webbrowser.open(begin._replace(query=f"token={once}").geturl())

    serve(application_of(site, token, once), listen(str(port)), started)
