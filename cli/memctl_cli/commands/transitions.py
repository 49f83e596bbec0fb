"""``memctl transitions``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from memctl_cli.commands.batches import carry_out, show_batch
from memctl_cli.commands.options import DryRun, Limited, Yes
from memctl_cli.output.chances import at_least
from memctl_cli.output.envelope import counted, print_list, shown_day, table
from memctl_cli.session import session_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from memctl.memory import Memory
    from memctl.visual.graph.transitions import Transition
    from memctl_cli.output.console import Console

app = typer.Typer(help="Transitions between states: list, record, pending, commit, discard, ...")

Ids = Annotated[
    list[int] | None,
    typer.Argument(help="Ids, as pending lists them; all where none is given."),
]

Days = Annotated[
    int | None,
    typer.Option("--days", min=1, help="Only those recorded longer than so many days ago."),
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
def pending(
    context: typer.Context,
    days: Days = None,
    discarded: Annotated[
        bool, typer.Option("--discarded", help="The discarded ones, which restore brings back.")
    ] = False,
    limit: Limited = None,
) -> None:
    """List the transitions whose outcome nobody has confirmed, the newest first.

    Example: memctl --app harbor transitions pending
    """
    session = session_of(context)
    with session.memory(readonly=True) as memory:
        found = memory.transitions.pending(
            days=days, discarded=discarded, limit=session.limit(limit)
        )
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
        names = _names(memory, [noted])
    session.answer(noted, lambda console: _show(console, [noted], names), command="record")


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
        done = memory.transitions.commit(ids or None, failed=failed)
        names = _names(memory, done)
    session.answer(done, lambda console: _show(console, done, names), command="commit")


@app.command()
def discard(
    context: typer.Context,
    ids: Ids = None,
    days: Days = None,
    dry_run: DryRun = False,
    yes: Yes = False,
) -> None:
    """Drop pending transitions without counting them; restore undoes it.

    Example: memctl --app harbor transitions discard 14

    Example: memctl --app harbor transitions discard --days 7 --dry-run
    """
    _move(context, "discard", ids, days, dry_run=dry_run, yes=yes)


@app.command()
def restore(
    context: typer.Context,
    ids: Ids = None,
    days: Days = None,
    dry_run: DryRun = False,
    yes: Yes = False,
) -> None:
    """Let discarded transitions be pending again.

    Example: memctl --app harbor transitions restore --days 7 --dry-run
    """
    _move(context, "restore", ids, days, dry_run=dry_run, yes=yes)


def _move(
    context: typer.Context,
    verb: str,
    ids: list[int] | None,
    days: int | None,
    *,
    dry_run: bool,
    yes: bool,
) -> None:
    """Discard pending transitions, or let discarded ones be pending again."""
    session = session_of(context)
    with session.memory(existing=True) as memory:
        found = memory.transitions.pending(days=days, discarded=verb == "restore")
        count = carry_out(
            session,
            memory,
            lambda: int(getattr(memory.transitions, verb)(ids or None, days=days)),
            lambda number: f"{verb} {counted(number, 'transition')}?",
            dry_run=dry_run,
            yes=yes or bool(ids),
        )
    rows = [f"{t.id} {t.action}" for t in found if not ids or t.id in ids]
    gone = verb == "discard"

    def show(console: Console) -> None:
        done = "discarded" if gone else "pending again"
        show_batch(console, rows, "transition", done, dry_run=dry_run, restorable=gone)

    data = {"discarded" if gone else "restored": count}
    session.answer(data, show, command=verb, count=count, dry_run=dry_run)


def _names(memory: Memory, found: Sequence[Transition]) -> Mapping[str, str | None]:
    return memory.states.names_of(
        state for one in found for state in (one.from_state, one.to_state)
    )


def _show(console: Console, found: Sequence[Transition], names: Mapping[str, str | None]) -> None:
    # Only what waits has an id to be named by.
    ids = [t.id for t in found] if any(t.id is not None for t in found) else []
    counts = ("ok", "failed", "at least", "ms")
    columns = (*(["id"] if ids else []), "from", "do", "to", *counts, "last used")
    made = table(*columns, right=("id", *counts), whole=columns, tight=True)
    cells = [
        (
            *ids[at : at + 1],
            names.get(t.from_state) or t.from_state,
            t.action,
            names.get(t.to_state) or t.to_state,
            t.successes,
            t.failures,
            at_least(t.successes, t.successes + t.failures),
            None if t.mean_ms is None else round(t.mean_ms),
            shown_day(t.last_used_at),
        )
        for at, t in enumerate(found)
    ]
    print_list(console, made, cells, "transition", of=found)
