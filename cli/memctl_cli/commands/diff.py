"""``memctl diff``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from memctl.base.errors import UsageError
from memctl_cli.output.envelope import counted, rows, shown, table
from memctl_cli.session import session_of

if TYPE_CHECKING:
    from memctl.visual.comparing import ComparedPictures, Difference
    from memctl_cli.output.console import Console
    from memctl_cli.session import Session

_SHOWN = 40


def diff(
    context: typer.Context,
    first: Annotated[
        str, typer.Argument(help="A PNG or JPEG file; alone, a component's name, label or id.")
    ],
    second: Annotated[str | None, typer.Argument(help="The file to compare it with.")] = None,
    png: Annotated[
        Path | None,
        typer.Option("--png", help="Write both, marked, and where they are alike to this file."),
    ] = None,
) -> None:
    """Compare two screenshots, or a component's first look with its last.

    With --app, changes are named by the components that stand there.

    Example: memctl diff monday.png friday.png --png changes.png

    Example: memctl --app harbor diff New_invoice
    """
    session = session_of(context)
    compared = _compared(session, first, second)
    if png is not None:
        from memctl_cli.drawing.difference import draw_difference

        names = ("first look", "last look") if second is None else (first, second)
        png.write_bytes(draw_difference(compared, names=names))
    found = compared.difference
    session.answer(found, lambda console: _show(console, found), count=len(found.changes))


def _compared(session: Session, first: str, second: str | None) -> ComparedPictures:
    if second is None:
        if Path(first).is_file():
            raise UsageError(
                f'"{first}" is a file, and there is nothing to compare it with',
                hint="memctl diff A.png B.png; a component of that name: its id",
            )
        with session.memory(existing=True) as memory:
            return memory.visual.compared_looks(first)
    if session.named:
        with session.memory(readonly=True) as memory:
            return memory.visual.compared(first, second)
    from memctl.visual.comparing import compare_screens

    return compare_screens(first, second)


def _show(console: Console, found: Difference) -> None:
    for note in found.notes:
        console.print(shown(note))
    if not found.changes:
        console.print("no difference")
        return
    made = table(
        "",
        "what",
        "name",
        "x",
        "y",
        "w",
        "h",
        "from",
        "alike",
        right=("", "x", "y", "w", "h", "alike"),
    )
    cells = [
        (
            at,
            one.kind,
            one.name,
            one.x,
            one.y,
            one.w,
            one.h,
            f"{one.was[0]},{one.was[1]}" if one.was and one.kind != "changed" else "",
            f"{one.similarity:.2f}" if one.was else "",
        )
        for at, one in enumerate(found.changes[:_SHOWN], 1)
    ]
    console.print(rows(made, cells))
    told = counted(len(found.changes), "change")
    more = f", {_SHOWN} shown; --json lists all" if len(found.changes) > _SHOWN else ""
    console.print(f"{told} in {found.share:.1%} of the pixels{more}")
