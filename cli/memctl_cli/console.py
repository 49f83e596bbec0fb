"""Where answers for people go: colours on a terminal, plain text in a pipe.

Rich, which draws on terminals, takes 0.03 s to load. A pipe shows no colours: agents and
scripts, who call most, do without it.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Protocol

from memctl_cli.plain_table import Table, table_lines

if TYPE_CHECKING:
    from rich.console import Console as RichConsole
    from rich.table import Table as RichTable

__all__ = ["Console", "console", "rich_table"]

_PIPE_WIDTH = 80
# With these Rich draws in colours wherever it writes to.
_FORCED = ("FORCE_COLOR", "TTY_COMPATIBLE")
# What Rich leaves out: bell, backspace, vertical tab, form feed, carriage return.
_LEFT_OUT = dict.fromkeys((7, 8, 11, 12, 13))


class Console(Protocol):
    """What answers are printed on."""

    @property
    def width(self) -> int:
        """How many cells a line has."""

    def print(
        self, shown: str | Table, *, style: str = "", end: str = "\n", soft_wrap: bool = False
    ) -> None:
        """Print a text or a table.

        `style` is a colour or ``"bold"`` for a terminal; a line that is `soft_wrap` is left as
        long as it is.
        """


def console() -> Console:
    """Return the console for people: colours on a terminal, 80 columns in a pipe."""
    return _Pipe() if _is_pipe() else _Terminal()


def _is_pipe() -> bool:
    if sys.stdout is None:  # the caller has closed it
        return True
    forced = any(os.environ.get(name) for name in _FORCED)
    # A text buffer has no encoding, and takes everything.
    unicode = (sys.stdout.encoding or "utf-8").lower().startswith("utf")
    return unicode and not forced and not sys.stdout.isatty()


class _Pipe:
    """Writes text as it is: how long a line of prose may be is for the reader to say."""

    @property
    def width(self) -> int:
        """What COLUMNS says, else what a terminal has that the process is started from."""
        said = os.environ.get("COLUMNS", "")
        if said.isdecimal() and int(said):
            return int(said)
        for stream in (0, 2):
            with suppress(OSError):
                return os.get_terminal_size(stream).columns or _PIPE_WIDTH
        return _PIPE_WIDTH

    def print(
        self,
        shown: str | Table,
        *,
        style: str = "",  # noqa: ARG002  (for terminals)
        end: str = "\n",
        soft_wrap: bool = False,  # noqa: ARG002  (the same)
    ) -> None:
        """Print a text or a table."""
        text = shown if isinstance(shown, str) else "\n".join(table_lines(shown, self.width))
        try:
            print(text.translate(_LEFT_OUT), end=end)  # noqa: T201  (this is the CLI)
        except BrokenPipeError:
            raise BrokenPipeError from None  # without its number, which Typer would exit with 1 for


class _Terminal:
    """Draws with Rich."""

    def __init__(self) -> None:
        from rich.console import Console

        class Quitting(Console):
            """Leaves it to the caller what a reader that has gone away means."""

            def on_broken_pipe(self) -> None:
                raise BrokenPipeError

        self._rich: RichConsole = Quitting(
            highlight=False, soft_wrap=False, markup=False, emoji=False
        )

    @property
    def width(self) -> int:
        """How many cells a line has."""
        return self._rich.width

    def print(
        self, shown: str | Table, *, style: str = "", end: str = "\n", soft_wrap: bool = False
    ) -> None:
        """Print a text or a table."""
        drawn = shown if isinstance(shown, str) else rich_table(shown)
        self._rich.print(drawn, style=style or None, end=end, soft_wrap=soft_wrap)


def rich_table(table: Table) -> RichTable:
    """Return a table as Rich draws it."""
    from rich import box
    from rich.table import Table as RichTable

    padding = (0, 1, 0, 0 if table.tight else 1)
    made = RichTable(box=box.SIMPLE_HEAD, pad_edge=False, padding=padding)
    for name in table.columns:
        number = name in table.right
        made.add_column(
            name, justify="right" if number else "left", no_wrap=number, overflow="fold"
        )
    for cells in table.cells:
        made.add_row(*cells)
    return made
