"""``memctl context``."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from memctl.base.errors import UsageError
from memctl_cli.output.envelope import shown
from memctl_cli.session import session_of

if TYPE_CHECKING:
    from memctl.working.active import ActiveMemory
    from memctl.working.context import Context
    from memctl_cli.output.console import Console


def context(
    context: typer.Context,
    query: Annotated[
        str | None, typer.Argument(help="The user's message; without one nothing is recalled.")
    ] = None,
    max_tokens: Annotated[
        int | None, typer.Option("--max-tokens", help="A hard cap, fence included.")
    ] = None,
    also: Annotated[
        str | None, typer.Option("--also", help="Read the facts of this store along: agent.")
    ] = None,
    active: Annotated[
        bool, typer.Option("--active", help="Print the one line of Active Memory instead.")
    ] = False,
    mode: Annotated[
        str, typer.Option("--mode", help="Active Memory looks at: message, recent or full.")
    ] = "recent",
    style: Annotated[
        str | None,
        typer.Option(
            "--style",
            help="strict, balanced, contextual, recall-heavy, precision-heavy or preference-only.",
        ),
    ] = None,
    max_chars: Annotated[
        int, typer.Option("--max-chars", help="Characters of that line, 40 to 1000.")
    ] = 220,
    timeout: Annotated[
        float | None, typer.Option("--timeout", help="Seconds for it, 0.25 to 120.")
    ] = None,
) -> None:
    """Print what a prompt should be answered with: journal, facts and recall in one block.

    Example: memctl context "When does the ferry leave?" --max-tokens 400
    """
    session = session_of(context)
    if active and (also or max_tokens is not None):
        raise UsageError(
            "--active takes neither --also nor --max-tokens", hint="--max-chars limits its line"
        )
    if active:
        # Open for writing: what the endpoint answered is kept for the next command.
        with session.memory() as memory:
            line = memory.active(
                query or "", mode=mode, style=style, max_chars=max_chars, timeout=timeout
            )
        session.answer(line, lambda console: _print_line(console, line))
        return
    beside = (
        replace(session, address=also, named=True).memory(reading=True) if also else nullcontext()
    )
    with session.memory(reading=True) as memory, beside as other:
        made = memory.context(query, max_tokens, also=other)
    session.answer(made, lambda console: _show(console, made))


def _print_line(console: Console, line: ActiveMemory) -> None:
    """Print the line, and nothing where there is none: what is printed may go into a prompt."""
    if line.text:
        console.print(shown(line.text), soft_wrap=True)


def _show(console: Console, made: Context) -> None:
    console.print(shown(made.text, missing="nothing is going on"), soft_wrap=True)
    for why in made.left_out:
        console.print(shown(f"left out: {why}"), soft_wrap=True)
