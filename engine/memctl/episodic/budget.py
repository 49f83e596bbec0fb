"""A budget of tokens: whole rows, the best marginal gain first, never over."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

from memctl.episodic.words import UNSPACED

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from memctl.episodic.question import Concept
    from memctl.episodic.ranking import Ranked

__all__ = ["choose", "estimate_tokens"]

_PIECE = re.compile(r"[A-Za-z]+|\d+|\s+|.", re.DOTALL)
# Byte-pair vocabularies hold common words whole, up to some length; three digits; and one
# to three bytes of whatever is rarer. Counted a little high: a budget must hold.
_LETTERS = 6
_DIGITS = 3
# What a row brings that says nothing new is worth half.
_REPEATED = 0.5


def estimate_tokens(text: str) -> int:
    """Return about how many tokens `text` takes up, rather too many than too few.

    A word of up to six letters is one, further ones every six; numbers one every three
    digits; a mark of punctuation, a Chinese, Japanese or Korean character one; other
    letters beyond ASCII one every two bytes; white space nothing but a line's end.
    """
    return math.ceil(sum(_weight(piece) for piece in _PIECE.findall(text)))


def choose(
    ranked: Sequence[Ranked],
    concepts: Sequence[Concept],
    cost: Callable[[Ranked], int],
    *,
    limit: int,
    max_tokens: int,
) -> list[Ranked]:
    """Return whole rows whose costs stay within `max_tokens`, in their order.

    A row whose words were brought by rows already taken gains half of its score.
    """
    left, covered, chosen = max_tokens, 0, []
    open_rows = [(entry, cost(entry)) for entry in ranked]
    while len(chosen) < limit:
        fitting = [(entry, tokens) for entry, tokens in open_rows if tokens <= left]
        if not fitting:
            break
        best = max(fitting, key=lambda pair: _gain(pair[0], covered, concepts))
        chosen.append(best[0])
        open_rows.remove(best)
        left -= best[1]
        covered |= best[0].candidate.mask
    order = {id(entry): place for place, entry in enumerate(ranked)}
    return sorted(chosen, key=lambda entry: order[id(entry)])


def _gain(entry: Ranked, covered: int, concepts: Sequence[Concept]) -> float:
    mask = entry.candidate.mask
    weights = [concept.idf for bit, concept in enumerate(concepts) if mask >> bit & 1]
    fresh = [c.idf for bit, c in enumerate(concepts) if (mask & ~covered) >> bit & 1]
    new = sum(fresh) / sum(weights) if sum(weights) else 0.0
    return entry.score * (1 - _REPEATED + _REPEATED * new)


def _weight(piece: str) -> float:
    if piece.isspace():
        return piece.count("\n")
    if piece.isascii() and piece.isalpha():
        return math.ceil(len(piece) / _LETTERS)
    if piece.isascii() and piece.isdigit():
        return math.ceil(len(piece) / _DIGITS)
    if piece.isascii() or UNSPACED.match(piece):
        return 1
    return len(piece.encode("utf-8", errors="replace")) / 2
