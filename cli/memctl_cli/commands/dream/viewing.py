"""``memctl dream palace``: views of the long-term memory as Markdown."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from memctl_cli.output.envelope import shown
from memctl_cli.session import session_of

if TYPE_CHECKING:
    from memctl_cli.output.console import Console

View = Literal["timeline", "projects", "technology", "custom"]


def register(app: typer.Typer) -> None:
    """Add the command to a group."""
    app.command()(palace)


def palace(
    context: typer.Context,
    view: Annotated[View | None, typer.Argument(help="One view; else those of the folder.")] = None,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="DIR", help="Write the views into this folder.")
    ] = None,
    category: Annotated[
        list[str] | None, typer.Option("--category", "-c", help="Of a custom view; repeatable.")
    ] = None,
) -> None:
    """Print a view of the memory, or write all of them into a folder.

    Example: memctl dream palace projects
    """
    from memctl.consolidation.views.palace import write_view

    session = session_of(context)
    chosen = [view] if view else ["timeline", *(["projects", "technology"] if out else [])]
    with session.memory(existing=True, readonly=True) as memory:
        made = {one: memory.dream.palace(one, categories=category or ()) for one in chosen}
    paths = {} if out is None else {one: out.expanduser() / f"{one}.md" for one in made}
    for one, path in paths.items():
        write_view(path, made[one])
    told = {"views": made, "files": {one: str(path) for one, path in paths.items()}}
    lines = [str(path) for path in paths.values()] or [made[one] for one in made]

    def show(console: Console) -> None:
        for line in lines:
            console.print(shown(line), soft_wrap=True)

    session.answer(told, show, command="palace")
