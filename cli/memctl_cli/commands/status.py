"""``memctl status``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from memctl_cli.output.envelope import rows, shown, table
from memctl_cli.output.units import size_text
from memctl_cli.session import session_of

if TYPE_CHECKING:
    from memctl.upkeep.status import Status
    from memctl_cli.output.console import Console


def status(context: typer.Context) -> None:
    """Show what one store holds.

    Example: memctl --app harbor status
    """
    session = session_of(context)
    with session.memory(readonly=True) as memory:
        found = memory.status()
    session.answer(found, lambda console: _show(console, found))


def _show(console: Console, found: Status) -> None:
    console.print(f"{found.app}  {found.path}", soft_wrap=True)
    console.print(
        f"created {found.created_at}, schema {found.schema_version}, {size_text(found.bytes)}"
    )
    made = table("table", "rows", right=("rows",), whole=("table",))
    # What SQLite keeps for its indexes, and what is empty, tells a person nothing.
    filled = [(name, count) for name, count in found.rows.items() if count and "_fts" not in name]
    console.print(rows(made, filled))
    if found.waiting:
        console.print(shown(found.waiting))
