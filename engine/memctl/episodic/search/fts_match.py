"""Which rows of the word index match an expression, in bounded work."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple
from weakref import WeakKeyDictionary

from memctl.episodic.search.ranking_constants import GATHERED
from memctl.episodic.unindexed import rows_of_both
from memctl.store import statements

if TYPE_CHECKING:
    from memctl.episodic.recall_filters import Filters
    from memctl.store.store import Store

__all__ = ["Holders", "common_words", "holders_of", "matching_rows"]

SQL = statements.load("store/episodic_recall")

# Words of which a process keeps how common they are.
_MOST_KEPT = 2_000
# Of each store, how many rows hold its common words, and the mark under which they were counted.
_kept: WeakKeyDictionary[Store, tuple[tuple[int, int, int], dict[str, int]]] = WeakKeyDictionary()


class Holders(NamedTuple):
    """The rows that match an expression.

    Parameters
    ----------
    total
        How many there are; from GATHERED on an estimate.
    rows
        All of them; none where the number is an estimate.
    """

    total: int
    rows: frozenset[int]


def common_words(store: Store) -> dict[str, int]:
    """Return how many rows match the expressions of a store that were dear to count.

    They are asked for again and again, so `holders_of` adds to them. What was counted holds for
    as long as nothing but activity is written, by whomever; the answers are those of counting
    anew. Inside of a transaction nothing is kept.

    Parameters
    ----------
    store
        Inside of a snapshot, its waiting turns in the index.
    """
    if store.writing:
        return {}  # what is written in this transaction has no mark yet
    mark = store.version()
    kept = _kept.get(store)
    if kept is None or kept[0] != mark or len(kept[1]) > _MOST_KEPT:
        kept = _kept[store] = mark, {}
    return kept[1]


def holders_of(store: Store, match: str, *, last: int, common: dict[str, int]) -> Holders:
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
        return Holders(common[match], frozenset())
    *waiting, indexed = rows_of_both(store, SQL.matching_first, {"match": match, "most": GATHERED})
    newer = [number for row in waiting for number in _numbers(row["ids"])]
    room = GATHERED - indexed["held"]
    if len(newer) < room:
        return Holders(indexed["held"] + len(newer), frozenset(_numbers(indexed["ids"]) + newer))
    first = indexed["first_id"] if indexed["held"] else min(newer)
    reached = sorted(newer)[room - 1] if room else indexed["last_id"]
    total = round(GATHERED * (last - first + 2) / (reached - first + 2))
    common[match] = total
    return Holders(total, frozenset())


def matching_rows(
    store: Store, match: str, filters: Filters | None = None, *, few: bool = False
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
    if filters is not None and filters.narrows:
        sql = SQL.matching_filtered
        parameters |= filters.parameters()
    rows: list[int] = []
    for (ids,) in rows_of_both(store, sql, parameters):
        rows += _numbers(ids)
    return set(rows if len(rows) <= GATHERED else sorted(rows)[-GATHERED:])


def _numbers(ids: str | None) -> list[int]:
    """Return the numbers of a list that SQL wrote: as JSON in half the time of splitting it."""
    numbers: list[int] = json.loads(f"[{ids or ''}]")
    return numbers
