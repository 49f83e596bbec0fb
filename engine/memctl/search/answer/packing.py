"""Packs the rows of an answer into its limits: a list as far as it goes, passages of long rows."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import islice, pairwise
from typing import TYPE_CHECKING

from memctl.base.pattern import Pattern
from memctl.base.tokens import Budget
from memctl.search.question.asked_values import names_thing
from memctl.search.question.concepts import words_in

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memctl.search.question.concepts import Concept
    from memctl.search.question.question import RecallQuestion
    from memctl.search.ranking.listing import ListRows
    from memctl.search.ranking.scores import Ranked
    from memctl.search.ranking.worth import Worth
    from memctl.search.recall_request import RecallRequest
    from memctl.search.recall_results import Row
    from memctl.text.splitting import Splitter


# A row of more words than this is packed by passages, of about so many words each.
_LONG = 80
_PASSAGE = 50
# Words of a passage that has a vector of its own: a model of sentences reads some 250 pieces of words.
_MODEL_PASSAGE = 120
# Letters of an average word, of scripts without spaces as well: what has no spaces is long too.
_WORD_LETTERS = 6
# Up to the end of a sentence or line; a full stop of Chinese or Japanese needs no space behind it.
_FULL_STOPS = "\u3002\uff01\uff1f"
_SENTENCE = Pattern(
    rf"[^\n.!?{_FULL_STOPS}]*(?:[.!?]+[\"')\]]*(?=\s|$)|[{_FULL_STOPS}]|\n|$|[.!?])\s*"
)
_GAP = " … "


@dataclass(frozen=True, slots=True)
class Passage:
    """A part of a row: its place, its text, and the weight of the concepts in it."""

    place: int
    text: str
    worth: float


def is_long(text: str) -> bool:
    """Return whether a text is packed by passages."""
    return len(text) > _LONG * _WORD_LETTERS


def passage_texts(text: str) -> list[str]:
    """Return the passages of a text in their order: the text itself where it is not long."""
    return _parts(text, _MODEL_PASSAGE) or [text]


def passages_of(text: str, concepts: Sequence[Concept], words: Splitter) -> list[Passage]:
    """Return the passages of a text that `is_long`, the worthiest first; of equals the earlier."""
    parts = _parts(text, _PASSAGE)
    result = [
        Passage(place, part, sum(each.weight for each in concepts if each.is_among(held)))
        for place, (part, held) in enumerate(
            zip(parts, words_in(parts, concepts, words), strict=True)
        )
    ]
    return sorted(result, key=lambda passage: (-passage.worth, passage.place))


def joined(passages: Sequence[Passage]) -> str:
    """Return passages as one text, in their order; a gap between those that are not neighbours."""
    ordered = sorted(passages, key=lambda passage: passage.place)
    text = ordered[0].text
    for before, after in pairwise(ordered):
        text += (" " if after.place == before.place + 1 else _GAP) + after.text
    return text


def _parts(text: str, words: int) -> list[str]:
    """Return the sentences of a text in groups of about so many words; a longer one is cut."""
    most = words * _WORD_LETTERS
    parts = [""]
    for sentence in _SENTENCE.findall(text):
        for piece in (sentence[at : at + 2 * most] for at in range(0, len(sentence), 2 * most)):
            if parts[-1] and len(parts[-1]) + len(piece) > most:
                parts.append("")
            parts[-1] += piece
    return [part.strip() for part in parts if part.strip()]


# Rows of a list where no limit is given.
_MOST_OF_A_LIST = 20
# "Passwords and customer data": a row of one of these holds no more of the question than its part.
_NAMES_SEVERAL = Pattern(r",|\b(?:and|or|und|oder|sowie)\b", re.IGNORECASE)
_OF_EACH = 0.4


def listed(
    rows: Sequence[tuple[Ranked, Worth]],
    question: RecallQuestion,
    of_list: ListRows,
    request: RecallRequest,
    least: float,
) -> tuple[list[tuple[Ranked, Worth]], int]:
    """Return the rows of a list that its limit lets in, and how many more belong to it.

    Where no limit is given, a list goes on past the usual number for as long as rows hold as much
    of the question as any.

    Parameters
    ----------
    rows
        Those that were judged, the best first.
    least
        The worth that a row must have.
    """
    worthy = [pair for pair in rows if pair[1].worth >= least]
    fit = [pair for pair in worthy if pair[0].candidate.row in of_list.fit]
    if question.listing is not None and question.listing.newest:
        newest = sorted(fit, key=lambda pair: of_list.time_of(pair[0].candidate), reverse=True)
        worthy = fit = newest[: question.listing.newest]
    elif request.limit is None and request.max_tokens is None:
        usual = {id(pair) for pair in (*worthy[: request.most], *fit)}
        worthy = [pair for pair in worthy if id(pair) in usual][:_MOST_OF_A_LIST]
        worthy += _of_each(rows, question, worthy, least)
    taken = worthy[: request.limit]
    held = {id(pair) for pair in taken}
    return taken, sum(id(pair) not in held for pair in fit)


def _of_each(
    rows: Sequence[tuple[Ranked, Worth]],
    question: RecallQuestion,
    taken: Sequence[tuple[Ranked, Worth]],
    least: float,
) -> list[tuple[Ranked, Worth]]:
    """Return the best row of each thing that a list names beside others, where none is taken yet."""
    if not _NAMES_SEVERAL.search(question.text):
        return []
    covered = 0
    for scored, _ in taken:
        covered |= scored.candidate.mask
    added = []
    for bit, concept in enumerate(question.concepts):
        if covered >> bit & 1 or not names_thing(concept.word):
            continue
        holds = (pair for pair in rows if pair[0].candidate.mask >> bit & 1)
        best = next(holds, None)
        if best is not None and best[1].worth >= _OF_EACH * least:
            covered |= best[0].candidate.mask
            added.append(best)
    return added


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
    rows: Sequence[Row], concepts: Sequence[Concept], words: Splitter, *, most: int, max_tokens: int
) -> tuple[Row, ...]:
    """Return the rows that fit into a budget, in their order.

    A long row gives its worthiest passage first; what room is left when all rows had their turn
    goes to further passages that hold words of the question. A row that does not fit leaves room
    for the next.
    """
    budget = Budget(max_tokens)
    begun = (_begun(row, concepts, words) for row in rows)
    taken = list(islice((passage for passage in begun if budget.spend(passage.row.tokens)), most))
    for packing in taken:
        while packing.left and packing.left[0].worth > 0:
            longer = packing.with_next()
            if not budget.spend(longer.tokens - packing.row.tokens):
                break
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
