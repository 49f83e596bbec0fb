"""Puts the newer of two statements of the same above the older, and marks that as earlier."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from memctl.base.pattern import Pattern
from memctl.search.index.index_rows import FACT, kind_of
from memctl.search.ranking.row_candidates import weight
from memctl.text.relation import relation
from memctl.text.splitting import WORD

if TYPE_CHECKING:
    import sqlite3

    from memctl.search.ranking.scores import Ranked, Ranking

_NUMBER = Pattern(r"\d")
# A newer row must have this share of the older one's score.
_SCORE = 0.5
# The share of the older row's words of the question that the newer holds too, where both tell a
# number; and the share of all words of the shorter text, where it holds all of these.
_SHARED = 0.2
_ALIKE = 0.6
# What puts a row just above another.
_ABOVE = 1e-4


def newest_first(ranking: Ranking, ranked: list[Ranked], most: int) -> None:
    """Put newer rows among the first `most` above older statements of the same, in place.

    Only where a question asks for a value that holds now. Two facts say the same where one may
    replace the other; other rows where they are of one speaker and in nearly the same words; or the older stands above, both tell a number, and
    the newer holds a good part of the words of the question that the older holds. Their texts are
    read. A fact that may replace an older one, and of which nobody has decided, stands above it too.
    """
    first = [scored for scored in ranked[:most] if scored.candidate.row in ranking.texts]
    _undecided_first(ranking, ranked, first)
    if not ranking.question.aim.of_state:
        return
    for newer in sorted(first, key=_age):
        above = ranked[: ranked.index(newer)]
        older = next((scored for scored in above if _same(ranking, newer, scored)), None)
        if older is not None:
            _raise(ranking, ranked, newer, older)
        for scored in first:
            if scored is older or _same(ranking, newer, scored, numbers=False):
                scored.earlier_than = newer.candidate.row


def _undecided_first(ranking: Ranking, ranked: list[Ranked], first: list[Ranked]) -> None:
    """Put a fact that may replace another above it, and mark that as earlier."""
    of_id = {
        ranking.texts[scored.candidate.row]["id"]: scored
        for scored in first
        if kind_of(scored.candidate.row) == FACT
    }
    for newer in sorted(of_id.values(), key=_age):
        older = of_id.get(ranking.texts[newer.candidate.row]["may_replace"])
        if older is None or older is newer:
            continue
        older.earlier_than = newer.candidate.row
        if ranked.index(older) < ranked.index(newer):
            _raise(ranking, ranked, newer, older)


def _raise(ranking: Ranking, ranked: list[Ranked], newer: Ranked, older: Ranked) -> None:
    row = newer.candidate.row
    ranking.raised[row] = ranking.raised.get(row, 0.0) + older.score + _ABOVE - newer.score
    newer.score = older.score + _ABOVE
    ranked.remove(newer)
    ranked.insert(ranked.index(older), newer)


def _age(ranked: Ranked) -> tuple[str, int]:
    return ranked.candidate.at, ranked.candidate.row


def _same(ranking: Ranking, newer: Ranked, older: Ranked, *, numbers: bool = True) -> bool:
    """Return whether two rows state the same; `numbers`: or a number of the same thing."""
    aged = _age(older) < _age(newer) and older.candidate.row in ranking.texts
    if not aged or older.candidate.who != newer.candidate.who or newer.score < _SCORE * older.score:
        return False
    concepts = ranking.question.concepts
    held = weight(older.candidate.mask, concepts)
    shared = weight(newer.candidate.mask & older.candidate.mask, concepts)
    if not shared or shared < _SHARED * held:
        return False
    newer_cells, older_cells = (ranking.texts[each.candidate.row] for each in (newer, older))
    text, other = newer_cells["text"], older_cells["text"]
    if _may_replace(newer_cells, older_cells):
        return True
    if newer_cells["kind"] == older_cells["kind"] == "fact":
        return relation(text, other).changes
    if numbers and _NUMBER.search(text) and _NUMBER.search(other):
        return True
    return shared == held and _alike(text, other)


def _may_replace(newer: sqlite3.Row, older: sqlite3.Row) -> bool:
    """Return whether one fact, or one turn, contradicts another."""
    if newer["kind"] != older["kind"] or not newer["may_replace"]:
        return False
    if newer["kind"] == "turn":
        return older["id"] in json.loads(newer["may_replace"])
    return bool(newer["may_replace"] == older["id"])


def _alike(one: str, other: str) -> bool:
    words, others = (frozenset(WORD.findall(text.lower())) for text in (one, other))
    return len(words & others) >= _ALIKE * max(1, min(len(words), len(others)))
