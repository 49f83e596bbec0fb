"""``memctl restore``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from memctl_cli.output.envelope import shown
from memctl_cli.session import session_of

if TYPE_CHECKING:
    from memctl.upkeep.restore import Restored
    from memctl_cli.output.console import Console


def restore(
    context: typer.Context,
    backup: Annotated[Path, typer.Argument(help="The file of a backup.")],
    force: Annotated[
        bool, typer.Option("--force", help="Take the backup of another app or site.")
    ] = False,
) -> None:
    """Let a store hold what a backup holds; what it held is kept.

    Example: memctl --app harbor restore harbor-friday.db
    """
    import memctl

    session = session_of(context)
    done = memctl.restore(backup, session.address, session.home, force=force)
    session.answer(done, lambda console: _show(console, done))


def _show(console: Console, done: Restored) -> None:
    console.print(shown(f"{done.app} is what {done.backup} holds"), soft_wrap=True)
    if done.kept:
        console.print(shown(f"what it was is kept in {done.kept}"), soft_wrap=True)
