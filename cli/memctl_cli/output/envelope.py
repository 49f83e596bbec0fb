"""Printing: the JSON envelope, tables for people, one line for an error."""

from __future__ import annotations

import json
import sys
from contextlib import contextmanager
from dataclasses import asdict, is_dataclass
from typing import TYPE_CHECKING, Any

from memctl.base import counting
from memctl.base.counting import plural
from memctl.base.user_zone import UserZone
from memctl.store.pages import ListPage
from memctl_cli.output.plain_table import Table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from memctl.base.errors import MemctlError
    from memctl_cli.output.console import Console


def counted(number: int, one: str, several: str = "") -> str:
    """Return a number with its noun: "1 state", "2 states", "no states"."""
    return counting.counted(number, one, several) if number else f"no {several or plural(one)}"


def table(
    *columns: str, right: Iterable[str] = (), whole: Iterable[str] = (), tight: bool = False
) -> Table:
    """Return an empty table.

    The columns named in `right` hold numbers; those in `whole` names, ids or times, of which no
    word is broken however narrow the line is.
    """
    return Table(columns, frozenset(right), tight, whole=frozenset(whole))


def shown(value: object, *, missing: str = "-") -> str:
    """Return a cell's text; control characters that a terminal would obey are made visible."""
    if value is None or value == "":
        return missing
    if isinstance(value, bool):
        return "yes" if value else "no"
    return _visible(f"{value:.3f}" if isinstance(value, float) else str(value))


# Of a call: the zone whose days it shows, as the store that it has closed says.
_zones = [UserZone()]


def show_days_of(zone: UserZone) -> None:
    """Show days of a zone from now on."""
    _zones[:] = [zone]


def shown_day(at: str, offset: int | None = None) -> str:
    """Return the user's day of a kept time, ``2026-11-20``; see `UserZone.day`."""
    return _zones[0].day(at, offset)


def shown_time(at: str, offset: int | None = None) -> str:
    """Return a kept time as the user's clock shows it; see `UserZone.local`."""
    return _zones[0].local(at, offset)


def _visible(text: str) -> str:
    return "".join(c if c.isprintable() or c == "\n" else f"\\x{ord(c):02x}" for c in text)


@contextmanager
def counter(what: str, *, shown: bool) -> Iterator[Callable[[int], None]]:
    """Show on standard error how many were done of what has no known end; yield what sets it."""
    if not (shown and _is_watched()):
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn

    # Of ASCII alone: a terminal may know no other signs.
    columns = [SpinnerColumn("line"), TextColumn("{task.completed:,.0f} {task.description}")]
    bar = Progress(*columns, console=Console(stderr=True), transient=True)
    with bar:
        task = bar.add_task(what, total=None)
        yield lambda done: bar.update(task, completed=done)


@contextmanager
def progress_bar(what: str, total: int, *, shown: bool) -> Iterator[Callable[..., None]]:
    """Yield a function that advances a bar on standard error by one.

    Called with a text it says that this is done next, instead of `what`.
    """
    if not (shown and _is_watched()):
        yield lambda _="": None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    columns = (BarColumn(), MofNCompleteColumn(), TextColumn("{task.description}", markup=False))
    bar = Progress(*columns, console=Console(stderr=True), transient=True)

    def advance(said: str = "") -> None:
        bar.update(task, advance=1, description=_visible(said or what))

    with bar:
        task = bar.add_task(what, total=total)
        yield advance


def _is_watched() -> bool:
    """Return whether somebody sees standard error: to a file, a bar is an empty line."""
    return sys.stderr is not None and sys.stderr.isatty()


def jsonable(value: Any) -> Any:
    """Return dataclasses as dicts, everything else as it is."""
    if hasattr(value, "as_plain"):  # it makes a part of itself when asked
        return jsonable(value.as_plain())
    if is_dataclass(value) and not isinstance(value, type):
        return asdict(value)
    if isinstance(value, dict):
        return {name: jsonable(one) for name, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [jsonable(one) for one in value]
    return value


def print_answer(
    data: Any,
    *,
    command: str,
    app: str,
    duration_ms: float,
    count: int | None,
    extra: Mapping[str, Any] | None = None,
) -> None:
    """Print the envelope of an answer on standard output.

    Of a page of a list it says how many rows the list has in all, and how many of them are left out.
    """
    plain = jsonable(data)
    page = {"total": data.total, "more": data.left} if isinstance(data, ListPage) else {}
    counted = len(plain) if count is None and isinstance(plain, list) else count
    envelope = {
        "status": "ok",
        "command": command,
        "app": app,
        "duration_ms": round(duration_ms, 3),
        "count": 1 if counted is None else counted,
        "data": plain,
        **page,
        **jsonable(dict(extra or {})),
    }
    _print_json(envelope)


def print_failure(error: MemctlError, command: str, *, as_json: bool) -> None:
    """Print an error: the envelope on standard output, or one line on standard error."""
    if as_json:
        detail = {"code": error.code, "message": error.message, "hint": error.hint}
        _print_json({"status": "error", "command": command, "error": detail})
        return
    line = f"memctl: {error.message}" + (f" ({error.hint})" if error.hint else "")
    print(shown(" ".join(line.split())), file=sys.stderr)  # noqa: T201  (this is the CLI)


def rows(into: Table, cells: Iterable[Sequence[object]]) -> Table:
    """Fill a table; return it."""
    for row in cells:
        into.cells.append(tuple(shown(cell) for cell in row))
    return into


def print_list(
    console: Console,
    into: Table,
    cells: Sequence[Sequence[object]],
    *names: str,
    of: Sequence[object] | None = None,
    note: str = "",
) -> None:
    """Print a table and how many rows it has; of none only that.

    `names` is what one row is called, and several where an "s" does not make it so. Where the
    rows are a page `of` a list, the last line says how many more there are, and how to see them.
    """
    if cells:
        console.print(rows(into, cells))
    said = page_text(cells if of is None else of, *names)
    console.print(f"{said}, {note}" if note else said)


def page_text(of: Sequence[object], *names: str) -> str:
    """Return how many rows there are; of a page of a list, how many more, and how to see them."""
    if not isinstance(of, ListPage) or of.total == len(of):
        return counted(len(of), *names)
    said = f"{len(of):,} of {counted(of.total, *names)}"
    return f"{said}, {of.left:,} more: --limit {of.total - of.offset}" if of.left else said


def _print_json(envelope: dict[str, Any]) -> None:
    # ASCII: a terminal or pipe of any encoding can carry it, and lone surrogates cannot occur.
    print(json.dumps(envelope, ensure_ascii=True))  # noqa: T201  (this is the CLI)
