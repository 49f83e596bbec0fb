"""``memctl learn``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from memctl_cli.commands.images import (
    AppVersion,
    Dark,
    Ignore,
    Image,
    Page,
    Profile,
    Scale,
    Timeout,
    Viewport,
    Window,
    areas_of,
    browser_options,
    pixels,
    show_match,
    window_of,
)
from memctl_cli.output.envelope import counted, rows, table
from memctl_cli.session import session_of

if TYPE_CHECKING:
    from memctl.visual.match_results import Learn
    from memctl_cli.output.console import Console

_MOST = 20  # components in the table


def learn(
    context: typer.Context,
    image: Image,
    boxes: Annotated[
        str | None,
        typer.Option(
            "--boxes", help="JSON list of {x,y,w,h,label?,type?}; else boxes are proposed."
        ),
    ] = None,
    page: Page = None,
    window: Window = None,
    ignore: Ignore = None,
    ocr: Annotated[
        bool, typer.Option("--ocr", help="Read texts too (needs the extra: memctl-engine\\[ocr]).")
    ] = False,
    app_version: AppVersion = None,
    viewport: Viewport = None,
    scale: Scale = None,
    dark: Dark = False,
    profile: Profile = None,
    timeout: Timeout = None,
) -> None:
    """Learn a screen: add what is new, update what is known, name the screen.

    Example: memctl learn http://localhost:8000/orders

    Example: memctl --app chromium/united.com learn shot.png --boxes dom.json --page search
    """
    options = browser_options(image, viewport, scale, dark, profile, timeout)
    session = session_of(context).looking_at(image)
    with session.memory() as memory:
        answer = memory.learn(
            pixels(image, memory, options),
            boxes,
            page,
            window_of(window),
            ocr=ocr,
            app_version=app_version,
            ignore=areas_of(ignore),
        )
    session.answer(
        answer,
        lambda console: _show(console, answer, session.unnamed_store),
        count=len(answer.learned),
    )


def _show(console: Console, answer: Learn, store: str) -> None:
    show_match(console, answer, most=0)
    fate = "a new state" if answer.state_created else "seen before"
    if answer.state is None:
        fate = "nothing on it to know it by"
    console.print(f"screen    {fate}")
    if store:
        console.print(f"store     {store}; --app names another")
    console.print(f"learned   {counted(len(answer.learned), 'component')}")
    cells = [
        (one.component_id, one.name, one.type, one.x, one.y, one.w, one.h)
        for one in answer.learned[:_MOST]
    ]
    if cells:
        made = table(
            "id",
            "name",
            "type",
            "x",
            "y",
            "w",
            "h",
            right=("id", "x", "y", "w", "h"),
            whole=("name", "type"),
        )
        console.print(rows(made, cells))
    if len(answer.learned) > _MOST:
        console.print(f"          and {len(answer.learned) - _MOST} more; --json lists all")
    reasons: dict[str, int] = {}
    for one in answer.refused:
        reasons[one.why] = reasons.get(one.why, 0) + 1
    for why, count in sorted(reasons.items(), key=lambda item: -item[1]):
        console.print(f"refused   {count} x {why}")
    for merged in answer.states_merged:
        console.print(f"merged    {merged.merged} into {merged.into} ({merged.similarity:.2f})")
