"""Which rows of the word index match an expression: the newest, never more than GATHERED."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memctl import queries
from memctl.episodic.constants import GATHERED
from memctl.episodic.waiting import rows_of_both

if TYPE_CHECKING:
    from memctl.episodic.filters import Filters
    from memctl.store import Store

__all__ = ["matching_rows"]

SQL = queries.load("store/episodic_recall")


def matching_rows(
    store: Store, match: str, filters: Filters | None = None, *, few: bool = False
) -> list[int]:
    """Return the newest rows that match an FTS5 expression and pass the filters, newest first.

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
    found = [ids for (ids,) in rows_of_both(store, sql, parameters) if ids]
    rows = map(int, ",".join(found).split(",")) if found else ()
    return sorted(rows, reverse=True)[:GATHERED]
