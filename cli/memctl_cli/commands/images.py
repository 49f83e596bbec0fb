"""Arguments of the commands on screenshots, and how their answers are shown."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from memctl.base.errors import UnusableInputError, UsageError
from memctl_cli.output.envelope import counted, rows, shown, table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memctl.drivers.look import Look
    from memctl.memory import Memory
    from memctl.visual.match_results import Match
    from memctl_cli.output.console import Console

Image = Annotated[
    str,
    typer.Argument(
        help="A PNG or JPEG file, an http or https URL, or screen; - reads standard input."
    ),
]
Viewport = Annotated[
    str | None, typer.Option("--viewport", help="Size of a URL's page, WxH in CSS pixels.")
]
Scale = Annotated[
    float | None,
    typer.Option("--scale", help="Pixels to one CSS pixel of a URL's page.", min=0.5, max=4),
]
Dark = Annotated[bool, typer.Option("--dark", help="Ask a URL's page for its dark theme.")]
Profile = Annotated[
    str | None,
    typer.Option("--profile", help="Folder of a browser profile that is signed in to a URL."),
]
Timeout = Annotated[
    float | None,
    typer.Option("--timeout", help="Seconds that a URL's page may take.", min=0.1, max=600),
]
Window = Annotated[
    str | None, typer.Option("--window", help="The app's window, X,Y,W,H in image pixels.")
]
Ignore = Annotated[
    list[str] | None,
    typer.Option(
        "--ignore",
        metavar="X,Y,W,H",
        help="An area to leave out, such as a clock, in image pixels; may be repeated.",
    ),
]
Page = Annotated[
    str | None,
    typer.Option("--page", help="Your name of this page; states of two pages are never merged."),
]
AppVersion = Annotated[
    str | None,
    typer.Option("--app-version", help="Version of the app on the screenshot, for reports."),
]
AsLearned = Annotated[
    bool,
    typer.Option(
        "--as-learned",
        help="Leave out what stands at its place in another dress, such as other colours.",
    ),
]


def browser_options(
    image: str,
    viewport: str | None,
    scale: float | None,
    dark: bool,
    profile: str | None,
    timeout: float | None = None,
) -> dict[str, Any]:
    """Return the options of the browser driver that were given.

    Raises
    ------
    UsageError
        When one is given and the image is no URL, or the viewport is no size.
    """
    from memctl.drivers.live_sources import is_url

    said = {"scale": scale, "dark": dark or None, "profile": profile, "timeout": timeout}
    options: dict[str, Any] = {key: value for key, value in said.items() if value is not None}
    if viewport is not None:
        options["viewport"] = _size_of(viewport)
    if options and not is_url(image):
        raise UsageError(f"--{next(iter(options))} needs a URL", hint="leave it out for an image")
    return options


def _size_of(text: str) -> tuple[int, int]:
    try:
        width, height = (int(part) for part in text.lower().split("x"))
    except ValueError:
        width = height = 0
    if not (_LEAST <= width <= _MOST and _LEAST <= height <= _MOST):
        raise UsageError(f'--viewport "{text}" is not WxH', hint="such as 1280x800")
    return width, height


def pixels(image: str, memory: Memory, options: dict[str, Any] | None = None) -> str | bytes | Look:
    """Return the path of an image, the bytes of standard input, or a look at a live screen.

    Raises
    ------
    UnusableInputError
        When standard input is closed, or longer than any image that would be read; when a
        live screen cannot be looked at.
    """
    if image != "-":
        return memory.look(image, **(options or {})) or image
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


# CSS pixels.
_LEAST, _MOST = 100, 10_000


def window_of(text: str | None) -> tuple[int, int, int, int] | None:
    """Return the four numbers of ``--window``."""
    return None if text is None else _area("--window", text)


def areas_of(texts: Sequence[str] | None) -> list[tuple[int, int, int, int]]:
    """Return the numbers of every ``--ignore``."""
    return [_area("--ignore", text) for text in texts or ()]


def _area(option: str, text: str) -> tuple[int, int, int, int]:
    try:
        x, y, w, h = (int(part) for part in text.split(","))
    except ValueError:
        raise UsageError(f'{option} "{text}" is not X,Y,W,H', hint="four whole numbers") from None
    return x, y, w, h


def show_match(console: Console, answer: Match, *, most: int = 20) -> None:
    """Show a match for people: the state, the components found and those absent, and why."""
    state = answer.state
    if state is None:
        console.print("state     unknown" + (f": {shown(answer.doubt)}" if answer.doubt else ""))
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
    for remark in (answer.unrecorded, answer.note):
        if remark:
            console.print(shown(remark))
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
