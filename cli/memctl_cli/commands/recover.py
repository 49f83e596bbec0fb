"""``memctl recover``."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from memctl_cli.output.envelope import counted, rows, shown, table
from memctl_cli.session import session_of

if TYPE_CHECKING:
    from memctl.upkeep.recovery import Recovered
    from memctl_cli.output.console import Console


def recover(
    context: typer.Context,
    out: Annotated[
        Path | None,
        typer.Option("--out", help="The new file; else one beside the backups in the home."),
    ] = None,
) -> None:
    """Save what can be read of a damaged store into a new file; the store is left alone.

    Example: memctl --app harbor recover --out harbor-saved.db
    """
    import memctl
    from memctl.reports.sources import store_at

    session = session_of(context)
    done = memctl.recover(session.address, session.home, out)
    command = store_at(session.address, session.home).command
    session.answer(done, lambda console: _show(console, done, command))


def _show(console: Console, done: Recovered, command: str) -> None:
    made = table("table", "kept", "lost", "mended", "lost rows", right=("kept", "lost", "mended"))
    cells = [
        (one.table, one.kept, _lost(one.lost, one.guessed), one.mended, ", ".join(one.ranges))
        for one in done.tables
        if one.kept or one.lost or one.ranges
    ]
    console.print(rows(made, cells))
    console.print(shown(f"{counted(done.kept, 'row')} in {done.path}"), soft_wrap=True)
    restored = f"{command} restore {shlex.quote(str(done.path))}"
    console.print(shown(f"put it in place: {restored}"), soft_wrap=True)


def _lost(number: int, guessed: bool) -> str:
    if not guessed:
        return str(number)
    return f"about {number}" if number else "unknown"
