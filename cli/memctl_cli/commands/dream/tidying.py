"""``memctl dream tidy``: facts that could be purged, merged, rewritten or let go."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from memctl.store.pages import page_of
from memctl_cli.commands.options import Limited
from memctl_cli.output.envelope import print_list, table
from memctl_cli.session import session_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memctl.consolidation.checking.tidying import TidyProposal
    from memctl_cli.output.console import Console


def register(app: typer.Typer) -> None:
    """Add the command to a group."""
    app.command()(tidy)


def tidy(context: typer.Context, limit: Limited = None) -> None:
    """List facts to purge, merge, rewrite or let go, each with its reason; changes nothing.

    Example: memctl dream tidy
    """
    session = session_of(context)
    with session.memory(existing=True, readonly=True) as memory:
        found = page_of(memory.dream.tidy(), session.limit(limit))
    session.answer(found, lambda console: _show(console, found), command="tidy")


def _show(console: Console, found: Sequence[TidyProposal]) -> None:
    made = table("phase", "why", "text", "memctl ...", whole=("phase", "memctl ..."))
    cells = [(one.phase, one.why, one.text, one.suggestion) for one in found]
    print_list(console, made, cells, "proposal", of=found)
