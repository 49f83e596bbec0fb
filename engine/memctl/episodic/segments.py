"""Keeps the word index in few segments: each is looked into for each word that is asked for.

FTS5 writes every commit as a segment of its own and merges four of a size into one, so a large
index has about ten. A look-up costs as much in each, and a misspelt word is looked up in some
hundreds of spellings.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from memctl.base.errors import MemctlError
from memctl.store import statements

if TYPE_CHECKING:
    from memctl.store.store import Store

SQL = statements.load("store/search_words")

# The largest is written anew once the others have grown to this share of all pages, so that a
# row is rewritten as seldom as the index grows by that much.
_DUE = 0.25
# Pages (4,050 bytes) a transaction: a quarter of a second, so that no other writer waits longer.
_STEP = 500


class Segments(NamedTuple):
    """Size of the word index: its segments, their pages, and the pages of the largest."""

    number: int
    pages: int
    largest: int


def segments_of(store: Store) -> Segments:
    """Return the segments of the word index."""
    return Segments(*store.rows(SQL.segment_sizes)[0])


def merge_if_due(store: Store) -> None:
    """Merge the segments where this is worth its while; leave it where it cannot be done now.

    Nothing is lost by leaving it: the store is read-only, another process writes, the disk is
    full. Inside of a caller's transaction it would only make that longer.
    """
    if store.readonly or store.writing:
        return
    with suppress(MemctlError):
        _, pages, largest = segments_of(store)
        if pages - largest >= _DUE * pages > 0:
            with store.at_once():
                merge_segments(store)


def merge_segments(store: Store) -> None:
    """Make the word index one segment, in steps between which others may write.

    Notes
    -----
    A step that is interrupted is taken back by SQLite; the steps before it stay, and the index
    is whole at any time (https://www.sqlite.org/fts5.html#the_merge_command).
    """
    number, pages, _ = segments_of(store)
    # Each page is read and written once; what others add meanwhile is the next merge's.
    for _ in range(2 + 2 * pages // _STEP):
        if number <= 1:
            return
        with store.transaction(activity=True):
            store.execute(SQL.merge_segments, {"pages": -_STEP})
        number = segments_of(store).number
