"""``memctl export pack``, ``memctl import pack`` and ``memctl import store``."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Annotated

import typer

from memctl.base.errors import UsageError
from memctl_cli.commands.options import DryRun, Yes
from memctl_cli.output.envelope import counted, rows, table
from memctl_cli.output.plain_table import wrapped
from memctl_cli.output.units import size_text
from memctl_cli.session import session_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memctl.porting.packs.app_memory import MergeReport
    from memctl.porting.packs.packs import PackContents
    from memctl_cli.output.console import Console

Force = Annotated[bool, typer.Option("--force", help="Take that of another app or site.")]


def export_pack(
    context: typer.Context,
    file: Annotated[str | None, typer.Argument(help="The file to be made.")] = None,
    sign: Annotated[
        str | None, typer.Option("--sign", help="Sign it with the private key in this file.")
    ] = None,
    new_key: Annotated[
        str | None, typer.Option("--new-key", help="Make a private key, and no pack.")
    ] = None,
    without: Annotated[
        list[str] | None, typer.Option("--without", help="Leave out components of this name.")
    ] = None,
    texts: Annotated[
        bool, typer.Option("--texts", help="Take labelled content of one screen along.")
    ] = False,
    only_list: Annotated[bool, typer.Option("--list", help="Only say what would go in.")] = False,
    replace: Annotated[bool, typer.Option("--replace", help="Write over the file.")] = False,
    yes: Yes = False,
) -> None:
    """Write an app's screens, graph and skills, and nothing personal, as one file.

    What goes in is printed first. Example: memctl --app harbor export pack harbor.pack --sign my.key
    """
    session = session_of(context)
    if new_key is not None:
        from memctl.porting.packs.signing import new_key as make_key

        public = make_key(new_key)
        session.answer(
            {"path": new_key, "public_key": public},
            lambda console: console.print(f"{new_key} is secret; give away: {public}"),
            command="pack",
        )
        return
    chosen = tuple(without or ())
    with session.memory(readonly=True, existing=True) as memory:
        contents = memory.packs.contents(without=chosen, texts=texts)
        if only_list:
            session.answer(contents, lambda console: _contents(console, contents), command="pack")
            return
        if file is None:
            raise UsageError("nothing says which file", hint="memctl export pack FILE")
        if not session.as_json:
            session.answer(contents, lambda console: _contents(console, contents))
        session.confirm(f"write this to {file}?", yes=yes)
        made = memory.packs.export_pack(file, sign, without=chosen, texts=texts, replace=replace)
    session.answer(made, lambda console: _made(console, made), command="pack")


def import_pack(
    context: typer.Context,
    file: Annotated[str, typer.Argument(help="The pack.")],
    key: Annotated[
        str | None, typer.Option("--key", help="The public key that must have signed it.")
    ] = None,
    unsigned: Annotated[
        bool, typer.Option("--unsigned", help="Take a pack that nobody vouches for.")
    ] = False,
    force: Force = False,
    dry_run: DryRun = False,
) -> None:
    """Merge a pack into the memory of an app.

    Example: memctl --app harbor import pack harbor.pack --key PUBLIC_KEY
    """
    session = session_of(context)
    with session.memory() as memory:
        merged = memory.packs.import_pack(
            file, key=key, unsigned=unsigned, force=force, dry_run=dry_run
        )
    session.answer(merged, lambda console: _merged(console, merged), command="pack")


def import_store(
    context: typer.Context,
    file: Annotated[str, typer.Argument(help="The file of the other store.")],
    force: Force = False,
    dry_run: DryRun = False,
) -> None:
    """Merge another store of the same app: turns, episodes, facts, screens, skills.

    Example: memctl --app harbor import store /mnt/laptop/harbor.db --dry-run
    """
    session = session_of(context)
    with session.memory() as memory:
        merged = memory.packs.import_store(file, force=force, dry_run=dry_run)
    session.answer(merged, lambda console: _merged(console, merged), command="store")


def _contents(console: Console, contents: PackContents) -> None:
    console.print(f"From {contents.address}, a pack of:")
    for kind, names in (
        ("component", contents.components),
        ("state", contents.states),
        ("skill", contents.skills),
    ):
        console.print(f"  {counted(len(names), kind)}:" if names else f"  no {kind}")
        told = (f"{name} ({n})" if n > 1 else name for name, n in Counter(names).items())
        if names:
            console.print(f"    {wrapped(', '.join(told), console.width, hang='    ')}")
    pictures = counted(contents.pictures, "picture")
    console.print(f"  {pictures}, {counted(contents.transitions, 'transition')}")
    _listed(console, "Left out:", contents.left_out)


def _made(console: Console, made: PackContents) -> None:
    by = f"signed by {made.signed_by}" if made.signed_by else "unsigned"
    console.print(f"{made.path}: {size_text(made.size or 0)}, {by}")


def _merged(console: Console, merged: MergeReport) -> None:
    done = "Merged" if merged.written else "Would merge"
    by = f", signed by {merged.signed_by}" if merged.signed_by else ""
    console.print(f"{done} {merged.source} of {merged.address}{by}")
    kinds = sorted({*merged.added, *merged.united})
    if kinds:
        cells = [(kind, str(merged.added[kind]), str(merged.united[kind])) for kind in kinds]
        console.print(rows(table("", "new", "known", whole=("",)), cells))
    _listed(console, "Left out:", merged.refused)
    if merged.conflicts:
        made = table("conflict", "name", "what", whole=("conflict",))
        told = [(one.kind, one.name, one.why) for one in merged.conflicts]
        console.print(rows(made, told))


def _listed(console: Console, title: str, counts: Mapping[str, int]) -> None:
    if counts:
        console.print(title)
        for why, number in sorted(counts.items()):
            console.print(f"  {number} {why}")
