"""``memctl dream verify|install|uninstall``: a check, and the schedule of the dream as text to paste."""

from __future__ import annotations

import hashlib
import shlex
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from memctl.base import clock
from memctl.base.errors import UsageError
from memctl.base.pattern import Pattern
from memctl_cli.output.envelope import counted, print_list, shown, table
from memctl_cli.output.plain_table import wrapped
from memctl_cli.session import session_of

if TYPE_CHECKING:
    from memctl.consolidation.checking.verification import VerifiedFacts
    from memctl_cli.output.console import Console
    from memctl_cli.session import Session

_TIME = Pattern(r"([01]?\d|2[0-3]):([0-5]\d)")
_DIGITS = 8
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
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="DIR", help="Write the report verify/DATE.md below it."),
    ] = None,
) -> None:
    """Check the facts that hold, and suggest what to do; changes nothing.

    Example: memctl dream verify --paths ~/project
    """
    from memctl.consolidation.views.palace import checked_folder, write_view

    session = session_of(context)
    folder = None if out is None else checked_folder(out)
    with session.memory(existing=True, readonly=True) as memory:
        found = memory.dream.verify(paths=paths)
        report = memory.dream.verification_report(paths=paths) if folder else ""
        day = memory.store.zone.day(clock.now())
    path = folder / "verify" / f"{day}.md" if folder else None
    if path is not None:
        write_view(path, report)

    def show(console: Console) -> None:
        _show(console, found)
        if path is not None:
            console.print(shown(str(path)), soft_wrap=True)

    session.answer(found, show, command="verify")


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


@dataclass(frozen=True, slots=True)
class DreamSchedule:
    """The texts that let a dream run each night, and those that end it.

    Parameters
    ----------
    unit
        Its name: each store of each home has its own.
    cron
        The line for ``crontab -e``.
    service, timer
        The two files of systemd, by name.
    install, uninstall
        Commands for a shell, one a line.
    """

    unit: str
    cron: str
    service: str
    timer: str
    install: tuple[str, ...]
    uninstall: tuple[str, ...]


def schedule(
    command: list[str], *, at: str = "03:00", name: str = "agent", home: str = ""
) -> DreamSchedule:
    """Return the schedule of a command, each night at a time of the machine's own zone.

    Parameters
    ----------
    command
        The words of the command line: quoted as each of the two wants them.
    at
        ``HH:MM``.
    name, home
        The store that the unit is called after, and its home where that is not the usual one.

    Raises
    ------
    UsageError
        When `at` is no time of the day.
    """
    found = _TIME.fullmatch(at)
    if found is None:
        raise UsageError(f'"{at}" is no time of the day', hint='it is "HH:MM", such as 03:00')
    hour, minute = int(found[1]), int(found[2])
    unit = _unit(name, home)
    line = shlex.join(command)
    cron = line.replace("%", "\\%")  # cron takes a bare one for the end of the line
    # systemd reads "%" and "$" in its own way, and quotes as C does.
    words = " ".join(_unit_word(word) for word in command)
    return DreamSchedule(
        unit=unit,
        cron=f"{minute} {hour} * * * {cron}  # {unit}",
        service=(
            f"[Unit]\nDescription=memctl dream {name}\n\n"
            f"[Service]\nType=oneshot\nExecStart={words}\n"
        ),
        timer=(
            f"[Unit]\nDescription=memctl dream {name}, each night\n\n[Timer]\n"
            f"OnCalendar=*-*-* {hour:02}:{minute:02}:00\nPersistent=true\n\n"
            "[Install]\nWantedBy=timers.target\n"
        ),
        install=(f"systemctl --user enable --now {unit}.timer",),
        uninstall=(
            f"crontab -l | grep -v {shlex.quote(f'# {unit}$')} | crontab -",
            f"systemctl --user disable --now {unit}.timer",
            f"rm ~/.config/systemd/user/{unit}.service ~/.config/systemd/user/{unit}.timer",
        ),
    )


def _unit(name: str, home: str) -> str:
    """Return the name of a unit: a digest tells apart what its letters alone do not."""
    plain = "".join(c if c.isalnum() else "-" for c in name)
    if plain == name and not home:
        return f"memctl-dream-{plain}"
    digest = hashlib.sha256(f"{home}\n{name}".encode()).hexdigest()
    return f"memctl-dream-{plain}-{digest[:_DIGITS]}"


def _unit_word(word: str) -> str:
    plain = word.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%").replace("$", "$$")
    return f'"{plain}"' if any(c in word for c in " \t'\";\\") else plain
