"""``memctl pending``: facts that wait for a person."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from memctl_cli.commands.options import Limited
from memctl_cli.output.envelope import print_list, table
from memctl_cli.output.fact_text import show_facts
from memctl_cli.session import session_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memctl.semantic.records import Fact
    from memctl_cli.output.console import Console

__all__ = ["app"]

app = typer.Typer(help="Facts that wait for a person: list, approve, reject.")

Id = Annotated[str, typer.Argument(help="Id of a fact that waits.", metavar="ID")]


@app.command("list")
def list_(context: typer.Context, limit: Limited = None) -> None:
    """List the facts that wait, and why.

    Example: memctl pending list
    """
    session = session_of(context)
    with session.memory(readonly=True) as memory:
        found = memory.facts.pending()[:limit]
    session.answer(found, lambda console: _show(console, found), command="list")


@app.command()
def approve(context: typer.Context, memory_id: Id) -> None:
    """Accept a waiting fact; the facts that it contradicts are superseded.

    When another fact says the same by then, that one stays instead.

    Example: memctl pending approve f_3921fa271ecc
    """
    session = session_of(context)
    with session.memory() as memory:
        fact = memory.facts.approve(memory_id)

    def show(console: Console) -> None:
        show_facts(console, [fact])
        if fact.status != "active":
            console.print(f"{fact.id} {fact.status_why}, which holds: nothing was added")

    session.answer(fact, show, command="approve")


@app.command()
def reject(
    context: typer.Context,
    memory_id: Id,
    why: Annotated[str, typer.Option("--why", help="The reason, kept in the history.")] = "",
) -> None:
    """Decline a waiting fact; it is not offered again, and memory restore brings it back.

    Example: memctl pending reject f_3921fa271ecc --why "it never did"
    """
    session = session_of(context)
    with session.memory() as memory:
        fact = memory.facts.reject(memory_id, why=why)
    session.answer(fact, lambda console: show_facts(console, [fact]), command="reject")


def _show(console: Console, found: Sequence[Fact]) -> None:
    made = table(
        "id",
        "tag",
        "fact",
        "confidence",
        "why",
        "source",
        "days",
        right=("days",),
        whole=("id", "tag", "confidence"),
        tight=True,
    )
    cells = [
        (one.id, one.tag, one.text, one.confidence, one.status_why, one.source, one.age_days)
        for one in found
    ]
    print_list(console, made, cells, "fact that waits", "facts that wait")
