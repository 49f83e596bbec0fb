"""``memctl locate``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from memctl_cli.commands.images import (
    AsLearned,
    Dark,
    Image,
    Profile,
    Scale,
    Timeout,
    Viewport,
    Window,
    browser_options,
    pixels,
    window_of,
)
from memctl_cli.output.envelope import shown
from memctl_cli.session import session_of

if TYPE_CHECKING:
    from memctl.visual.match_results import Location
    from memctl_cli.output.console import Console

_NOT_FOUND = 4


def locate(
    context: typer.Context,
    name: Annotated[str, typer.Argument(help="A component's name, label or id.")],
    image: Image,
    window: Window = None,
    beside: Annotated[
        str | None,
        typer.Option(
            metavar="TEXT",
            help="Choose one of equal places: a text, or a component's name, label or id, in the "
            "same row, on the same card or in the same group.",
        ),
    ] = None,
    as_learned: AsLearned = False,
    viewport: Viewport = None,
    scale: Scale = None,
    dark: Dark = False,
    profile: Profile = None,
    timeout: Timeout = None,
) -> None:
    """Find one component on a screenshot; exit 4 when it is not there.

    Example: memctl locate New_invoice http://localhost:8000/orders

    Example: memctl --app harbor locate New_invoice shot.png

    Example: memctl --app harbor locate Delete shot.png --beside "Ann Berg"
    """
    options = browser_options(image, viewport, scale, dark, profile, timeout)
    session = session_of(context).looking_at(image)
    with session.memory(reading=True) as memory:
        answer = memory.locate(
            name,
            pixels(image, memory, options),
            window_of(window),
            beside=beside,
            as_learned=as_learned,
        )
    session.answer(answer, lambda console: _show(console, answer), count=int(answer.found))
    if not answer.found:
        raise typer.Exit(_NOT_FOUND)


def _show(console: Console, answer: Location) -> None:
    if answer.note:
        console.print(shown(answer.note))
    if answer.found:
        console.print(
            f"{answer.name}: x {answer.x}, y {answer.y}, {answer.w} x {answer.h}, "
            f"score {answer.score:.3f}, found by {answer.how}"
            + (f"; not as learned: {answer.changed}" if answer.changed else "")
        )
        for x, y in answer.also_at:
            console.print(f"  also at x {x}, y {y}")
        return
    best = ""
    if answer.score is not None and answer.refused_at is not None:
        best = f"; best {answer.score:.3f} at {answer.refused_at[0]},{answer.refused_at[1]}"
    console.print(f"{answer.name} was not found: {shown(answer.how)}{best}")
