"""``memctl cache``: what a session keeps at hand for a while."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from memctl_cli.commands.options import Limited
from memctl_cli.output.envelope import counted, print_list, shown, table
from memctl_cli.session import session_of

if TYPE_CHECKING:
    from memctl_cli.output.console import Console

app = typer.Typer(help="What a session keeps at hand: set, get, list, remove, clear.")

Name = Annotated[str, typer.Argument(help="Its name.")]


@app.command("set")
def set_(
    context: typer.Context,
    name: Name,
    value: Annotated[str, typer.Argument(help="Any text.")],
    seconds: Annotated[
        int | None,
        typer.Option("--seconds", min=1, help="How long it is kept; else until removed."),
    ] = None,
) -> None:
    """Keep a value under a name.

    Example: memctl cache set ferry "leaves at nine" --seconds 3600
    """
    session = session_of(context)
    with session.memory() as memory:
        kept = memory.cache.set(name, value, seconds=seconds)
    until = f" until {kept.expires_at}" if kept.expires_at else ""
    session.answer(
        kept, lambda console: console.print(f"{shown(kept.name)} kept{until}"), command="set"
    )


@app.command()
def get(context: typer.Context, name: Name) -> None:
    """Print a value.

    Example: memctl cache get ferry
    """
    session = session_of(context)
    with session.memory(readonly=True) as memory:
        kept = memory.cache.get(name)
    session.answer(kept, lambda console: console.print(shown(kept.value)), command="get")


@app.command("list")
def list_(context: typer.Context, limit: Limited = None) -> None:
    """List the values that have not expired, what was set last first.

    Example: memctl cache list
    """
    session = session_of(context)
    with session.memory(readonly=True) as memory:
        found = memory.cache.list(limit=session.limit(limit))

    def show(console: Console) -> None:
        made = table("name", "set", "expires", "value", whole=("name", "set", "expires"))
        cells = [(one.name, one.set_at, one.expires_at, one.value) for one in found]
        print_list(console, made, cells, "value", of=found)

    session.answer(found, show, command="list")


@app.command()
def remove(context: typer.Context, name: Name) -> None:
    """Remove a value.

    Example: memctl cache remove ferry
    """
    session = session_of(context)
    with session.memory(existing=True) as memory:
        removed = memory.cache.remove(name)
    session.answer(
        removed, lambda console: console.print(f"{shown(removed.name)} removed"), command="remove"
    )


@app.command()
def clear(context: typer.Context) -> None:
    """Remove all values of the session.

    Example: memctl cache clear
    """
    session = session_of(context)
    with session.memory(reading=True) as memory:
        count = memory.cache.clear()
    session.answer(
        {"removed": count},
        lambda console: console.print(f"{counted(count, 'value')} removed"),
        command="clear",
    )
