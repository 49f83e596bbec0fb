"""``memctl remember``."""

from __future__ import annotations

from typing import Annotated

import typer

from memctl_cli.session import session_of


def remember(
    context: typer.Context,
    summary: Annotated[str, typer.Argument(help="The event, in one sentence.")],
    details: Annotated[str, typer.Option(help="More text; searched too.")] = "",
    tag: Annotated[list[str] | None, typer.Option(help="A tag; may be given again.")] = None,
    participant: Annotated[
        list[str] | None, typer.Option(help="A participant; may be given again.")
    ] = None,
    happened_at: Annotated[
        str | None, typer.Option("--happened-at", help="Time, ISO-8601; now by default.")
    ] = None,
    confidence: Annotated[str, typer.Option(help="low, medium or high.")] = "medium",
    thread: Annotated[
        str | None, typer.Option(help="The thread of episodes that it belongs to.")
    ] = None,
    source: Annotated[str | None, typer.Option(help="The source: a person, a file, a URL.")] = None,
    turn: Annotated[
        list[int] | None, typer.Option(help="A turn that it was made from; may be given again.")
    ] = None,
) -> None:
    """Remember one episode.

    Example: memctl remember "Booked the ferry to Bornholm" --tag travel --participant Ann
    """
    session = session_of(context)
    with session.memory() as memory:
        episode = memory.remember(
            summary,
            details,
            tag or (),
            participant or (),
            happened_at,
            confidence,
            thread,
            source=source,
            turns=turn or (),
        )
    session.answer(
        {"id": episode, "kind": "episode"},
        lambda console: console.print(f"episode {episode}{session.told_store}"),
    )
