"""``memctl hook``: what a host calls, and the lines that make it do so."""

from __future__ import annotations

import shlex
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from memctl_cli.session import session_of

if TYPE_CHECKING:
    from memctl_cli.output.console import Console
    from memctl_cli.session import Session

__all__ = ["app"]

app = typer.Typer(
    help="What a host (Claude Code, Codex, Cursor, OpenClaw) calls at each turn; JSON on standard input. "
    "Silent where there is nothing to say, and never an error that blocks a host."
)


@app.command()
def install(
    context: typer.Context,
    host: Annotated[str, typer.Argument(help="claude-code, codex, cursor or openclaw.")],
) -> None:
    """Print the lines that a host's configuration needs; nothing is changed.

    Example: memctl hook install claude-code
    """
    from memctl_cli.hooks.install import lines_for

    session = session_of(context)
    options = _options(session)
    options += ["--app", session.address] if session.named else []
    made = lines_for(host, shlex.join(["memctl", *options]))

    def show(console: Console) -> None:
        console.print(f"Into {made.file}:\n\n{made.text}", soft_wrap=True)

    session.answer(made, show, command="install")


def _options(session: Session) -> list[str]:
    """Return the options of the program that a hook of this call has, too."""
    home = ["--home", session.home] if session.home else []
    return home + (["--project", session.project] if session.project else [])


def _event(name: str, told: str) -> None:
    def call(context: typer.Context) -> None:
        from memctl_cli.hooks.run import run_hook

        session = session_of(context)
        options = [f"--set={key}={value}" for key, value in session.flags.items()]
        options += ["--app", session.address, *_options(session)]
        sys.exit(run_hook([*options, "hook", name]))

    call.__doc__ = f"{told}\n\n    Example: memctl hook {name} < call.json\n"
    app.command(name)(call)


_event("prompt", "Answer a prompt with its context, and log it.")
_event("reply", "Log a reply.")
_event("tool", "Keep what a tool was called with, and how it went.")
_event("compact", "Keep a snapshot of the journal before a compaction.")
_event("start", "Begin a session; answer with what is going on.")
_event("end", "End a session.")
