"""``memctl browse``."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from memctl.base.errors import MemctlError, NotFoundError, UsageError
from memctl_cli.session import session_of

if TYPE_CHECKING:
    from pathlib import Path

    from memctl_cli.session import Session


def browse(
    context: typer.Context,
    port: Annotated[
        int,
        typer.Option("--port", min=0, max=65_535, help="Port on 127.0.0.1; 0: any that is free."),
    ] = 8001,
    all_stores: Annotated[
        bool, typer.Option("--all-stores", help="Every store of this home, not only --app.")
    ] = False,
    no_open: Annotated[
        bool, typer.Option("--no-open", help="Only print the address; open no browser.")
    ] = False,
) -> None:
    """Open a store in Datasette, read-only: tables, pictures, questions, in your browser.

    It listens on 127.0.0.1 alone, until Ctrl-C, and needs the extra "browse" of memctl-engine.
    Whoever uses this machine meanwhile can read the store there.

    Example: memctl --app harbor browse
    """
    session = session_of(context)
    try:
        from memctl_cli.browsing.server import serve

        __import__("datasette")
    except ModuleNotFoundError as error:
        if error.name and error.name.partition(".")[0] == "datasette":
            raise UsageError(
                "Datasette is not installed", hint="pip install 'memctl-engine[browse]'"
            ) from None
        raise

    def started(address: str) -> None:
        session.answer({"address": address}, lambda console: console.print(address))
        sys.stdout.flush()
        if not no_open:
            import webbrowser

            webbrowser.open(address)

    serve(_files(session, all_stores=all_stores), port, started)


def _files(session: Session, *, all_stores: bool) -> dict[str, Path]:
    """Return the files of stores that can be opened, by their addresses."""
    if not all_stores:
        with session.memory(readonly=True, existing=True) as memory:
            return {session.address: memory.store.path}
    from dataclasses import replace
    from pathlib import Path

    import memctl

    found: dict[str, Path] = {}
    for one in memctl.stores(session.home):
        try:
            with replace(session, address=one.app).memory(readonly=True, existing=True):
                found[one.app] = Path(one.path)
        except MemctlError as error:
            typer.echo(f"memctl: left out: {error.message}", err=True)
    if not found:
        raise NotFoundError(f"no store in {session.home_folder()}", hint="memctl stores lists them")
    return found
