"""Tables of the page: answers of reports, and the ways of a graph."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from memctl.reports.answers import Answer, Column
from memctl.reports.page.cells import Shown, counted, shown

if TYPE_CHECKING:
    from memctl.reports.answers import Report
    from memctl.reports.page.graph import Graph

__all__ = ["Head", "Table", "table_of", "ways_of"]


@dataclass(frozen=True, slots=True)
class Head:
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
    columns: tuple[Head, ...]
    rows: tuple[tuple[Shown, ...], ...]
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


def ways_of(graph: Graph, *, store: str, anchor: str) -> Table:
    """Return the ways of a graph as a table: what its picture says, in words."""
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
            graph.name(way.from_state),
            way.action,
            graph.name(way.to_state),
            way.probability,
            way.count,
            way.failures,
            way.mean_ms,
            way.last_used_at,
        )
        for link in graph.links
        for way in link.ways
    )
    about = "What the picture shows, as a table: every act, where it leads, and how surely."
    answer = Answer("ways", "Transitions between screens", about, columns, rows)
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
            Head(column.name.replace("_", " "), column.about, _align(column))
            for column in answer.columns
        ),
        rows=rows,
        left_out=f"{missing:,} more rows are left out; {rest}" if missing else "",
    )


def _align(column: Column) -> str:
    return "" if column.kind in {"text", "at"} else "num"
