"""``memctl dream verify|install|uninstall``."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from memctl_cli.output.envelope import counted, print_list, shown, table
from memctl_cli.output.plain_table import wrapped
from memctl_cli.session import session_of

if TYPE_CHECKING:
    from memctl.consolidation.checking.verification import VerifiedFacts
    from memctl.consolidation.views.schedule import DreamSchedule
    from memctl_cli.output.console import Console
    from memctl_cli.session import Session

__all__ = ["register"]

At = Annotated[str, typer.Option("--at", metavar="HH:MM", help="Each night at that time.")]


def register(app: typer.Typer) -> None:
    """Add the commands to a group."""
    for command in (verify, install, uninstall):
        app.command()(command)


def verify(
    context: typer.Context,
    paths: Annotated[
        Path | None, typer.Option("--paths", help="Look up the files that facts name below it.")
    ] = None,
) -> None:
    """Check the facts that hold, and suggest what to do; changes nothing.

    Example: memctl dream verify --paths ~/project
    """
    session = session_of(context)
    with session.memory(existing=True, readonly=True) as memory:
        found = memory.dream.verify(paths=paths)
    session.answer(found, lambda console: _show(console, found), command="verify")


def install(context: typer.Context, at: At = "03:00") -> None:
    """Print what lets a dream run each night: a line for cron, and a timer for systemd.

    Example: memctl dream install --at 03:00
    """
    session = session_of(context)
    made = _schedule(session, at)
    session.answer(made, lambda console: _show_schedule(console, made), command="install")


def uninstall(context: typer.Context) -> None:
    """Print the commands that take the nightly dream away again.

    Example: memctl dream uninstall
    """
    session = session_of(context)
    made = _schedule(session, "03:00")

    def show(console: Console) -> None:
        for line in made.uninstall:
            console.print(line, soft_wrap=True)

    session.answer({"uninstall": made.uninstall}, show, command="uninstall")


def _schedule(session: Session, at: str) -> DreamSchedule:
    from memctl.base.home import usual_home
    from memctl.consolidation.views.schedule import schedule

    folder = session.home_folder()  # also what MEMCTL_HOME says: cron knows no such variable
    home = "" if folder == usual_home() else str(folder)
    program = shutil.which("memctl") or str(Path(sys.argv[0]).absolute())
    words = [
        program,
        *(["--home", home] if home else []),
        "--app",
        session.address,
        "dream",
        "run",
        "--if-due",
        "--apply",
    ]
    return schedule(words, at=at, name=session.address, home=home)


def _show(console: Console, found: VerifiedFacts) -> None:
    for one in found.findings:
        what = shown(f"{one.fact_id} {one.kind}: {one.what}")
        console.print(wrapped(what, console.width, hang="    "))
        for command in one.suggestion.splitlines():
            console.print(f"  {shown(command)}", soft_wrap=True)
    console.print(counted(len(found.findings), "finding"))
    if found.turns:
        pairs = table("turn", "earlier", "kind", "what it says", whole=("turn", "earlier"))
        rows = [(str(one.turn), str(one.earlier), one.kind, one.what) for one in found.turns]
        print_list(console, pairs, rows, "later turn")
    told = f", consistency {found.consistency:g} of 10" if found.checked else ""
    console.print(f"{counted(found.checked, 'fact')} checked{told}: {shown(found.verdict)}")


def _show_schedule(console: Console, made: DreamSchedule) -> None:
    for title, text in (
        ("crontab -e takes this line:", made.cron),
        (f"or ~/.config/systemd/user/{made.unit}.service:", made.service),
        (f"and ~/.config/systemd/user/{made.unit}.timer:", made.timer),
        ("then:", "\n".join(made.install)),
    ):
        console.print(title)
        console.print(shown(text), soft_wrap=True)
        console.print("")
