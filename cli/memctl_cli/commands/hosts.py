"""``memctl hook``: what a host calls, and the lines that make it do so."""

from __future__ import annotations

import shlex
import sys
from dataclasses import dataclass
from pathlib import Path
from shutil import which
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option

from memctl.base.errors import UsageError
from memctl_cli.call import Answer, Call
from memctl_cli.command import Commands
from memctl_cli.commands.options import Text
from memctl_cli.completed_values import offered

if TYPE_CHECKING:
    from memctl_cli.hooks.host_files import HostFile
    from memctl_cli.output.console import Console

hook = Commands(
    help="What a host (Claude Code, Codex, Cursor, OpenClaw) calls at each turn; JSON on standard input. "
    "Silent where there is nothing to say, and never an error that blocks a host."
)

Host = Annotated[
    str, Argument(help="claude-code, codex, cursor or openclaw.", autocompletion=offered("host"))
]
DryRun = Annotated[bool, Option("--dry-run", help="Show what would change; change nothing.")]

# Folders in the path of an environment that uvx, uv run or pipx run have made for one call.
_CACHES = {".cache", "archive-v0", "environments-v2"}
_EVENTS = {
    "prompt": "Answer a prompt with its context, and log it.",
    "reply": "Log a reply.",
    "tool": "Keep what a tool was called with, and how it went.",
    "compact": "Keep a snapshot of the journal before a compaction.",
    "start": "Begin a session; answer with what is going on.",
    "end": "End a session.",
}


@dataclass(frozen=True, slots=True)
class HostChanges:
    """What was changed in a host's files, or would be: differences, the scope, remarks."""

    host: str
    written: bool
    files: tuple[HostFile, ...]
    scope: str
    remarks: tuple[str, ...]


@hook.command()
def install(
    call: Call,
    host: Host,
    write: Annotated[
        bool, Option("--write", help="Write them into the host's files; backups are kept.")
    ] = False,
    dry_run: DryRun = False,
    project: Annotated[
        Text, Option(help="Whose project: NAME, auto (of each folder) or none.")
    ] = None,
) -> Answer:
    """Print the lines that a host's configuration needs, or write them into it.

    Example: memctl hook install claude-code

    Example: memctl hook install claude-code --write --project auto
    """
    from memctl_cli.hooks.install import lines_for

    call.project = project or call.project
    if write or dry_run:
        return _change(call, host, write=not dry_run)
    made = lines_for(host, shlex.join(["memctl", *_options(call)]))
    return Answer(made, f"Into {made.file}:\n\n{made.text}")


@hook.command()
def uninstall(call: Call, host: Host, dry_run: DryRun = False) -> Answer:
    """Take back what "install --write" has put into a host's configuration.

    Example: memctl hook uninstall claude-code
    """
    return _change(call, host, write=not dry_run, away=True)


def _program() -> list[str]:
    """Return the words that call memctl from any folder, whatever PATH a host has.

    Raises
    ------
    UsageError
        When memctl runs in an environment of a cache, which uvx and pipx make and clear away.
    """
    if _CACHES.intersection(Path(sys.prefix).parts):
        raise UsageError(
            "this memctl lies in a cache that is emptied: a host would lose it",
            hint='install it to stay: "uv tool install memctl-engine" or "pipx install memctl-engine"',
        )
    called = Path(sys.argv[0]).absolute()
    if called.stem == "memctl" and called.is_file():
        return [str(called)]
    found = which("memctl")
    return [found] if found else [sys.executable, "-m", "memctl"]


def _options(call: Call) -> list[str]:
    """Return the options of the program that a hook of this call has, too."""
    # A host calls it from any folder.
    home = ["--home", str(Path(call.home).expanduser().absolute())] if call.home else []
    project = ["--project", call.project] if call.project else []
    return [*home, *project, *(["--app", call.address] if call.named else [])]


def _change(call: Call, host: str, *, write: bool, away: bool = False) -> Answer:
    """Change a host's files, or take that back; answer with the differences and the project."""
    from memctl.base.home import usual_home
    from memctl_cli.hooks.host_files import install_in, uninstall_from
    from memctl_cli.hooks.install import NEXT, changes_for, scope_of

    command = shlex.join([*_program(), *_options(call)])
    # A host is its user's, whatever store it is given.
    receipt = usual_home() / "hosts" / f"{host}.json"
    change = uninstall_from if away else install_in
    files, remarks = change(changes_for(host, command), receipt, write=write)
    scope = "" if away else scope_of(host, call.project)
    if not away and host in NEXT:
        remarks.append(NEXT[host])

    def show(console: Console) -> None:
        for file in files:
            console.print(file.difference, soft_wrap=True)
            if write and file.backup:
                console.print(f"before: {file.backup}", soft_wrap=True)
        nothing = [] if files else ["nothing to change"]
        for line in (*nothing, *remarks, *filter(None, [scope])):
            console.print(line, soft_wrap=True)

    return Answer(HostChanges(host, write, tuple(files), scope, tuple(remarks)), show)


def _add_event(name: str, summary: str) -> None:
    def event(call: Call) -> None:
        from memctl_cli.hooks.run import run_hook

        call.named = True
        settings = [f"--set={key}={value}" for key, value in call.flags.items()]
        sys.exit(run_hook([*settings, *_options(call), "hook", name]))

    event.__doc__ = f"{summary}\n\n    Example: memctl hook {name} < call.json\n"
    hook.command(name)(event)


for _name, _summary in _EVENTS.items():
    _add_event(_name, _summary)
