"""``memctl import``: what other systems hold, taken into a store."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from memctl.base.counting import counted
from memctl.base.errors import RefusedError, UsageError
from memctl_cli.commands.porting.forms import forms
from memctl_cli.commands.porting.packs import import_pack, import_store
from memctl_cli.output.envelope import counter
from memctl_cli.session import session_of

if TYPE_CHECKING:
    from memctl.porting.importer import Imported
    from memctl_cli.output.console import Console

_SHOWN = 10  # refused records on a screen


def importing(
    context: typer.Context,
    words: Annotated[
        list[str],
        typer.Argument(
            help="A file or folder, after its format where that is not recognised.",
            metavar="[SOURCE] PATH",
        ),
    ],
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Count what would be taken; write nothing.")
    ] = False,
    table: Annotated[
        str | None,
        typer.Option("--table", help="The table of an SQLite file, the array of a JSON file."),
    ] = None,
    column: Annotated[
        list[str] | None,
        typer.Option("--column", help="THEIRS=OURS, for CSV and tables; may be given again."),
    ] = None,
    prune: Annotated[
        bool,
        typer.Option(
            "--prune", help="Forget what was taken out of memctl's own Markdown since its export."
        ),
    ] = False,
) -> None:
    """Take what another system holds: what was taken before adds nothing.

    The word "from" may be left out. Example: memctl import from chatgpt conversations.json --dry-run
    """
    if len(words) not in {1, 2}:
        raise UsageError("import takes a path, after its format", hint="memctl import notes.jsonl")
    options = {"table": table, "columns": _columns(column or ()), "prune": prune}
    session = session_of(context)
    with session.memory() as memory, counter("records", shown=not session.as_json) as progress:
        imported = memory.import_from(
            words[-1],
            words[0] if len(words) == 2 else None,  # noqa: PLR2004
            dry_run=dry_run,
            options={key: value for key, value in options.items() if value},
            progress=progress,
        )
    if not imported.refusals or imported.written or imported.known:
        session.answer(
            asdict(imported), lambda console: _show(imported, console), count=imported.written
        )
        return
    if not session.as_json:
        session.answer(None, lambda console: _show(imported, console))
    first = imported.refused[0]
    raise RefusedError(
        f"nothing was taken of {imported.path}, for each record was refused: {first.where}: {first.why}",
        hint="correct it, or name its format: memctl import SOURCE PATH",
    )


def _columns(pairs: list[str] | tuple[str, ...]) -> dict[str, str]:
    found = {}
    for pair in pairs:
        theirs, equals, ours = pair.partition("=")
        if not equals:
            raise UsageError(f'--column "{pair}" is not THEIRS=OURS', hint="--column body=text")
        found[theirs] = ours
    return found


def _show(imported: Imported, console: Console) -> None:
    would = "would be " if imported.dry_run else ""
    kinds = ", ".join(counted(number, kind) for kind, number in imported.taken.items()) or "nothing"
    console.print(
        f"{imported.source}: {counted(imported.met, 'record')} met, {would}taken: {kinds}"
    )
    if imported.known:
        console.print(f"known from an earlier import: {imported.known}")
    for remark in imported.remarks:
        console.print(remark)
    for one in imported.refused[:_SHOWN]:
        console.print(f"refused: {one.where}: {one.why}")
    if imported.refusals > _SHOWN:
        console.print(f"refused: {imported.refusals - _SHOWN} more; --json lists them")


app = forms(
    {"pack": import_pack, "store": import_store, "from": importing},
    text="Take in what another system, a pack or another store holds.\n\nExample: memctl import notes.md --dry-run",
)
