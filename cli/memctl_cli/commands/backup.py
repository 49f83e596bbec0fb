"""``memctl backup``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from memctl_cli.output.envelope import print_list, shown, table
from memctl_cli.session import session_of

if TYPE_CHECKING:
    from memctl_cli.output.console import Console

__all__ = ["backup"]


def backup(
    context: typer.Context,
    target: Annotated[
        Path | None,
        typer.Argument(help="The file; else a dated one in the home's folder of backups."),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace a file that is there.")] = False,
    listed: Annotated[bool, typer.Option("--list", help="List the backups in the home.")] = False,
) -> None:
    """Copy a store into one checked file, while others write.

    Example: memctl --app harbor backup harbor-friday.db
    """
    from memctl.upkeep.store_copies import copies_of

    session = session_of(context)
    with session.memory(readonly=True) as memory:
        if listed:
            files = copies_of(memory.store.path, memory.address)
            session.answer([str(file) for file in files], lambda console: _list(console, files))
            return
        made = memory.backup(target, force=force)
    said = f"{made.app}: {made.bytes} bytes, checked, in {made.path}"
    session.answer(made, lambda console: console.print(shown(said), soft_wrap=True))


def _list(console: Console, files: list[Path]) -> None:
    made = table("backup", "bytes", right=("bytes",), whole=("backup",))
    print_list(console, made, [(file.name, file.stat().st_size) for file in files], "backup")
    if files:
        console.print(shown(f"in {files[0].parent}"), soft_wrap=True)
