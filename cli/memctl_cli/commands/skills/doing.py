"""``memctl skills run|next|resume|drop``."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from memctl.base.errors import MemctlError, UsageError
from memctl.procedural.skill_checking import refuse_address
from memctl_cli.commands.images import Dark, Profile, Scale, Viewport, browser_options
from memctl_cli.commands.skills.keeping import Name
from memctl_cli.output.chances import chance, percent
from memctl_cli.output.envelope import print_list, shown, table
from memctl_cli.output.run_words import plain_run, verdict
from memctl_cli.session import session_of

if TYPE_CHECKING:
    from memctl.drivers.browser_driver import BrowserDriver
    from memctl.procedural.next_act import NextAct
    from memctl.procedural.skill_records import SkillRun, WatchedStep
    from memctl.procedural.twin import Twin
    from memctl_cli.output.console import Console

Params = Annotated[
    list[str] | None, typer.Option("--param", metavar="KEY=VALUE", help="A value; several.")
]
Url = Annotated[str | None, typer.Option("--url", help="Where the app is; else the skill's own.")]
Tools = Annotated[
    str,
    typer.Option(
        "--tools",
        metavar="COMMAND",
        help="Does the steps of tools: gets the tool's name, and its input as JSON.",
    ),
]
_NOT_DONE = 3


def register(app: typer.Typer) -> None:
    """Add the commands to a group."""
    for command in (run, resume, drop):
        app.command()(command)
    app.command("next")(next_)


def run(
    context: typer.Context,
    name: Name,
    url: Url = None,
    param: Params = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Foresee the run; nothing is done.")
    ] = False,
    png: Annotated[
        Path | None,
        typer.Option("--png", help="Draw the run to this file: each step's screen, and the act."),
    ] = None,
    tools: Tools = "",
    viewport: Viewport = None,
    scale: Scale = None,
    dark: Dark = False,
    profile: Profile = None,
) -> None:
    """Run a skill in a browser, or by tools, step by step, each proven before the next.

    Exit 0 is "done": each change that was seen when it was shown came again.
    Exit 3 is one of three. "failed": the app refused it, or nothing changed;
    "uncertain": nobody can tell, look before you do it again; "halted": the
    next step was not done. No act is done again by itself.

    Example: memctl skills run delete-an-order --dry-run --param who="Ann Berg"

    Example: memctl skills run send-email --tools ./tools.sh --param to=ann@example.com

    Example: memctl skills run delete-an-order --param who="Ann Berg" --png run.png
    """
    session = session_of(context) if url is None else session_of(context).looking_at(url)
    values = values_of(param)
    if dry_run:
        with session.memory(existing=True, readonly=True) as memory:
            twin = memory.skills.foresee(name, values)
        session.answer(twin, lambda console: _show_twin(console, twin), command="run")
        return
    with session.memory(existing=True) as memory:
        skill = memory.skills.get(name)
        where = url or skill.url
        by_tools = all(step.tool for step in skill.steps)
        if by_tools or skill.status != "active":  # of what is not approved nothing is opened
            ended = memory.skills.run(name, None, values, url=where, tools=tools, tell=_tell)
            _end(context, ended)
            return
        if where is None:
            raise UsageError(f'"{skill.name}" names no page', hint="give --url")
        options = browser_options(where, viewport, scale, dark, profile)
        with memory.browser(**options) as driver:
            seen: list[WatchedStep] = []
            watch = None if png is None else seen.append
            ended = memory.skills.run(
                name, driver, values, url=where, opens=True, tools=tools, tell=_tell, watch=watch
            )
            if png is not None:
                _draw(png, skill.name, ended, seen, driver)
    _end(context, ended)


def resume(
    context: typer.Context,
    number: Annotated[int, typer.Argument(help="Number of a killed run.", metavar="RUN")],
    url: Annotated[str, typer.Option("--url", help="Where the app is now.")],
    param: Params = None,
    tools: Tools = "",
    profile: Profile = None,
) -> None:
    """Go on with a run that was killed, behind its last step.

    Example: memctl skills resume 3 --url http://localhost:8000/
    """
    refuse_address(url, None)
    session = session_of(context).looking_at(url)
    with session.memory(existing=True) as memory:
        options = browser_options(url, None, None, dark=False, profile=profile)
        with memory.browser(**options) as driver:
            ended = memory.skills.resume(
                number, driver, values_of(param), url=url, opens=True, tools=tools, tell=_tell
            )
    _end(context, ended)


def drop(
    context: typer.Context,
    number: Annotated[int, typer.Argument(help="Number of a killed run.", metavar="RUN")],
) -> None:
    """Give up a run that was killed.

    Example: memctl skills drop 3
    """
    session = session_of(context)
    with session.memory(existing=True) as memory:
        ended = memory.skills.drop(number)
    told = f"run {ended.id}: given up after step {ended.step}"
    session.answer(plain_run(ended), lambda console: console.print(told), command="drop")


def next_(
    context: typer.Context,
    name: Name,
    image: Annotated[
        str | None, typer.Argument(help="A screenshot, a URL or screen; none for a tool's step.")
    ] = None,
    after: Annotated[int, typer.Option("--after", min=0, help="The step that was done last.")] = 0,
    boxes: Annotated[str | None, typer.Option("--boxes", help="JSON with boxes.")] = None,
    param: Params = None,
) -> None:
    """Say what to do now, for a host that acts with its own hands; exit 3 where it must halt.

    Example: memctl skills next delete-an-order now.png --after 1 --param who="Ann Berg" --json
    """
    session = session_of(context).looking_at(image or "")
    with session.memory(existing=True, readonly=True) as memory:
        found = memory.skills.next(name, image, values_of(param), boxes=boxes, after=after)
    session.answer(found, lambda console: _show_next(console, found), command="next")
    if found.halt:
        raise typer.Exit(_NOT_DONE)


def values_of(given: list[str] | None) -> dict[str, str]:
    """Return the values of ``KEY=VALUE`` words."""
    values = {}
    for word in given or []:
        key, equals, value = word.partition("=")
        if not equals or not key.strip():
            raise UsageError(f'"{word:.40}" is no KEY=VALUE', hint='such as --param who="Ann Berg"')
        values[key.strip()] = value
    return values


def _draw(
    png: Path, name: str, ended: SkillRun, seen: list[WatchedStep], driver: BrowserDriver
) -> None:
    from memctl_cli.drawing.strip import draw_run

    last = b""
    with suppress(MemctlError):  # the page may be gone
        last = driver.look().png
    png.write_bytes(draw_run(name, ended, seen, last))


def _tell(line: str) -> None:
    typer.echo(line, err=True)


def _end(context: typer.Context, ended: SkillRun) -> None:
    session = session_of(context)
    session.answer(plain_run(ended), lambda console: _show_run(console, ended), command="run")
    if ended.status != "done":
        raise typer.Exit(_NOT_DONE)


def _show_run(console: Console, ended: SkillRun) -> None:
    told, _, means = verdict(ended).partition(": ")
    console.print(f"run {ended.id}: {told}, {ended.seconds:.1f} s, {ended.looks} full looks")
    for line in filter(None, (means, ended.why)):
        console.print(shown(line))
    for name, value in ended.outputs.items():
        console.print(f"{shown(name)}: {shown(value)}")


def _show_twin(console: Console, twin: Twin) -> None:
    made = table("step", "act", "at", "chance", "seconds", "rests on", whole=("step",))
    cells = [
        (
            one.number,
            one.words + (" (cannot be undone)" if one.irreversible else ""),
            one.at or "-",
            percent(one.probability),
            "-" if one.seconds is None else f"{one.seconds:.1f}",
            chance(one.succeeded, one.tried)
            + ("" if one.days is None else f", {one.days:g} days ago")
            + (f"; seen {one.found} of {one.looked}" if one.looked else ""),
        )
        for one in twin.steps
    ]
    print_list(console, made, cells, "step")
    console.print(
        f"the whole run: {percent(twin.probability)}, about {twin.seconds:.1f} s;"
        f" the weakest step is {twin.weakest}"
    )
    if twin.halts:
        console.print(f"it would halt: {shown(twin.halts)}")


def _show_next(console: Console, found: NextAct) -> None:
    if found.halt:
        console.print(f"halt: {shown(found.halt)}")
    elif found.done:
        console.print("done: there is no further step")
    else:
        place = "" if found.x is None else f" at {found.x}, {found.y}"
        console.print(f"{found.step}. {shown(found.words)}{place}")
