"""The word index of turns and episodes: its size, the rows that match, and their texts.

A row's number is twice the id of its turn, or twice the id of its episode and one.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple
from weakref import WeakKeyDictionary

from memctl.episodic.search.ranking_constants import GATHERED
from memctl.episodic.unindexed import rows_with_unindexed, unindexed_sizes
from memctl.store import statements

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable

    from memctl.episodic.recall_request import RecallRequest
    from memctl.store.store import Store

__all__ = [
    "IndexSize",
    "Postings",
    "common_words",
    "indexed_text",
    "kind_and_id",
    "matching_rows",
    "postings_of",
    "prompt_text",
    "size_of",
    "texts_of",
    "varints",
]

SQL = statements.load("store/episodic_recall")

# Words of which a process keeps how common they are.
_MOST_KEPT = 2_000
# Of each store, how many rows hold its common words, and the mark under which they were counted.
_kept: WeakKeyDictionary[Store, tuple[tuple[int, int, int], dict[str, int]]] = WeakKeyDictionary()


@dataclass(frozen=True, slots=True)
class IndexSize:
    """Size of the index: its rows, their mean number of words, and the highest row number."""

    rows: int
    mean_words: float
    last: int = 0


class Postings(NamedTuple):
    """The rows that match an FTS5 expression.

    Parameters
    ----------
    total
        How many there are; from GATHERED on an estimate.
    rows
        All of them; none where the number is an estimate.
    """

    total: int
    rows: frozenset[int]


def size_of(store: Store) -> IndexSize:
    """Return the size of the index, in constant time, from FTS5's own averages record."""
    rows, words = (*varints(store.value(SQL.index_averages) or b""), 0, 0)[:2]
    unindexed = [varints(sizes)[0] for sizes in unindexed_sizes(store)]
    rows, words = rows + len(unindexed), words + sum(unindexed)
    return IndexSize(rows, words / rows if rows and words else 1.0, int(store.value(SQL.last_row)))


def common_words(store: Store) -> dict[str, int]:
    """Return how many rows match the expressions of a store that were dear to count.

    They are asked for again and again, so `postings_of` adds to them. What was counted holds for
    as long as nothing but activity is written, by whomever; the answers are those of counting
    anew. Inside of a transaction nothing is kept.

    Parameters
    ----------
    store
        Inside of a snapshot, its unindexed rows read as well.
    """
    if store.writing:
        return {}  # what is written in this transaction has no mark yet
    mark = store.version()
    kept = _kept.get(store)
    if kept is None or kept[0] != mark or len(kept[1]) > _MOST_KEPT:
        kept = _kept[store] = mark, {}
    return kept[1]


def postings_of(store: Store, match: str, *, last: int, common: dict[str, int]) -> Postings:
    """Return the rows that match an FTS5 expression, or how many they are where they are many.

    Parameters
    ----------
    last
        The highest number of a row in the index. Where the oldest GATHERED rows do not reach
        that far, those after them are taken to be as dense.
    common
        What is counted already, by expression; a number that is an estimate is added.

    Notes
    -----
    From the oldest on, since FTS5 reads in this direction in two thirds of the time, and a
    common word is only counted here.
    """
    if match in common:
        return Postings(common[match], frozenset())
    *unindexed, indexed = rows_with_unindexed(
        store, SQL.matching_first, {"match": match, "most": GATHERED}
    )
    newer = [number for row in unindexed for number in _numbers(row["ids"])]
    room = GATHERED - indexed["held"]
    if len(newer) < room:
        return Postings(indexed["held"] + len(newer), frozenset(_numbers(indexed["ids"]) + newer))
    first = indexed["first_id"] if indexed["held"] else min(newer)
    reached = sorted(newer)[room - 1] if room else indexed["last_id"]
    total = round(GATHERED * (last - first + 2) / (reached - first + 2))
    common[match] = total
    return Postings(total, frozenset())


def matching_rows(
    store: Store, match: str, request: RecallRequest | None = None, *, few: bool = False
) -> set[int]:
    """Return the newest rows that match an FTS5 expression and pass the filters.

    Never more than GATHERED.

    Parameters
    ----------
    few
        Whether it is known that no more than some GATHERED rows match: FTS5 finds all of
        them from the first on in two thirds of the time that it takes from the last on.
    """
    parameters: dict[str, Any] = {"match": match, "most": GATHERED}
    sql = SQL.matching_few if few else SQL.matching
    if request is not None and request.narrows:
        sql = SQL.matching_filtered
        parameters |= request.parameters()
    rows: list[int] = []
    for (ids,) in rows_with_unindexed(store, sql, parameters):
        rows += _numbers(ids)
    return set(rows if len(rows) <= GATHERED else sorted(rows)[-GATHERED:])


def texts_of(store: Store, rows: Iterable[int]) -> dict[int, sqlite3.Row]:
    """Return the columns of turns and episodes, by row of the index."""
    wanted = list(rows)
    found: dict[int, sqlite3.Row] = {}
    for bit, sql in enumerate((SQL.turn_texts, SQL.episode_texts)):
        ids = [row >> 1 for row in wanted if row & 1 == bit]
        if ids:
            found |= {
                cells["index_id"]: cells for cells in store.rows(sql, {"ids": json.dumps(ids)})
            }
    return found


def prompt_text(cells: sqlite3.Row) -> str:
    """Return the text of a row as it would stand in a prompt."""
    return "\n".join(
        part for part in (cells["happened_at"], cells["participants"], cells["text"]) if part
    ) + (f"\n{cells['details']}" if cells["details"] else "")


def indexed_text(cells: sqlite3.Row) -> str:
    """Return the indexed text of a row: text, details, tags and participants."""
    return "\n".join(cells[name] for name in ("text", "details", "tags", "participants"))


def kind_and_id(row: int) -> tuple[str, int]:
    """Return the kind and the id of the turn or episode that a row of the index stands for."""
    return ("episode" if row & 1 else "turn"), row >> 1


def varints(record: bytes) -> list[int]:
    """Decode SQLite's variable-length integers (https://www.sqlite.org/fileformat.html#varint)."""
    numbers, value = [], 0
    for byte in record:
        value = value << 7 | byte & 0x7F
        if not byte & 0x80:
            numbers.append(value)
            value = 0
    return numbers


def _numbers(ids: str | None) -> list[int]:
    """Return the numbers of a list that SQL wrote: as JSON in half the time of splitting it."""
    numbers: list[int] = json.loads(f"[{ids or ''}]")
    return numbers
