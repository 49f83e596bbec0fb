"""Which stores of a fleet a command is about, and who does it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option

if TYPE_CHECKING:
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
