"""Pages of lists: some rows, and how many there are in all."""

from __future__ import annotations

from operator import itemgetter
from typing import TYPE_CHECKING, Any, TypeVar

from memctl.base.arguments import resolvable
from memctl.base.errors import UsageError
from memctl.store.results import rows_html

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from memctl.store.store import Store

T = TypeVar("T")
U = TypeVar("U")


@resolvable
class ListPage(list[T]):
    """Some of the members of a list, in its order.

    Parameters
    ----------
    total
        How many the list holds; by default no more than these.
    offset
        How many of them come before this page.
    next_after
        Where the next page begins, for a list that takes ``after``; ``None`` behind the last.
    """

    def __init__(
        self,
        members: Iterable[T] = (),
        *,
        total: int | None = None,
        offset: int = 0,
        next_after: str | None = None,
    ) -> None:
        super().__init__(members)
        self.total = offset + len(self) if total is None else total
        self.offset = offset
        self.next_after = next_after

    def _repr_html_(self) -> str:
        """Return a table of the first members, for notebooks."""
        return rows_html(self, self.total)

    @property
    def left(self) -> int:
        """Number of members of the list after this page."""
        return max(self.total - self.offset - len(self), 0)

    def of(self, records: Mapping[T, U]) -> ListPage[U]:
        """Return the page with the record of each member instead of it."""
        return ListPage(
            (records[member] for member in self),
            total=self.total,
            offset=self.offset,
            next_after=self.next_after,
        )

    @property
    def next_offset(self) -> int | None:
        """Offset of the next page; ``None`` where this is the last."""
        return self.offset + len(self) if self and self.left else None


def page_of(members: Sequence[T], limit: int | None) -> ListPage[T]:
    """Return the first of some members as a page; all where `limit` is ``None`` or -1."""
    total = members.total if isinstance(members, ListPage) else len(members)
    return ListPage(members[: _most(limit)], total=total)


def read_page(
    store: Store,
    sql: str,
    parameters: Mapping[str, Any],
    make: Callable[[sqlite3.Row], T],
    limit: int | None,
    after: str | None = None,
) -> ListPage[T]:
    """Read the first rows of a query that has no limit of its own, and count all of them.

    Parameters
    ----------
    make
        Makes a member of a row.
    limit
        Most rows; ``None`` or -1 for all.
    after
        The place that the rows are behind, for a query that has a ``listed_at`` and takes
        `place_after`; these are not counted.
    """
    most = _most(limit)
    if most is not None and after is not None:
        rows = store.rows(f"{sql}\nlimit :most", {**parameters, "most": most + 1})
        return page_after(rows, make, most, itemgetter("listed_at", "id"))
    if most is None:
        return ListPage(map(make, store.rows(sql, parameters)))
    with store.snapshot():
        rows = store.rows(f"{sql}\nlimit :most", {**parameters, "most": most})
        total = len(rows)
        if total == most:
            total = int(store.value(counting(sql), parameters))
    return ListPage(map(make, rows), total=total)


def place_after(after: str | None) -> dict[str, str | None]:
    """Return the parameters of a list that begins after a place: ``after_at`` and ``after_id``.

    Raises
    ------
    UsageError
        When it is no place that a page has named.
    """
    at, separator, id_ = (after or "").partition("~")
    if after and not (separator and at and id_):
        raise UsageError(f'"{after:.40}" is no place in a list', hint="take next_after of a page")
    return {"after_at": at or None, "after_id": id_ or None}


def page_after(
    rows: Sequence[sqlite3.Row],
    make: Callable[[sqlite3.Row], T],
    limit: int,
    place: Callable[[sqlite3.Row], tuple[str, object]],
) -> ListPage[T]:
    """Return a page of at most `limit` rows; of a row more is only known that there is one.

    Parameters
    ----------
    rows
        One more than `limit` where there are as many.
    place
        Time and id of a row, by which the list is ordered.
    """
    shown = rows[:limit]
    more = len(rows) > limit
    at, id_ = place(shown[-1]) if more else ("", "")
    return ListPage(map(make, shown), total=len(rows), next_after=f"{at}~{id_}" if more else None)


def counting(sql: str) -> str:
    """Return the statement that counts the rows of another, which is one of ours."""
    return f"select count(*) from ({sql})"  # noqa: S608


def _most(limit: int | None) -> int | None:
    return None if limit is None or limit < 0 else limit
