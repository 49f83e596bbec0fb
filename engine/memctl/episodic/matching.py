"""Which rows of the word index match an expression, in bounded work."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple
from weakref import WeakKeyDictionary

from memctl import queries
from memctl.episodic.constants import GATHERED
from memctl.episodic.waiting import rows_of_both

if TYPE_CHECKING:
    from memctl.episodic.filters import Filters
    from memctl.store import Store

__all__ = ["CommonWords", "Holders", "holders_of", "matching_rows"]

SQL = queries.load("store/episodic_recall")


# Words of which a process keeps how common they are.
_MOST_KEPT = 2_000


class CommonWords:
    """How many rows hold the common words of a store: asked for again and again, dear to count.

    What was counted holds for as long as nothing but activity is written, by whomever; so the
    answers are those of counting anew.

    Parameters
    ----------
    store
        Inside of a snapshot, its waiting turns in the index.
    """

    _kept: ClassVar[WeakKeyDictionary[Store, tuple[tuple[int, ...], dict[str, int]]]] = (
        WeakKeyDictionary()
    )

    def __init__(self, store: Store) -> None:
        self.counts: dict[str, int] = {}
        if store.writing:
            return  # what is written in this transaction has no mark yet
        mark = store.version()
        kept = self._kept.get(store)
        if kept is None or kept[0] != mark or len(kept[1]) > _MOST_KEPT:
            kept = self._kept[store] = mark, {}
        self.counts = kept[1]


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


def holders_of(store: Store, match: str, *, last: int, common: CommonWords) -> Holders:
    """Return the rows that match an FTS5 expression, or how many they are where they are many.

    Parameters
    ----------
    last
        The highest number of a row in the index. Where the oldest GATHERED rows do not reach
        that far, those after them are taken to be as dense.
    common
        What is counted already.

    Notes
    -----
    From the oldest on, since FTS5 reads in this direction in two thirds of the time, and a
    common word is only counted here.
    """
    if match in common.counts:
        return Holders(common.counts[match], frozenset())
    *waiting, indexed = rows_of_both(store, SQL.matching_first, {"match": match, "most": GATHERED})
    newer = [number for row in waiting for number in _numbers(row["ids"])]
    room = GATHERED - indexed["held"]
    if len(newer) < room:
        return Holders(indexed["held"] + len(newer), frozenset(_numbers(indexed["ids"]) + newer))
    first = indexed["first_id"] if indexed["held"] else min(newer)
    reached = sorted(newer)[room - 1] if room else indexed["last_id"]
    total = round(GATHERED * (last - first + 2) / (reached - first + 2))
    common.counts[match] = total
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
