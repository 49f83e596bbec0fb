"""``memctl config``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from memctl.config.setting import spelt
from memctl.store.pages import page_of
from memctl_cli.output.envelope import page_text, rows, table
from memctl_cli.session import session_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memctl.config.settings import SettingValue
    from memctl_cli.output.console import Console

app = typer.Typer(help="Settings of a store, or of all of a home: list, get, set, unset.")

Key = Annotated[str, typer.Argument(help='A setting\'s name; see "memctl config list".')]
HomeWide = Annotated[
    bool,
    typer.Option("--home-wide", help="In the home's settings.toml, for all of its stores."),
]


@app.command("list")
def list_(
    context: typer.Context,
    limit: Annotated[
        int | None, typer.Option("--limit", min=1, help="At most so many; else all.")
    ] = None,
) -> None:
    """List every setting, its value and where that comes from.

    Example: memctl config list
    """
    session = session_of(context)
    with session.memory(readonly=True, reading=False) as memory:
        found = page_of(memory.settings.list(), limit)

    def show(console: Console) -> None:
        _show(console, found)
        console.print(page_text(found, "setting"))

    session.answer(found, show, command="list")


@app.command()
def get(context: typer.Context, key: Key) -> None:
    """Print the value of a setting, and on standard error where that comes from.

    Example: memctl config get forgetting
    """
    session = session_of(context)
    with session.memory(readonly=True, reading=False) as memory:
        found = memory.settings.describe(key)
    session.answer(found, lambda console: _say(console, found), command="get")


# A value may begin as options do: "-1".
@app.command("set", context_settings={"ignore_unknown_options": True})
def set_(
    context: typer.Context,
    key: Key,
    value: Annotated[str, typer.Argument(help="The new value.")],
    home_wide: HomeWide = False,
) -> None:
    """Keep a setting in the store, or for all stores of the home.

    Example: memctl --app harbor config set forgetting everywhere
    """
    session = session_of(context)
    with session.memory() as memory:
        found = memory.settings.set(key, value, home_wide=home_wide)
    session.answer(found, lambda console: _show(console, [found]), command="set")


@app.command()
def unset(context: typer.Context, key: Key, home_wide: HomeWide = False) -> None:
    """Remove a setting from the store, so that the home's value or the default holds again.

    Example: memctl --app harbor config unset forgetting
    """
    session = session_of(context)
    with session.memory() as memory:
        found = memory.settings.unset(key, home_wide=home_wide)
    session.answer(found, lambda console: _show(console, [found]), command="unset")


def _say(console: Console, found: SettingValue) -> None:
    console.print(spelt(found.value))
    where = f", {found.where}" if found.where else ""
    typer.echo(f"from: {found.source}{where}", err=True)


def _show(console: Console, found: Sequence[SettingValue]) -> None:
    made = table("setting", "value", "from", "what it does", whole=("setting", "from"))
    console.print(
        rows(made, [(one.key, spelt(one.value), _source(one), one.help) for one in found])
    )
    files = {one.where.rpartition(":")[0] for one in found if one.source == "settings.toml"}
    for file in files:
        typer.echo(f"settings.toml: {file}", err=True)


def _source(one: SettingValue) -> str:
    line = one.where.rpartition(":")[2]
    return f"{one.source}:{line}" if one.source == "settings.toml" else one.source
