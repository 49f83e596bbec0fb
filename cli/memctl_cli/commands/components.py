"""``memctl components``."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from memctl.base.errors import NotFoundError
from memctl.store.pages import page_of
from memctl_cli.commands.batches import carry_out, show_batch
from memctl_cli.commands.options import DryRun, Limited, Why, Yes
from memctl_cli.output.envelope import (
    counted,
    print_list,
    rows,
    shown,
    shown_day,
    shown_time,
    table,
)
from memctl_cli.output.units import size_text
from memctl_cli.session import session_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from memctl.visual.graph.components import Component, TemplateInfo
    from memctl.visual.graph.erasing import ErasedPlace
    from memctl_cli.output.console import Console

app = typer.Typer(help="Components of screens: list, show, rename, pin, forget, erase.")

Name = Annotated[str, typer.Argument(help="A component's name or id.")]
Names = Annotated[
    list[str] | None, typer.Argument(help="Names or ids; or options choose some.", metavar="NAME")
]
OfPage = Annotated[str | None, typer.Option("--page", help="Only of this page.")]
OfType = Annotated[str | None, typer.Option("--type", help="Only of this type.")]
Stale = Annotated[bool, typer.Option("--stale", help="Only those missed when last expected.")]
Missed = Annotated[
    int | None,
    typer.Option(
        "--missed", min=1, help="Only those missed so many times in a row, or more often."
    ),
]
Stateless = Annotated[
    bool,
    typer.Option("--stateless", help="Only those that no state has, not even a forgotten one."),
]


@app.command("list")
def list_(
    context: typer.Context,
    names: Names = None,
    limit: Limited = None,
    page: OfPage = None,
    kind: OfType = None,
    unlabelled: Annotated[
        bool, typer.Option("--unlabelled", help="Only those without a label.")
    ] = False,
    stale: Stale = False,
    missed: Missed = None,
    stateless: Stateless = False,
    forgotten: Annotated[
        bool, typer.Option("--forgotten", help="The forgotten ones, which restore brings back.")
    ] = False,
    png: Annotated[
        Path | None, typer.Option("--png", help="Write one picture of them all to this file.")
    ] = None,
) -> None:
    """List components, what was seen last first.

    Example: memctl --app harbor components list --unlabelled --png sheet.png
    """
    session = session_of(context)
    with session.memory(readonly=True) as memory:
        found = memory.components.list(
            page=page,
            type=kind,
            unlabelled=unlabelled,
            stale=stale,
            missed=missed,
            stateless=stateless,
            keys=names or (),
            forgotten=forgotten,
            limit=session.limit(limit) if png is None else limit,
        )
        if png is not None:
            from memctl_cli.drawing.sheet import draw_sheet

            png.write_bytes(draw_sheet(memory.components, found))
            found = page_of(found, session.limit(limit))
    session.answer(found, lambda console: _show_list(console, found), command="list")


@app.command()
def show(
    context: typer.Context,
    name: Name,
    png: Annotated[
        Path | None, typer.Option("--png", help="Write its picture to this file.")
    ] = None,
) -> None:
    """Show one component and its pictures.

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
def pin(
    context: typer.Context,
    names: Names = None,
    page: OfPage = None,
    kind: OfType = None,
    stale: Stale = False,
    missed: Missed = None,
    dry_run: DryRun = False,
    yes: Yes = False,
) -> None:
    """Keep components from being forgotten by themselves, or by --stale and its like.

    Example: memctl --app harbor components pin New_invoice
    """
    chosen = {"page": page, "type": kind, "stale": stale, "missed": missed}
    _mark(context, "pin", names, chosen, dry_run=dry_run, yes=yes)


@app.command()
def unpin(
    context: typer.Context,
    names: Names = None,
    page: OfPage = None,
    kind: OfType = None,
    stale: Stale = False,
    missed: Missed = None,
    dry_run: DryRun = False,
    yes: Yes = False,
) -> None:
    """Let pinned components be forgotten again.

    Example: memctl --app harbor components unpin New_invoice
    """
    chosen = {"page": page, "type": kind, "stale": stale, "missed": missed}
    _mark(context, "unpin", names, chosen, dry_run=dry_run, yes=yes)


@app.command()
def forget(
    context: typer.Context,
    names: Names = None,
    page: OfPage = None,
    kind: OfType = None,
    stale: Stale = False,
    missed: Missed = None,
    stateless: Stateless = False,
    why: Why = "asked for",
    dry_run: DryRun = False,
    yes: Yes = False,
) -> None:
    """Mark components as forgotten: they are not looked for any more; restore undoes it.

    Options choose several; pinned ones are then left out.

    Example: memctl --app harbor components forget Old_banner --why "redesigned"

    Example: memctl --app harbor components forget --missed 3 --dry-run
    """
    chosen = {"page": page, "type": kind, "stale": stale, "missed": missed}
    chosen["stateless"] = stateless
    _mark(context, "forget", names, chosen, dry_run=dry_run, yes=yes, why=why)


@app.command()
def restore(
    context: typer.Context,
    names: Names = None,
    page: OfPage = None,
    kind: OfType = None,
    stale: Stale = False,
    missed: Missed = None,
    stateless: Stateless = False,
    dry_run: DryRun = False,
    yes: Yes = False,
) -> None:
    """Bring forgotten components back, and the states that were forgotten with them.

    Example: memctl --app harbor components restore Import_statement

    Example: memctl --app harbor components restore --stale --dry-run
    """
    chosen = {"page": page, "type": kind, "stale": stale, "missed": missed}
    chosen["stateless"] = stateless
    _mark(context, "restore", names, chosen, dry_run=dry_run, yes=yes)


@app.command()
def erase(context: typer.Context, name: Name, yes: Yes = False) -> None:
    """Remove a component and its pixels from the file; this cannot be undone.

    What lies inside of it goes too. It is not learned again: see memctl components erased.

    Example: memctl --app harbor components erase Delete_3 --yes
    """
    session = session_of(context)
    with session.memory(existing=True) as memory:
        component = memory.components.get(name)
        question = f'erase "{component.name}", what lies inside of it and their pictures for ever?'
        session.confirm(question, yes=yes)
        erased = memory.components.erase(component.id)
    waits = "" if erased.erased else "; its bytes go when other readers are done"

    def show(console: Console) -> None:
        with_it = (
            f" and {counted(erased.inside, 'component')} inside of it" if erased.inside else ""
        )
        console.print(f"erased {erased.name}{with_it}{waits}")
        touched = erased.looks_masked + erased.looks_removed
        if touched:
            console.print(f"painted over in {counted(touched, 'picture')} of other components")

    session.answer(erased, show, command="erase")


@app.command()
def erased(
    context: typer.Context,
    lift: Annotated[
        int | None, typer.Option("--lift", help="Let this one be learned again.", metavar="ID")
    ] = None,
    limit: Limited = None,
) -> None:
    """List the places where components were erased: nothing is learned there.

    Example: memctl --app harbor components erased --lift 1
    """
    session = session_of(context)
    if lift is None:
        with session.memory(readonly=True) as memory:
            places: Sequence[ErasedPlace] = memory.components.erased(limit=session.limit(limit))
    else:
        with session.memory(existing=True) as memory:
            places = memory.components.lift(lift)
    session.answer(places, lambda console: _show_erased(console, places), command="erased")


def _mark(
    context: typer.Context,
    verb: str,
    names: Sequence[str] | None,
    chosen: Mapping[str, str | int | None],
    *,
    dry_run: bool,
    yes: bool,
    **why: str,
) -> None:
    """Do one thing to the components that are named, or to those chosen."""
    session = session_of(context)
    keys = names or ()
    one = len(keys) == 1 and not any(chosen.values())
    given: dict[str, Any] = {"key": keys[0]} if one else {"keys": keys, **chosen}

    def question(found: Sequence[Component]) -> str:
        return f"{verb} {counted(len(found), 'component')}?"

    with session.memory(existing=True) as memory:
        act = partial(getattr(memory.components, verb), **given, **why)
        # Whoever is named was meant.
        found = carry_out(session, memory, act, question, dry_run=dry_run, yes=yes or bool(keys))

    def show(console: Console) -> None:
        show_batch(
            console,
            [f"#{c.id} {c.name}{_missed(c)}" for c in ([found] if one else found)],
            "component",
            _DONE[verb],
            dry_run=dry_run,
            restorable=verb == "forget",
            one=found.name if one else "",
        )

    session.answer(found, show, command=verb, dry_run=dry_run)


def _missed(component: Component) -> str:
    misses = component.consecutive_misses
    return f", missed {counted(misses, 'time')} in a row" if misses else ""


# What is said of a component then.
_DONE = {"pin": "pinned", "unpin": "no longer pinned", "forget": "forgotten", "restore": "back"}


def _show_list(console: Console, found: Sequence[Component]) -> None:
    columns = (
        "id",
        "name",
        "type",
        "page",
        "at, px",
        "size, px",
        "seen",
        "missed",
        "last seen",
    )
    made = table(*columns, right=("id", "seen", "missed"), whole=columns, tight=True)
    cells = [
        (
            c.id,
            c.name,
            c.type,
            c.page,
            f"{c.rel_x},{c.rel_y}",
            f"{c.w}x{c.h}",
            c.seen_count,
            c.consecutive_misses,
            shown_day(c.last_seen_at),
        )
        for c in found
    ]
    print_list(console, made, cells, "component", of=found)


def _show_erased(console: Console, places: Sequence[ErasedPlace]) -> None:
    columns = ("id", "erased", "state", "at, px", "size, px", "pictures")
    made = table(*columns, right=("id", "pictures"), whole=columns, tight=True)
    cells = [
        (
            one.id,
            shown_time(one.erased_at),
            one.state_name or one.state_id,
            None if one.x is None else f"{one.x},{one.y}",
            None if one.w is None else f"{one.w}x{one.h}",
            one.pictures,
        )
        for one in places
    ]
    print_list(console, made, cells, "erased place", of=places)


def _show_one(console: Console, component: Component, looks: Sequence[TemplateInfo]) -> None:
    console.print(shown(f"component {component.id}  {component.name}"))
    made = table("", "")
    for key in ("type", "label", "page", "source", "rel_x", "rel_y", "w", "h", "confidence"):
        rows(made, [(key, getattr(component, key))])
    for key in ("learned_at", "last_seen_at", "seen_count", "consecutive_misses", "pinned"):
        rows(made, [(key, getattr(component, key))])
    if component.forgotten_at:
        rows(made, [("forgotten", f"{component.forgotten_at}: {component.forgotten_why}")])
    for look in looks:
        rows(
            made,
            [
                (
                    "look",
                    f"{look.id}: {look.w}x{look.h}, scale {look.scale:g}, {size_text(look.bytes)}",
                )
            ],
        )
    console.print(made)
