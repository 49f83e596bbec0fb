"""``memctl components``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from memctl.base.errors import NotFoundError
from memctl_cli.output.envelope import counted, print_list, rows, table
from memctl_cli.session import session_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memctl.visual.graph.components import Component, TemplateInfo
    from memctl_cli.output.console import Console

__all__ = ["app"]

app = typer.Typer(help="What can be seen: list, show, rename, pin, delete, restore.")

Name = Annotated[str, typer.Argument(help="A component's name or id.")]


@app.command("list")
def list_(
    context: typer.Context,
    page: Annotated[str | None, typer.Option("--page", help="Only of this page.")] = None,
    kind: Annotated[str | None, typer.Option("--type", help="Only of this type.")] = None,
    unlabelled: Annotated[
        bool, typer.Option("--unlabelled", help="Only those without a label.")
    ] = False,
    stale: Annotated[
        bool, typer.Option("--stale", help="Only those missed when last expected.")
    ] = False,
    forgotten: Annotated[
        bool, typer.Option("--forgotten", help="The forgotten ones, which restore brings back.")
    ] = False,
    png: Annotated[
        Path | None, typer.Option("--png", help="Write one picture that shows them all, named.")
    ] = None,
) -> None:
    """List components.

    Example: memctl --app harbor components list --unlabelled --png sheet.png
    """
    session = session_of(context)
    with session.memory(readonly=True) as memory:
        found = memory.components.list(
            page=page, type=kind, unlabelled=unlabelled, stale=stale, forgotten=forgotten
        )
        if png is not None:
            from memctl_cli.drawing.sheet import draw_sheet

            png.write_bytes(draw_sheet(memory.components, found))
    session.answer(found, lambda console: _show_list(console, found), command="list")


@app.command()
def show(
    context: typer.Context,
    name: Name,
    png: Annotated[Path | None, typer.Option("--png", help="Write its picture.")] = None,
) -> None:
    """Show one component with its looks.

    Example: memctl --app harbor components show Delete --png delete.png
    """
    session = session_of(context)
    with session.memory(readonly=True) as memory:
        component = memory.components.get(name)
        looks = memory.components.templates(component.id)
        if png is not None and not looks:
            raise NotFoundError(
                f'"{component.name}" has no picture', hint="learn a screenshot that shows it"
            )
        if png is not None:
            png.write_bytes(memory.components.picture(looks[0].id))
    from memctl_cli.output.envelope import jsonable

    data = {**jsonable(component), "templates": jsonable(list(looks))}
    session.answer(data, lambda console: _show_one(console, component, looks), command="show")


@app.command()
def rename(
    context: typer.Context,
    name: Name,
    new: Annotated[str, typer.Argument(help="The new name.")],
) -> None:
    """Give a component another name; states and transitions go on knowing it.

    Example: memctl --app harbor components rename icon_at_1150_28 Help
    """
    session = session_of(context)
    with session.memory(existing=True) as memory:
        component = memory.components.rename(name, new)
    session.answer(
        component,
        lambda console: console.print(f"{name} is now {component.name}"),
        command="rename",
    )


@app.command()
def delete(
    context: typer.Context,
    name: Name,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> None:
    """Remove a component and its pixels from the file for good.

    Example: memctl --app harbor components delete Delete_3 --yes
    """
    session = session_of(context)
    with session.memory(existing=True) as memory:
        component = memory.components.get(name)
        session.confirm(f'delete "{component.name}" and its pictures for good?', yes=yes)
        deleted = memory.components.delete(component.id)
    waits = "" if deleted.erased else "; its bytes go when other readers are done"

    def show(console: Console) -> None:
        console.print(f"deleted {deleted.name}{waits}")
        touched = deleted.looks_masked + deleted.looks_removed
        if touched:
            console.print(f"painted over in {counted(touched, 'picture')} of other components")

    session.answer(deleted, show, command="delete")


@app.command()
def pin(
    context: typer.Context,
    name: Name,
    off: Annotated[bool, typer.Option("--off", help="Let it be forgotten again.")] = False,
) -> None:
    """Keep a component from ever being forgotten.

    Example: memctl --app harbor components pin New_invoice
    """
    session = session_of(context)
    with session.memory(existing=True) as memory:
        component = memory.components.pin(name, pinned=not off)
    word = "pinned" if component.pinned else "no longer pinned"
    session.answer(
        component, lambda console: console.print(f"{component.name} is {word}"), command="pin"
    )


@app.command()
def restore(context: typer.Context, name: Name) -> None:
    """Bring a forgotten component back, and the states that were forgotten with it.

    Example: memctl --app harbor components restore Import_statement
    """
    session = session_of(context)
    with session.memory(existing=True) as memory:
        component = memory.components.restore(name)
    session.answer(
        component, lambda console: console.print(f"{component.name} is back"), command="restore"
    )


def _show_list(console: Console, found: Sequence[Component]) -> None:
    made = table(
        "id",
        "name",
        "type",
        "size",
        "seen",
        "missed",
        right=("id", "seen", "missed"),
        whole=("name", "type", "size"),
    )
    cells = [
        (c.id, c.name, c.type, f"{c.w}x{c.h}", c.seen_count, c.consecutive_misses) for c in found
    ]
    print_list(console, made, cells, "component")


def _show_one(console: Console, component: Component, looks: Sequence[TemplateInfo]) -> None:
    made = table("", component.name)
    for key in ("id", "type", "label", "page", "source", "rel_x", "rel_y", "w", "h", "confidence"):
        rows(made, [(key, getattr(component, key))])
    for key in ("learned_at", "last_seen_at", "seen_count", "consecutive_misses", "pinned"):
        rows(made, [(key, getattr(component, key))])
    if component.forgotten_at:
        rows(made, [("forgotten", f"{component.forgotten_at}: {component.forgotten_why}")])
    for look in looks:
        rows(
            made, [("look", f"{look.id}: {look.w}x{look.h}, scale {look.scale:g}, {look.bytes} B")]
        )
    console.print(made)
