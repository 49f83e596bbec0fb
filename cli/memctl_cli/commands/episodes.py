"""``memctl episodes``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from memctl_cli.commands.options import Limited, Why, Yes
from memctl_cli.output.envelope import counted, print_list, rows, shown, table
from memctl_cli.session import session_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memctl.episodic.episodes import Episode
    from memctl.episodic.retention import Erased
    from memctl_cli.output.console import Console

__all__ = ["app", "show_erased"]

app = typer.Typer(help="Episodes, things that happened: list, show, forget, restore, erase.")

Number = Annotated[int, typer.Argument(help="An episode's id.")]


@app.command("list")
def list_(
    context: typer.Context,
    thread: Annotated[str | None, typer.Option(help="Only of this thread.")] = None,
    tag: Annotated[str | None, typer.Option(help="Only with this tag.")] = None,
    forgotten: Annotated[
        bool, typer.Option("--forgotten", help="The forgotten ones instead.")
    ] = False,
    limit: Limited = None,
) -> None:
    """List the episodes, the newest first.

    Example: memctl episodes list --tag travel
    """
    session = session_of(context)
    with session.memory(readonly=True) as memory:
        found = memory.episodes.list(
            thread=thread, tag=tag, forgotten=forgotten, limit=session.limit(limit)
        )
    session.answer(found, lambda console: _show_list(console, found), command="list")


@app.command()
def show(context: typer.Context, episode: Number) -> None:
    """Show one episode, and the turns that it was made from.

    Example: memctl episodes show 12
    """
    session = session_of(context)
    with session.memory(readonly=True) as memory:
        found = memory.episodes.get(episode)
        turns = memory.episodes.turns_of(episode)
    from dataclasses import asdict

    session.answer(
        {**asdict(found), "turns": turns},
        lambda console: _show_one(console, found, turns),
        command="show",
    )


@app.command()
def forget(context: typer.Context, episode: Number, why: Why = "asked for") -> None:
    """Mark an episode as forgotten: recall leaves it out; restore undoes it.

    Example: memctl episodes forget 12
    """
    session = session_of(context)
    with session.memory(reading=True) as memory:
        forgotten = memory.episodes.forget([episode], why=why)
    session.answer(
        {"id": episode, "forgotten": forgotten},
        lambda console: console.print(f"episode {episode} is forgotten; restore brings it back"),
        command="forget",
    )


@app.command()
def restore(context: typer.Context, episode: Number) -> None:
    """Bring a forgotten episode back.

    Example: memctl episodes restore 12
    """
    session = session_of(context)
    with session.memory(reading=True) as memory:
        restored = memory.episodes.restore([episode])
    session.answer(
        {"id": episode, "restored": restored},
        lambda console: console.print(f"episode {episode} is back"),
        command="restore",
    )


@app.command()
def erase(
    context: typer.Context,
    episode: Number,
    sources: Annotated[
        bool, typer.Option("--sources", help="Also the turns that it was made from.")
    ] = False,
    why: Why = "asked for",
    yes: Yes = False,
) -> None:
    """Remove every byte of an episode from the file; this cannot be undone.

    Example: memctl episodes erase 12 --yes
    """
    session = session_of(context)
    session.confirm(f"erase episode {episode} for ever?", yes=yes)
    with session.memory(reading=True) as memory:
        erased = memory.episodes.erase([episode], why=why, sources=sources)
    session.answer(erased, lambda console: show_erased(console, erased), command="erase")


def _show_list(console: Console, found: Sequence[Episode]) -> None:
    made = table("id", "when", "who", "tags", "what", right=("id",), whole=("when", "who", "tags"))
    cells = [
        (e.id, e.happened_at[:10], ", ".join(e.participants), ", ".join(e.tags), e.summary)
        for e in found
    ]
    print_list(console, made, cells, "episode", of=found)


def _show_one(console: Console, episode: Episode, turns: Sequence[int]) -> None:
    console.print(shown(f"episode {episode.id}  {episode.happened_at}\n{episode.summary}"))
    made = table("", "")
    cells = [
        ("details", episode.details),
        ("participants", ", ".join(episode.participants)),
        ("tags", ", ".join(episode.tags)),
        ("confidence", episode.confidence),
        ("source", episode.source),
        ("thread", episode.thread),
        ("forgotten", episode.archived_at),
        ("made of turns", ", ".join(map(str, turns))),
    ]
    console.print(rows(made, cells))


def show_erased(console: Console, erased: Erased) -> None:
    """Show the rows that an erasure of episodes or turns removed."""
    for kind, number in erased.items:
        console.print(f"{kind} {number} is erased")
    console.print(
        f"{counted(erased.vectors, 'vector')} and {counted(erased.hits, 'mention')} went with it"
    )
    if erased.still_in:
        turns = ", ".join(map(str, erased.still_in))
        console.print(f"turns {turns} still hold what it was made from (--sources)")
    if not erased.gone:
        console.print("not yet out of the file: another process reads it; try again then")
