"""``memctl log``."""

from __future__ import annotations

from typing import Annotated

import typer

from memctl_cli.session import session_of
from memctl_cli.standard_input import read_text


def log(
    context: typer.Context,
    text: Annotated[str, typer.Argument(help='What was said; "-" reads it from standard input.')],
    role: Annotated[str, typer.Option(help="user, assistant, system, tool, ...")] = "user",
    speaker: Annotated[str | None, typer.Option(help="Name of the speaker.")] = None,
    logged_at: Annotated[
        str | None, typer.Option("--logged-at", help="Time, ISO-8601; now by default.")
    ] = None,
    details: Annotated[str, typer.Option(help="More text: a caption, the output of a tool.")] = "",
) -> None:
    """Add one turn to its session (--session, else the session of its day).

    Example: memctl --session trip log "The ferry leaves at noon" --speaker Ann
    """
    session = session_of(context)
    said = read_text("send what was said to it") if text == "-" else text
    with session.memory() as memory:
        turn = memory.log(said, role, speaker, session.session, logged_at, details)
    session.answer(
        {"id": turn, "kind": "turn"},
        lambda console: console.print(f"turn {turn}{session.told_store}"),
    )
