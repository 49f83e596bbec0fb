"""What is printed: the JSON envelope, tables for people, one line for an error."""

from __future__ import annotations

import json
import sys
from contextlib import contextmanager
from dataclasses import asdict, is_dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from rich.console import Console
    from rich.table import Table

    from memctl.errors import MemctlError

__all__ = [
    "console",
    "counted",
    "jsonable",
    "print_answer",
    "print_failure",
    "print_list",
    "progress_bar",
    "shown",
    "table",
]


@cache
def console() -> Console:
    """Return the console for people: colours on a terminal, 80 columns in a pipe."""
    from rich.console import Console

    class Quitting(Console):
        """Leaves it to the caller what a reader that has gone away means."""

        def on_broken_pipe(self) -> None:
            raise BrokenPipeError

    return Quitting(highlight=False, soft_wrap=False, markup=False, emoji=False)


def counted(number: int, one: str, several: str = "") -> str:
    """Return a number and what it counts: "1 state", "2 states", "no states"."""
    return f"{number or 'no'} {one if number == 1 else several or one + 's'}"


def table(*columns: str, title: str | None = None, right: Iterable[str] = ()) -> Table:
    """Return an empty table; the columns named in `right` hold numbers."""
    from rich import box
    from rich.table import Table

    made = Table(box=box.SIMPLE_HEAD, title=title, title_justify="left", pad_edge=False)
    for column in columns:
        numbers = column in set(right)
        made.add_column(
            column, justify="right" if numbers else "left", no_wrap=numbers, overflow="fold"
        )
    return made


def shown(value: object, *, missing: str = "-") -> str:
    """Return a cell's text; control characters that a terminal would obey are made visible."""
    if value is None or value == "":
        return missing
    text = f"{value:.3f}" if isinstance(value, float) else str(value)
    return "".join(c if c.isprintable() or c == "\n" else f"\\x{ord(c):02x}" for c in text)


@contextmanager
def progress_bar(what: str, total: int, *, shown: bool) -> Iterator[Callable[[], None]]:
    """Yield a function that advances a bar on standard error by one."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn())
    bar = Progress(*columns, console=Console(stderr=True), transient=True, disable=not shown)
    with bar:
        task = bar.add_task("", total=total)
        yield lambda: bar.advance(task)


def jsonable(value: Any) -> Any:
    """Return dataclasses as dicts, everything else as it is."""
    if is_dataclass(value) and not isinstance(value, type):
        return asdict(value)
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
    """Print the envelope of an answer on standard output."""
    plain = jsonable(data)
    counted = len(plain) if count is None and isinstance(plain, list) else count
    envelope = {
        "status": "ok",
        "command": command,
        "app": app,
        "duration_ms": round(duration_ms, 3),
        "count": 1 if counted is None else counted,
        "data": plain,
        **(extra or {}),
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
        into.add_row(*(shown(cell) for cell in row))
    return into


def print_list(
    console: Console, into: Table, cells: Sequence[Sequence[object]], *names: str
) -> None:
    """Print a table and how many rows it has; of none only that.

    `names` is what one row is called, and several where an "s" does not make it so.
    """
    if cells:
        console.print(rows(into, cells))
    console.print(counted(len(cells), *names))


def _print_json(envelope: dict[str, Any]) -> None:
    # ASCII: a terminal or pipe of any encoding can carry it, and lone surrogates cannot occur.
    print(json.dumps(envelope, ensure_ascii=True))  # noqa: T201  (this is the CLI)
