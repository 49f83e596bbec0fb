"""``memctl vacuum``."""

from __future__ import annotations

import typer

from memctl_cli.output.envelope import shown
from memctl_cli.output.units import size_text
from memctl_cli.session import session_of


def vacuum(context: typer.Context) -> None:
    """Give back the room that a store no longer needs.

    Example: memctl --app harbor vacuum
    """
    session = session_of(context)
    with session.memory(existing=True) as memory:
        done = memory.vacuum()
    sizes = f"{size_text(done.bytes_before)} before, {size_text(done.bytes_after)} after"
    said = f"{done.app}: {sizes}"
    session.answer(done, lambda console: console.print(shown(said), soft_wrap=True))
