"""Acts of a recording, as a demonstration shows them: each screen is looked at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memctl.base.errors import UsageError
from memctl.drivers.done_acts import DoneAct
from memctl.drivers.look import Look
from memctl.visual.reading.input_files import read_limited

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memctl.porting.foreign_records import PictureFile, RecordedAct

__all__ = ["shown_acts"]

_MOST_BYTES = 512 * 1024 * 1024  # of all screens of a recording, packed
_MOST_A_SCREEN = 64 * 1024 * 1024


def shown_acts(acts: Sequence[RecordedAct]) -> list[DoneAct]:
    """Return the acts with their screens; the screen after one act is the one before the next.

    Raises
    ------
    UnusableInputError
        When a screen cannot be read.
    UsageError
        When all of them are larger than 512 MB.
    """
    looks: dict[tuple[str, str], Look] = {}
    size = 0

    def look(picture: PictureFile, title: str) -> Look:
        nonlocal size
        key = picture.sha256, title
        if key not in looks:
            png = read_limited(picture.path, most=_MOST_A_SCREEN, what="a screenshot")
            size += len(png)
            if size > _MOST_BYTES:
                raise UsageError("the recording's screens are over 512 MB", hint="cut it in two")
            looks[key] = Look(png=png, title=title, scale=picture.scale)
        return looks[key]

    return [
        DoneAct(
            kind=act.kind,
            x=act.x,
            y=act.y,
            to=act.to,
            text=act.text,
            secret=act.secret,
            label="",
            field="",
            before=look(act.before, act.title_before),
            after=look(act.after, act.title_after),
            seconds=act.seconds,
        )
        for act in acts
    ]
