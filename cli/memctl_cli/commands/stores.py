"""``memctl stores``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from memctl.store.pages import page_of
from memctl_cli.commands.options import Limited
from memctl_cli.output.envelope import print_list, shown, shown_time, table
from memctl_cli.output.units import size_text
from memctl_cli.session import session_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memctl.upkeep.status import StoreFile
    from memctl_cli.output.console import Console


def stores(context: typer.Context, limit: Limited = None) -> None:
    """List the stores of this home, what was written last first: addresses, sizes, files.

    Example: memctl --home ~/memory stores
    """
    import memctl

    session = session_of(context)
    home = session.home_folder()
    found = page_of(memctl.stores(home), session.limit(limit))
    session.answer(found, lambda console: _show(console, found, home))


def _show(console: Console, found: Sequence[StoreFile], home: Path) -> None:
    columns = ("app", "size", "changed", "file")
    made = table(*columns, right=("size",), whole=columns, tight=True)
    cells = [
        (
            one.app,
            size_text(one.bytes),
            shown_time(one.changed_at)[:16],
            Path(one.path).relative_to(home),
        )
        for one in found
    ]
    print_list(console, made, cells, "store", of=found)
    console.print(shown(f"in {home}"))
