"""Packs the rows of an answer into its limits: a list as far as it goes, passages of long rows."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from memctl.search.answer.passages import is_long, joined, passages_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memctl.search.answer.passages import Passage
    from memctl.search.question.asked_values import Listing
    from memctl.search.question.concepts import Concept
    from memctl.search.ranking.listing import ListRows
    from memctl.search.ranking.ranking import Ranked
    from memctl.search.ranking.worth import Worth
    from memctl.search.recall_request import RecallRequest
    from memctl.search.recall_results import Row
    from memctl.text.splitting import Splitter

__all__ = ["listed", "packed"]

# Rows of a list where no limit is given.
_MOST_OF_A_LIST = 20


def listed(
    rows: Sequence[tuple[Ranked, Worth]],
    listing: Listing,
    of_list: ListRows,
    request: RecallRequest,
) -> tuple[list[tuple[Ranked, Worth]], int]:
    """Return the rows of a list that its limit lets in, and how many more belong to it.

    Where no limit is given, a list goes on past the usual number for as long as rows hold as much
    of the question as any.

    Parameters
    ----------
    rows
        Those worth giving, the best first.
    """
    whole = [pair for pair in rows if pair[0].candidate.row in of_list.fit]
    if listing.newest:
        newest = sorted(whole, key=lambda pair: of_list.time_of(pair[0].candidate), reverse=True)
        rows = whole = newest[: listing.newest]
    elif request.limit is None and request.max_tokens is None:
        usual = rows[: request.most]
        rows = [pair for pair in rows if pair in usual or pair in whole][:_MOST_OF_A_LIST]
    taken = list(rows[: request.most if request.limit else None])
    return taken, sum(pair not in taken for pair in whole)


@dataclass(slots=True)
class _Packing:
    """A row as far as it is packed, and the passages of it that could be added."""

    row: Row
    left: list[Passage]
    taken: list[Passage]

    def with_next(self) -> Row:
        """Return the row with its worthiest passage that is not taken yet."""
        return _cut_to(self.row, [*self.taken, self.left[0]])


def packed(
    rows: Sequence[Row],
    concepts: Sequence[Concept],
    words: Splitter,
    *,
    most: int,
    max_tokens: int,
) -> tuple[Row, ...]:
    """Return the rows that fit into a budget, in their order.

    A long row gives its worthiest passage first; what room is left when all rows had their turn
    goes to further passages that hold words of the question. A row that does not fit leaves room
    for the next.
    """
    left = max_tokens
    taken: list[_Packing] = []
    for row in rows:
        if len(taken) == most:
            break
        packing = _begun(row, concepts, words)
        if packing.row.tokens <= left:
            left -= packing.row.tokens
            taken.append(packing)
    for packing in taken:
        while packing.left and packing.left[0].worth > 0:
            longer = packing.with_next()
            more = longer.tokens - packing.row.tokens
            if more > left:
                break
            left -= more
            packing.taken.append(packing.left.pop(0))
            packing.row = longer
    return tuple(packing.row for packing in taken)


def _begun(row: Row, concepts: Sequence[Concept], words: Splitter) -> _Packing:
    text = f"{row.text}\n{row.details}" if row.details else row.text
    if row.kind == "fact" or not is_long(text):  # a fact is told whole, or not at all
        return _Packing(row, [], [])
    best, *others = passages_of(text, concepts, words)
    return _Packing(_cut_to(row, [best]), others, [best])


def _cut_to(row: Row, passages: Sequence[Passage]) -> Row:
    return replace(row, text=joined(passages), details="", whole=False)
