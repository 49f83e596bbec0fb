"""``memctl fleet``: many stores at once, of a home, of many machines, of a bucket."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from typer import Argument, Option

from memctl.base.counting import sized
from memctl.base.errors import UsageError
from memctl.store.pages import page_of
from memctl_cli.call import Answer, Call
from memctl_cli.command import Commands
from memctl_cli.commands.fleet_places import Jobs, Places, Scheduler, named_places, shown_progress
from memctl_cli.commands.fleet_report import report
from memctl_cli.commands.options import (
    Agent,
    DryRun,
    Limited,
    PublicKey,
    Replace,
    Sign,
    Text,
    Texts,
    Unsigned,
    User,
)
from memctl_cli.commands.porting import show_left_out
from memctl_cli.output.envelope import jsonable
from memctl_cli.output.records import RECORDS, Column, print_list, table, table_of
from memctl_cli.output.words import counted, reading_remarks, shown

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from memctl.fleet import FleetMerge
    from memctl.fleet.fleet_recall import FleetRecalled
    from memctl.fleet.fleet_run import Run
    from memctl_cli.output.console import Console
    from memctl_cli.output.plain_table import Table

fleet = Commands(
    help=(
        "Many stores at once: stores, run, report, recall, merge, push, pull. "
        "Not needed below a thousand."
    )
)

Index = Annotated[
    Text,
    Option(
        "--index", metavar="DIR", help="Folder or s3://… of the routing index: run index, recall."
    ),
]

_FAILED, _INTERRUPTED = 1, 130
_MOST_SHOWN = 20
_OLD = (
    "These versions in the bucket may still hold what was erased. Remove them, or let the bucket do it "
    "by a lifecycle rule: aws s3api delete-object --bucket BUCKET --key KEY --version-id VERSION"
)


@fleet.command()
def stores(
    call: Call, places: Places = None, scheduler: Scheduler = None, limit: Limited = None
) -> Answer:
    """List the stores of some places, without opening one; of all machines with --scheduler.

    Example: memctl fleet stores ~/memory '/srv/agents/*/memory'
    """
    from memctl import fleet as engine

    listed = page_of(
        engine.stores(named_places(call, places, scheduler), scheduler=scheduler), call.limit(limit)
    )
    return Answer(listed, lambda console: print_list(console, "fleet store", listed))


@fleet.command()
def run(
    call: Call,
    verb: Annotated[str, Argument(help="dream, doctor, vacuum, backup or index.")],
    places: Places = None,
    jobs: Jobs = 1,
    scheduler: Scheduler = None,
    index: Index = None,
) -> Answer:
    """Do something with every store, each wholly or not at all; exit 1 when one failed.

    Example: memctl fleet run doctor ~/memory --jobs 2
    """
    from memctl import fleet as engine

    listed = engine.stores(named_places(call, places, scheduler), scheduler=scheduler)
    with shown_progress(call, verb, len(listed)) as progress:
        done = engine.run(
            verb, listed, jobs=jobs, scheduler=scheduler, index=index, progress=progress
        )
    return _answer(done)


@fleet.command()
def push(
    call: Call,
    places: Annotated[
        list[str],
        Argument(help="As of fleet stores; the last is s3://BUCKET/PREFIX.", metavar="STORES URL"),
    ],
    release: Annotated[
        bool, Option("--release", help="Give the stores up: any machine may work them there.")
    ] = False,
    jobs: Jobs = 1,
    scheduler: Scheduler = None,
) -> Answer:
    """Back stores up into a bucket, each checked and read back; those unchanged are not sent.

    What was erased is gone from the objects; versions that the bucket keeps of them are listed.

    Example: memctl fleet push ~/memory s3://team/memory --jobs 2
    """
    from memctl import fleet as engine

    *stores_named, into = places
    if "://" not in into:
        raise UsageError(
            f'"{into}" is no URL of a bucket', hint="the last word is s3://BUCKET/PREFIX"
        )
    listed = engine.stores(named_places(call, stores_named, scheduler), scheduler=scheduler)
    with shown_progress(call, "push", len(listed)) as progress:
        done = engine.push(
            listed, into, release=release, jobs=jobs, scheduler=scheduler, progress=progress
        )
    return _answer(done)


@fleet.command()
def pull(
    call: Call,
    url: Annotated[str, Argument(help="s3://BUCKET/PREFIX, or the object of one store in it.")],
    home: Annotated[str | None, Argument(help="The home to restore into; else this one.")] = None,
    force: Annotated[
        bool, Option("--force", help="Replace stores that differ; what was there is kept.")
    ] = False,
    own: Annotated[
        bool, Option("--own", help="Take them over: from now on this machine pushes them.")
    ] = False,
    jobs: Jobs = 1,
) -> Answer:
    """Restore stores from a bucket into a home, each checked; with --app that single one.

    Example: memctl --app harbor fleet pull s3://team/memory ~/memory
    """
    from memctl import fleet as engine

    app = call.address if call.named else None
    total = 1 if app else len(engine.stores(url))
    with shown_progress(call, "pull", total) as progress:
        done = engine.pull(
            url,
            home or call.home_folder,
            app=app,
            force=force,
            own=own,
            jobs=jobs,
            progress=progress,
        )
    return _answer(done)


def _answer(done: Run) -> Answer:
    """Show what became of many stores: those that failed, the counts, what is left in a bucket."""
    old = getattr(done, "old_versions", ())

    def show(console: Console) -> None:
        stores_of_run = counted(len(done.outcomes), "store")
        console.print(shown(f"{done.verb}: {stores_of_run}, {_counts(done)}"))
        if done.note:
            console.print(shown(done.note))
        _show_some(console, "outcome", done.failed)
        if done.left:
            console.print(shown(done.left[0].text))
        if old:
            console.print(shown(_OLD))
            console.print(table_of("old version", old))

    extra: dict[str, Any] = {"counts": done.counts, "interrupted": done.interrupted}
    extra |= {"note": done.note} | ({"old_versions": list(old)} if old else {})
    code = _INTERRUPTED if done.interrupted else _FAILED if done.failed or done.left else 0
    return Answer(list(done.outcomes), show, extra=extra, exit_code=code)


fleet.command()(report)


@fleet.command()
def recall(
    call: Call,
    query: Annotated[str, Argument(help="A question or words; signs like * or - have no meaning.")],
    places: Places = None,
    index: Index = None,
    most_stores: Annotated[
        int, Option("--stores", min=1, help="Ask at most so many, the likeliest; of an index.")
    ] = 20,
    limit: Annotated[int, Option("--limit", min=1, help="At most so many rows.")] = 5,
    user: User = None,
    agent: Agent = None,
    kind: Annotated[
        Texts, Option(help="Only turn, episode, fact or state; may be given again.")
    ] = None,
    as_of: Annotated[
        Text, Option(help="Only what had happened, and facts that held, by then.")
    ] = None,
    now: Annotated[Text, Option(help='The time that "yesterday" is counted from.')] = None,
    since: Annotated[Text, Option(help="Only turns and episodes from this time on.")] = None,
    until: Annotated[Text, Option(help="Only turns and episodes up to this time.")] = None,
    every: Annotated[
        bool, Option("--all", help="Also the rows that are not likely to answer.")
    ] = False,
    jobs: Jobs = 1,
    scheduler: Scheduler = None,
) -> Answer:
    """Ask the stores that are likely to know, and merge their rows; nothing is recorded.

    Without STORES all that the index knows; without an index each of them is asked.

    Example: memctl fleet recall "When does the ferry leave?" --index ~/fleet
    """
    from memctl import fleet as engine

    all_of_index = index is not None and not places
    named = None if all_of_index else named_places(call, places, scheduler)
    listed = None if all_of_index else engine.stores(named, scheduler=scheduler)
    total = most_stores if index or listed is None else len(listed)
    with shown_progress(call, "recall", total) as progress:
        recalled = engine.recall(
            query,
            listed,
            index=index,
            most_stores=most_stores,
            limit=limit,
            as_of=as_of,
            now=now,
            since=since,
            until=until,
            kinds=kind or (),
            min_worth=0.0 if every else None,
            user=user,
            agent=agent,
            session=call.session,
            project=call.working_in(),
            settings=call.flags,
            jobs=jobs,
            scheduler=scheduler,
            progress=progress,
        )

    def show(console: Console) -> None:
        if recalled:
            console.print(_table_of(recalled))
        _show_some(console, "outcome", recalled.failed)
        for line in _remarks(recalled, index):
            console.print(shown(line))

    extra = {"recall": jsonable(recalled.about())}
    code = _FAILED if recalled.failed else 0
    return Answer(jsonable(list(recalled)), show, extra=extra, exit_code=code)


def _counts(done: Run | FleetMerge) -> str:
    return ", ".join(f"{count:,} {state}" for state, count in done.counts.items())


def _show_some(console: Console, kind: str, rows: Sequence[object]) -> None:
    if rows:
        console.print(table_of(kind, rows[:_MOST_SHOWN]))
    if len(rows) > _MOST_SHOWN:
        console.print(f"and {len(rows) - _MOST_SHOWN:,} more: --json has all")


def _table_of(recalled: FleetRecalled) -> Table:
    columns = RECORDS["recalled row"].columns
    cells = ([row.store, *(column.of(row.row) for column in columns)] for row in recalled)
    return table((Column("store", kind="name"), *columns), cells)


def _remarks(recalled: FleetRecalled, index: str | None) -> Iterator[str]:
    if recalled.note:
        yield recalled.note
    yield from reading_remarks(recalled.corrected, {})
    if recalled.unknown and recalled:
        yield "found in none of them: " + ", ".join(recalled.unknown)
    seconds = f"{recalled.duration_ms / 1000:.1f} s"
    yield f"{recalled.asked} of {counted(recalled.stores, 'store')} asked in {seconds}"
    again = f"memctl fleet run index STORES --index {index or 'DIR'}"
    if index is None:
        yield f"an index asks few of them: {again}"
    stale = (
        (recalled.changed, "changed since the index was made"),
        (recalled.unindexed, "not in the index"),
        (len(recalled.gone), "gone: " + ", ".join(recalled.gone[:_MOST_SHOWN])),
    )
    for number, what in stale:
        if number:
            yield f"{number} of {counted(recalled.stores, 'store')} {what}; {again}"


@fleet.command()
def merge(
    call: Call,
    app: Annotated[str, Argument(help="The app or site: its stores are merged.")],
    sources: Annotated[
        list[str],
        Argument(
            help="Packs, homes, folders, patterns of these, or s3://BUCKET/PREFIX.",
            metavar="SOURCE...",
        ),
    ],
    into: Annotated[str, Option(help="The pack to be made.")],
    hand_out: Annotated[
        bool, Option("--hand-out", help="Merge it into each store of the sources, too.")
    ] = False,
    key: PublicKey = None,
    unsigned: Unsigned = False,
    sign: Sign = None,
    replace: Replace = False,
    dry_run: DryRun = False,
    jobs: Jobs = 1,
    scheduler: Scheduler = None,
) -> Answer:
    """Fold what many machines know of an app into one pack; exit 1 when a source is left out.

    Nothing personal goes in. Example: memctl fleet merge harbor '/srv/agents/*' --into harbor.pack --hand-out
    """
    from memctl import fleet as engine

    with shown_progress(call, "merge") as progress:
        done = engine.merge(
            app,
            sources,
            into=into,
            key=key,
            unsigned=unsigned,
            sign=sign,
            replace=replace,
            hand_out=hand_out,
            dry_run=dry_run,
            jobs=jobs,
            scheduler=scheduler,
            progress=progress,
        )
    code = _INTERRUPTED if done.interrupted else _FAILED if done.failed else 0
    extra = {"counts": done.counts, "failed": done.failed}
    return Answer(
        done,
        lambda console: _show_merged(console, done),
        extra=extra,
        dry_run=dry_run,
        exit_code=code,
    )


def _show_merged(console: Console, done: FleetMerge) -> None:
    sources = counted(len(done.sources), "source")
    console.print(shown(f"merge {done.app}: {sources}, {_counts(done)}"))
    knows = ", ".join(counted(number, kind[:-1]) for kind, number in done.knows.items())
    if done.path:
        by = f"signed by {done.signed_by}" if done.signed_by else "unsigned"
        console.print(shown(f"{done.path}: {sized(done.size or 0)}, {by}"))
    if knows:
        console.print(f"  {knows}")
    show_left_out(console, done.left_out)
    _show_some(console, "fleet conflict", done.conflicts)
    if done.handed is not None:
        new = sum(
            outcome.state == "done" and outcome.text != "nothing new" for outcome in done.handed
        )
        console.print(
            f"handed out to {counted(len(done.handed), 'store')}, {new:,} of them learned something"
        )
    _show_some(console, "outcome", done.failed)
