"""``memctl export``: what a store holds, written into files that people read and edit."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from memctl.base.counting import counted
from memctl_cli.commands.porting.forms import forms
from memctl_cli.commands.porting.packs import export_pack
from memctl_cli.output.envelope import counter
from memctl_cli.session import session_of

if TYPE_CHECKING:
    from memctl.porting.exports.exporter import Exported
    from memctl_cli.output.console import Console


def exporting(
    context: typer.Context,
    layout: Annotated[
        str,
        typer.Argument(
            metavar="FORMAT", help="markdown, jsonl, parquet, openclaw, memoryclaw, gui-memory."
        ),
    ],
    path: Annotated[str, typer.Argument(help="The folder; of jsonl, the file.")],
    tier: Annotated[
        list[str] | None,
        typer.Option(
            "--tier",
            help="turns, episodes, facts, aliases, knowledge or skills; may be given again.",
        ),
    ] = None,
    since: Annotated[
        str | None, typer.Option("--since", help="Only what is of this time or later, ISO-8601.")
    ] = None,
    until: Annotated[
        str | None, typer.Option("--until", help="Only what is of before this time, ISO-8601.")
    ] = None,
    tag: Annotated[
        list[str] | None,
        typer.Option("--tag", help="Episodes of a tag, facts of a category or tag; repeatable."),
    ] = None,
    state: Annotated[
        list[str] | None,
        typer.Option("--state", help="active, pending, superseded or forgotten; repeatable."),
    ] = None,
    profile: Annotated[
        str | None,
        typer.Option("--profile", help="A named selection of the setting export_profiles."),
    ] = None,
    force: Annotated[
        bool,
        typer.Option("--force", help="Write over what is no earlier export, or was edited since."),
    ] = False,
) -> None:
    """Write what the store holds into files: to read, edit, keep in git and import again.

    The word "to" may be left out. Example: memctl export to markdown notes --tier facts
    """
    session = session_of(context)
    with (
        session.memory(readonly=True) as memory,
        counter("rows", shown=not session.as_json) as progress,
    ):
        exported = memory.export_to(
            path,
            layout,
            tiers=tier or (),
            since=since,
            until=until,
            tags=tag or (),
            states=state or (),
            profile=profile,
            force=force,
            progress=progress,
        )
    session.answer(
        asdict(exported),
        lambda console: _show(exported, console),
        count=exported.written.total(),
    )


def _show(exported: Exported, console: Console) -> None:
    written = {kind: number for kind, number in exported.written.items() if kind != "left out"}
    kinds = ", ".join(counted(number, kind) for kind, number in written.items())
    console.print(
        f"{kinds or 'nothing'} written into {counted(exported.files, 'file')}: {exported.path}"
    )
    if exported.written["left out"]:
        console.print(
            f"left out, for this form has no place for them: {exported.written['left out']}"
        )


app = forms(
    {"pack": export_pack, "to": exporting},
    text="Write a memory in another form: pack, or to FORMAT PATH.\n\nExample: memctl export markdown notes",
)
