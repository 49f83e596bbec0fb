"""Which stores of a fleet a command is about, and who does it."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option

from memctl_cli.output.words import progress_bar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from memctl.fleet import Outcome
    from memctl_cli.call import Call

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


def named_places(call: Call, places: list[str] | None, scheduler: str | None) -> list[str] | None:
    """Return the places of a call; its home where it names none, of each machine its own."""
    return places or ([str(call.home_folder)] if call.home or not scheduler else None)


@contextmanager
def shown_progress(
    call: Call, what: str, total: int | None = None
) -> Iterator[Callable[[Outcome], object]]:
    """Show how many stores are done; yield what is called with the outcome of each."""
    with progress_bar(what, total, visible=not call.as_json) as advance:
        yield lambda outcome: outcome.state == "left" or advance(outcome.name)
