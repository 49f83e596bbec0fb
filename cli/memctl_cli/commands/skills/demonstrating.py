"""``memctl skills record|draft``: what was done in a browser, or by an agent, becomes a draft."""

from __future__ import annotations

import sys
import threading
import time
from typing import TYPE_CHECKING, Annotated

import typer

from memctl.base.errors import UnusableInputError, UsageError
from memctl.scenes.wording import names_in_braces
from memctl_cli.commands.images import Dark, Profile, Scale, Viewport, browser_options
from memctl_cli.commands.skills.checking import Verify, checks
from memctl_cli.commands.skills.doing import Params, values_of
from memctl_cli.output.envelope import counted, shown
from memctl_cli.output.run_words import act_words, checks_of, plain_skill
from memctl_cli.session import session_of

if TYPE_CHECKING:
    from memctl.drivers.demonstration import Demonstration
    from memctl.procedural.skill_records import Skill, SkillStep
    from memctl_cli.output.console import Console

_LISTEN = 0.5  # seconds between two looks at whether it is over


def register(app: typer.Typer) -> None:
    """Add the commands to a group."""
    app.command()(record)
    app.command()(draft)


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
    verify: Verify = None,
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
    """Watch what you do in a browser until Enter, or its page is closed; adds a draft.

    A value given as --param is sought in what is typed, on what is pressed,
    in all text of its row or card, and in the URL; each step says where it
    stands. One that stands nowhere is refused.

    Example: memctl skills record delete-an-order --url http://localhost:8000/ --param who="Ann Berg"

    Example: memctl skills record pay --url http://localhost:8000/ --verify reload
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
            verify=checks(verify) or (),
        )
    session.answer(plain_skill(skill), lambda console: _show(console, skill), command="record")


def draft(
    context: typer.Context,
    name: Annotated[str, typer.Argument(help="What the skill is to be called.")],
    last: Annotated[
        bool, typer.Option("--last", help="Of the acts that were done last; the one way there is.")
    ] = False,
    whose: Annotated[
        str | None, typer.Option("--session", help="Of that session; else of whoever did them.")
    ] = None,
    acts: Annotated[int, typer.Option("--acts", min=1, max=200, help="At most so many acts.")] = 20,
) -> None:
    """Make a draft of the acts that an agent did last, by the log of transitions.

    A pause of ten minutes ends a task: acts before it are left out.

    Example: memctl --app shop skills draft book-a-table --last --acts 4
    """
    if not last:
        raise UsageError("a draft of what?", hint="--last: of the acts that were done last")
    session = session_of(context)
    with session.memory(existing=True) as memory:
        skill = memory.skills.draft_last(name, acts=acts, session=whose)
    session.answer(plain_skill(skill), lambda console: _show(console, skill), command="draft")


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
        console.print(f"  {step.number}. {shown(act_words(step))}")
        if proof := step.effects.words():
            console.print(f"     proof: {shown(proof)}")
    for step in skill.steps:
        for text in _followed(step):
            console.print(shown(f'step {step.number} always follows "{text}":'))
            console.print(shown(f'  record it with --param NAME="{text}" where that varies'))
    for check in checks_of(skill):
        console.print(f"checked at the end: {shown(check)}")
    if skill.status == "draft":
        console.print(f"memctl skills approve {skill.name} lets it be used")


def _followed(step: SkillStep) -> list[str]:
    """Return the texts of its row that a step follows, whatever its parameters are."""
    anchors = () if step.place is None else step.place.anchors
    rows = [one.text for one in anchors if one.how in {"row", "band"}]
    return [] if any(map(names_in_braces, rows)) else rows
