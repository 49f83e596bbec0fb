"""Tables of plain text, for pipes: no colours, and no library that draws them.

They look as Rich draws them with its box ``SIMPLE_HEAD``, less the blanks at the ends of lines.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import zip_longest

from memctl.pattern import Pattern

__all__ = ["Table", "table_lines"]

# A word with the blanks behind it, or blanks that a line begins with.
_PIECE = Pattern(r"\S+\s*|\s+")
_EDGES = 2


@dataclass
class Table:
    """What a table shows, before it is drawn.

    Parameters
    ----------
    columns
        Headings; one may have several lines.
    right
        Headings of the columns that hold numbers: flush right, never folded.
    tight
        Two blanks between columns instead of three.
    """

    columns: tuple[str, ...]
    right: frozenset[str] = frozenset()
    tight: bool = False
    cells: list[tuple[str, ...]] = field(default_factory=list)

    @property
    def gap(self) -> int:
        """Blanks between two columns."""
        return 2 if self.tight else 3


def table_lines(table: Table, width: int) -> list[str]:
    """Return a table's lines, at most `width` terminal cells wide where its numbers let it.

    Text that is too long goes on in further lines, broken between words where it can be.
    """
    content = [table.columns, *table.cells]
    wanted = [
        max((cell_width(line) for cell in column for line in cell.split("\n")), default=0)
        for column in zip(*content, strict=True)
    ]
    room = width - _EDGES - table.gap * (len(wanted) - 1)
    widths = _fitted(wanted, [name not in table.right for name in table.columns], room)
    rule = "─" * (sum(widths) + table.gap * (len(widths) - 1))
    head = _parts(table.columns, widths, bottom=True)
    body = [part for row in table.cells for part in _parts(row, widths)]
    lines = [_line(table, widths, part) for part in (*head, *body)]
    return ["", *lines[: len(head)], f" {rule}", *lines[len(head) :], ""]


def cell_width(text: str) -> int:
    """Return how many cells of a terminal a text takes: two for most of Chinese."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def _fitted(wanted: list[int], foldable: list[bool], room: int) -> list[int]:
    """Lower the widest columns that may be folded to one level, until all fit."""
    if sum(wanted) <= room:
        return wanted

    def lowered(level: int) -> list[int]:
        return [min(one, level) if may else one for one, may in zip(wanted, foldable, strict=True)]

    level = max((one for one in range(1, room + 1) if sum(lowered(one)) <= room), default=1)
    widths = lowered(level)
    for place, width in enumerate(wanted):  # what is left over
        if sum(widths) < room and widths[place] < width:
            widths[place] += 1
    return widths


def _parts(
    row: tuple[str, ...], widths: list[int], *, bottom: bool = False
) -> list[tuple[str, ...]]:
    """Fold a row's cells; return what stands in each of its lines, from the top or the bottom."""
    order = -1 if bottom else 1
    folded = [
        [part for line in cell.split("\n") for part in _folded(line, width)][::order]
        for cell, width in zip(row, widths, strict=True)
    ]
    return list(zip_longest(*folded, fillvalue=""))[::order]


def _folded(line: str, width: int) -> list[str]:
    if cell_width(line) <= width:
        return [line]
    parts = [""]
    for piece in _PIECE.findall(line):
        if parts[-1] and cell_width(parts[-1] + piece.rstrip()) > width:
            parts.append("")
        *whole, rest = _chopped(piece, width)
        parts[-1:] = [*whole, rest] if whole else [parts[-1] + rest]
    return [part.rstrip() for part in parts]


def _chopped(piece: str, width: int) -> list[str]:
    """Cut a word that is longer than a line; the blanks behind it stay with its end."""
    chops, taken = [""], 0
    for character in piece:
        size = cell_width(character)
        if taken + size > width and chops[-1] and not character.isspace():
            chops.append("")
            taken = 0
        chops[-1] += character
        taken += size
    return chops


def _line(table: Table, widths: list[int], parts: tuple[str, ...]) -> str:
    padded = []
    for name, width, part in zip(table.columns, widths, parts, strict=True):
        blanks = " " * (width - cell_width(part))
        padded.append(blanks + part if name in table.right else part + blanks)
    return (" " + (" " * table.gap).join(padded)).rstrip()
