"""``memctl wal``: the journal of the task at hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from memctl_cli.commands.options import Limited
from memctl_cli.output.envelope import counted, print_list, shown, shown_time, table
from memctl_cli.session import session_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from memctl.working.entries import JournalEntry
    from memctl.working.journal import Journal
    from memctl_cli.session import Session

app = typer.Typer(
    help="The journal of the task at hand: write before you reply. --session says whose."
)

Channel = Annotated[
    str | None, typer.Option("--channel", help="A journal of its own: a chat, a terminal.")
]
Text = Annotated[str, typer.Argument(help="What is to be kept.")]


@app.command()
def init(context: typer.Context, channel: Channel = None) -> None:
    """Begin a journal, or begin it anew: what it holds is cleared, and kept as a snapshot.

    Example: memctl wal init
    """
    _cleared(context, channel, "init")


@app.command()
def clear(context: typer.Context, channel: Channel = None) -> None:
    """Clear the journal; a snapshot keeps what it held.

    Example: memctl wal clear
    """
    _cleared(context, channel, "clear")


@app.command()
def task(context: typer.Context, text: Text, channel: Channel = None) -> None:
    """Set the task at hand; the one before ends.

    Example: memctl wal task "Book the ferry for Friday"
    """
    _write(context, channel, "task", lambda journal: journal.task(text))


@app.command()
def plan(
    context: typer.Context,
    steps: Annotated[list[str], typer.Argument(help="The steps, in their order.")],
    channel: Channel = None,
) -> None:
    """Set the steps of the task; those before end.

    Example: memctl wal plan "find the times" "book" "tell Ann"
    """
    session = session_of(context)
    with session.memory() as memory:
        added = memory.journal.of(channel=channel).plan(steps)
    session.answer(
        added, lambda console: console.print(f"{counted(len(added), 'step')} kept"), command="plan"
    )


@app.command()
def skill(context: typer.Context, name: Text, channel: Channel = None) -> None:
    """Set the skill that is in use.

    Example: memctl wal skill book-a-ferry
    """
    _write(context, channel, "skill", lambda journal: journal.skill(name))


@app.command("context")
def context_(
    context: typer.Context,
    name: Annotated[str, typer.Argument(help="Its name.")],
    text: Text,
    channel: Channel = None,
) -> None:
    """Set a named value of the task; the one of this name before ends.

    Example: memctl wal context deadline "Friday at noon"
    """
    _write(context, channel, "context", lambda journal: journal.context(name, text))


@app.command()
def observe(context: typer.Context, text: Text, channel: Channel = None) -> None:
    """Add what was seen.

    Example: memctl wal observe "The Friday ferry is full"
    """
    _write(context, channel, "observe", lambda journal: journal.observe(text))


@app.command()
def decide(context: typer.Context, text: Text, channel: Channel = None) -> None:
    """Add a decision, or a correction.

    Example: memctl wal decide "Take the train instead"
    """
    _write(context, channel, "decide", lambda journal: journal.decide(text))


@app.command()
def pending(context: typer.Context, text: Text, channel: Channel = None) -> None:
    """Add what is to be done.

    Example: memctl wal pending "Call Ann"
    """
    _write(context, channel, "pending", lambda journal: journal.pending(text))


@app.command()
def blocker(context: typer.Context, text: Text, channel: Channel = None) -> None:
    """Add what blocks the task.

    Example: memctl wal blocker "No key for the booking page"
    """
    _write(context, channel, "blocker", lambda journal: journal.blocker(text))


@app.command()
def done(
    context: typer.Context,
    item: Annotated[str, typer.Argument(help="Its text, or its number.")],
    channel: Channel = None,
) -> None:
    """Mark a step, a pending item or a blocker as done.

    Example: memctl wal done "Call Ann"
    """
    _write(context, channel, "done", lambda journal: journal.done(item), existing=True)


@app.command()
def get(context: typer.Context, channel: Channel = None) -> None:
    """Print the journal: its five sections in Markdown.

    Example: memctl wal get
    """
    from memctl.working.entries import as_markdown

    session = session_of(context)
    with session.memory(readonly=True) as memory:
        state = memory.journal.of(channel=channel).get()
    session.answer(
        state, lambda console: console.print(shown(as_markdown(state)), end=""), command="get"
    )


@app.command()
def snapshot(
    context: typer.Context,
    why: Annotated[str, typer.Argument(help="The reason, kept.")] = "asked for",
    channel: Channel = None,
) -> None:
    """Keep the journal as it is, to be restored later.

    Example: memctl wal snapshot "before the call"
    """
    session = session_of(context)
    with session.memory(reading=True) as memory:
        taken = memory.journal.of(channel=channel).snapshot(why)
    session.answer(
        taken,
        lambda console: console.print(
            f"snapshot {taken.id}: {counted(taken.size, 'entry', 'entries')}"
        ),
        command="snapshot",
    )


@app.command()
def snapshots(context: typer.Context, channel: Channel = None, limit: Limited = None) -> None:
    """List the snapshots of the journal, the newest first.

    Example: memctl wal snapshots
    """
    session = session_of(context)
    with session.memory(readonly=True) as memory:
        found = memory.journal.of(channel=channel).snapshots(limit=session.limit(limit))
    made = table("id", "taken", "entries", "why", right=("id", "entries"), whole=("taken",))
    cells = [(one.id, shown_time(one.taken_at), one.size, one.why) for one in found]
    session.answer(
        found,
        lambda console: print_list(console, made, cells, "snapshot", of=found),
        command="snapshots",
    )


@app.command()
def restore(
    context: typer.Context,
    number: Annotated[
        int | None, typer.Argument(metavar="SNAPSHOT", help="Its number; else the newest.")
    ] = None,
    channel: Channel = None,
) -> None:
    """Make a snapshot the journal again; what it holds now is kept as a snapshot first.

    Example: memctl wal restore 3
    """
    session = session_of(context)
    with session.memory(existing=True) as memory:
        state = memory.journal.of(channel=channel).restore(number)
    session.answer(
        state,
        lambda console: console.print(
            f"restored: {counted(len(state.entries), 'entry', 'entries')}"
        ),
        command="restore",
    )


def _cleared(context: typer.Context, channel: str | None, command: str) -> None:
    session = session_of(context)
    with session.memory(reading=True) as memory:
        count = memory.journal.of(channel=channel).clear()
    told = f"cleared: {counted(count, 'entry', 'entries')}; restore brings them back"
    session.answer(
        {"cleared": count},
        lambda console: console.print(told if count else "an empty journal"),
        command=command,
    )


def _write(
    context: typer.Context,
    channel: str | None,
    command: str,
    act: Callable[[Journal], JournalEntry],
    *,
    existing: bool = False,
) -> None:
    session: Session = session_of(context)
    with session.memory(existing=existing) as memory:
        entry = act(memory.journal.of(channel=channel))
    session.answer(
        entry,
        lambda console: console.print(
            f"{entry.id}  {entry.kind}: {shown(entry.text)}{' (done)' if entry.done_at else ''}"
        ),
        command=command,
    )
