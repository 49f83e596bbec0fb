"""``memctl stores``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from memctl_cli.output.envelope import print_list, shown, table
from memctl_cli.session import session_of

if TYPE_CHECKING:
    from memctl_cli.output.console import Console

__all__ = ["stores"]


def stores(context: typer.Context) -> None:
    """List the stores of this home: their addresses, files and sizes.

    Example: memctl --home ~/memory stores
    """
    from memctl.base.home import stores as addresses

    session = session_of(context)
    home = session.home_folder()
    found = []
    for address in addresses(home):
        path = address.path(home)
        found.append({"app": str(address), "path": str(path), "bytes": path.stat().st_size})
    session.answer(found, lambda console: _show(console, found, home))


def _show(console: Console, found: list[dict[str, Any]], home: Path) -> None:
    made = table("app", "bytes", "file", right=("bytes",), whole=("app", "file"))
    cells = [(one["app"], one["bytes"], Path(one["path"]).relative_to(home)) for one in found]
    print_list(console, made, cells, "store")
    console.print(shown(f"in {home}"))
