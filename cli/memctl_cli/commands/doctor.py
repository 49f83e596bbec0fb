"""``memctl doctor``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from memctl_cli.output.envelope import rows, table
from memctl_cli.session import session_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memctl.upkeep.doctor import CheckResult
    from memctl_cli.output.console import Console

_DAMAGED = 5


def doctor(
    context: typer.Context,
    fix: Annotated[
        bool,
        typer.Option(
            "--fix",
            help="Mend what can be mended; a backup is made before anything broken is removed.",
        ),
    ] = False,
) -> None:
    """Examine a store; exit 5 when something is wrong with it.

    Example: memctl --app harbor doctor --fix
    """
    session = session_of(context)
    with session.memory(existing=True) as memory:
        found = memory.doctor(fix=fix)
    session.answer(found, lambda console: _show(console, found))
    if not all(one.ok for one in found):
        raise typer.Exit(_DAMAGED)


def _show(console: Console, found: Sequence[CheckResult]) -> None:
    made = table("check", "", "found", "mend it with", whole=("check",))
    cells = [(one.check, _said(one), one.detail, one.mend) for one in found]
    console.print(rows(made, cells))


def _said(one: CheckResult) -> str:
    if not one.ok:
        return "BAD"
    return "note" if one.mend else "ok"
