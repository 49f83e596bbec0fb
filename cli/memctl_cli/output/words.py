"""Values as people read them: counts, days, sizes, chances; and bars on standard error."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

from memctl.base import counting
from memctl.base.counting import plural
from memctl.base.user_zone import UserZone

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from memctl.visual.ignored_areas import Area
    from memctl.visual.match_results import Location

_SMALL = 0.01


def counted(number: int, one: str, several: str = "") -> str:
    """Return a number with its noun: "1 state", "2 states", "no states"."""
    return counting.counted(number, one, several) if number else f"no {several or plural(one)}"


def shown(value: object, *, missing: str = "-") -> str:
    """Return a cell's text; control characters that a terminal would obey are made visible."""
    if value is None or value == "":
        return missing
    if isinstance(value, bool):
        return "yes" if value else "no"
    text = f"{value:.3f}" if isinstance(value, float) else str(value)
    return "".join(c if c.isprintable() or c == "\n" else f"\\x{ord(c):02x}" for c in text)


def place_lines(place: Location) -> Iterator[str]:
    """Yield where a component was found, or why it was not, in lines."""
    if place.note:
        yield shown(place.note)
    if place.found:
        changed = f"; not as learned: {place.changed}" if place.changed else ""
        yield (
            f"{place.name}: x {place.x}, y {place.y}, {place.w} x {place.h}, "
            f"score {place.score:.3f}, found by {place.how}{changed}"
        )
        yield from (f"  also at x {x}, y {y}" for x, y in place.also_at)
        return
    best = ""
    if place.score is not None and place.refused_at is not None:
        best = f"; best {place.score:.3f} at {place.refused_at[0]},{place.refused_at[1]}"
    yield f"{place.name} was not found: {shown(place.how)}{best}"


# Of a call: the zone whose days it shows, as its store has it, which is closed by then.
_zones = [UserZone()]


def show_days_of(zone: UserZone) -> None:
    """Show days of a zone from now on."""
    _zones[:] = [zone]


def area_words(areas: Iterable[Area]) -> str:
    """Return areas of a screen as the option takes them: ``1200,0,80,30=clock 0,0,64,64``."""
    parts = ((",".join(map(str, area[:4])), *area[4:]) for area in areas)
    return shown(" ".join("=".join(part) for part in parts), missing="")


def shown_day(at: str, offset: int | None = None) -> str:
    """Return the user's day of a kept time, ``2026-11-20``; see `UserZone.day`."""
    return _zones[0].day(at, offset)


def shown_time(at: str, offset: int | None = None) -> str:
    """Return a kept time as the user's clock shows it; see `UserZone.local`."""
    return _zones[0].local(at, offset)


def percent(share: float) -> str:
    """Return a share, 0 to 1, as a percentage: "21 %", "0.35 %"."""
    return f"{100 * share:.{2 if 0 < share < _SMALL else 0}f} %"


def at_least(succeeded: int, tried: int) -> str | None:
    """Return the least chance of the next try; ``None`` where there was none yet.

    It is the lower end of Wilson's 95 % interval: one success of one proves little.
    """
    from memctl.visual.graph.transitions import wilson_lower_bound

    return percent(wilson_lower_bound(succeeded, tried)) if tried else None


def chance(succeeded: int, tried: int) -> str:
    """Return how often something worked, and the least chance of the next try."""
    least = at_least(succeeded, tried)
    return f"{succeeded} of {tried}, at least {least}" if least else "never tried"


def reading_remarks(corrected: Mapping[str, str], aliases: Mapping[str, str]) -> list[str]:
    """Return one line for each word that was taken for another, or that means another too."""
    return [
        *(f'"{word}" was taken for "{known}"' for word, known in corrected.items()),
        *(f'"{word}" also means "{other}"' for word, other in aliases.items()),
    ]


@contextmanager
def progress_bar(
    what: str, total: int | None = None, *, visible: bool
) -> Iterator[Callable[..., None]]:
    """Show a bar on standard error, or without a `total` a counter; yield what moves it.

    A number is how far it is; a text moves it by one, and names what is at hand. A bar shows the rate
    and the time that is left.
    """
    # To a file, a bar is an empty line.
    if not visible or sys.stderr is None or not sys.stderr.isatty():
        yield lambda _="": None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        ProgressColumn,
        SpinnerColumn,
        Task,
        TextColumn,
        TimeRemainingColumn,
    )
    from rich.text import Text

    class Rate(ProgressColumn):
        """How many are done in a second."""

        def render(self, task: Task) -> Text:
            return Text(f"{task.speed:,.1f}/s" if task.speed else "")

    text = TextColumn("{task.description}", markup=False)
    columns: list[ProgressColumn] = [
        *(BarColumn(20), MofNCompleteColumn(), Rate(), TimeRemainingColumn()),
        text,
    ]
    if total is None:  # of ASCII alone: a terminal may know no other signs
        columns = [SpinnerColumn("line"), TextColumn("{task.completed:,.0f}"), text]
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=total)

        def move(done: int | str = "") -> None:
            if isinstance(done, int):
                bar.update(task, completed=done)
            else:
                bar.update(task, advance=1, description=shown(done or what))

        yield move
