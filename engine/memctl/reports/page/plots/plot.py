"""A plot of the page, and readers for its rows."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from markupsafe import Markup

    from memctl.reports.answers import Cell

    Record = Mapping[str, Cell]


@dataclass(frozen=True, slots=True)
class Plot:
    """A plot and what is said of it.

    Parameters
    ----------
    name
        Unique on the page: what its ids begin with.
    of
        The store or screen that it is about; empty where it is about all.
    about
        What is to be seen, in words: who does not see it reads this and the table.
    table
        Id of the table with its figures.
    keys
        What its lines or stacked bars are, in the order of the style sheet's series.
    marks
        Which of these.
    """

    name: str
    title: str
    of: str
    about: str
    table: str
    svg: Markup
    keys: tuple[str, ...] = ()
    marks: Literal["lines", "bars"] = "lines"


def number(record: Record, column: str) -> float:
    """Return a cell as a number; what is not known is 0."""
    cell = record[column]
    return float(cell) if isinstance(cell, (int, float)) else 0.0


def text(record: Record, column: str) -> str:
    """Return a cell as a text; what is not known is empty."""
    cell = record[column]
    return "" if cell is None else str(cell)


def day(record: Record, column: str = "day") -> int:
    """Return the number of the day that a cell names, as `datetime.date.toordinal` counts.

    The cell is a day such as ``2026-11-20``, or a time of it. Raises ValueError for others.
    """
    return date.fromisoformat(text(record, column)[:10]).toordinal()


def dated(records: Iterable[Record], column: str = "day") -> list[Record]:
    """Return the records whose cell names a day, in the order of the days."""
    found = []
    for record in records:
        try:
            found.append((day(record, column), record))
        except ValueError:
            continue  # a time that somebody wrote by hand
    return [record for _, record in sorted(found, key=lambda pair: pair[0])]


def by(records: Iterable[Record], *columns: str) -> dict[tuple[str, ...], list[Record]]:
    """Return the records by the texts of some columns, in the order they first occur."""
    found: dict[tuple[str, ...], list[Record]] = {}
    for record in records:
        found.setdefault(tuple(text(record, column) for column in columns), []).append(record)
    return found
