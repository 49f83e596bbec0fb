"""``memctl stores``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from memctl_cli.output.envelope import print_list, shown, table
from memctl_cli.session import session_of

if TYPE_CHECKING:
    from memctl.upkeep.status import StoreFile
    from memctl_cli.output.console import Console

__all__ = ["stores"]


def stores(context: typer.Context) -> None:
    """List the stores of this home: their addresses, files and sizes.

    Example: memctl --home ~/memory stores
    """
    import memctl

    session = session_of(context)
    home = session.home_folder()
    found = memctl.stores(home)
    session.answer(found, lambda console: _show(console, found, home))


def _show(console: Console, found: list[StoreFile], home: Path) -> None:
    made = table("app", "bytes", "file", right=("bytes",), whole=("app", "file"))
    cells = [(one.app, one.bytes, Path(one.path).relative_to(home)) for one in found]
    print_list(console, made, cells, "store")
    console.print(shown(f"in {home}"))
