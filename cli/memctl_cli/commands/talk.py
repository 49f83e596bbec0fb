"""``memctl log``, ``remember``, ``turns`` and ``episodes``: what was said, and what happened."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from typer import Argument, Option

from memctl.base.errors import UnusableInputError, UsageError
from memctl_cli.call import Answer, Call, read_input
from memctl_cli.command import Commands
from memctl_cli.commands.batches import batch_shown, carry_out
from memctl_cli.commands.options import (
    Confidence,
    DryRun,
    Duplicates,
    Forgotten,
    Limited,
    Said,
    Source,
    Text,
    Texts,
    Why,
    Yes,
)
from memctl_cli.completed_values import offered
from memctl_cli.output.records import listed, print_details
from memctl_cli.output.words import counted, shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memctl.episodic.episodes import Episode
    from memctl.episodic.log import Turn
    from memctl.episodic.retention import Erased
    from memctl_cli.output.console import Console

turns = Commands(
    help="Turns, things that were said: list, show, add many, archive, restore, erase."
)
episodes = Commands(help="Episodes, things that happened: list, show, forget, restore, erase.")

TurnId = Annotated[int, Argument(help="Id of a turn.")]
TurnIds = Annotated[list[int], Argument(help="Ids of turns.")]
EpisodeId = Annotated[int, Argument(help="An episode's id.")]
EpisodeIds = Annotated[list[int] | None, Argument(help="Ids of episodes.", metavar="EPISODE")]


def log(
    call: Call,
    text: Said,
    role: Annotated[
        str, Option(help="user, assistant, system, tool, ...", autocompletion=offered("role"))
    ] = "user",
    speaker: Annotated[Text, Option(help="Name of the speaker.")] = None,
    logged_at: Annotated[Text, Option(help="Time, ISO-8601; now by default.")] = None,
    details: Annotated[str, Option(help="More text: a caption, the output of a tool.")] = "",
) -> Answer:
    """Add one turn to its session (--session, else the session of its day).

    Example: memctl --session trip log "The ferry leaves at noon" --speaker Ann
    """
    said = read_input("send what was said to it") if text == "-" else text
    with call.memory() as memory:
        turn = memory.log(said, role, speaker, call.session, logged_at, details)
    return Answer({"id": turn, "kind": "turn"}, f"turn {turn}{call.in_store}")


def remember(
    call: Call,
    summary: Annotated[str, Argument(help="The event, in one sentence.")],
    details: Annotated[str, Option(help="More text; searched too.")] = "",
    tag: Annotated[Texts, Option(help="A tag; may be given again.")] = None,
    participant: Annotated[Texts, Option(help="A participant; may be given again.")] = None,
    happened_at: Annotated[Text, Option(help="Time, ISO-8601; now by default.")] = None,
    confidence: Confidence = "medium",
    thread: Annotated[
        Text,
        Option(
            help="The thread of episodes that it belongs to.", autocompletion=offered("session")
        ),
    ] = None,
    source: Source = None,
    turn: Annotated[
        list[int] | None, Option(help="A turn that it was made from; may be given again.")
    ] = None,
) -> Answer:
    """Remember one episode.

    Example: memctl remember "Booked the ferry to Bornholm" --tag travel --participant Ann
    """
    with call.memory() as memory:
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
    return Answer({"id": episode, "kind": "episode"}, f"episode {episode}{call.in_store}")


@turns.command("list")
def list_turns(
    call: Call,
    archived: Annotated[bool, Option("--archived", help="The archived ones instead.")] = False,
    limit: Limited = None,
) -> Answer:
    """List the turns of all sessions, or of the one of --session, the newest first.

    Example: memctl turns list --session trip
    """
    with call.memory(readonly=True) as memory:
        found = memory.turns.list(session=call.session, archived=archived, limit=call.limit(limit))
    return Answer(found, listed("turn", found))


@turns.command("show")
def show_turn(call: Call, turn: TurnId) -> Answer:
    """Show one turn, with all that was said.

    Example: memctl turns show 12
    """
    with call.memory(readonly=True) as memory:
        found = memory.turns.get(turn)
    return Answer(found, lambda console: _show_turn(console, found))


@turns.command()
def add(
    call: Call,
    file: Annotated[
        str, Argument(help='A file of one JSON object a line; "-" for standard input.')
    ],
    skip_refused: Annotated[
        bool, Option("--skip-refused", help="Leave out what is refused, add the rest.")
    ] = False,
) -> Answer:
    """Add many turns at once, all or none: {"text", "role", "speaker", "session", "logged_at"}.

    Example: memctl turns add chat.jsonl --skip-refused
    """
    given = [{"session": call.session, **turn} for turn in _turns_in(file)]
    with call.memory(reading=True) as memory:
        batch = memory.turns.add_many(given, skip_refused=skip_refused)
    lines = [f"{counted(batch.added, 'turn')} added"]
    lines += [f"line {one.place + 1} was left out: {one.why}" for one in batch.refused]
    return Answer(batch, "\n".join(lines))


@turns.command()
def archive(
    call: Call,
    turns: Annotated[list[int] | None, Argument(help="Ids of turns.")] = None,
    days: Annotated[
        int | None,
        Option(min=1, help="Turns older than this; by default the setting log_archive_days."),
    ] = None,
    why: Why = "asked for",
) -> Answer:
    """Archive the given turns, else all old ones; recall leaves them out.

    Example: memctl turns archive --days 30
    """
    if turns and days is not None:
        raise UsageError("turns are named and --days is given", hint="choose one of the two")
    with call.memory(existing=True) as memory:
        archived = memory.turns.archive(turns, why=why) if turns else memory.turns.archive_old(days)
    line = f"{counted(archived, 'turn')} archived; restore brings them back"
    return Answer({"archived": archived}, line)


@turns.command("restore")
def restore_turns(call: Call, turns: TurnIds) -> Answer:
    """Bring archived turns back.

    Example: memctl turns restore 12 13
    """
    with call.memory(existing=True) as memory:
        restored = memory.turns.restore(turns)
    return Answer({"restored": restored}, f"{counted(restored, 'turn')} brought back")


@turns.command("erase")
def erase_turns(call: Call, turns: TurnIds, why: Why = "asked for", yes: Yes = False) -> Answer:
    """Remove every byte of turns, and of episodes made from them; this cannot be undone.

    Example: memctl turns erase 12 13 --yes
    """
    call.confirm(f"erase {counted(len(turns), 'turn')} for ever?", yes=yes)
    with call.memory(existing=True) as memory:
        erased = memory.turns.erase(turns, why=why)
    return Answer(erased, _erased(erased))


@episodes.command("list")
def list_episodes(
    call: Call,
    thread: Annotated[
        Text, Option(help="Only of this thread.", autocompletion=offered("session"))
    ] = None,
    tag: Annotated[Text, Option(help="Only with this tag.")] = None,
    forgotten: Forgotten = False,
    duplicates: Duplicates = False,
    limit: Limited = None,
) -> Answer:
    """List the episodes, the newest first.

    Example: memctl episodes list --tag travel
    """
    with call.memory(readonly=True) as memory:
        found = memory.episodes.list(
            thread=thread,
            tag=tag,
            forgotten=forgotten,
            duplicates=duplicates,
            limit=call.limit(limit),
        )
    return Answer(found, listed("episode", found))


@episodes.command("show")
def show_episode(call: Call, episode: EpisodeId) -> Answer:
    """Show one episode, and the turns that it was made from.

    Example: memctl episodes show 12
    """
    with call.memory(readonly=True) as memory:
        found = memory.episodes.get(episode)
        made_of = memory.episodes.turns_of(episode)
    data = {**asdict(found), "turns": made_of}
    return Answer(data, lambda console: _show_episode(console, found, made_of))


@episodes.command()
def forget(
    call: Call,
    episodes: EpisodeIds = None,
    duplicates: Duplicates = False,
    why: Why = "asked for",
    dry_run: DryRun = False,
    yes: Yes = False,
) -> Answer:
    """Mark episodes as forgotten: recall leaves them out; restore undoes it.

    Duplicates say what an older episode of the same day and thread says, which stays.

    Example: memctl episodes forget 12

    Example: memctl episodes forget --duplicates --dry-run
    """
    return _mark(call, "forget", episodes, duplicates, dry_run=dry_run, yes=yes, why=why)


@episodes.command("restore")
def restore_episodes(
    call: Call,
    episodes: EpisodeIds = None,
    duplicates: Duplicates = False,
    dry_run: DryRun = False,
    yes: Yes = False,
) -> Answer:
    """Bring forgotten episodes back.

    Example: memctl episodes restore 12
    """
    return _mark(call, "restore", episodes, duplicates, dry_run=dry_run, yes=yes)


@episodes.command("erase")
def erase_episode(
    call: Call,
    episode: EpisodeId,
    sources: Annotated[
        bool, Option("--sources", help="Also the turns that it was made from.")
    ] = False,
    why: Why = "asked for",
    yes: Yes = False,
) -> Answer:
    """Remove every byte of an episode from the file; this cannot be undone.

    Example: memctl episodes erase 12 --yes
    """
    call.confirm(f"erase episode {episode} for ever?", yes=yes)
    with call.memory(reading=True) as memory:
        erased = memory.episodes.erase([episode], why=why, sources=sources)
    return Answer(erased, _erased(erased))


def _mark(
    call: Call,
    verb: str,
    episodes: list[int] | None,
    duplicates: bool,
    *,
    dry_run: bool,
    yes: bool,
    **why: str,
) -> Answer:
    """Do one thing to the episodes that are named, or to all duplicates."""
    if not episodes and not duplicates:
        raise UsageError("nothing says which episode", hint="name one, or choose --duplicates")
    forgets = verb == "forget"
    with call.memory(reading=True) as memory:
        ids = list(episodes or ())
        if duplicates:
            found = memory.episodes.list(duplicates=True, forgotten=not forgets, limit=-1)
            ids += [one.id for one in found]
        number = carry_out(
            call,
            memory,
            lambda: int(getattr(memory.episodes, verb)(ids, **why)),
            lambda many: f"{verb} {counted(many, 'episode')}?",
            dry_run=dry_run,
            yes=yes or not duplicates,
        )
        rows = [f"{one} {memory.episodes.get(one).summary}" for one in ids]
    human = batch_shown(
        rows,
        "episode",
        "forgotten" if forgets else "back",
        dry_run=dry_run,
        restorable=forgets,
        one=f"episode {ids[0]}" if len(ids) == 1 else "",
    )
    what = {"id": ids[0]} if len(ids) == 1 else {"ids": ids}
    data = {**what, "forgotten" if forgets else "restored": number}
    return Answer(data, human, dry_run=dry_run)


def _turns_in(file: str) -> list[dict[str, Any]]:
    """Return the objects of a file, one a line."""
    from memctl.porting.safe_files import lines_of

    given = enumerate(sys.stdin.read().split("\n"), 1) if file == "-" else lines_of(Path(file))
    result = []
    for number, line in given:
        if not line.strip():
            continue
        try:
            turn = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise UnusableInputError(f"line {number} is no JSON: {error}") from error
        if not isinstance(turn, dict):
            raise UnusableInputError(f"line {number} is no JSON object", hint='{"text": "Hello"}')
        result.append(turn)
    return result


def _show_turn(console: Console, turn: Turn) -> None:
    console.print(shown(f"turn {turn.id}  {turn.logged_at}\n{turn.text}"))
    archived = f"{turn.archived_at}, {turn.archived_why}" if turn.archived_at else None
    pairs = [
        ("details", turn.details),
        ("who", turn.speaker or turn.role),
        ("thread", f"{turn.session}, turn {turn.seq} of it"),
        ("archived", archived),
    ]
    print_details(console, [pair for pair in pairs if pair[1]])


def _show_episode(console: Console, episode: Episode, made_of: Sequence[int]) -> None:
    console.print(shown(f"episode {episode.id}  {episode.happened_at}\n{episode.summary}"))
    pairs = [
        ("details", episode.details),
        ("participants", ", ".join(episode.participants)),
        ("tags", ", ".join(episode.tags)),
        ("confidence", episode.confidence),
        ("source", episode.source),
        ("thread", episode.thread),
        ("forgotten", episode.archived_at),
        ("made of turns", ", ".join(map(str, made_of))),
    ]
    print_details(console, pairs)


def _erased(erased: Erased) -> str:
    """Return in words what an erasure of episodes or turns removed."""
    lines = [f"{kind} {number} is erased" for kind, number in erased.items]
    with_it = f"{counted(erased.vectors, 'vector')} and {counted(erased.hits, 'mention')}"
    lines.append(f"{with_it} went with it")
    if erased.still_in:
        still = ", ".join(map(str, erased.still_in))
        lines.append(f"turns {still} still hold what it was made from (--sources)")
    if not erased.gone:
        lines.append("not yet out of the file: another process reads it; try again then")
    return "\n".join(lines)
