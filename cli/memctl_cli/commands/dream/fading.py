"""``memctl dream decay``: what nobody needs any more, archived with the reason."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from memctl.store.pages import page_of
from memctl_cli.commands.dream.stopping import goes_on_later
from memctl_cli.commands.options import Limit
from memctl_cli.output.envelope import counted, print_list, shown_day, table
from memctl_cli.session import session_of

if TYPE_CHECKING:
    from memctl.consolidation.dream_results import DecayReport
    from memctl_cli.output.console import Console


def register(app: typer.Typer) -> None:
    """Add the command to a group."""
    app.command()(decay)


def decay(
    context: typer.Context,
    apply: Annotated[bool, typer.Option("--apply", help="Write; without it, only show.")] = False,
    limit: Limit = 20,
) -> None:
    """Archive what nobody used for as long as its kind lasts, and old turns; shows it first.

    Example: memctl dream decay --apply
    """
    session = session_of(context)
    memory = session.memory(existing=True, readonly=not apply)
    with goes_on_later("decay", apply=apply), memory:
        report = memory.dream.decay(apply=apply)
    session.answer(report, lambda console: _show(console, report, limit), command="decay")


def _show(console: Console, report: DecayReport, limit: int) -> None:
    made = table("what", "id", "last used", "why", "text", whole=("last used",))
    cells = [(one.kind, one.id, shown_day(one.last_at), one.why, one.text) for one in report.fading]
    names = ("row that fades", "rows that fade")
    page = page_of(cells, limit)
    print_list(console, made, page, *names, of=page)
    if report.applied:
        console.print(
            f"run {report.run}: archived {counted(len(report.fading), 'row')};"
            " memory restore and turns restore bring them back"
        )
    elif report.fading:
        console.print(f"{counted(len(report.fading), 'row')} would be archived (--apply does)")
