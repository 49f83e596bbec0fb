"""Tables of the page, and their cells as people read them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from memctl.base.counting import counted, sized
from memctl.reports.answers import Answer, Column

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memctl.reports.answers import Cell, Kind, Report
    from memctl.reports.page.graph import Graph
    from memctl.reports.page.looks import Shown

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
    target
        Id of what on the page it is about; empty: nothing.
    looks
        Pictures that stand in it instead of the text.
    """

    text: str
    value: str | None
    align: str
    target: str = ""
    looks: tuple[Shown, ...] = ()


@dataclass(frozen=True, slots=True)
class PagePlaces:
    """Where components and screens stand on the page, what they are called, how they look.

    Parameters
    ----------
    anchors
        Ids on the page, by store and the component's or state's id as text.
    names
        What states are called, by store and id.
    looks
        Pictures for tables, by store and id.
    """

    anchors: Mapping[tuple[str, str], str]
    names: Mapping[tuple[str, str], str]
    looks: Mapping[tuple[str, str], tuple[Shown, ...]]


_NOWHERE = PagePlaces({}, {}, {})
_PICTURE = Column("picture", "text", "how it looks; before and after, where it changed")
# A column of ids, and the column of names that says the same to people: the first is left out,
# and the second leads to the thing.
_NAMED_BY = {"component_id": "name", "state_id": "screen", "ids": "names"}
_PICTURED = ("component_id", "ids", "state_id")


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
    nothing
        What it means that there are no rows.
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
    nothing: str
    left_out: str


def table_of(report: Report, answer: Answer, *, most: int, places: PagePlaces = _NOWHERE) -> Table:
    """Return an answer as a table of at most `most` rows, linked to what it is about."""
    return _table(
        answer,
        anchor=anchor_of(report.name, answer.name),
        of=f", {report.name}",
        most=most,
        rest=f"the rest: memctl report {report.name} --json",
        places=places,
    )


def asked_looks(answer: Answer, *, most: int) -> list[tuple[str, str]]:
    """Return store and id of what an answer's table shows pictures of.

    Screens are shown where they left their band: elsewhere their picture says nothing.
    """
    names = [column.name for column in answer.columns]
    # Ids without names beside them are those of facts and episodes.
    about = next((name for name in _PICTURED if {name, _NAMED_BY[name]} <= set(names)), None)
    if about is None or (about == "state_id" and "alarm" not in names):
        return []
    return [
        (str(row["store"]), _first_id(row[about]))
        for row in answer.records()[:most]
        if row[about] is not None and (about != "state_id" or row["alarm"] is not None)
    ]


def _first_id(cell: Cell) -> str:
    return str(cell).partition(", ")[0]


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


def _table(
    answer: Answer,
    *,
    anchor: str,
    of: str,
    most: int,
    rest: str,
    places: PagePlaces = _NOWHERE,
) -> Table:
    rows, columns = _rows(answer, most, places)
    missing = len(answer.rows) - len(rows)
    return Table(
        anchor=anchor,
        title=answer.title,
        of=of,
        about=answer.about,
        count=counted(len(answer.rows), "row"),
        columns=tuple(
            ColumnHead(column.name.replace("_", " "), column.about, _align(column))
            for column in columns
        ),
        rows=rows,
        nothing=answer.nothing,
        left_out=f"{missing:,} more rows are left out; {rest}" if missing else "",
    )


def _rows(
    answer: Answer, most: int, places: PagePlaces
) -> tuple[tuple[tuple[ShownCell, ...], ...], list[Column]]:
    """Return the cells and columns as people need them: names for ids, and pictures first."""
    names = [column.name for column in answer.columns]
    told = {ids: name for ids, name in _NAMED_BY.items() if ids in names and name in names}
    columns = [column for column in answer.columns if column.name not in told]
    records = answer.records()[:most]
    pictures = [_looks(record, told, places) for record in records]
    rows = []
    for record, looks in zip(records, pictures, strict=True):
        cells = [
            _linked(shown(record[column.name], column.kind), column, record, told, places)
            for column in columns
        ]
        rows.append((ShownCell("", "", "", looks=looks), *cells) if any(pictures) else tuple(cells))
    return tuple(rows), [_PICTURE, *columns] if any(pictures) else columns


def _looks(
    record: Mapping[str, Cell], told: Mapping[str, str], places: PagePlaces
) -> tuple[Shown, ...]:
    for ids in told:
        if ids != "state_id" or record.get("alarm") is not None:
            looks = places.looks.get((str(record.get("store")), _first_id(record[ids])))
            if looks and ids == "ids":  # they share this one, whatever they looked like before
                return (replace(looks[-1], told=""),)
            if looks:
                return looks
    return ()


def _linked(
    cell: ShownCell,
    column: Column,
    record: Mapping[str, Cell],
    told: Mapping[str, str],
    places: PagePlaces,
) -> ShownCell:
    """Let a cell lead to what it names; an id of a state becomes the state's name."""
    ids = next((each for each, name in told.items() if name == column.name), column.name)
    if not ids.endswith(("_id", "ids")) or record[ids] is None:
        return cell
    key = str(record.get("store")), _first_id(record[ids])
    named = ids in told
    # A bare id may be that of a component or of something else: its row says of what.
    if not (named or key[1].startswith("s_") or str(record.get("kind")).startswith("component")):
        return cell
    text = cell.text if named else places.names.get(key, cell.text)
    return replace(cell, target=places.anchors.get(key, ""), text=text)


def _align(column: Column) -> str:
    return "" if column.kind in {"text", "at"} else "num"
