"""Puts the newer of two rows that say the same above the older, and marks that as earlier."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memctl.base.pattern import Pattern
from memctl.search.ranking.row_candidates import weight

if TYPE_CHECKING:
    from memctl.search.ranking.ranking import Ranked, Ranking

__all__ = ["newest_first"]

_NUMBER = Pattern(r"\d")
# A newer row must have this share of the older one's score, and hold this share of its words.
_SCORE = 0.5
_SHARED = 0.2
# What puts a row just above another.
_ABOVE = 1e-4


def newest_first(ranking: Ranking, ranked: list[Ranked], most: int) -> None:
    """Put newer rows among the first `most` above older ones that say the same, in place.

    Only where a question asks for a value that holds now. Two rows say the same where they are of
    one speaker, both tell a number, and the newer holds a good part of the words of the question
    that the older holds. Their texts are read.
    """
    if not ranking.question.aim.of_state:
        return
    first = [one for one in ranked[:most] if one.candidate.row in ranking.texts]
    for newer in sorted(first, key=_age):
        above = ranked[: ranked.index(newer)]
        older = next((one for one in above if _same(ranking, newer, one)), None)
        if older is not None:
            newer.raised += older.score + _ABOVE - newer.score
            newer.score = older.score + _ABOVE
            older.earlier_than = newer.candidate.row
            ranked.remove(newer)
            ranked.insert(ranked.index(older), newer)


def _age(one: Ranked) -> tuple[str, int]:
    return one.candidate.at, one.candidate.row


def _same(ranking: Ranking, newer: Ranked, older: Ranked) -> bool:
    if _age(older) >= _age(newer) or older.candidate.row not in ranking.texts:
        return False
    if older.candidate.who != newer.candidate.who or newer.score < _SCORE * older.score:
        return False
    if not all(_NUMBER.search(ranking.texts[one.candidate.row]["text"]) for one in (newer, older)):
        return False
    concepts = ranking.question.concepts
    shared = weight(newer.candidate.mask & older.candidate.mask, concepts)
    return shared > 0 and shared >= _SHARED * weight(older.candidate.mask, concepts)
