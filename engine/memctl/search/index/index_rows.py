"""Rows of the word index over turns, episodes and facts: numbers, size and texts.

A row's number is the id of its turn, 2^48 and the id of its episode, or 2^49 and the number of its
fact, so that each kind is one range.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from memctl.search.index.unindexed import unindexed_sizes
from memctl.store import statements

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable

    from memctl.store.store import Store

SQL = statements.load("store/search")

_BITS = 48
_KINDS = ("turn", "episode", "fact")
TURN, EPISODE, FACT = range(3)


class Marks(NamedTuple):
    """The highest id of each kind that a search sees: what is added later is not there for it."""

    turn: int
    episode: int
    fact: int


@dataclass(frozen=True, slots=True)
class IndexSize:
    """Size of the index.

    Parameters
    ----------
    rows, mean_words
        Its rows, and their mean number of words.
    marks
        The highest ids.
    changes
        The last change of a row that was there before.
    first, last
        When the first and last turn or episode happened; empty where there is none.
    """

    rows: int
    mean_words: float
    marks: Marks
    changes: int = 0
    first: str = ""
    last: str = ""


def row_of(kind: int, number: int) -> int:
    """Return the index row of a turn, an episode or a fact."""
    # Facts begin at 2^49, which is twice the beginning of the episodes.
    return (kind << _BITS) + number


def kind_of(row: int) -> int:
    """Return TURN, EPISODE or FACT."""
    return row >> _BITS


def kind_and_id(row: int) -> tuple[str, int]:
    """Return the kind and the id (a fact's number) of a row of the index."""
    return _KINDS[row >> _BITS], row & (1 << _BITS) - 1


def ids_of(rows: Iterable[int], kind: int) -> str:
    """Return the ids of the rows of one kind, as JSON; an empty list where there are none."""
    base = kind << _BITS
    return str([row - base for row in rows if row >> _BITS == kind])


def size_of(store: Store) -> IndexSize:
    """Return the size of the index, in constant time, from FTS5's own averages record."""
    averages, changes, *counted = store.rows(SQL.index_size)[0]
    marks, times = Marks(*counted[:3]), [time for time in counted[3:] if time]
    rows, words = (*varints(averages or b""), 0, 0)[:2]
    unindexed = [varints(sizes)[0] for sizes in unindexed_sizes(store)]
    rows, words = rows + len(unindexed), words + sum(unindexed)
    mean = words / rows if rows and words else 1.0
    first, last = min(times, default=""), max(times, default="")
    return IndexSize(rows, mean, marks, changes, first, last)


def texts_of(store: Store, rows: Iterable[int]) -> dict[int, sqlite3.Row]:
    """Return the columns of turns, episodes and facts, by row of the index."""
    wanted = list(rows)
    result: dict[int, sqlite3.Row] = {}
    for kind, sql in enumerate((SQL.turn_texts, SQL.episode_texts, SQL.fact_texts)):
        ids = ids_of(wanted, kind)
        if ids != "[]":
            result |= {cells["index_id"]: cells for cells in store.rows(sql, {"ids": ids})}
    return result


def indexed_text(cells: sqlite3.Row) -> str:
    """Return the indexed text of a row: text, details, tags and participants."""
    if cells["kind"] == "fact":
        return str(cells["index_text"])
    return "\n".join(cells[name] for name in ("text", "details", "tags", "participants"))


def varints(record: bytes) -> list[int]:
    """Decode SQLite's variable-length integers (https://www.sqlite.org/fileformat.html#varint)."""
    numbers, value = [], 0
    for byte in record:
        value = value << 7 | byte & 0x7F
        if not byte & 0x80:
            numbers.append(value)
            value = 0
    return numbers
