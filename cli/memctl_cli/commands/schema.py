"""``memctl schema``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from memctl_cli.session import session_of

if TYPE_CHECKING:
    from memctl.store.schema_text import SchemaObject
    from memctl_cli.output.console import Console


def schema(
    context: typer.Context,
    name: Annotated[
        str | None, typer.Argument(help="A table or view; all of them by default.")
    ] = None,
) -> None:
    """Print the tables and views with what every column means.

    Example: memctl schema component
    """
    from memctl.store.schema_text import schema_objects

    session = session_of(context)
    found = schema_objects(name)
    session.answer(found, lambda console: _show(console, found))


def _show(console: Console, found: list[SchemaObject]) -> None:
    for one in found:
        for line in one.comment.splitlines():
            console.print(f"-- {line}", soft_wrap=True)
        console.print(one.sql + ";\n", soft_wrap=True)
