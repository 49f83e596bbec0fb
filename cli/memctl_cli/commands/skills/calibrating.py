"""``memctl skills calibration``: what was predicted of runs, and what happened."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from memctl_cli.output.envelope import counted, print_list, table
from memctl_cli.session import session_of

if TYPE_CHECKING:
    from memctl.procedural.twin import Calibration
    from memctl_cli.output.console import Console


def register(app: typer.Typer) -> None:
    """Add the command to a group."""
    app.command()(calibration)


def calibration(context: typer.Context) -> None:
    """Compare the chances that runs were given with what happened.

    Example: memctl skills calibration
    """
    session = session_of(context)
    with session.memory(readonly=True) as memory:
        found = memory.skills.calibration()
    session.answer(found, lambda console: _show(console, found), command="calibration")


def _show(console: Console, found: Calibration) -> None:
    if found.brier is None or found.base is None:
        console.print("no run was predicted and ended yet: there is nothing to compare")
        return
    console.print(f"{counted(found.runs, 'run')}, {found.done} done")
    console.print(
        f"Brier score {found.brier:.3f}; of the share of runs done before {found.base:.3f}"
        " (0 is the best)"
    )
    made = table("chance", "runs", "predicted", "happened")
    cells = [
        (
            f"{one.low:.1f} to {one.high:.1f}",
            one.runs,
            f"{one.predicted:.2f}",
            f"{one.happened:.2f}",
        )
        for one in found.bins
    ]
    print_list(console, made, cells, "tenth")
