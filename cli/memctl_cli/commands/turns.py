"""``memctl turns``."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from memctl.base.errors import UnusableInputError, UsageError
from memctl_cli.commands.episodes import show_erased
from memctl_cli.commands.options import Limited, Why, Yes
from memctl_cli.output.envelope import counted, print_list, rows, shown, shown_day, table
from memctl_cli.session import session_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memctl.episodic.log import AddedTurns, Turn
    from memctl_cli.output.console import Console

app = typer.Typer(
    help="Turns, things that were said: list, show, add many, archive, restore, erase."
)

_LONGEST_TEXT = 300


@app.command("list")
def list_(
    context: typer.Context,
    archived: Annotated[
        bool, typer.Option("--archived", help="The archived ones instead.")
    ] = False,
    limit: Limited = None,
) -> None:
    """List the turns of all sessions, or of the one of --session, the newest first.

    Example: memctl turns list --session trip
    """
    session = session_of(context)
    with session.memory(readonly=True) as memory:
        found = memory.turns.list(
            session=session.session, archived=archived, limit=session.limit(limit)
        )
    session.answer(found, lambda console: _show_list(console, found), command="list")


@app.command()
def show(
    context: typer.Context, turn: Annotated[int, typer.Argument(help="Id of a turn.")]
) -> None:
    """Show one turn, with all that was said.

    Example: memctl turns show 12
    """
    session = session_of(context)
    with session.memory(readonly=True) as memory:
        found = memory.turns.get(turn)
    session.answer(found, lambda console: _show_one(console, found), command="show")


@app.command()
def add(
    context: typer.Context,
    file: Annotated[
        str, typer.Argument(help='A file of one JSON object a line; "-" for standard input.')
    ],
    skip_refused: Annotated[
        bool, typer.Option("--skip-refused", help="Leave out what is refused, add the rest.")
    ] = False,
) -> None:
    """Add many turns at once, all or none: {"text", "role", "speaker", "session", "logged_at"}.

    Example: memctl turns add chat.jsonl --skip-refused
    """
    session = session_of(context)
    turns = [{"session": session.session, **turn} for turn in _turns_in(file)]
    with session.memory(reading=True) as memory:
        batch = memory.turns.add_many(turns, skip_refused=skip_refused)
    session.answer(batch, lambda console: _show_batch(console, batch), command="add")


@app.command()
def archive(
    context: typer.Context,
    turns: Annotated[list[int] | None, typer.Argument(help="Ids of turns.")] = None,
    days: Annotated[
        int | None,
        typer.Option(min=1, help="Turns older than this; by default the setting log_archive_days."),
    ] = None,
    why: Why = "asked for",
) -> None:
    """Archive the given turns, else all old ones; recall leaves them out.

    Example: memctl turns archive --days 30
    """
    session = session_of(context)
    if turns and days is not None:
        raise UsageError("turns are named and --days is given", hint="choose one of the two")
    with session.memory(existing=True) as memory:
        archived = memory.turns.archive(turns, why=why) if turns else memory.turns.archive_old(days)
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
        restored = memory.turns.restore(turns)
    session.answer(
        {"restored": restored},
        lambda console: console.print(f"{counted(restored, 'turn')} brought back"),
        command="restore",
    )


@app.command()
def erase(
    context: typer.Context,
    turns: Annotated[list[int], typer.Argument(help="Ids of turns.")],
    why: Why = "asked for",
    yes: Yes = False,
) -> None:
    """Remove every byte of turns, and of episodes made from them; this cannot be undone.

    Example: memctl turns erase 12 13 --yes
    """
    session = session_of(context)
    session.confirm(f"erase {counted(len(turns), 'turn')} for ever?", yes=yes)
    with session.memory(existing=True) as memory:
        erased = memory.turns.erase(turns, why=why)
    session.answer(erased, lambda console: show_erased(console, erased), command="erase")


def _show_list(console: Console, found: Sequence[Turn]) -> None:
    made = table(
        "id", "when", "who", "thread", "what", right=("id",), whole=("when", "who", "thread")
    )
    cells = [
        (
            turn.id,
            shown_day(turn.logged_at, turn.utc_offset),
            turn.speaker or turn.role,
            turn.session,
            " ".join(turn.text.split())[:_LONGEST_TEXT],
        )
        for turn in found
    ]
    print_list(console, made, cells, "turn", of=found)


def _show_one(console: Console, turn: Turn) -> None:
    console.print(shown(f"turn {turn.id}  {turn.logged_at}\n{turn.text}"))
    archived = f"{turn.archived_at}, {turn.archived_why}" if turn.archived_at else None
    cells = [
        ("details", turn.details),
        ("who", turn.speaker or turn.role),
        ("thread", f"{turn.session}, turn {turn.seq} of it"),
        ("archived", archived),
    ]
    console.print(rows(table("", ""), [cell for cell in cells if cell[1]]))


def _turns_in(file: str) -> list[dict[str, Any]]:
    """Return the objects of a file, one a line."""
    try:
        text = sys.stdin.read() if file == "-" else Path(file).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UnusableInputError(f'"{file}" cannot be read: {error}') from error
    turns = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            turn = json.loads(line)
        except ValueError as error:
            raise UnusableInputError(f"line {number} is no JSON: {error}") from error
        if not isinstance(turn, dict):
            raise UnusableInputError(f"line {number} is no JSON object", hint='{"text": "Hello"}')
        turns.append(turn)
    return turns


def _show_batch(console: Console, batch: AddedTurns) -> None:
    console.print(f"{counted(batch.added, 'turn')} added")
    for one in batch.refused:
        console.print(shown(f"line {one.place + 1} was left out: {one.why}"))
