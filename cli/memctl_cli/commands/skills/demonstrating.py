"""``memctl skills record``: a demonstration in the browser becomes a draft."""

from __future__ import annotations

import sys
import threading
import time
from typing import TYPE_CHECKING, Annotated

import typer

from memctl.base.errors import UnusableInputError
from memctl_cli.commands.images import Dark, Profile, Scale, Viewport, browser_options
from memctl_cli.commands.skills.doing import Params, values_of
from memctl_cli.output.envelope import counted, shown
from memctl_cli.session import session_of

if TYPE_CHECKING:
    from memctl.drivers.demonstration import Demonstration
    from memctl.procedural.skill_records import Skill
    from memctl_cli.output.console import Console

__all__ = ["register"]

_LISTEN = 0.5  # seconds between two looks at whether it is over


def register(app: typer.Typer) -> None:
    """Add the command to a group."""
    app.command()(record)


def record(
    context: typer.Context,
    name: Annotated[str, typer.Argument(help="What the skill is to be called.")],
    url: Annotated[str, typer.Option("--url", help="The page to begin at.")],
    param: Params = None,
    output: Annotated[
        list[str] | None,
        typer.Option("--output", metavar="KEY=COMPONENT", help="A text to read at the end."),
    ] = None,
    trigger: Annotated[
        list[str] | None, typer.Option("--trigger", help="What it is asked for with; several.")
    ] = None,
    description: Annotated[str, typer.Option("--description", help="What it does.")] = "",
    seconds: Annotated[
        float, typer.Option("--seconds", min=1, max=86_400, help="The longest it may take.")
    ] = 600.0,
    headless: Annotated[
        bool, typer.Option("--headless", help="Show no window: for what acts by itself.")
    ] = False,
    viewport: Viewport = None,
    scale: Scale = None,
    dark: Dark = False,
    profile: Profile = None,
) -> None:
    """Watch what you do in a browser until Enter, or until its page is closed; adds a draft.

    A value given as --param takes the place where it was typed, or stands on what was pressed.

    Example: memctl skills record delete-an-order --url http://localhost:8000/ --param who="Ann Berg"
    """
    session = session_of(context).looking_at(url)
    options = browser_options(url, viewport, scale, dark, profile)
    from memctl.drivers.demonstration import Demonstration

    with session.memory() as memory:
        with memory.browser(**options, headless=headless) as driver:
            driver.goto(url)
            with Demonstration(driver) as seen:
                typer.echo("watching; press Enter here when it is done", err=True)
                _watch(seen, seconds)
        skill = memory.skills.record(
            name,
            seen.acts,
            url=url,
            description=description,
            triggers=trigger or (),
            parameters=values_of(param),
            outputs=values_of(output),
        )
    session.answer(skill, lambda console: _show(console, skill), command="record")


def _watch(seen: Demonstration, seconds: float) -> None:
    """Watch until somebody presses Enter, the page is closed, or the time is over."""
    ended = threading.Event()

    def listen() -> None:
        if sys.stdin is not None and sys.stdin.readline():
            ended.set()

    threading.Thread(target=listen, daemon=True).start()
    until = time.monotonic() + seconds
    told = 0
    while not ended.is_set() and time.monotonic() < until:
        try:
            seen.wait(_LISTEN)
        except UnusableInputError:  # the page was closed: what was done before is kept
            return
        for act in seen.acts[told:]:
            typer.echo(f"  {act.kind} {act.label or act.field or act.text}".rstrip(), err=True)
        told = len(seen.acts)


def _show(console: Console, skill: Skill) -> None:
    console.print(f"{skill.name}: {counted(len(skill.steps), 'step')}, {skill.status}")
    for step in skill.steps:
        risk = " (cannot be undone)" if step.irreversible else ""
        console.print(f"  {step.number}. {shown(step.words)}{risk}")
    if skill.status == "draft":
        console.print(f"memctl skills approve {skill.name} lets it be used")
