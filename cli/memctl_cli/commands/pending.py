"""``memctl pending``: facts that wait for a person, and pairs of which nobody has decided."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from memctl.store.pages import page_of
from memctl_cli.commands.options import Limited
from memctl_cli.output.envelope import page_text, print_list, shown, table
from memctl_cli.output.fact_text import show_facts
from memctl_cli.session import session_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memctl.semantic.records import Fact, Undecided
    from memctl_cli.output.console import Console

app = typer.Typer(help="Facts that wait for a decision: list, approve, reject.")

Id = Annotated[str, typer.Argument(help="Id of a fact that waits.", metavar="ID")]


@app.command("list")
def list_(context: typer.Context, limit: Limited = None) -> None:
    """List the facts that wait, those that may replace an older one, and those to be checked.

    Example: memctl pending list
    """
    session = session_of(context)
    with session.memory(readonly=True) as memory:
        most = session.limit(limit)
        found = memory.facts.pending(limit=most)
        undecided = page_of(memory.facts.undecided(), most)
        doubtful = page_of(memory.facts.doubtful(), most)

    def show(console: Console) -> None:
        if found or not (undecided or doubtful):
            _show(console, found)
        for pair in undecided:
            _show_pair(console, pair)
        for fact in doubtful:
            console.print(f"{fact.id} is to be checked: {shown(fact.text)}")
            console.print(f"  it {shown(fact.doubt)}")
        if undecided.left:
            console.print(page_text(undecided, "pair to decide", "pairs to decide"))
        if doubtful.left:
            console.print(page_text(doubtful, "fact to be checked", "facts to be checked"))

    more = {"undecided": undecided, "doubtful": doubtful}
    session.answer(found, show, command="list", extra=more)


@app.command()
def approve(context: typer.Context, memory_id: Id) -> None:
    """Accept a waiting fact; the facts that it contradicts are superseded.

    A fact that holds and may replace an older one replaces it.

    When another fact says the same by then, that one stays instead.

    Example: memctl pending approve f_3921fa271ecc
    """
    session = session_of(context)
    with session.memory(reading=True) as memory:
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

    Of a fact that holds and may replace an older one, both go on to hold.

    Example: memctl pending reject f_3921fa271ecc --why "it never did"
    """
    session = session_of(context)
    with session.memory(reading=True) as memory:
        fact = memory.facts.reject(memory_id, why=why)
    session.answer(fact, lambda console: show_facts(console, [fact]), command="reject")


def _show_pair(console: Console, pair: Undecided) -> None:
    console.print(f"{pair.newer.id} {shown(pair.newer.text)}")
    console.print(f"  may replace {pair.older.id} {shown(pair.older.text)}")
    console.print(
        f"  memctl pending approve {pair.newer.id}: it does; memctl pending reject: both hold"
    )


def _show(console: Console, found: Sequence[Fact]) -> None:
    columns = ("id", "tag", "days", "confidence", "source", "why", "fact")
    whole = ("id", "tag", "confidence")
    made = table(*columns, right=("days",), whole=whole, tight=True)
    cells = [
        (one.id, one.tag, one.age_days, one.confidence, one.source, one.status_why, one.text)
        for one in found
    ]
    print_list(console, made, cells, "fact that waits", "facts that wait", of=found)
