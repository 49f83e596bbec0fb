"""``memctl transitions``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from memctl_cli.commands.options import Limited
from memctl_cli.output.envelope import print_list, table
from memctl_cli.session import session_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from memctl.memory import Memory
    from memctl.visual.graph.transitions import Transition
    from memctl_cli.output.console import Console

__all__ = ["app"]

app = typer.Typer(help="Transitions between states: list, record, pending, commit, discard.")

Ids = Annotated[
    list[int] | None, typer.Argument(help="Ids of pending transitions; all where none is given.")
]


@app.command("list")
def list_(context: typer.Context, limit: Limited = None) -> None:
    """List the known transitions, what was used last first.

    Example: memctl --app harbor transitions list
    """
    session = session_of(context)
    with session.memory(readonly=True) as memory:
        found = memory.transitions.list(limit=session.limit(limit))
        names = _names(memory, found)
    session.answer(found, lambda console: _show(console, found, names), command="list")


@app.command()
def pending(context: typer.Context, limit: Limited = None) -> None:
    """List the transitions whose outcome nobody has confirmed, the newest first.

    Example: memctl --app harbor transitions pending
    """
    session = session_of(context)
    with session.memory(readonly=True) as memory:
        found = memory.transitions.pending(limit=session.limit(limit))
        names = _names(memory, found)
    session.answer(found, lambda console: _show(console, found, names), command="pending")


@app.command()
def record(
    context: typer.Context,
    from_state: Annotated[str, typer.Argument(help="The state before the action.", metavar="FROM")],
    action: Annotated[str, typer.Argument(help="click:Save, type:hello, key:Enter, ...")],
    to_state: Annotated[str, typer.Argument(help="The state after the action.", metavar="TO")],
    ms: Annotated[
        float | None, typer.Option("--ms", help="How long it took, in milliseconds.")
    ] = None,
    commit: Annotated[
        bool, typer.Option("--commit", help="Count it at once instead of leaving it pending.")
    ] = False,
) -> None:
    """Record that an act on one state led to another; it stays pending until committed.

    Example: memctl --app harbor transitions record Invoices click:New_invoice s_5acae9 --ms 420
    """
    session = session_of(context)
    with session.memory(existing=True) as memory, memory.store.transaction():
        noted = memory.transitions.record(from_state, action, to_state, elapsed_ms=ms)
        if commit and noted.id is not None:
            noted = memory.transitions.commit([noted.id])[0]
    session.answer(noted, lambda console: _show(console, [noted]), command="record")


@app.command()
def commit(
    context: typer.Context,
    ids: Ids = None,
    failed: Annotated[bool, typer.Option("--failed", help="Count them as failed.")] = False,
) -> None:
    """Confirm pending transitions, or count them as failed.

    Example: memctl --app harbor transitions commit 12 13
    """
    session = session_of(context)
    with session.memory(existing=True) as memory:
        counted = memory.transitions.commit(ids or None, failed=failed)
    session.answer(counted, lambda console: _show(console, counted), command="commit")


@app.command()
def discard(context: typer.Context, ids: Ids = None) -> None:
    """Drop pending transitions without counting them.

    Example: memctl --app harbor transitions discard 14
    """
    session = session_of(context)
    with session.memory(existing=True) as memory:
        count = memory.transitions.discard(ids or None)
    session.answer(
        {"discarded": count},
        lambda console: console.print(f"discarded {count}"),
        command="discard",
        count=count,
    )


def _names(memory: Memory, found: Sequence[Transition]) -> Mapping[str, str | None]:
    return memory.states.names_of(
        state for one in found for state in (one.from_state, one.to_state)
    )


def _show(
    console: Console, found: Sequence[Transition], names: Mapping[str, str | None] | None = None
) -> None:
    named = names or {}
    # Only what waits has an id to be named by.
    ids = [t.id for t in found] if any(t.id is not None for t in found) else []
    columns = (*(["id"] if ids else []), "from", "do", "to", "ok", "failed", "ms", "last used")
    made = table(*columns, right=("id", "ok", "failed", "ms"), whole=columns, tight=True)
    cells = [
        (
            *ids[at : at + 1],
            named.get(t.from_state) or t.from_state,
            t.action,
            named.get(t.to_state) or t.to_state,
            t.successes,
            t.failures,
            None if t.mean_ms is None else round(t.mean_ms),
            t.last_used_at[:10],
        )
        for at, t in enumerate(found)
    ]
    print_list(console, made, cells, "transition", of=found)
