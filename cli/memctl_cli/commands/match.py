"""``memctl match``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from memctl_cli.commands.images import (
    AppVersion,
    AsLearned,
    Dark,
    Image,
    Page,
    Profile,
    Scale,
    Timeout,
    Viewport,
    Window,
    browser_options,
    pixels,
    show_match,
    window_of,
)
from memctl_cli.commands.options import Recorded
from memctl_cli.drawing.answers import draw_match
from memctl_cli.session import session_of


def match(
    context: typer.Context,
    image: Image,
    page: Page = None,
    window: Window = None,
    record: Recorded = True,
    png: Annotated[
        Path | None,
        typer.Option("--png", help="Write the screenshot with boxes drawn on it to this file."),
    ] = None,
    ocr: Annotated[
        bool, typer.Option("--ocr", help="Read texts too (needs the extra: memctl-engine\\[ocr]).")
    ] = False,
    app_version: AppVersion = None,
    as_learned: AsLearned = False,
    viewport: Viewport = None,
    scale: Scale = None,
    dark: Dark = False,
    profile: Profile = None,
    timeout: Timeout = None,
) -> None:
    """Find the state and the components of a screenshot, and say what is absent and why.

    Example: memctl match http://localhost:8000/orders --png seen.png

    Example: memctl --app chromium/united.com match shot.png --png seen.png
    """
    options = browser_options(image, viewport, scale, dark, profile, timeout)
    session = session_of(context).looking_at(image)
    with session.memory(reading=True) as memory:
        source = pixels(image, memory, options)
        answer = memory.match(
            source,
            window_of(window),
            page=page,
            record=record,
            app_version=app_version,
            ocr=ocr,
            as_learned=as_learned,
        )
    if png is not None:
        png.write_bytes(draw_match(source, answer))
    session.answer(answer, lambda console: show_match(console, answer), count=len(answer.sightings))
