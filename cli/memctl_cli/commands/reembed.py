"""``memctl reembed``."""

from __future__ import annotations

import typer

from memctl_cli.output.envelope import counted
from memctl_cli.session import session_of


def reembed(context: typer.Context) -> None:
    """Compute the vectors of all turns and episodes again (setting: fallback).

    Example: memctl --set fallback=store reembed
    """
    session = session_of(context)
    with session.memory() as memory:
        made = memory.reembed()
    session.answer(
        made,
        lambda console: console.print(
            f"{counted(made.rows, 'vector')} of {made.dims} numbers by {made.model}"
        ),
    )
