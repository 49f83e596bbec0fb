"""``memctl components``."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from typer import Argument, Option

from memctl.base.counting import sized
from memctl.base.errors import NotFoundError
from memctl.store.pages import page_of
from memctl_cli.call import Answer, Call
from memctl_cli.command import Commands
from memctl_cli.commands.batches import batch_shown, carry_out
from memctl_cli.commands.options import DryRun, Limited, Text, Texts, Why, Yes
from memctl_cli.completed_values import offered
from memctl_cli.output.envelope import jsonable
from memctl_cli.output.records import listed, print_details
from memctl_cli.output.words import counted, shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memctl.visual.graph.components import Component, TemplateInfo
    from memctl.visual.graph.erasing import ErasedPlace
    from memctl_cli.output.console import Console

components = Commands(help="Components of screens: list, show, rename, pin, forget, erase.")

Name = Annotated[
    str, Argument(help="A component's name or id.", autocompletion=offered("component"))
]
Names = Annotated[
    Texts,
    Argument(
        help="Names or ids; or options choose some.",
        metavar="NAME",
        autocompletion=offered("component"),
    ),
]
GoneNames = Annotated[
    Texts,
    Argument(
        help="Names or ids; or options choose some.", metavar="NAME", autocompletion=offered("gone")
    ),
]
OfPage = Annotated[
    Text, Option("--page", help="Only of this page.", autocompletion=offered("page"))
]
OfType = Annotated[Text, Option("--type", help="Only of this type.")]
Stale = Annotated[bool, Option("--stale", help="Only those missed when last expected.")]
Missed = Annotated[
    int | None, Option(min=1, help="Only those missed so many times in a row, or more often.")
]
Stateless = Annotated[
    bool, Option("--stateless", help="Only those that no state has, not even a forgotten one.")
]

# What a component is then.
_DONE = {"pin": "pinned", "unpin": "no longer pinned", "forget": "forgotten", "restore": "back"}
_DETAILS = (
    *("type", "label", "page", "source", "rel_x", "rel_y", "w", "h", "confidence"),
    *("learned_at", "last_seen_at", "seen_count", "consecutive_misses", "pinned"),
)


@components.command("list")
def list_(
    call: Call,
    names: Names = None,
    limit: Limited = None,
    page: OfPage = None,
    kind: OfType = None,
    unlabelled: Annotated[bool, Option("--unlabelled", help="Only those without a label.")] = False,
    stale: Stale = False,
    missed: Missed = None,
    stateless: Stateless = False,
    forgotten: Annotated[
        bool, Option("--forgotten", help="The forgotten ones, which restore brings back.")
    ] = False,
    png: Annotated[Path | None, Option(help="Write one picture of them all to this file.")] = None,
) -> Answer:
    """List components, what was seen last first.

    Example: memctl --app harbor components list --unlabelled --png sheet.png
    """
    with call.memory(readonly=True) as memory:
        found = memory.components.list(
            page=page,
            type=kind,
            unlabelled=unlabelled,
            stale=stale,
            missed=missed,
            stateless=stateless,
            keys=names or (),
            forgotten=forgotten,
            limit=call.limit(limit) if png is None else limit,
        )
        if png is not None:
            from memctl_cli.drawing.sheets import draw_sheet

            png.write_bytes(draw_sheet(memory.components, found))
            found = page_of(found, call.limit(limit))
    return Answer(found, listed("component", found))


@components.command()
def show(
    call: Call,
    name: Name,
    png: Annotated[Path | None, Option(help="Write its picture to this file.")] = None,
) -> Answer:
    """Show one component and its pictures.

    Example: memctl --app harbor components show Delete --png delete.png
    """
    with call.memory(readonly=True) as memory:
        component = memory.components.get(name)
        looks = memory.components.templates(component.id)
        if png is not None and not looks:
            raise NotFoundError(
                f'"{component.name}" has no picture', hint="learn a screenshot that shows it"
            )
        if png is not None:
            png.write_bytes(memory.components.picture(looks[0].id))
    data = {**jsonable(component), "templates": jsonable(list(looks))}
    return Answer(data, lambda console: _show_one(console, component, looks))


@components.command()
def rename(call: Call, name: Name, new: Annotated[str, Argument(help="The new name.")]) -> Answer:
    """Give a component another name; states and transitions go on knowing it.

    Example: memctl --app harbor components rename icon_at_1150_28 Help
    """
    with call.memory(existing=True) as memory:
        component = memory.components.rename(name, new)
    return Answer(component, f"{name} is now {component.name}")


def _add_pinning(verb: str, summary: str) -> None:
    def mark(
        call: Call,
        names: Names = None,
        page: OfPage = None,
        kind: OfType = None,
        stale: Stale = False,
        missed: Missed = None,
        dry_run: DryRun = False,
        yes: Yes = False,
    ) -> Answer:
        chosen = {"page": page, "type": kind, "stale": stale, "missed": missed}
        return _mark(call, verb, names, chosen, dry_run=dry_run, yes=yes)

    example = f"memctl --app harbor components {verb} New_invoice"
    mark.__doc__ = f"{summary}\n\n    Example: {example}\n"
    components.command(verb)(mark)


_add_pinning(
    "pin", "Keep components from being forgotten by themselves, or by --stale and its like."
)
_add_pinning("unpin", "Let pinned components be forgotten again.")


@components.command()
def forget(
    call: Call,
    names: Names = None,
    page: OfPage = None,
    kind: OfType = None,
    stale: Stale = False,
    missed: Missed = None,
    stateless: Stateless = False,
    why: Why = "asked for",
    dry_run: DryRun = False,
    yes: Yes = False,
) -> Answer:
    """Mark components as forgotten: they are not looked for any more; restore undoes it.

    Options choose several; pinned ones are then left out.

    Example: memctl --app harbor components forget Old_banner --why "redesigned"

    Example: memctl --app harbor components forget --missed 3 --dry-run
    """
    chosen = {"page": page, "type": kind, "stale": stale, "missed": missed, "stateless": stateless}
    return _mark(call, "forget", names, chosen, dry_run=dry_run, yes=yes, why=why)


@components.command()
def restore(
    call: Call,
    names: GoneNames = None,
    page: OfPage = None,
    kind: OfType = None,
    stale: Stale = False,
    missed: Missed = None,
    stateless: Stateless = False,
    dry_run: DryRun = False,
    yes: Yes = False,
) -> Answer:
    """Bring forgotten components back, and the states that were forgotten with them.

    Example: memctl --app harbor components restore Import_statement

    Example: memctl --app harbor components restore --stale --dry-run
    """
    chosen = {"page": page, "type": kind, "stale": stale, "missed": missed, "stateless": stateless}
    return _mark(call, "restore", names, chosen, dry_run=dry_run, yes=yes)


@components.command()
def erase(call: Call, name: Name, yes: Yes = False) -> Answer:
    """Remove a component and its pixels from the file; this cannot be undone.

    What lies inside of it goes too. It is not learned again: see memctl components erased.

    Example: memctl --app harbor components erase Delete_3 --yes
    """
    with call.memory(existing=True) as memory:
        component = memory.components.get(name)
        question = f'erase "{component.name}", what lies inside of it and their pictures for ever?'
        call.confirm(question, yes=yes)
        gone = memory.components.erase(component.id)
    inside = f" and {counted(gone.inside, 'component')} inside of it" if gone.inside else ""
    waits = "" if gone.erased else "; its bytes go when other readers are done"
    lines = [f"erased {gone.name}{inside}{waits}"]
    if touched := gone.looks_masked + gone.looks_removed:
        lines.append(f"painted over in {counted(touched, 'picture')} of other components")
    return Answer(gone, "\n".join(lines))


@components.command()
def erased(
    call: Call,
    lift: Annotated[int | None, Option(help="Let this one be learned again.", metavar="ID")] = None,
    limit: Limited = None,
) -> Answer:
    """List the places where components were erased: nothing is learned there.

    Example: memctl --app harbor components erased --lift 1
    """
    places: Sequence[ErasedPlace]
    with call.memory(readonly=lift is None, existing=lift is not None) as memory:
        if lift is None:
            places = memory.components.erased(limit=call.limit(limit))
        else:
            places = memory.components.lift(lift)
    return Answer(places, listed("erased place", places))


def _mark(
    call: Call,
    verb: str,
    names: Texts,
    chosen: dict[str, Any],
    *,
    dry_run: bool,
    yes: bool,
    **why: str,
) -> Answer:
    """Do one thing to the components that are named, or to those chosen."""
    keys = names or ()
    one = len(keys) == 1 and not any(chosen.values())
    given: dict[str, Any] = {"key": keys[0]} if keys and one else {"keys": keys, **chosen}
    with call.memory(existing=True) as memory:
        found = carry_out(
            call,
            memory,
            partial(getattr(memory.components, verb), **given, **why),
            lambda found: f"{verb} {counted(len(found), 'component')}?",
            dry_run=dry_run,
            yes=yes or bool(keys),  # whoever is named was meant
        )
    rows = [f"#{c.id} {c.name}{_missed(c)}" for c in ([found] if one else found)]
    human = batch_shown(
        rows,
        "component",
        _DONE[verb],
        dry_run=dry_run,
        restorable=verb == "forget",
        one=found.name if one else "",
    )
    return Answer(found, human, dry_run=dry_run)


def _missed(component: Component) -> str:
    misses = component.consecutive_misses
    return f", missed {counted(misses, 'time')} in a row" if misses else ""


def _show_one(console: Console, component: Component, looks: Sequence[TemplateInfo]) -> None:
    console.print(shown(f"component {component.id}  {component.name}"))
    pairs: list[tuple[str, object]] = [(key, getattr(component, key)) for key in _DETAILS]
    if component.forgotten_at:
        pairs.append(("forgotten", f"{component.forgotten_at}: {component.forgotten_why}"))
    pairs += [
        ("look", f"{look.id}: {look.w}x{look.h}, scale {look.scale:g}, {sized(look.bytes)}")
        for look in looks
    ]
    print_details(console, pairs)
