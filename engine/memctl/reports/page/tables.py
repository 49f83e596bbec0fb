"""Tables of the page, and their cells as people read them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from memctl.base.counting import counted
from memctl.reports.answers import Answer, Column

if TYPE_CHECKING:
    from memctl.reports.answers import Cell, Kind, Report
    from memctl.reports.page.graph import Graph

__all__ = [
    "ColumnHead",
    "ShownCell",
    "Table",
    "lasting",
    "shown",
    "sized",
    "table_of",
    "transition_table",
]

_UNITS = ("B", "kB", "MB", "GB", "TB")
_UNIT = 1000
_SPANS = (("day", 1), ("hour", 24), ("minute", 1_440), ("second", 86_400))
_DAY_MINUTES = "YYYY-MM-DDTHH:MM"
_LONGEST = 300  # letters of a text in a table; the rest is in the store
_UNKNOWN = "\N{EN DASH}"
_TEN = 10


@dataclass(frozen=True, slots=True)
class ShownCell:
    """A cell of a table.

    Parameters
    ----------
    text
        What is read.
    value
        What it is sorted by; ``None``: its text, ``""``: last, because it is not known.
    align
        A class of the style sheet: ``"num"`` or ``""``.
    """

    text: str
    value: str | None
    align: str


def shown(cell: Cell, kind: Kind) -> ShownCell:
    """Return a cell as the page shows it."""
    if cell is None:
        return ShownCell(_UNKNOWN, "", "" if kind in {"text", "at"} else "num")
    if kind == "at":
        text = str(cell)
        return ShownCell(text[: len(_DAY_MINUTES)].replace("T", " "), text, "")
    if isinstance(cell, str):
        return ShownCell(_short(cell), None, "")
    return ShownCell(_number(cell, kind), repr(cell), "num")


def sized(number: float) -> str:
    """Return bytes in the unit that leaves one to three digits before the point."""
    for unit in _UNITS:
        if abs(number) < _UNIT or unit == _UNITS[-1]:
            break
        number /= _UNIT
    return f"{number:.0f} {unit}" if unit == "B" else f"{number:.1f} {unit}"


def lasting(days: float) -> str:
    """Return a length of time in the largest unit of which there is one."""
    for unit, per_day in _SPANS:
        if days * per_day >= 1:
            return _length(days * per_day, unit)
    return _length(days * _SPANS[-1][1], _SPANS[-1][0])


def _length(number: float, unit: str) -> str:
    """Return ``"1 day"``, ``"2.5 hours"``."""
    text = f"{number:,.1f}".removesuffix(".0")
    return f"{text} {unit}" if text == "1" else f"{text} {unit}s"


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "\N{HORIZONTAL ELLIPSIS}"


def _number(cell: float, kind: Kind) -> str:
    if kind == "share":
        return f"{cell:.1%}"
    if kind == "bytes":
        return sized(cell)
    if kind == "days":
        return f"{cell:,.1f} d"
    if kind == "ms":
        return f"{cell:,.0f} ms" if abs(cell) >= _TEN else f"{cell:.1f} ms"
    if kind == "id":
        return str(cell)
    return f"{cell:,}" if isinstance(cell, int) else f"{cell:,.4g}"


@dataclass(frozen=True, slots=True)
class ColumnHead:
    """A column of a table; ``align`` as of its cells."""

    name: str
    about: str
    align: str


@dataclass(frozen=True, slots=True)
class Table:
    """A table of the page.

    Parameters
    ----------
    anchor
        Its id, unique on the page.
    of
        What its title is about, for those who hear it alone: ``", harbor"``.
    count
        How many rows there are, in words.
    left_out
        What to say where not all of them are shown; empty otherwise.
    """

    anchor: str
    title: str
    of: str
    about: str
    count: str
    columns: tuple[ColumnHead, ...]
    rows: tuple[tuple[ShownCell, ...], ...]
    left_out: str


def table_of(report: Report, answer: Answer, *, most: int) -> Table:
    """Return an answer as a table of at most `most` rows."""
    return _table(
        answer,
        anchor=anchor_of(report.name, answer.name),
        of=f", {report.name}",
        most=most,
        rest=f"the rest: memctl report {report.name} --json",
    )


def anchor_of(report: str, answer: str) -> str:
    """Return the id of an answer's table."""
    return f"answer-{report}-{answer}"


def transition_table(graph: Graph, *, store: str, anchor: str) -> Table:
    """Return the transitions of a graph as a table: what its picture says, in words."""
    columns = (
        Column("from", "text", "the screen it starts from"),
        Column("act", "text", "what is done there"),
        Column("to", "text", "the screen it leads to"),
        Column("chance", "share", "lower 95 % bound that it leads there (Wilson)"),
        Column("done", "count", "how often it was done"),
        Column("failed", "count", "how often it did not lead there"),
        Column("time", "ms", "mean of the timed successes"),
        Column("last_done", "at", "when it was done last"),
    )
    rows = tuple(
        (
            graph.name(transition.from_state),
            transition.action,
            graph.name(transition.to_state),
            transition.probability,
            transition.count,
            transition.failures,
            transition.mean_ms,
            transition.last_used_at,
        )
        for link in graph.links
        for transition in link.transitions
    )
    about = "What the picture shows, as a table: every act, where it leads, and how surely."
    answer = Answer("transitions", "Transitions between screens", about, columns, rows)
    return _table(answer, anchor=anchor, of=f" of {store}", most=len(rows), rest="")


def _table(answer: Answer, *, anchor: str, of: str, most: int, rest: str) -> Table:
    kinds = [column.kind for column in answer.columns]
    rows = tuple(
        tuple(shown(cell, kind) for cell, kind in zip(row, kinds, strict=True))
        for row in answer.rows[:most]
    )
    missing = len(answer.rows) - len(rows)
    return Table(
        anchor=anchor,
        title=answer.title,
        of=of,
        about=answer.about,
        count=counted(len(answer.rows), "row"),
        columns=tuple(
            ColumnHead(column.name.replace("_", " "), column.about, _align(column))
            for column in answer.columns
        ),
        rows=rows,
        left_out=f"{missing:,} more rows are left out; {rest}" if missing else "",
    )


def _align(column: Column) -> str:
    return "" if column.kind in {"text", "at"} else "num"
