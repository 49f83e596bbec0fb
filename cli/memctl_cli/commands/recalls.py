"""``memctl recalls``: the recalls that were kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from memctl_cli.commands.options import Limited
from memctl_cli.output.envelope import jsonable, print_list, shown, shown_time, table
from memctl_cli.session import session_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memctl.recall.recalls import KeptHit, KeptRecall
    from memctl_cli.output.console import Console

app = typer.Typer(help="Recalls that were kept: list, show, forget, restore.")

Number = Annotated[int, typer.Argument(help="A recall's number, as recall prints it.")]


@app.command("list")
def list_(
    context: typer.Context,
    forgotten: Annotated[
        bool, typer.Option("--forgotten", help="The forgotten ones instead.")
    ] = False,
    empty: Annotated[
        bool, typer.Option("--empty", help="Only those that brought nothing.")
    ] = False,
    limit: Limited = None,
) -> None:
    """List the recalls, the newest first.

    Example: memctl recalls list --limit 10
    """
    session = session_of(context)
    with session.memory(readonly=True) as memory:
        found = memory.recalls.list(forgotten=forgotten, empty=empty, limit=session.limit(limit))
    session.answer(found, lambda console: _show_list(console, found), command="list")


@app.command()
def show(context: typer.Context, recall: Number) -> None:
    """Show one recall, and the rows that it brought.

    Example: memctl recalls show 3
    """
    session = session_of(context)
    with session.memory(readonly=True) as memory:
        found, hits = memory.recalls.get(recall), memory.recalls.hits(recall)
    data = {**jsonable(found), "rows": jsonable(hits)}
    session.answer(data, lambda console: _show_one(console, found, hits), command="show")


@app.command()
def forget(context: typer.Context, recall: Number) -> None:
    """Mark a recall as forgotten: the list leaves it out; restore undoes it.

    Example: memctl recalls forget 3
    """
    session = session_of(context)
    with session.memory(existing=True) as memory:
        found = memory.recalls.forget(recall)
    session.answer(
        found,
        lambda console: console.print(f"recall {found.id} is forgotten; restore brings it back"),
        command="forget",
    )


@app.command()
def restore(context: typer.Context, recall: Number) -> None:
    """Bring a forgotten recall back.

    Example: memctl recalls restore 3
    """
    session = session_of(context)
    with session.memory(existing=True) as memory:
        found = memory.recalls.restore(recall)
    session.answer(
        found, lambda console: console.print(f"recall {found.id} is back"), command="restore"
    )


def _show_list(console: Console, found: Sequence[KeptRecall]) -> None:
    columns = ("id", "asked", "rows", "outcome", "question")
    made = table(*columns, right=("id", "rows"), whole=("asked", "outcome"), tight=True)
    cells = [
        (one.id, shown_time(one.asked_at), one.hits, one.outcome, one.question) for one in found
    ]
    print_list(console, made, cells, "recall", of=found)


def _show_one(console: Console, recall: KeptRecall, hits: Sequence[KeptHit]) -> None:
    console.print(shown(f"recall {recall.id}  {recall.asked_at}\n{recall.question}"))
    columns = ("rank", "id", "score", "used", "what")
    made = table(*columns, right=("rank", "score"), whole=("id", "used"))
    cells = [
        (hit.rank, hit.name, hit.score, hit.used_at, " ".join((hit.text or "").split()))
        for hit in hits
    ]
    print_list(console, made, cells, "row")
    if recall.unknown:
        console.print(shown("found nowhere: " + ", ".join(recall.unknown)))
