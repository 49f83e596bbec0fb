"""``memctl wal``: the journal of the task at hand."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from memctl_cli.output.envelope import counted, print_list, rows, table
from memctl_cli.output.plain_text import shown
from memctl_cli.session import session_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from memctl.working.entries import JournalEntry, JournalState
    from memctl.working.journal import Journal

__all__ = ["app"]

app = typer.Typer(
    help="The journal of the task at hand: write before you reply. `--session` says whose."
)

Channel = Annotated[
    str | None, typer.Option("--channel", help="A journal of its own: a chat, a terminal.")
]
Text = Annotated[str, typer.Argument(help="What is to be kept.")]
