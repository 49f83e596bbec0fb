"""``memctl session``: begin, end, list."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from memctl_cli.commands.options import Limited
from memctl_cli.output.envelope import counted, print_list, shown, shown_time, table
from memctl_cli.session import session_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memctl.working.live_sessions import EndedSession, SessionRecord, StartedSession
    from memctl_cli.output.console import Console

app = typer.Typer(help="Sessions: start with what is open, end with what is kept.")

Name = Annotated[
    str | None, typer.Argument(metavar="SESSION", help="Its name; else that of --session.")
]


@app.command()
def start(
    context: typer.Context,
    name: Name = None,
    channel: Annotated[str | None, typer.Option("--channel", help="Where it is held.")] = None,
) -> None:
    """Begin a session, or go on with one: what is open, what happened last.

    Example: memctl session start monday
    """
    session = session_of(context)
    with session.memory() as memory:
        started = memory.sessions.start(_named(name, session.session), channel=channel)
    session.answer(started, lambda console: _show_start(console, started), command="start")


@app.command()
def end(
    context: typer.Context,
    name: Name = None,
    summary: Annotated[
        str | None, typer.Option("--summary", help="What it was, in one sentence.")
    ] = None,
) -> None:
    """End a session: an episode tells what it was, its decisions become facts.

    Example: memctl session end monday --summary "Booked the ferry"
    """
    session = session_of(context)
    with session.memory(existing=True) as memory:
        ended = memory.sessions.end(_named(name, session.session), summary=summary)
    session.answer(ended, lambda console: _show_end(console, ended), command="end")


@app.command("list")
def list_(
    context: typer.Context,
    going_on: Annotated[
        bool, typer.Option("--going-on", help="Only those that have not ended.")
    ] = False,
    limit: Limited = None,
) -> None:
    """List the sessions, the one that was active last first.

    Example: memctl session list --going-on
    """
    session = session_of(context)
    with session.memory(readonly=True) as memory:
        found = memory.sessions.list(going_on=going_on, limit=session.limit(limit))
    session.answer(found, lambda console: _show_list(console, found), command="list")


def _named(name: str | None, option: str | None) -> str:
    from memctl.working.session_names import UNNAMED

    return name or option or UNNAMED


def _show_start(console: Console, started: StartedSession) -> None:
    for closed in started.cut_off:
        console.print(f"{shown(closed.session.id)} was cut off and is closed")
    console.print(f"session {shown(started.session.id)}")
    for title, lines in (
        ("Open", [f"{i.kind}: {i.text} (session {i.session})" for i in started.open_items]),
        ("Today and yesterday", [episode.summary for episode in started.episodes]),
        ("Last turns", [f"{turn.speaker or turn.role}: {turn.text}" for turn in started.turns]),
    ):
        if lines:
            console.print(f"\n{title}")
            for line in lines:
                console.print(f"  {shown(' '.join(line.split()))}")


def _show_end(console: Console, ended: EndedSession) -> None:
    episode = ended.session.episode_id
    console.print(
        f"session {shown(ended.session.id)} ended"
        + (f": episode {episode}" if episode else ": nothing to tell")
    )
    if ended.fading:
        console.print(f"{counted(len(ended.fading), 'fact')} will fade within a week")
    if ended.promoted:
        console.print(
            f"{counted(len(ended.promoted), 'decision')} kept: {', '.join(ended.promoted)}"
        )
    if ended.ended_facts:
        console.print(f"{counted(len(ended.ended_facts), 'passing fact')} ended with it")
    for item in ended.open_items:
        console.print(f"still open, {item.kind}: {shown(item.text)}")


def _show_list(console: Console, found: Sequence[SessionRecord]) -> None:
    columns = ("session", "channel", "started", "last active", "state")
    made = table(*columns, whole=columns, tight=True)
    cells = [
        (
            one.id,
            one.channel,
            shown_time(one.started_at),
            shown_time(one.last_at),
            one.ending or "going on",
        )
        for one in found
    ]
    print_list(console, made, cells, "session", of=found)
