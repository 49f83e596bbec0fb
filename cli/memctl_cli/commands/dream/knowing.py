"""``memctl dream sublimate|knowledge``: entries made of several facts, each line cited."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from memctl.base.errors import NotFoundError
from memctl.store.pages import page_of
from memctl_cli.commands.dream.stopping import goes_on_later
from memctl_cli.commands.options import Limited
from memctl_cli.output.envelope import counted, print_list, shown, shown_day, table
from memctl_cli.session import session_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memctl.consolidation.dream_results import SublimationReport
    from memctl.consolidation.views.sublimation import KnowledgeEntry
    from memctl_cli.output.console import Console


def register(app: typer.Typer) -> None:
    """Add the commands to a group."""
    app.command()(sublimate)
    app.command()(knowledge)


def sublimate(
    context: typer.Context,
    apply: Annotated[bool, typer.Option("--apply", help="Write; without it, only show.")] = False,
) -> None:
    """Make entries of three or more related facts, each line cited; shows them first.

    Example: memctl dream sublimate --apply
    """
    session = session_of(context)
    memory = session.memory(existing=True, readonly=not apply)
    with goes_on_later("sublimate", apply=apply), memory:
        report = memory.dream.sublimate(apply=apply)
    session.answer(report, lambda console: _show_report(console, report), command="sublimate")


def knowledge(
    context: typer.Context,
    number: Annotated[
        int | None, typer.Argument(metavar="ID", help="One entry, whole; all by default.")
    ] = None,
    limit: Limited = None,
) -> None:
    """List the entries of knowledge, the newest first, or print one.

    Example: memctl dream knowledge
    """
    session = session_of(context)
    with session.memory(existing=True, readonly=True) as memory:
        entries = [one for one in memory.dream.knowledge if number in {None, one.id}]
    found = page_of(entries, session.limit(limit))
    if number is not None and not found:
        raise NotFoundError(
            f"there is no entry {number}", hint="memctl dream knowledge lists the entries"
        )
    session.answer(
        found,
        lambda console: _show_entries(console, found, whole=number is not None),
        command="knowledge",
    )


def _show_report(console: Console, report: SublimationReport) -> None:
    made = table("entry", "about", "title", "why", whole=("entry",))
    cells = [(one.kind, one.subject, one.title, one.trigger) for one in report.proposed]
    print_list(console, made, cells, "entry", "entries")
    if report.applied:
        console.print(f"run {report.run}: memctl dream knowledge shows them")
    elif report.proposed:
        console.print(f"{counted(len(report.proposed), 'proposal')} (--apply writes the entries)")


def _show_entries(console: Console, found: Sequence[KnowledgeEntry], *, whole: bool) -> None:
    if whole and found:
        console.print(shown(found[0].body), soft_wrap=True)
        return
    made = table("id", "entry", "title", "made", "cites", whole=("id", "made"))
    cells = [(o.id, o.kind, o.title, shown_day(o.made_at), len(o.sources)) for o in found]
    print_list(console, made, cells, "entry", "entries", of=found)
