"""``memctl turns``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from memctl.base.errors import UsageError
from memctl_cli.output.envelope import counted, print_list, table
from memctl_cli.session import session_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memctl.episodic.log import Turn
    from memctl_cli.output.console import Console

__all__ = ["app"]

app = typer.Typer(help="What was said: list, archive, restore.")

_LONGEST_TEXT = 300


@app.command("list")
def list_(
    context: typer.Context,
    thread: Annotated[str | None, typer.Option(help="Those of one session.")] = None,
    archived: Annotated[bool, typer.Option("--archived", help="The archived instead.")] = False,
    limit: Annotated[int, typer.Option(min=1, max=1_000_000, help="Most rows.")] = 50,
) -> None:
    """List the turns, the newest first.

    Example: memctl turns list --thread trip
    """
    session = session_of(context)
    with session.memory(readonly=True) as memory:
        found = (
            memory.episodic.turns.list(session=thread, archived=archived, limit=limit + 1)
            if memory.store.exists
            else []
        )
    page, more = found[:limit], len(found) > limit
    session.answer(
        page,
        lambda console: _show_list(console, page, more=more),
        command="list",
        extra={"more": more},
    )


@app.command()
def archive(
    context: typer.Context,
    turns: Annotated[list[int] | None, typer.Argument(help="Ids of turns.")] = None,
    days: Annotated[
        int | None,
        typer.Option(min=1, help="Older than so many days; by default log_archive_days."),
    ] = None,
    why: Annotated[str, typer.Option(help="The reason, kept; of turns that are named.")] = (
        "asked for"
    ),
) -> None:
    """Archive the turns that are named, else all old ones: recall leaves them out.

    Example: memctl turns archive --days 30
    """
    session = session_of(context)
    if turns and days is not None:
        raise UsageError("turns are named and --days is given", hint="choose one of the two")
    with session.memory(existing=True) as memory:
        retention = memory.episodic.retention
        archived = (
            retention.archive("turn", turns, why=why) if turns else retention.archive_old(days)
        )
    session.answer(
        {"archived": archived},
        lambda console: console.print(
            f"{counted(archived, 'turn')} archived; restore brings them back"
        ),
        command="archive",
    )


@app.command()
def restore(
    context: typer.Context,
    turns: Annotated[list[int], typer.Argument(help="Ids of turns.")],
) -> None:
    """Bring archived turns back.

    Example: memctl turns restore 12 13
    """
    session = session_of(context)
    with session.memory(existing=True) as memory:
        restored = memory.episodic.retention.restore("turn", turns)
    session.answer(
        {"restored": restored},
        lambda console: console.print(f"{counted(restored, 'turn')} brought back"),
        command="restore",
    )


def _show_list(console: Console, found: Sequence[Turn], *, more: bool) -> None:
    made = table(
        "id", "when", "who", "thread", "what", right=("id",), whole=("when", "who", "thread")
    )
    cells = [
        (
            turn.id,
            turn.logged_at[:10],
            turn.speaker or turn.role,
            turn.session,
            " ".join(turn.text.split())[:_LONGEST_TEXT],
        )
        for turn in found
    ]
    print_list(console, made, cells, "turn", more="older ones: --limit" if more else "")
