"""What an answer depended on beside the question: enough to search again as at that time."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from memctl.search.index.index_rows import IndexSize

__all__ = ["Past"]


class Past(NamedTuple):
    """The state of a store as one search saw it.

    Parameters
    ----------
    size
        The size of the index, and its highest rows.
    names
        The known participants that the question names.
    years
        The first and last year that a date without one may be of.
    seen_at
        When it was asked: what was archived later was there.
    """

    size: IndexSize
    names: tuple[str, ...]
    years: tuple[int, int]
    seen_at: str
