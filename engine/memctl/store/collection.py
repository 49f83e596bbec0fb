"""Base class of the collections of a store: counted with `len`, walked through, asked with `in`."""

from __future__ import annotations

import html
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from memctl.base.arguments import resolvable
from memctl.base.errors import MemctlError, NotFoundError, UsageError
from memctl.store.results import MOST_ROWS, rows_html

if TYPE_CHECKING:
    from memctl.store.store import Store

T = TypeVar("T")


@resolvable
class StoreCollection(Generic[T]):
    """The living members of one kind in an open store; none where there is no store yet."""

    _store: Store

    def _members(self) -> Sequence[T]:
        """Return every living member."""
        raise NotImplementedError

    def get(self, key: Any, /) -> object:
        """Return a member, marked as forgotten or not, by its id or name."""
        raise NotImplementedError

    def _size(self) -> int:
        return len(self._members())

    def __iter__(self) -> Iterator[T]:
        return iter(self._members() if self._store.exists else ())

    def __len__(self) -> int:
        return self._size() if self._store.exists else 0

    def __contains__(self, key: object) -> bool:
        """Return whether a living member has this id or name."""
        if isinstance(key, bool) or not isinstance(key, (str, int)) or not self._store.exists:
            return False
        try:
            member = self.get(key)
        except (NotFoundError, UsageError):
            return False
        return not any(getattr(member, mark, None) for mark in ("forgotten_at", "archived_at"))

    def _repr_html_(self) -> str:
        """Return a table of the first members, for notebooks."""
        try:
            members, size = list(islice(self, MOST_ROWS)), len(self)
        except (MemctlError, OSError):
            return html.escape(repr(self))
        return html.escape(repr(self)) + rows_html(members, size)

    def __repr__(self) -> str:
        """Return the kind, the store's address and the number of members; never raises."""
        try:
            told = str(len(self))
        except (MemctlError, OSError) as error:
            told = type(error).__name__
        return f"<memctl.{type(self).__name__} of {self._store.address}: {told}>"
