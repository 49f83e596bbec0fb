"""``memctl wal``, ``session``, ``cache`` and ``context``: the task at hand."""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option

from memctl.base.errors import UsageError
from memctl_cli.call import Answer, Call
from memctl_cli.command import Commands
from memctl_cli.commands.options import Limited, Text
from memctl_cli.completed_values import offered
from memctl_cli.output.records import listed
from memctl_cli.output.words import counted, shown

if TYPE_CHECKING:
    from collections.abc import Callable

    from memctl.working.context import Context
    from memctl.working.entries import JournalEntry
    from memctl.working.journal import Journal
    from memctl.working.live_sessions import EndedSession, StartedSession
    from memctl_cli.output.console import Console

wal = Commands(
    help="The journal of the task at hand: write before you reply. --session says whose."
)
session = Commands(help="Sessions: start with what is open, end with what is kept.")
cache = Commands(help="What a session keeps at hand: set, get, list, remove, clear.")

Channel = Annotated[Text, Option(help="A journal of its own: a chat, a terminal.")]
Kept = Annotated[str, Argument(help="What is to be kept.")]
Name = Annotated[str, Argument(help="Its name.")]
SessionName = Annotated[
    Text,
    Argument(
        metavar="SESSION",
        help="Its name; else that of --session.",
        autocompletion=offered("session"),
    ),
]


@wal.command()
def init(call: Call, channel: Channel = None) -> Answer:
    """Begin a journal, or begin it anew: what it holds is cleared, and kept as a snapshot.

    Example: memctl wal init
    """
    return _clear(call, channel)


@wal.command("clear")
def clear_journal(call: Call, channel: Channel = None) -> Answer:
    """Clear the journal; a snapshot keeps what it held.

    Example: memctl wal clear
    """
    return _clear(call, channel)


def _add_entry(kind: str, summary: str, example: str) -> None:
    def write(call: Call, text: Kept, channel: Channel = None) -> Answer:
        return _write(call, channel, lambda journal: getattr(journal, kind)(text))

    write.__doc__ = f"{summary}\n\n    Example: memctl wal {kind} {example}\n"
    wal.command(kind)(write)


_add_entry("task", "Set the task at hand; the one before ends.", '"Book the ferry for Friday"')


@wal.command()
def plan(
    call: Call,
    steps: Annotated[list[str], Argument(help="The steps, in their order.")],
    channel: Channel = None,
) -> Answer:
    """Set the steps of the task; those before end.

    Example: memctl wal plan "find the times" "book" "tell Ann"
    """
    with call.memory() as memory:
        added = memory.journal.of(channel=channel).plan(steps)
    return Answer(added, f"{counted(len(added), 'step')} kept")


@wal.command()
def skill(
    call: Call,
    name: Annotated[str, Argument(help="What is to be kept.", autocompletion=offered("skill"))],
    channel: Channel = None,
) -> Answer:
    """Set the skill that is in use.

    Example: memctl wal skill book-a-ferry
    """
    return _write(call, channel, lambda journal: journal.skill(name))


@wal.command("context")
def name_value(call: Call, name: Name, text: Kept, channel: Channel = None) -> Answer:
    """Set a named value of the task; the one of this name before ends.

    Example: memctl wal context deadline "Friday at noon"
    """
    return _write(call, channel, lambda journal: journal.context(name, text))


_add_entry("observe", "Add what was seen.", '"The Friday ferry is full"')
_add_entry("decide", "Add a decision, or a correction.", '"Take the train instead"')
_add_entry("pending", "Add what is to be done.", '"Call Ann"')
_add_entry("blocker", "Add what blocks the task.", '"No key for the booking page"')


@wal.command()
def done(
    call: Call,
    item: Annotated[str, Argument(help="Its text, or its number.")],
    channel: Channel = None,
) -> Answer:
    """Mark a step, a pending item or a blocker as done.

    Example: memctl wal done "Call Ann"
    """
    return _write(call, channel, lambda journal: journal.done(item), existing=True)


@wal.command("get")
def get_journal(call: Call, channel: Channel = None) -> Answer:
    """Print the journal: its five sections in Markdown.

    Example: memctl wal get
    """
    from memctl.working.entries import as_markdown

    with call.memory(readonly=True) as memory:
        state = memory.journal.of(channel=channel).get()
    return Answer(state, lambda console: console.print(shown(as_markdown(state)), end=""))


@wal.command()
def snapshot(
    call: Call,
    why: Annotated[str, Argument(help="The reason, kept.")] = "asked for",
    channel: Channel = None,
) -> Answer:
    """Keep the journal as it is, to be restored later.

    Example: memctl wal snapshot "before the call"
    """
    with call.memory(reading=True) as memory:
        taken = memory.journal.of(channel=channel).snapshot(why)
    return Answer(taken, f"snapshot {taken.id}: {counted(taken.size, 'entry')}")


@wal.command()
def snapshots(call: Call, channel: Channel = None, limit: Limited = None) -> Answer:
    """List the snapshots of the journal, the newest first.

    Example: memctl wal snapshots
    """
    with call.memory(readonly=True) as memory:
        found = memory.journal.of(channel=channel).snapshots(limit=call.limit(limit))
    return Answer(found, listed("snapshot", found))


@wal.command()
def restore(
    call: Call,
    number: Annotated[
        int | None, Argument(metavar="SNAPSHOT", help="Its number; else the newest.")
    ] = None,
    channel: Channel = None,
) -> Answer:
    """Make a snapshot the journal again; what it holds now is kept as a snapshot first.

    Example: memctl wal restore 3
    """
    with call.memory(existing=True) as memory:
        state = memory.journal.of(channel=channel).restore(number)
    return Answer(state, f"restored: {counted(len(state.entries), 'entry')}")


@session.command()
def start(
    call: Call,
    name: SessionName = None,
    channel: Annotated[Text, Option(help="Where it is held.")] = None,
) -> Answer:
    """Begin a session, or go on with one: what is open, what happened last.

    Example: memctl session start monday
    """
    with call.memory() as memory:
        started = memory.sessions.start(_named(name, call), channel=channel)
    return Answer(started, lambda console: _show_started(console, started))


@session.command()
def end(
    call: Call,
    name: SessionName = None,
    summary: Annotated[Text, Option(help="What it was, in one sentence.")] = None,
) -> Answer:
    """End a session: an episode tells what it was, its decisions become facts.

    Example: memctl session end monday --summary "Booked the ferry"
    """
    with call.memory(existing=True) as memory:
        ended = memory.sessions.end(_named(name, call), summary=summary)
    return Answer(ended, lambda console: _show_ended(console, ended))


@session.command("list")
def list_sessions(
    call: Call,
    going_on: Annotated[bool, Option("--going-on", help="Only those that have not ended.")] = False,
    limit: Limited = None,
) -> Answer:
    """List the sessions, the one that was active last first.

    Example: memctl session list --going-on
    """
    with call.memory(readonly=True) as memory:
        found = memory.sessions.list(going_on=going_on, limit=call.limit(limit))
    return Answer(found, listed("session", found))


@cache.command("set")
def set_(
    call: Call,
    name: Name,
    value: Annotated[str, Argument(help="Any text.")],
    seconds: Annotated[
        int | None, Option(min=1, help="How long it is kept; else until removed.")
    ] = None,
) -> Answer:
    """Keep a value under a name.

    Example: memctl cache set ferry "leaves at nine" --seconds 3600
    """
    with call.memory() as memory:
        kept = memory.cache.set(name, value, seconds=seconds)
    until = f" until {kept.expires_at}" if kept.expires_at else ""
    return Answer(kept, f"{kept.name} kept{until}")


@cache.command("get")
def get_value(call: Call, name: Name) -> Answer:
    """Print a value.

    Example: memctl cache get ferry
    """
    with call.memory(readonly=True) as memory:
        kept = memory.cache.get(name)
    return Answer(kept, kept.value)


@cache.command("list")
def list_values(call: Call, limit: Limited = None) -> Answer:
    """List the values that have not expired, what was set last first.

    Example: memctl cache list
    """
    with call.memory(readonly=True) as memory:
        found = memory.cache.list(limit=call.limit(limit))
    return Answer(found, listed("value", found))


@cache.command()
def remove(call: Call, name: Name) -> Answer:
    """Remove a value.

    Example: memctl cache remove ferry
    """
    with call.memory(existing=True) as memory:
        removed = memory.cache.remove(name)
    return Answer(removed, f"{removed.name} removed")


@cache.command("clear")
def clear_values(call: Call) -> Answer:
    """Remove all values of the session.

    Example: memctl cache clear
    """
    with call.memory(reading=True) as memory:
        count = memory.cache.clear()
    return Answer({"removed": count}, f"{counted(count, 'value')} removed")


def context(
    call: Call,
    query: Annotated[
        Text, Argument(help="The user's message; without one nothing is recalled.")
    ] = None,
    max_tokens: Annotated[int | None, Option(help="A hard cap, fence included.")] = None,
    also: Annotated[
        Text,
        Option(help="Read the facts of this store along: agent.", autocompletion=offered("app")),
    ] = None,
    active: Annotated[
        bool, Option("--active", help="Print the one line of Active Memory instead.")
    ] = False,
    mode: Annotated[
        str, Option(help="Active Memory looks at: message, recent or full.")
    ] = "recent",
    style: Annotated[
        Text,
        Option(
            help="strict, balanced, contextual, recall-heavy, precision-heavy or preference-only."
        ),
    ] = None,
    max_chars: Annotated[int, Option(help="Characters of that line, 40 to 1000.")] = 220,
    timeout: Annotated[float | None, Option(help="Seconds for it, 0.25 to 120.")] = None,
) -> Answer:
    """Print what a prompt should be answered with: journal, facts and recall in one block.

    Example: memctl context "When does the ferry leave?" --max-tokens 400
    """
    if active and (also or max_tokens is not None):
        raise UsageError(
            "--active takes neither --also nor --max-tokens", hint="--max-chars limits its line"
        )
    if active:
        # Open for writing: what the endpoint answered is kept for the next command.
        with call.memory() as memory:
            line = memory.active(
                query or "", mode=mode, style=style, max_chars=max_chars, timeout=timeout
            )
        # Where there is none, nothing is printed: it may go into a prompt.
        return Answer(line, line.text or (lambda _: None))
    beside = call.memory(reading=True, address=also) if also else nullcontext()
    with call.memory(reading=True) as memory, beside as other:
        made = memory.context(query, max_tokens, also=other)
    return Answer(made, lambda console: _show_context(console, made))


def _clear(call: Call, channel: str | None) -> Answer:
    with call.memory(reading=True) as memory:
        count = memory.journal.of(channel=channel).clear()
    line = f"cleared: {counted(count, 'entry')}; restore brings them back"
    return Answer({"cleared": count}, line if count else "an empty journal")


def _write(
    call: Call,
    channel: str | None,
    act: Callable[[Journal], JournalEntry],
    *,
    existing: bool = False,
) -> Answer:
    with call.memory(existing=existing) as memory:
        entry = act(memory.journal.of(channel=channel))
    done = " (done)" if entry.done_at else ""
    return Answer(entry, f"{entry.id}  {entry.kind}: {entry.text}{done}")


def _named(name: str | None, call: Call) -> str:
    from memctl.working.session_names import UNNAMED

    return name or call.session or UNNAMED


def _show_started(console: Console, started: StartedSession) -> None:
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


def _show_ended(console: Console, ended: EndedSession) -> None:
    episode = ended.session.episode_id
    fate = f"episode {episode}" if episode else "nothing to tell"
    console.print(f"session {shown(ended.session.id)} ended: {fate}")
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


def _show_context(console: Console, made: Context) -> None:
    console.print(shown(made.text, missing="nothing is going on"), soft_wrap=True)
    for why in made.left_out:
        console.print(shown(f"left out: {why}"), soft_wrap=True)
