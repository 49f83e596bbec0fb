"""Tables of plain text: no library draws them.

They look as Rich draws them with its box ``SIMPLE_HEAD``, less the blanks at the ends of lines,
where they fit. Where they do not, texts are folded between words, and a long name stands on a line of
its own; a name, an id or a time never is broken, which Rich would do. Where even that does not fit,
or texts would become columns of single words, each row is a record. For programs a row is one line, whatever its length.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import zip_longest
from typing import TYPE_CHECKING, NamedTuple

from memctl.base.pattern import Pattern

if TYPE_CHECKING:
    from collections.abc import Sequence

# A word with the blanks behind it, or blanks that a line begins with.
_PIECE = Pattern(r"\S+\s*|\s+")
_EDGES = 2
# Blanks between columns.
_GAP = 2
# Cells of the longest word that a text is not broken in while there is another way: a time has 20,
# an id 14.
_WORD = 24
# Cells that a column of names keeps at least where longer names stand on lines of their own.
_NAME = 4
# Cells that a text of a row is padded to where a row is one line.
_PADDED = 40
# Cells from which on names stand below each other where texts are folded beside them.
_NAMES = 12
# How many times as many lines as records a table may take.
_TALL = 1.5
# Blanks before the second line of a record, and before a text that goes on.
_INDENT = 2


@dataclass
class Table:
    """Contents of a table, before it is drawn.

    Parameters
    ----------
    columns
        Headings; one may have several lines. Where all are empty, no line stands for them.
    right
        Headings of the columns that hold numbers: flush right, never folded.
    whole
        Headings of the columns that hold names, ids or times: no word of theirs is broken.
    """

    columns: tuple[str, ...]
    right: frozenset[str] = frozenset()
    cells: list[tuple[str, ...]] = field(default_factory=list)
    whole: frozenset[str] = frozenset()


class Drawn(NamedTuple):
    """The lines of a table: its headings, and its rows."""

    head: list[str]
    body: list[str]


def table_lines(table: Table, width: int) -> list[str]:
    """Return a table's lines, at most `width` terminal cells wide where its names let it.

    Text that is too long goes on in further lines, broken between words where it can be.
    """
    drawn = draw(table, width)
    return ["", *drawn.head, *drawn.body, ""]


def draw(table: Table, width: int, *, rule: str = "─") -> Drawn:
    """Return the lines of a table, as `table_lines` does, its headings apart."""
    layout = _layout(table, width)
    if layout is None:
        return Drawn([], _records(table, width))
    widths, folds = layout

    def lines(parts: list[tuple[str, ...]]) -> list[str]:
        return [_line(table, widths, part) for part in parts]

    head = lines(_parts(table, table.columns, widths, bottom=True))
    body = lines(
        [
            part
            for row in table.cells
            for spilt in _spilt(table, row, widths)
            for part in _parts(table, spilt, widths)
        ]
    )
    if folds:
        records = _records(table, width)
        if len(body) > _TALL * len(records):  # texts of a word or two a line
            return Drawn([], records)
    if not any(table.columns):
        return Drawn([], body)
    return Drawn(head, [" " + rule * (sum(widths) + _GAP * (len(widths) - 1)), *body])


def row_lines(table: Table) -> list[str]:
    """Return a table for programs: its headings and each row as one line, nothing cut or folded.

    Columns are two blanks apart, so that ``awk -F '  +'`` parts them.
    """
    head = [[_heading(name) for name in table.columns]] if any(table.columns) else []
    flat = [[" ".join(cell.split()) for cell in row] for row in (*head, *table.cells)]
    widths = [max(map(cell_width, column)) for column in zip(*flat, strict=True)]
    padded = [
        width if name in table.right | table.whole else min(width, _PADDED)
        for name, width in zip(table.columns, widths, strict=True)
    ]
    return [_line(table, padded, tuple(row)).removeprefix(" ") for row in flat]


def _heading(name: str) -> str:
    """Return a heading of several lines as one."""
    return name.replace("-\n", "").replace("\n", " ")


def _records(table: Table, width: int) -> list[str]:
    return [line for row in table.cells for line in _record(table, row, width)]


def _record(table: Table, row: tuple[str, ...], width: int) -> list[str]:
    """Return a row as a record: its first cell, then the others with their headings below it.

    What is short stands side by side; a text that is longer than a line is folded.
    """
    unbroken = table.whole | table.right
    lines = _folded(" ".join(row[0].split()), width, whole=table.columns[0] in unbroken)
    room = max(width - _INDENT, 1)
    for name, cell in zip(table.columns[1:], row[1:], strict=True):
        item = " ".join(f"{_heading(name)}: {cell}".split()) if name else cell
        beside = f"{lines[-1]}  {item}"
        if cell_width(beside) <= width:
            lines[-1] = beside
            continue
        whole = name in unbroken
        first, *rest = _folded(item, room, whole=whole)
        lines += [" " * _INDENT + first]
        if rest:
            further = _folded(item[len(first) :].lstrip(), max(room - _INDENT, 1), whole=whole)
            lines += [" " * 2 * _INDENT + part for part in further]
    return lines


def _spilt(table: Table, row: tuple[str, ...], widths: list[int]) -> list[tuple[str, ...]]:
    """Part a row behind each name that is longer than its column: what follows begins a line."""
    spilt: list[tuple[str, ...]] = []
    part: list[str] = []
    for name, cell, width in zip(table.columns, row, widths, strict=True):
        part.append(cell)
        if name in table.whole and any(cell_width(word) > width for word in cell.split()):
            spilt.append((*part, *[""] * (len(row) - len(part))))
            part = [""] * len(part)
    rest = (*part, *[""] * (len(row) - len(part)))
    return [*spilt, rest] if any(rest) or not spilt else spilt


def _layout(table: Table, width: int) -> tuple[list[int], bool] | None:
    """Return the width of each column, and whether anything is folded: words stay whole.

    ``None`` where there is no room for that.
    """
    columns = list(zip(table.columns, *table.cells, strict=True))
    wanted = [
        max(cell_width(line) for cell in column for line in cell.split("\n")) for column in columns
    ]
    room = width - _EDGES - _GAP * (len(wanted) - 1)
    if sum(wanted) <= room:
        return wanted, False
    words = [[cell_width(word) for cell in column for word in cell.split()] for column in columns]
    least: list[int] = []
    if not table.whole | table.right >= set(table.columns):  # its texts need the room
        wanted = [
            min(want, max(_least(held, want), _NAMES)) if name in table.whole else want
            for name, want, held in zip(table.columns, wanted, words, strict=True)
        ]
    for longest in (max(wanted), _WORD):
        least = [
            want if name in table.right else _least(held, want if name in table.whole else longest)
            for name, want, held in zip(table.columns, wanted, words, strict=True)
        ]
        if sum(least) <= room:
            return _fitted(wanted, least, room), True
    if not table.whole | table.right >= set(table.columns):
        return None  # its texts would have no room
    # The longest names may stand on lines of their own.
    names = [place for place, name in enumerate(table.columns[:-1]) if name in table.whole]
    widest = max(names, key=lambda place: least[place], default=None)
    if widest is None or sum(least) - least[widest] + _NAME > room:
        return None
    least[widest] -= sum(least) - room
    return least, True


def _least(words: Sequence[int], longest: int) -> int:
    """Return the width that breaks no word of at most so many cells."""
    return max((word for word in words if word <= longest), default=1)


def cell_width(text: str) -> int:
    """Return the cells of a terminal that a text takes: two for most Chinese characters."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def _fitted(wanted: Sequence[int], least: Sequence[int], room: int) -> list[int]:
    """Lower the widest columns to one level, none below its least width, until all fit."""

    def lowered(level: int) -> list[int]:
        return [max(low, min(one, level)) for one, low in zip(wanted, least, strict=True)]

    level = max((one for one in range(1, room + 1) if sum(lowered(one)) <= room), default=1)
    widths = lowered(level)
    for place, width in enumerate(wanted):  # what is left over
        if sum(widths) < room and widths[place] < width:
            widths[place] += 1
    return widths


def _parts(
    table: Table, row: tuple[str, ...], widths: list[int], *, bottom: bool = False
) -> list[tuple[str, ...]]:
    """Fold the cells of a row; return the cells of its lines, from the top or the bottom."""
    order = -1 if bottom else 1
    folded = [
        [
            part
            for line in cell.split("\n")
            for part in _folded(line, width, whole=name in table.whole)
        ][::order]
        for name, cell, width in zip(table.columns, row, widths, strict=True)
    ]
    return list(zip_longest(*folded, fillvalue=""))[::order]


def wrapped(text: str, width: int, *, hang: str = "", whole: bool = False) -> str:
    """Return a text in lines of at most `width` terminal cells, those behind the first hung in.

    A word that is longer than a line is broken, but where it is to stay `whole`.
    """
    room = width - len(hang)
    lines = (part for line in text.split("\n") for part in _folded(line, room, whole=whole))
    return f"\n{hang}".join(lines)


def _folded(line: str, width: int, *, whole: bool = False) -> list[str]:
    if cell_width(line) <= width:
        return [line]
    parts = [""]
    for piece in _PIECE.findall(line):
        if parts[-1] and cell_width(parts[-1] + piece.rstrip()) > width:
            parts.append("")
        *full, rest = [piece] if whole else _chopped(piece, width)
        parts[-1:] = [*full, rest] if full else [parts[-1] + rest]
    return [part.rstrip() for part in parts]


def _chopped(piece: str, width: int) -> list[str]:
    """Cut a word that is longer than a line; the blanks behind it stay with its end.

    It is cut behind a colon or a slash where one stands in the second half of the line.
    """
    chops, taken = [""], 0
    for character in piece:
        size = cell_width(character)
        if taken + size > width and chops[-1] and not character.isspace():
            cut = max(chops[-1].rfind(":"), chops[-1].rfind("/")) + 1
            cut = cut if 2 * cut > len(chops[-1]) else len(chops[-1])
            chops[-1:] = [chops[-1][:cut], chops[-1][cut:]]
            taken = cell_width(chops[-1])
        chops[-1] += character
        taken += size
    return chops


def _line(table: Table, widths: list[int], parts: tuple[str, ...]) -> str:
    padded = []
    for name, width, part in zip(table.columns, widths, parts, strict=True):
        blanks = " " * (width - cell_width(part))
        padded.append(blanks + part if name in table.right else part + blanks)
    return (" " + (" " * _GAP).join(padded)).rstrip()
