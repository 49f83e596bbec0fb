"""``memctl hook``: what a host calls, and the lines that make it do so."""

from __future__ import annotations

import shlex
import sys
from dataclasses import dataclass
from pathlib import Path
from shutil import which
from typing import TYPE_CHECKING, Annotated

import typer

from memctl_cli.session import session_of

if TYPE_CHECKING:
    from memctl_cli.hooks.host_files import HostFile
    from memctl_cli.output.console import Console
    from memctl_cli.session import Session

app = typer.Typer(
    help="What a host (Claude Code, Codex, Cursor, OpenClaw) calls at each turn; JSON on standard input. "
    "Silent where there is nothing to say, and never an error that blocks a host."
)


Host = Annotated[str, typer.Argument(help="claude-code, codex, cursor or openclaw.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Show what would change; change nothing.")]


@dataclass(frozen=True, slots=True)
class HostChanges:
    """What was changed in a host's files, or would be: differences, the scope, remarks."""

    host: str
    written: bool
    files: tuple[HostFile, ...]
    scope: str
    remarks: tuple[str, ...]


@app.command()
def install(
    context: typer.Context,
    host: Host,
    write: Annotated[
        bool, typer.Option("--write", help="Write them into the host's files; backups are kept.")
    ] = False,
    dry_run: DryRun = False,
    project: Annotated[
        str | None,
        typer.Option("--project", help="Whose project: NAME, auto (of each folder) or none."),
    ] = None,
) -> None:
    """Print the lines that a host's configuration needs, or write them into it.

    Example: memctl hook install claude-code

    Example: memctl hook install claude-code --write --project auto
    """
    from memctl_cli.hooks.install import lines_for

    session = session_of(context)
    options = _options(session, project)
    options += ["--app", session.address] if session.named else []
    if write or dry_run:
        command = shlex.join([*_program(), *options])
        _change(context, host, command, project or session.project, write=not dry_run)
        return
    made = lines_for(host, shlex.join(["memctl", *options]))

    def show(console: Console) -> None:
        console.print(f"Into {made.file}:\n\n{made.text}", soft_wrap=True)

    session.answer(made, show, command="install")


@app.command()
def uninstall(context: typer.Context, host: Host, dry_run: DryRun = False) -> None:
    """Take back what "install --write" has put into a host's configuration.

    Example: memctl hook uninstall claude-code
    """
    session = session_of(context)
    options = _options(session, None)
    options += ["--app", session.address] if session.named else []
    command = shlex.join([*_program(), *options])
    _change(context, host, command, None, write=not dry_run, away=True)


def _program() -> list[str]:
    """Return the words that call memctl from any folder, whatever PATH a host has."""
    called = Path(sys.argv[0]).absolute()
    if called.stem == "memctl" and called.is_file():
        return [str(called)]
    found = which("memctl")
    return [found] if found else [sys.executable, "-m", "memctl"]


def _change(
    context: typer.Context,
    host: str,
    command: str,
    project: str | None,
    *,
    write: bool,
    away: bool = False,
) -> None:
    """Change a host's files; show the differences, and which project holds."""
    from memctl.base.home import usual_home
    from memctl_cli.hooks.host_files import install_in, uninstall_from
    from memctl_cli.hooks.install import NEXT, changes_for, scope_of

    session = session_of(context)
    # A host is its user's, whatever store it is given.
    receipt = usual_home() / "hosts" / f"{host}.json"
    change = uninstall_from if away else install_in
    files, remarks = change(changes_for(host, command), receipt, write=write)
    scope = "" if away else scope_of(host, project)
    if not away and host in NEXT:
        remarks.append(NEXT[host])
    made = HostChanges(host, write, tuple(files), scope, tuple(remarks))

    def show(console: Console) -> None:
        for one in files:
            console.print(one.difference, soft_wrap=True)
            if write and one.backup:
                console.print(f"before: {one.backup}", soft_wrap=True)
        lines = [*remarks, *([scope] if scope else [])]
        if not files:
            lines.insert(0, "nothing to change")
        for line in lines:
            console.print(line, soft_wrap=True)

    session.answer(made, show, command="uninstall" if away else "install")


def _options(session: Session, project: str | None) -> list[str]:
    """Return the options of the program that a hook of this call has, too."""
    # A host calls it from any folder.
    home = ["--home", str(Path(session.home).expanduser().absolute())] if session.home else []
    said = project or session.project
    return home + (["--project", said] if said else [])


def _event(name: str, told: str) -> None:
    def call(context: typer.Context) -> None:
        from memctl_cli.hooks.run import run_hook

        session = session_of(context)
        options = [f"--set={key}={value}" for key, value in session.flags.items()]
        options += ["--app", session.address, *_options(session, None)]
        sys.exit(run_hook([*options, "hook", name]))

    call.__doc__ = f"{told}\n\n    Example: memctl hook {name} < call.json\n"
    app.command(name)(call)


_event("prompt", "Answer a prompt with its context, and log it.")
_event("reply", "Log a reply.")
_event("tool", "Keep what a tool was called with, and how it went.")
_event("compact", "Keep a snapshot of the journal before a compaction.")
_event("start", "Begin a session; answer with what is going on.")
_event("end", "End a session.")
