"""Repairs a word that occurs nowhere, when one or two letters make it a word that does."""

from __future__ import annotations

import json
import string
from collections import Counter
from typing import TYPE_CHECKING

from memctl import queries
from memctl.episodic.waiting import rows_of_both
from memctl.episodic.words import Token

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable

    from memctl.episodic.words import Words
    from memctl.store import Store

__all__ = ["repair"]

SQL = queries.load("store/episodic_words")

_SHORTEST = 4
# From this length on, two letters may be wrong.
_SHORTEST_FOR_TWO = 8
# Shorter words keep their first letter: "cooked" is no misspelt "booked".
_SHORTEST_FOR_FIRST = 7
_LONGEST = 30
_ENDINGS = ("", "e", "s", "ed", "ing")
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
    wins. The spellings one edit away that share the first half of the word are looked for
    among the stems that do, in one read; the others are asked for, all at once. The work
    does not grow with the store.
    """
    if not (_SHORTEST <= len(word) <= _LONGEST and word.isascii() and word.isalpha()):
        return None
    head = word[: (len(word) + 1) // 2]
    known = _stems_from(store, head, len(word))
    edits = _edits(word)
    others = [edit for edit in edits if not edit.startswith(head)]
    stems = words.stems(_near(edits, head, known), keep=False)
    if words.any_occurs(others):
        stems |= words.stems(others, keep=False)
        asked = json.dumps(sorted({stems[edit] for edit in others}))
        known |= _counts(rows_of_both(store, SQL.stem_counts, {"stems": asked}))
    found = [edit for edit, stem in stems.items() if stem in known]
    if found:
        best = min(found, key=lambda edit: (-known[stems[edit]], len(edit), edit))
        return Token(best, stems[best])
    return _two_edits(word, known, words) if len(word) >= _SHORTEST_FOR_TWO else None


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


def _near(edits: Iterable[str], head: str, known: Iterable[str]) -> list[str]:
    """Return the spellings that begin like one of the stems that begin with `head`.

    Stemming takes an ending away and may change the last letter of what is left.
    """
    beginnings = {stem[:-1] for stem in known}
    return [
        edit
        for edit in edits
        if edit.startswith(head)
        and any(edit[:length] in beginnings for length in range(len(head) - 1, len(edit) + 1))
    ]


def _stems_from(store: Store, head: str, length: int) -> dict[str, int]:
    """Return the stems that begin with `head` and are about as long, with their rows."""
    after = head[:-1] + chr(ord(head[-1]) + 1)
    # A stem is at most so much shorter than its word ("relational", "relat").
    parameters = {"low": head, "high": after, "shortest": length // 2, "longest": length + 2}
    return _counts(rows_of_both(store, SQL.stems_between, parameters))


def _counts(rows: Iterable[sqlite3.Row]) -> dict[str, int]:
    counts: Counter[str] = Counter()
    for stem, rows_with_it in rows:
        counts[stem] += rows_with_it
    return counts


def _two_edits(word: str, known: dict[str, int], words: Words) -> Token | None:
    stem = words.split([word])[0][0].stem
    near = [(_distance(stem, term), -rows, term) for term, rows in known.items()]
    for distance, _, term in sorted(near):
        if distance > 2:  # noqa: PLR2004  (two edits)
            return None
        # A stem alone may be stemmed further; a word that has it cannot.
        tokens = words.split([" ".join(term + ending for ending in _ENDINGS)])[0]
        found = next((token for token in tokens if token.stem == term), None)
        if found is not None:
            return found
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
