"""``memctl states``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from memctl.base.errors import UsageError
from memctl_cli.commands.options import Limited, Yes
from memctl_cli.output.envelope import counted, print_list, rows, shown, shown_day, table
from memctl_cli.session import session_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memctl.visual.graph.states import State, StateDetail
    from memctl.visual.learning.state_updates import Mending
    from memctl_cli.output.console import Console

app = typer.Typer(help="States, the app's screens: list, show, rename, merge, restore.")

Key = Annotated[str, typer.Argument(help="A state's id, name or page.")]


@app.command("list")
def list_(
    context: typer.Context,
    limit: Limited = None,
    unnamed: Annotated[
        bool, typer.Option("--unnamed", help="Only those without a name and a page.")
    ] = False,
) -> None:
    """List the states, what was seen last first.

    Example: memctl --app harbor states list --unnamed
    """
    session = session_of(context)
    with session.memory(readonly=True) as memory:
        found = memory.states.list(unnamed=unnamed, limit=session.limit(limit))
    session.answer(found, lambda console: _show_list(console, found), command="list")


@app.command()
def show(context: typer.Context, state: Key) -> None:
    """Show one state and what defines it.

    Example: memctl --app harbor states show s_3fa2c1
    """
    session = session_of(context)
    with session.memory(readonly=True) as memory:
        found = memory.states.get(state)
    session.answer(found, lambda console: _show_one(console, found), command="show")


@app.command()
def rename(
    context: typer.Context,
    state: Key,
    name: Annotated[str, typer.Argument(help="The state's name.")],
) -> None:
    """Give a state a name.

    Example: memctl --app harbor states rename s_3fa2c1 Invoices
    """
    session = session_of(context)
    with session.memory(existing=True) as memory:
        found = memory.states.rename(state, name)
    session.answer(
        found, lambda console: console.print(f"{found.id} is now {found.name}"), command="rename"
    )


@app.command()
def ignore(
    context: typer.Context,
    state: Key,
    clear: Annotated[bool, typer.Option("--clear", help="Compare all of it again.")] = False,
) -> None:
    """Show the areas of a state that are left out, or take them back.

    Example: memctl --app harbor states ignore s_3fa2c1 --clear
    """
    session = session_of(context)
    with session.memory(existing=clear, readonly=not clear) as memory:
        found = memory.states.ignore(state, []) if clear else memory.states.get(state)
    session.answer(found.ignored, lambda console: console.print(_ignored(found)), command="ignore")


@app.command()
def merge(
    context: typer.Context,
    one: Annotated[str | None, typer.Argument(help="A state's id, name or page.")] = None,
    other: Annotated[str | None, typer.Argument(help="The same screen's other state.")] = None,
    auto: Annotated[
        bool, typer.Option("--auto", help="Find the states that are one screen; shows them first.")
    ] = False,
    yes: Yes = False,
) -> None:
    """Declare two states the same screen; restore undoes it.

    Example: memctl --app harbor states merge s_3fa2c1 s_77b0e2

    Example: memctl --app harbor states merge --auto --yes
    """
    session = session_of(context)
    if auto:
        if one is not None:
            raise UsageError("--auto finds the states by itself", hint="leave out the states")
        with session.memory(existing=True) as memory:
            mending = memory.visual.merge_states(apply=yes)
        session.answer(
            mending, lambda console: _show_mending(console, mending, done=yes), command="merge"
        )
        return
    if one is None or other is None:
        raise UsageError("two states are needed", hint="memctl states merge ONE OTHER, or --auto")
    with session.memory(existing=True) as memory:
        merged = memory.states.merge(one, other)
    session.answer(
        merged,
        lambda console: console.print(f"{merged.merged} is now part of {merged.into}"),
        command="merge",
    )


def _show_mending(console: Console, mending: Mending, *, done: bool) -> None:
    would = "" if done else "would be "
    for one in mending.merged:
        console.print(f"{one.merged} {would}merged into {one.into} (alike {one.similarity:.2f})")
    for gone in mending.forgotten:
        console.print(f"{gone.name} {would}forgotten: {gone.why}")
    if not mending.merged:
        console.print("no two states are one screen")
    elif not done:
        console.print("nothing was changed; add --yes to do it")


@app.command()
def restore(context: typer.Context, state: Key) -> None:
    """Bring a merged or forgotten state back.

    Example: memctl --app harbor states restore s_77b0e2
    """
    session = session_of(context)
    with session.memory(existing=True) as memory:
        found = memory.states.restore(state)
    session.answer(found, lambda console: console.print(f"{found.id} is back"), command="restore")


def _show_list(console: Console, found: Sequence[State]) -> None:
    columns = ("state", "name", "page", "status", "visits", "com-\nponents", "last seen")
    made = table(*columns, right=("visits", "com-\nponents"), whole=columns, tight=True)
    cells = [
        (
            s.id,
            s.name,
            s.page,
            s.status,
            s.visit_count,
            s.component_count,
            shown_day(s.last_seen_at),
        )
        for s in found
    ]
    print_list(console, made, cells, "state", of=found)


def _show_one(console: Console, state: StateDetail) -> None:
    name = f"  {state.name}" if state.name else ""
    console.print(f"{state.id}{name}  {state.status}, visited {counted(state.visit_count, 'time')}")
    made = table(
        "id", "component", "type", "seen", right=("id", "seen"), whole=("component", "type")
    )
    cells = [(c.component_id, c.name, c.type, c.seen_count) for c in state.components]
    console.print(rows(made, cells))
    if state.ignored:
        console.print(_ignored(state))
    if state.description:
        console.print(shown(state.description))


def _ignored(state: StateDetail) -> str:
    areas = " ".join(",".join(map(str, area)) for area in state.ignored)
    return f"ignored   {areas or 'nothing'}"
