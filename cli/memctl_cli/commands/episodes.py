"""``memctl episodes``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from memctl.base.errors import UsageError
from memctl_cli.commands.batches import carry_out, show_batch
from memctl_cli.commands.options import DryRun, Duplicates, Limited, Why, Yes
from memctl_cli.output.envelope import counted, print_list, rows, shown, shown_day, table
from memctl_cli.session import session_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memctl.episodic.episodes import Episode
    from memctl.episodic.retention import Erased
    from memctl_cli.output.console import Console

app = typer.Typer(help="Episodes, things that happened: list, show, forget, restore, erase.")

Number = Annotated[int, typer.Argument(help="An episode's id.")]
Numbers = Annotated[list[int] | None, typer.Argument(help="Ids of episodes.", metavar="EPISODE")]


@app.command("list")
def list_(
    context: typer.Context,
    thread: Annotated[str | None, typer.Option(help="Only of this thread.")] = None,
    tag: Annotated[str | None, typer.Option(help="Only with this tag.")] = None,
    forgotten: Annotated[
        bool, typer.Option("--forgotten", help="The forgotten ones instead.")
    ] = False,
    duplicates: Duplicates = False,
    limit: Limited = None,
) -> None:
    """List the episodes, the newest first.

    Example: memctl episodes list --tag travel
    """
    session = session_of(context)
    with session.memory(readonly=True) as memory:
        found = memory.episodes.list(
            thread=thread,
            tag=tag,
            forgotten=forgotten,
            duplicates=duplicates,
            limit=session.limit(limit),
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
def forget(
    context: typer.Context,
    episodes: Numbers = None,
    duplicates: Duplicates = False,
    why: Why = "asked for",
    dry_run: DryRun = False,
    yes: Yes = False,
) -> None:
    """Mark episodes as forgotten: recall leaves them out; restore undoes it.

    Duplicates say what an older episode of the same day and thread says, which stays.

    Example: memctl episodes forget 12

    Example: memctl episodes forget --duplicates --dry-run
    """
    _mark(context, "forget", episodes, duplicates, dry_run=dry_run, yes=yes, why=why)


@app.command()
def restore(
    context: typer.Context,
    episodes: Numbers = None,
    duplicates: Duplicates = False,
    dry_run: DryRun = False,
    yes: Yes = False,
) -> None:
    """Bring forgotten episodes back.

    Example: memctl episodes restore 12
    """
    _mark(context, "restore", episodes, duplicates, dry_run=dry_run, yes=yes)


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


def _mark(
    context: typer.Context,
    verb: str,
    episodes: list[int] | None,
    duplicates: bool,
    *,
    dry_run: bool,
    yes: bool,
    **why: str,
) -> None:
    """Do one thing to the episodes that are named, or to all duplicates."""
    if not episodes and not duplicates:
        raise UsageError("nothing says which episode", hint="name one, or choose --duplicates")
    session = session_of(context)
    with session.memory(reading=True) as memory:
        ids = list(episodes or ())
        if duplicates:
            found = memory.episodes.list(duplicates=True, forgotten=verb == "restore", limit=-1)
            ids += [one.id for one in found]

        def act() -> int:
            return int(getattr(memory.episodes, verb)(ids, **why))

        number = carry_out(
            session,
            memory,
            act,
            lambda many: f"{verb} {counted(many, 'episode')}?",
            dry_run=dry_run,
            yes=yes or not duplicates,
        )
        rows = [f"{one} {memory.episodes.get(one).summary}" for one in ids]

    def show(console: Console) -> None:
        show_batch(
            console,
            rows,
            "episode",
            "forgotten" if verb == "forget" else "back",
            dry_run=dry_run,
            restorable=verb == "forget",
            one=f"episode {ids[0]}" if len(ids) == 1 else "",
        )

    what = {"id": ids[0]} if len(ids) == 1 else {"ids": ids}
    data = {**what, "forgotten" if verb == "forget" else "restored": number}
    session.answer(data, show, command=verb, dry_run=dry_run)


def _show_list(console: Console, found: Sequence[Episode]) -> None:
    made = table("id", "when", "who", "tags", "what", right=("id",), whole=("when", "who", "tags"))
    cells = [
        (
            e.id,
            shown_day(e.happened_at, e.utc_offset),
            ", ".join(e.participants),
            ", ".join(e.tags),
            e.summary,
        )
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
