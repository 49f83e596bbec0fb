"""``memctl vacuum``."""

from __future__ import annotations

import typer

from memctl_cli.output.envelope import shown
from memctl_cli.session import session_of

__all__ = ["vacuum"]


def vacuum(context: typer.Context) -> None:
    """Give back the room that a store no longer needs.

    Example: memctl --app harbor vacuum
    """
    session = session_of(context)
    with session.memory(existing=True) as memory:
        done = memory.vacuum()
    said = f"{done.app}: {done.bytes_before} bytes before, {done.bytes_after} after"
    session.answer(done, lambda console: console.print(shown(said), soft_wrap=True))
