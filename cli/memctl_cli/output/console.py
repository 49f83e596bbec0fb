"""Where answers for people go: colours on a terminal, plain text in a pipe.

Rich, which draws on terminals, takes 0.03 s to load. A pipe shows no colours: agents and
scripts, who call most, do without it.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Protocol

from memctl_cli.output.plain_table import Table, draw, row_lines, table_lines

if TYPE_CHECKING:
    from rich.console import Console as RichConsole

_PIPE_WIDTH = 80
# With these Rich draws in colours wherever it writes to.
_FORCED = ("FORCE_COLOR", "TTY_COMPATIBLE")
# What Rich leaves out: bell, backspace, vertical tab, form feed, carriage return.
_LEFT_OUT = dict.fromkeys((7, 8, 11, 12, 13))


class Console(Protocol):
    """A console that answers are printed on."""

    @property
    def width(self) -> int:
        """The cells of a line."""

    @property
    def folds(self) -> bool:
        """Whether a table is drawn as wide as the line; else a row is one line."""

    def print(
        self, shown: str | Table, *, style: str = "", end: str = "\n", soft_wrap: bool = False
    ) -> None:
        """Print a text or a table.

        `style` is a colour or ``"bold"`` for a terminal; a line that is `soft_wrap` is left as
        long as it is.
        """


def console() -> Console:
    """Return the console for people: colours and folded tables on a terminal, plain rows in a pipe."""
    return _Pipe() if _is_pipe() else _Terminal()


def _is_pipe() -> bool:
    if sys.stdout is None:  # the caller has closed it
        return True
    forced = any(os.environ.get(name) for name in _FORCED)
    return not forced and not sys.stdout.isatty()


class _Pipe:
    """Writes text as it is: the reader decides how long a line may be.

    A row of a table is one line, which ``grep``, ``cut`` and ``awk`` read; with COLUMNS, the width
    of the reader, tables are drawn as on a terminal.
    """

    @property
    def width(self) -> int:
        """The width of COLUMNS, else of the terminal that the process is started from."""
        if self._columns:
            return self._columns
        for stream in (0, 2):
            with suppress(OSError):
                return os.get_terminal_size(stream).columns or _PIPE_WIDTH
        return _PIPE_WIDTH

    @property
    def folds(self) -> bool:
        """Whether COLUMNS names the reader's width."""
        return self._columns > 0

    @property
    def _columns(self) -> int:
        said = os.environ.get("COLUMNS", "")
        return int(said) if said.isdecimal() else 0

    def print(
        self,
        shown: str | Table,
        *,
        style: str = "",  # noqa: ARG002  (for terminals)
        end: str = "\n",
        soft_wrap: bool = False,  # noqa: ARG002  (the same)
    ) -> None:
        """Print a text or a table."""
        if isinstance(shown, str):
            text = shown
        elif self._columns:
            text = "\n".join(table_lines(shown, self._columns))
        else:
            text = "\n".join([*row_lines(shown), ""])
        try:
            print(text.translate(_LEFT_OUT), end=end)  # noqa: T201  (this is the CLI)
        except BrokenPipeError:
            raise BrokenPipeError from None  # without its number, which Typer would exit with 1 for


class _Terminal:
    """Draws tables as a pipe gets them; Rich knows the colours."""

    def __init__(self) -> None:
        from rich.console import Console

        class Quitting(Console):
            """A console whose caller decides about a reader that has gone away."""

            def on_broken_pipe(self) -> None:
                raise BrokenPipeError

        self._rich: RichConsole = Quitting(
            highlight=False, soft_wrap=False, markup=False, emoji=False
        )

    @property
    def width(self) -> int:
        """The cells of a line."""
        return self._rich.width

    @property
    def folds(self) -> bool:
        """A terminal folds."""
        return True

    def print(
        self, shown: str | Table, *, style: str = "", end: str = "\n", soft_wrap: bool = False
    ) -> None:
        """Print a text or a table."""
        if isinstance(shown, str):
            self._rich.print(shown, style=style or None, end=end, soft_wrap=soft_wrap)
            return
        drawn = draw(shown, self.width, rule="-" if self._rich.options.ascii_only else "─")
        for line in ("", *drawn.head):
            self._rich.print(line, style="bold", soft_wrap=True)
        for line in (*drawn.body, ""):
            self._rich.print(line, soft_wrap=True)
