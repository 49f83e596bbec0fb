"""Where answers for people go: colours on a terminal, plain text in a pipe.

Rich, which draws on terminals, takes 0.03 s to load. A pipe shows no colours: agents and
scripts, who call most, do without it.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

from memctl_cli.output.plain_table import Table, draw, row_lines, table_lines

if TYPE_CHECKING:
    from rich.console import Console as RichConsole

_PIPE_WIDTH = 80
# With these Rich draws in colours wherever it writes to.
_FORCED = ("FORCE_COLOR", "TTY_COMPATIBLE")
# What Rich leaves out: bell, backspace, vertical tab, form feed, carriage return.
_LEFT_OUT = dict.fromkeys((7, 8, 11, 12, 13))


class Console:
    """Prints answers: folded tables on a terminal, with colours; text as it is in a pipe.

    In a pipe a row of a table is one line, which ``grep``, ``cut`` and ``awk`` read; with COLUMNS,
    the width of the reader, tables are drawn as on a terminal.
    """

    def __init__(self) -> None:
        forced = any(os.environ.get(name) for name in _FORCED)
        # It is None where the caller has closed it.
        terminal = sys.stdout is not None and (forced or sys.stdout.isatty())
        self._rich = _rich_console() if terminal else None

    @property
    def width(self) -> int:
        """The cells of a line; of a pipe COLUMNS, else those of the terminal it is started from."""
        if self._rich is not None:
            return self._rich.width
        if self._columns:
            return self._columns
        for stream in (0, 2):
            with suppress(OSError):
                return os.get_terminal_size(stream).columns or _PIPE_WIDTH
        return _PIPE_WIDTH

    @property
    def folds(self) -> bool:
        """Whether a table is drawn as wide as the line; else a row is one line."""
        return self._rich is not None or self._columns > 0

    @property
    def _columns(self) -> int:
        columns = os.environ.get("COLUMNS", "")
        return int(columns) if columns.isdecimal() else 0

    def print(
        self, shown: str | Table, *, style: str = "", end: str = "\n", soft_wrap: bool = False
    ) -> None:
        """Print a text or a table.

        `style` is a colour or ``"bold"`` for a terminal; a line that is `soft_wrap` is left as
        long as it is.
        """
        if self._rich is not None:
            _draw(self._rich, shown, style, end, soft_wrap=soft_wrap)
            return
        if isinstance(shown, Table):
            lines = table_lines(shown, self._columns) if self._columns else [*row_lines(shown), ""]
            shown = "\n".join(lines)
        try:
            print(shown.translate(_LEFT_OUT), end=end)  # noqa: T201  (this is the CLI)
        except BrokenPipeError:
            raise BrokenPipeError from None  # without its number, which Typer would exit with 1 for


def _rich_console() -> RichConsole:
    from rich.console import Console as RichConsole

    class Quitting(RichConsole):
        """A console whose caller decides about a reader that has gone away."""

        def on_broken_pipe(self) -> None:
            raise BrokenPipeError

    return Quitting(highlight=False, soft_wrap=False, markup=False, emoji=False)


def _draw(rich: RichConsole, shown: str | Table, style: str, end: str, *, soft_wrap: bool) -> None:
    if isinstance(shown, str):
        rich.print(shown, style=style or None, end=end, soft_wrap=soft_wrap)
        return
    drawn = draw(shown, rich.width, rule="-" if rich.options.ascii_only else "─")
    for line in ("", *drawn.head):
        rich.print(line, style="bold", soft_wrap=True)
    for line in (*drawn.body, ""):
        rich.print(line, soft_wrap=True)
