"""``memctl config``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from memctl_cli.output.envelope import rows, table
from memctl_cli.session import session_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memctl.config.settings import SettingValue
    from memctl_cli.output.console import Console

__all__ = ["app"]

app = typer.Typer(help="Settings of the store: list, get, set, unset.")

Key = Annotated[str, typer.Argument(help='A setting\'s name; see "memctl config list".')]


@app.command("list")
def list_(context: typer.Context) -> None:
    """List every setting, its value and where that comes from.

    Example: memctl config list
    """
    session = session_of(context)
    with session.memory(readonly=True, reading=False) as memory:
        found = memory.settings.list()
    session.answer(found, lambda console: _show(console, found), command="list")


@app.command()
def get(context: typer.Context, key: Key) -> None:
    """Print the value of a setting.

    Example: memctl config get forgetting
    """
    session = session_of(context)
    with session.memory(readonly=True, reading=False) as memory:
        found = memory.settings.describe(key)
    session.answer(found, lambda console: console.print(str(found.value)), command="get")


# A value may begin as options do: "-1".
@app.command("set", context_settings={"ignore_unknown_options": True})
def set_(
    context: typer.Context,
    key: Key,
    value: Annotated[str, typer.Argument(help="The new value.")],
) -> None:
    """Keep a setting in the store.

    Example: memctl --app harbor config set forgetting everywhere
    """
    session = session_of(context)
    with session.memory() as memory:
        found = memory.settings.set(key, value)
    session.answer(found, lambda console: _show(console, [found]), command="set")


@app.command()
def unset(context: typer.Context, key: Key) -> None:
    """Remove a setting from the store, so that the default holds again.

    Example: memctl --app harbor config unset forgetting
    """
    session = session_of(context)
    with session.memory() as memory:
        found = memory.settings.unset(key)
    session.answer(found, lambda console: _show(console, [found]), command="unset")


def _show(console: Console, found: Sequence[SettingValue]) -> None:
    made = table("setting", "value", "from", "what it does", whole=("setting", "from"))
    console.print(rows(made, [(one.key, one.value, one.source, one.help) for one in found]))
