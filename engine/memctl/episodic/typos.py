"""Repairs a word that occurs nowhere, when one or two letters make it a word that does."""

from __future__ import annotations

import json
import string
from typing import TYPE_CHECKING

from memctl import queries
from memctl.episodic.words import quoted

if TYPE_CHECKING:
    from memctl.episodic.words import Token, Words
    from memctl.store import Store

__all__ = ["repair"]

SQL = queries.load("store/episodic_words")

_SHORTEST = 4
# From this length on, two letters may be wrong.
_SHORTEST_FOR_TWO = 8
# Shorter words keep their first letter: "cooked" is no misspelt "booked".
_SHORTEST_FOR_FIRST = 7
_LONGEST = 30
_ALPHABET = string.ascii_lowercase


def repair(word: str, store: Store, words: Words) -> Token | None:
    """Return the word of the store that `word` was probably meant to be, or ``None``.

    Parameters
    ----------
    word
        A folded word that occurs nowhere in the store.

    Notes
    -----
    Accepted is one insertion, deletion, substitution or exchange of neighbours
    (Damerau 1964, doi:10.1145/363958.363994), two from eight letters on; the commonest
    wins. Every spelling one edit away is stemmed and looked up, so the work does not
    grow with the store; two edits are tried on stems that share the first half.
    """
    if not (_SHORTEST <= len(word) <= _LONGEST and word.isascii() and word.isalpha()):
        return None
    edits = _edits(word)
    # One question for all spellings: most words that occur nowhere are no misspelt ones.
    any_of = " OR ".join(map(quoted, edits))
    occurring = store.value(SQL.any_row, {"match": any_of}) is not None
    tokens = words.split([" ".join(edits)])[0] if occurring else []
    counts = _counts(store, {token.stem for token in tokens})
    if counts:
        return min(
            (token for token in tokens if token.stem in counts),
            key=lambda token: (-counts[token.stem], len(token.surface), token.surface),
        )
    return _two_edits(word, store, words) if len(word) >= _SHORTEST_FOR_TWO else None


def _edits(word: str) -> list[str]:
    splits = [(word[:place], word[place:]) for place in range(len(word) + 1)]
    deleted = [head + tail[1:] for head, tail in splits if tail]
    swapped = [head + tail[1] + tail[0] + tail[2:] for head, tail in splits if len(tail) > 1]
    replaced = [head + c + tail[1:] for head, tail in splits if tail for c in _ALPHABET]
    inserted = [head + c + tail for head, tail in splits for c in _ALPHABET]
    edits = {*deleted, *swapped, *replaced, *inserted} - {word}
    if len(word) >= _SHORTEST_FOR_FIRST:
        return sorted(edits)
    return sorted({swapped[0], *(edit for edit in edits if edit[:1] == word[0])})


def _counts(store: Store, stems: set[str]) -> dict[str, int]:
    if not stems:
        return {}
    rows = store.rows(SQL.stem_counts, {"stems": json.dumps(sorted(stems))})
    return {row["term"]: row["doc"] for row in rows}


def _two_edits(word: str, store: Store, words: Words) -> Token | None:
    stem = words.split([word])[0][0].stem
    head = stem[: len(stem) // 2]
    rows = store.rows(
        SQL.stems_between,
        {
            "low": head,
            "high": head[:-1] + chr(ord(head[-1]) + 1),
            "shortest": len(stem) - 2,
            "longest": len(stem) + 2,
        },
    )
    near = [row for row in rows if _distance(stem, row["term"]) <= 2]  # noqa: PLR2004  (two edits)
    near.sort(key=lambda row: (_distance(stem, row["term"]), -row["doc"], row["term"]))
    for row in near:
        token = words.split([row["term"]])[0][0]
        if token.stem == row["term"]:  # a few stems are stemmed further: they cannot be asked for
            return token
    return None


def _distance(one: str, other: str) -> int:
    """Return the Damerau distance (neighbours exchanged once)."""
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, a in enumerate(one, 1):
        previous, row = row, [i]
        for j, b in enumerate(other, 1):
            cost = min(previous[j] + 1, row[j - 1] + 1, previous[j - 1] + (a != b))
            if i > 1 and j > 1 and a == other[j - 2] and one[i - 2] == b:
                cost = min(cost, before[j - 2] + 1)
            row.append(cost)
        before = previous
    return row[-1]
