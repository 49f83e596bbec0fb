"""Arguments of the commands on screenshots, and how their answers are shown."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from memctl.base.errors import UnusableInputError, UsageError
from memctl_cli.output.envelope import counted, rows, shown, table

if TYPE_CHECKING:
    from memctl.memory import Memory
    from memctl.visual.match_results import Match
    from memctl_cli.output.console import Console

__all__ = ["AppVersion", "Image", "Page", "Window", "pixels", "show_match", "window_of"]

Image = Annotated[str, typer.Argument(help="A PNG or JPEG file; - reads standard input.")]
Window = Annotated[
    str | None, typer.Option("--window", help="The app's window, X,Y,W,H in image pixels.")
]
Page = Annotated[
    str | None,
    typer.Option("--page", help="Your name of this page; states of two pages are never merged."),
]
AppVersion = Annotated[
    str | None,
    typer.Option("--app-version", help="Version of the app on the screenshot, for reports."),
]


def pixels(image: str, memory: Memory) -> str | bytes:
    """Return the path of an image, or the bytes of standard input.

    Raises
    ------
    UnusableInputError
        When standard input is closed, or longer than any image that would be read.
    """
    if image != "-":
        return image
    if sys.stdin is None:
        raise UnusableInputError("standard input is closed", hint="send a PNG or JPEG to it")
    # No format needs more than 8 bytes a pixel, and a little for its header.
    most = 8 * memory.settings.integer("max_pixels") + 1_048_576
    data = sys.stdin.buffer.read(most + 1)
    if len(data) > most:
        raise UnusableInputError(
            f"standard input is too large for an image: over {most:,} bytes",
            hint="send a PNG or JPEG to it",
        )
    return data


def window_of(text: str | None) -> tuple[int, int, int, int] | None:
    """Return the four numbers of ``--window``."""
    if text is None:
        return None
    try:
        x, y, w, h = (int(part) for part in text.split(","))
    except ValueError:
        raise UsageError(f'--window "{text}" is not X,Y,W,H', hint="four whole numbers") from None
    return x, y, w, h


def show_match(console: Console, answer: Match, *, most: int = 20) -> None:
    """Show a match for people: the state, the components found and those absent, and why."""
    state = answer.state
    if state is None:
        console.print("state     unknown")
    else:
        name = f"  {state.name}" if state.name else ""
        console.print(
            f"state     {state.id}{name}  {state.status}, similarity {state.similarity:.2f}"
        )
    console.print(f"found     {counted(len(answer.sightings), 'component')}")
    found = table(
        "id",
        "name",
        "x",
        "y",
        "w",
        "h",
        "score",
        "how",
        right=("id", "x", "y", "score"),
        whole=("name", "how"),
    )
    cells = [
        (s.component_id, s.name, s.x, s.y, s.w, s.h, f"{s.score:.3f}", s.how)
        for s in answer.sightings[:most]
    ]
    if cells:
        console.print(rows(found, cells))
    if len(answer.sightings) > most:
        console.print(f"          and {len(answer.sightings) - most} more; --json lists all")
    if answer.unrecorded:
        console.print(shown(answer.unrecorded))
    if answer.absent:
        console.print(f"absent    {len(answer.absent)} that are expected here")
        missing = table(
            "id", "name", "best score", "why", right=("id", "best score"), whole=("name",)
        )
        console.print(
            rows(
                missing,
                [(a.component_id, a.name, a.best_score, a.why) for a in answer.absent[:most]],
            )
        )
    for gone in answer.forgotten:
        console.print(f"forgotten {gone.name}: {gone.why}")
    console.print(f"time      {sum(answer.ms.values()):.1f} ms")
