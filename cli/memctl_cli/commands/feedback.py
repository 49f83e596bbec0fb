"""``memctl feedback``."""

from __future__ import annotations

from typing import Annotated

import typer

from memctl_cli.output.envelope import counted
from memctl_cli.session import session_of


def feedback(
    context: typer.Context,
    recall: Annotated[int, typer.Argument(help="The recall's number, as recall prints it.")],
    used: Annotated[
        list[str] | None,
        typer.Option(help='A row that helped: "turn:12", or a fact\'s id; may be given again.'),
    ] = None,
    outcome: Annotated[str | None, typer.Option(help="ok or failed.")] = None,
) -> None:
    """Mark the rows of a recall that helped, and its outcome.

    Example: memctl feedback 3 --used turn:12 --outcome ok
    """
    session = session_of(context)
    with session.memory(reading=True) as memory:
        given = memory.feedback(recall, used or (), outcome)
    session.answer(
        given,
        lambda console: console.print(
            f"recall {given.recall}: {counted(given.used, 'row')} marked as used"
        ),
    )
