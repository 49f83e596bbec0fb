"""Columns of others: which of ours each is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memctl.base.errors import UnusableInputError, UsageError
from memctl.base.near_words import one_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = ["check_columns"]

# One of these says what a record is about; without any there is nothing to take.
_NEEDED = frozenset({"text", "value", "summary", "term"})


def check_columns(names: Iterable[str], columns: Mapping[str, str], what: str) -> None:
    """Refuse a table of which no column can be taken, or that lacks one which was named.

    Raises
    ------
    UsageError
        When a column that was named is not there.
    UnusableInputError
        When no column is a text of ours.
    """
    names = list(names)
    lacking = [theirs for theirs in columns if theirs not in names]
    if lacking:
        raise UsageError(f'{what} has no column "{lacking[0]}"', hint=one_of(lacking[0], names))
    if not _NEEDED & {columns.get(name, name) for name in names}:
        raise UnusableInputError(
            f"{what} has no column text, summary or term; it has: {', '.join(names) or 'none'}",
            hint="say which is: --column body=text",
        )
