"""``memctl backup``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from memctl.store.pages import ListPage, page_of
from memctl_cli.commands.options import Limited
from memctl_cli.output.envelope import print_list, shown, table
from memctl_cli.output.units import size_text
from memctl_cli.session import session_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memctl_cli.output.console import Console


def backup(
    context: typer.Context,
    target: Annotated[
        Path | None,
        typer.Argument(help="The file; else a dated one in the home's folder of backups."),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace a file that is there.")] = False,
    listed: Annotated[bool, typer.Option("--list", help="List the backups in the home.")] = False,
    limit: Limited = None,
) -> None:
    """Copy a store into one checked file, while others write.

    Example: memctl --app harbor backup harbor-friday.db
    """
    from memctl.upkeep.store_copies import copies_of

    session = session_of(context)
    with session.memory(readonly=True) as memory:
        if listed:
            copies = copies_of(memory.store.path, memory.address)
            files = page_of(copies[::-1], session.limit(limit))
            names = ListPage(map(str, files), total=files.total)
            session.answer(names, lambda console: _list(console, files))
            return
        made = memory.backup(target, force=force)
    said = f"{made.app}: {size_text(made.bytes)}, checked, in {made.path}"
    session.answer(made, lambda console: console.print(shown(said), soft_wrap=True))


def _list(console: Console, files: Sequence[Path]) -> None:
    made = table("backup", "size", right=("size",), whole=("backup",))
    cells = [(file.name, size_text(file.stat().st_size)) for file in files]
    print_list(console, made, cells, "backup", of=files)
    if files:
        console.print(shown(f"in {files[0].parent}"), soft_wrap=True)
