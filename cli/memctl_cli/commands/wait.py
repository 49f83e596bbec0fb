"""``memctl wait``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from memctl.base.errors import UsageError
from memctl_cli.commands.images import (
    Dark,
    Image,
    Profile,
    Scale,
    Viewport,
    Window,
    browser_options,
    show_match,
    window_of,
)
from memctl_cli.commands.options import Recorded
from memctl_cli.session import session_of

if TYPE_CHECKING:
    from memctl.visual.waiting import Waited
    from memctl_cli.output.console import Console

_NOT_FOUND = 4


def wait(
    context: typer.Context,
    name: Annotated[
        str, typer.Argument(help="A state's id, name or page, or a component's name or id.")
    ],
    image: Image,
    window: Window = None,
    timeout: Annotated[
        float, typer.Option("--timeout", help="Seconds to wait at most.", min=0, max=86_400)
    ] = 10.0,
    interval: Annotated[
        float, typer.Option("--interval", help="Seconds between two looks.", min=0, max=3_600)
    ] = 0.5,
    record: Recorded = True,
    viewport: Viewport = None,
    scale: Scale = None,
    dark: Dark = False,
    profile: Profile = None,
) -> None:
    """Look until a state or a component is on the screen; exit 4 when the time is over.

    Example: memctl wait orders http://localhost:8000/orders --timeout 30

    Example: memctl --app harbor wait New_invoice screen
    """
    if image == "-":
        raise UsageError("standard input does not change", hint="name a file, a URL or screen")
    options = browser_options(image, viewport, scale, dark, profile)
    session = session_of(context).looking_at(image)
    with session.memory() as memory:
        answer = memory.wait(
            name,
            image,
            window_of(window),
            timeout=timeout,
            interval=interval,
            record=record,
            **options,
        )
    session.answer(answer, lambda console: _show(console, answer), count=int(answer.found))
    if not answer.found:
        raise typer.Exit(_NOT_FOUND)


def _show(console: Console, answer: Waited) -> None:
    came = "there" if answer.found else "not there"
    console.print(f"{answer.name}: {came} after {answer.seconds:.1f} s, {answer.looks} looks")
    show_match(console, answer.match, most=20 if answer.found else 5)
