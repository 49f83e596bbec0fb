"""``memctl fleet``: many stores at once, of a home, of many machines, of a bucket."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option

from memctl.store.pages import page_of
from memctl_cli.call import Answer, Call
from memctl_cli.command import Commands
from memctl_cli.commands.options import Limited
from memctl_cli.output.records import print_list, table_of
from memctl_cli.output.words import counted, progress_bar, shown

if TYPE_CHECKING:
    from memctl_cli.output.console import Console

fleet = Commands(help="Many stores at once: stores, run. Not needed below about a thousand.")

Places = Annotated[
    list[str] | None,
    Argument(
        help="Homes, folders, patterns of these, or s3://BUCKET/PREFIX; else this home.",
        metavar="STORES",
    ),
]
Jobs = Annotated[int, Option("--jobs", min=1, max=256, help="Processes of this machine.")]
Scheduler = Annotated[
    str | None,
    Option(
        "--scheduler",
        metavar="ADDRESS",
        help="tcp://HOST:8786 of a Dask cluster, or local: one of --jobs processes here.",
    ),
]

_FAILED, _INTERRUPTED = 1, 130
_MOST_SHOWN = 20


@fleet.command()
def stores(
    call: Call, places: Places = None, scheduler: Scheduler = None, limit: Limited = None
) -> Answer:
    """List the stores of some places, without opening one; of all machines with --scheduler.

    Example: memctl fleet stores ~/memory '/srv/agents/*/memory'
    """
    from memctl import fleet as engine

    listed = page_of(
        engine.stores(_named(call, places, scheduler), scheduler=scheduler), call.limit(limit)
    )
    return Answer(listed, lambda console: print_list(console, "fleet store", listed))


@fleet.command()
def run(
    call: Call,
    verb: Annotated[str, Argument(help="dream, doctor, vacuum or backup.")],
    places: Places = None,
    jobs: Jobs = 1,
    scheduler: Scheduler = None,
) -> Answer:
    """Do something with every store, each wholly or not at all; exit 1 when one failed.

    Example: memctl fleet run doctor ~/memory --jobs 2
    """
    from memctl import fleet as engine

    named = _named(call, places, scheduler)
    total = len(engine.stores(named, scheduler=scheduler))
    with progress_bar(verb, total, visible=not call.as_json) as advance:
        done = engine.run(
            verb,
            named,
            jobs=jobs,
            scheduler=scheduler,
            progress=lambda outcome: advance(outcome.name),
        )

    def show(console: Console) -> None:
        counts = ", ".join(f"{count:,} {state}" for state, count in done.counts.items())
        console.print(shown(f"{verb}: {counted(len(done.outcomes), 'store')}, {counts}"))
        if done.failed:
            console.print(table_of("outcome", done.failed[:_MOST_SHOWN]))
        if more := len(done.failed) - _MOST_SHOWN:
            console.print(f"and {more:,} more: --json has all") if more > 0 else None
        if done.left:
            console.print(shown(f"{done.left[0].text}: the same command does what is left"))

    extra = {"counts": done.counts, "interrupted": done.interrupted}
    code = _INTERRUPTED if done.interrupted else _FAILED if done.failed or done.left else 0
    return Answer(list(done.outcomes), show, extra=extra, exit_code=code)


def _named(call: Call, places: list[str] | None, scheduler: str | None) -> list[str] | None:
    """Return the places of a call; its home where it names none, of each machine its own."""
    return places or ([str(call.home_folder)] if call.home or not scheduler else None)
