"""``memctl recalls``: the recalls that were kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from memctl_cli.commands.options import Limited
from memctl_cli.output.envelope import jsonable, print_list, rows, shown, shown_time, table
from memctl_cli.session import session_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memctl.recall.kept_recalls import KeptHit, KeptRecall
    from memctl.recall.replays import Replay
    from memctl.search.receipt import Receipt
    from memctl_cli.output.console import Console

__all__ = ["app"]

app = typer.Typer(help="Recalls that were kept: list, show, replay, forget, restore.")

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
    """Show one recall, the rows that it brought, and what its answer depended on.

    Example: memctl recalls show 3
    """
    session = session_of(context)
    with session.memory(readonly=True) as memory:
        found, hits = memory.recalls.get(recall), memory.recalls.hits(recall)
        receipt = memory.recalls.receipt(recall)
    data = {**jsonable(found), "rows": jsonable(hits), "receipt": jsonable(receipt)}
    session.answer(data, lambda console: _show_one(console, found, hits, receipt), command="show")


@app.command()
def replay(context: typer.Context, recall: Number) -> None:
    """Search again over the rows that were there then, and compare; nothing is recorded.

    Example: memctl recalls replay 3
    """
    session = session_of(context)
    with session.memory(readonly=True) as memory:
        again = memory.recalls.replay(recall)
    session.answer(again, lambda console: _show_replay(console, again), command="replay")


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


def _show_one(
    console: Console, recall: KeptRecall, hits: Sequence[KeptHit], receipt: Receipt | None
) -> None:
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
    if receipt is None:
        console.print("it has no receipt: a name in it was erased, or it is older")
        return
    marks = receipt.past.size.marks
    asked = ", ".join(f"{name} {_asked(value)}" for name, value in receipt.request.items())
    console.print(shown(f"asked with: {asked}"))
    console.print(
        f"over turns up to {marks.turn}, episodes up to {marks.episode}, facts up to {marks.fact}; "
        f"ranking {receipt.ranking}"
    )
    console.print(f"memctl recalls replay {recall.id} searches again over these rows")


def _asked(value: object) -> str:
    return "+".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)


def _show_replay(console: Console, again: Replay) -> None:
    console.print(shown(f"recall {again.recall}: {again.question}"))
    made = table("row", "then", "now", right=("then", "now"), whole=("row",))
    cells = [
        (name, _rank(name, again.then), _rank(name, again.now))
        for name in dict.fromkeys((*again.then, *again.now))
    ]
    console.print(rows(made, cells))
    if again.equal:
        console.print("equal, byte for byte")
        return
    console.print(f"not equal: {len(again.lost)} lost, {len(again.gained)} gained")
    for difference in again.differences:
        console.print(shown(f"since then: {difference}"))
    if not again.differences:
        console.print("nothing that is recorded explains it")


def _rank(name: str, names: Sequence[str]) -> int | None:
    return names.index(name) + 1 if name in names else None
