"""Tables of the page: names instead of ids, links to what rows are about, and its pictures."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from memctl.base.counting import counted
from memctl.reports.answers import Answer, Column, cell_text, shortened
from memctl.reports.page.graph import chance_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from memctl.reports.answers import Cell, Kind, Report
    from memctl.reports.page.pictures import ShownLook
    from memctl.reports.page.stores import StoreView

MOST_ROWS = 100
"""Rows of one table; the others are a command away."""
_LONGEST = 300  # letters of a text in a table; the rest is in the store
_PICTURE = Column("picture", "text", "how it looks; before and after, where it changed")
# A column of ids, and the column of names that says the same to people: the first is left out,
# and the second leads to the thing.
_NAMED_BY = {"component_id": "name", "ids": "names", "state_id": "screen"}


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
    target
        Id of what on the page it is about; empty: nothing.
    looks
        Pictures that stand in it instead of the text.
    """

    text: str
    value: str | None
    align: str
    target: str = ""
    looks: tuple[ShownLook, ...] = ()


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
    columns
        Name, meaning and alignment of each.
    left_out
        How many rows are not shown, and the command that prints them; empty where all are.
    """

    anchor: str
    title: str
    of: str
    about: str
    count: str
    columns: tuple[tuple[str, str, str], ...]
    rows: tuple[tuple[ShownCell, ...], ...]
    nothing: str
    left_out: str


def anchor_of(answer: str) -> str:
    """Return the id of the table of an answer such as ``health.stale``."""
    return f"answer-{answer.replace('.', '-')}"


def shown(cell: Cell, kind: Kind) -> ShownCell:
    """Return a cell as the page shows it."""
    text = shortened(cell_text(cell, kind), _LONGEST)
    if cell is None:
        return ShownCell(text, "", _align(kind))
    if isinstance(cell, str):
        return ShownCell(text, cell if kind == "at" else None, "")
    return ShownCell(text, repr(cell), "num")


def _align(kind: Kind) -> str:
    return "" if kind in {"text", "at"} else "num"


def table_of(report: Report, answer: Answer, views: Mapping[str, StoreView]) -> Table:
    """Return an answer as a table that is linked to what it is about on the page.

    `views` are what the page shows of the stores, by their names.
    """
    rest = f"memctl report {report.name} --json"
    return _table(answer, anchor_of(f"{report.name}.{answer.name}"), report.name, rest, views)


def asked_looks(answer: Answer) -> list[tuple[str, str]]:
    """Return store and id of what an answer's table shows pictures of.

    Screens are shown where they left their band: elsewhere their picture says nothing.
    """
    about = next(iter(_named(answer)), None)
    return [
        (str(row["store"]), _first_id(row[about]))
        for row in answer.records()[:MOST_ROWS]
        if about and row[about] is not None and _is_pictured(about, row)
    ]


def transition_table(view: StoreView) -> Table:
    """Return the transitions of a store as a table: the graph in words."""
    graph = view.graph
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
            graph.names[way.from_state],
            way.action,
            graph.names[way.to_state],
            chance_of(way),
            way.count,
            way.failures,
            way.mean_ms,
            way.last_used_at,
        )
        for link in graph.links
        for way in link.transitions
    )
    about = "What the picture shows, as a table: every act, where it leads, and how surely."
    answer = Answer("transitions", "Transitions between screens", about, columns, rows)
    return _table(answer, f"{view.anchor}-transitions", view.name, "memctl transitions list", {})


def _table(
    answer: Answer, anchor: str, of: str, rest: str, views: Mapping[str, StoreView]
) -> Table:
    named = _named(answer)
    columns = [column for column in answer.columns if column.name not in named]
    records = answer.records()[:MOST_ROWS]
    looks = [_looks(record, named, views) for record in records]
    rows = [
        tuple(_linked(record, column, named, views) for column in columns) for record in records
    ]
    if any(looks):
        columns = [_PICTURE, *columns]
        rows = [
            (ShownCell("", "", "", looks=each), *cells)
            for each, cells in zip(looks, rows, strict=True)
        ]
    more = len(answer.rows) - len(rows)
    return Table(
        anchor=anchor,
        title=answer.title,
        of=f", {of}",
        about=answer.about,
        count=counted(len(answer.rows), "row"),
        columns=tuple(
            (column.name.replace("_", " "), column.about, _align(column.kind)) for column in columns
        ),
        rows=tuple(rows),
        nothing=answer.nothing,
        left_out=f"{counted(more, 'more row')}: {rest}" if more else "",
    )


def _named(answer: Answer) -> Mapping[str, str]:
    """Return the columns of ids that have a column of names, and the latter.

    Ids without names beside them are those of facts and episodes.
    """
    names = {column.name for column in answer.columns}
    return {ids: name for ids, name in _NAMED_BY.items() if {ids, name} <= names}


def _first_id(cell: Cell) -> str:
    return str(cell).partition(", ")[0]


def _is_pictured(ids: str, record: Mapping[str, Cell]) -> bool:
    return ids != "state_id" or record.get("alarm") is not None


def _looks(
    record: Mapping[str, Cell], named: Iterable[str], views: Mapping[str, StoreView]
) -> tuple[ShownLook, ...]:
    view = views.get(str(record.get("store")))
    for ids in named:
        looks = view.looks.get(_first_id(record[ids]), ()) if view else ()
        if looks and _is_pictured(ids, record):
            # Those that are listed in one cell share this picture, whatever each was before.
            return (replace(looks[-1], when=""),) if ids == "ids" else looks
    return ()


def _linked(
    record: Mapping[str, Cell],
    column: Column,
    named: Mapping[str, str],
    views: Mapping[str, StoreView],
) -> ShownCell:
    """Return a cell that leads to what it names; the id of a state becomes the state's name."""
    cell = shown(record[column.name], column.kind)
    ids = next((each for each, name in named.items() if name == column.name), column.name)
    view = views.get(str(record.get("store")))
    if view is None or not ids.endswith(("_id", "ids")) or record[ids] is None:
        return cell
    first = _first_id(record[ids])
    if ids in named:
        return replace(cell, target=view.anchors.get(first, ""))
    # A bare id may be that of a component or of something else: its row says of what.
    if not (first.startswith("s_") or str(record.get("kind")).startswith("component")):
        return cell
    text = view.names.get(first, cell.text)
    return replace(cell, target=view.anchors.get(first, ""), text=text)
