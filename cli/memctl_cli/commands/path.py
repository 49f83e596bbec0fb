"""``memctl path``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from memctl_cli.output.chances import chance, percent
from memctl_cli.output.envelope import rows, table
from memctl_cli.session import session_of

if TYPE_CHECKING:
    from memctl.visual.graph.transitions import Path
    from memctl_cli.output.console import Console


def path(
    context: typer.Context,
    from_state: Annotated[
        str, typer.Argument(help="Where you are: a state's id, name or page.", metavar="FROM")
    ],
    to_state: Annotated[str, typer.Argument(help="Where to go: likewise.", metavar="TO")],
) -> None:
    """Print the most likely way from one state to another, with its probability.

    Example: memctl --app harbor path Dashboard Invoices
    """
    session = session_of(context)
    with session.memory(readonly=True) as memory:
        found = memory.transitions.path(from_state, to_state)
    session.answer(found, lambda console: show_path(console, found), count=len(found.steps))


def show_path(console: Console, found: Path) -> None:
    """Show a path for people: each step with its chance."""
    if not found.steps:
        console.print("no step: that is where you are")
        return
    made = table(
        "step",
        "on",
        "do",
        "leads to",
        "chance",
        "ms",
        right=("step", "ms"),
        whole=("on", "do", "leads to"),
    )
    cells = [
        (
            number,
            s.from_name or s.from_state,
            s.action,
            s.to_name or s.to_state,
            chance(s.successes, s.successes + s.failures),
            None if s.mean_ms is None else round(s.mean_ms),
        )
        for number, s in enumerate(found.steps, 1)
    ]
    console.print(rows(made, cells))
    time = "" if found.expected_ms is None else f", about {found.expected_ms:.0f} ms"
    least = percent(found.probability)
    console.print(f"the whole way: at least {least}, the product of its steps{time}")
