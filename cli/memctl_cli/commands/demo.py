"""``memctl demo``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from memctl_cli.session import session_of

if TYPE_CHECKING:
    from memctl_cli.demo.telling import Told
    from memctl_cli.output.console import Console

__all__ = ["demo"]


def demo(
    context: typer.Context,
    folder: Annotated[
        Path | None, typer.Option("--into", help="A new or empty folder for the demo's store.")
    ] = None,
) -> None:
    """Tell the whole story on bundled screenshots, in a home of its own.

    Example: memctl demo
    """
    from memctl_cli.demo.telling import tell

    session = session_of(context)
    quiet = session.as_json
    told = tell(folder, progress=not quiet)
    session.answer(told, lambda console: _show(console, told), count=len(told.scenes))


def _show(console: Console, told: Told) -> None:
    from memctl_cli.demo.showing import show_story

    show_story(console, told)
