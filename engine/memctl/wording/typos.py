"""Repairs a word that occurs nowhere, when one or two letters make it a word that does."""

from __future__ import annotations

import string
from typing import TYPE_CHECKING

from memctl.wording.splitting import Token

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from collections.abc import Set as AbstractSet

    from memctl.wording.vocabulary import Vocabulary

__all__ = ["is_repairable", "repairs"]

_SHORTEST = 4
# From this length on, two letters may be wrong.
_SHORTEST_FOR_TWO = 8
# Shorter words keep their first letter: "cooked" is no misspelt "booked".
_SHORTEST_FOR_FIRST = 7
_LONGEST = 30
_ENDINGS = ("", "e", "s", "ed", "ing")
_ALPHABET = string.ascii_lowercase


def repairs(
    word: str, words: Vocabulary, *, never: AbstractSet[str] = frozenset()
) -> Iterator[Token]:
    """Yield the words of an index that `word` could have been meant to be, the likeliest first.

    Of words that the index takes for one another, one is yielded.

    Parameters
    ----------
    word
        A folded word that occurs nowhere.
    words
        The words of the index.
    never
        Words that nobody looks for: what stands in every row is no find, and dear to count.

    Notes
    -----
    Accepted is one insertion, deletion, substitution or exchange of neighbours
    (Damerau 1964, doi:10.1145/363958.363994); behind those two, from eight letters on; the
    commonest first. The spellings one edit away that share the first half of the word are
    looked for among the stems that do, in one read; the others are asked for, all at once.
    The work does not grow with the store.
    """
    if not is_repairable(word):
        return
    head = word[: (len(word) + 1) // 2]
    near = _stems_from(words, head, len(word))
    edits = [edit for edit in _edits(word) if edit not in never]
    far = [edit for edit in edits if not edit.startswith(head)]
    stems = words.stems(far + _near(edits, head, near), keep=False)
    known = near | words.counts({stems[edit] for edit in far})
    found = [edit for edit, stem in stems.items() if stem in known]
    best = sorted(found, key=lambda edit: (-known[stems[edit]], len(edit), edit))
    told = {stems[edit]: edit for edit in reversed(best)}
    yield from (Token(edit, stems[edit]) for edit in best if told[stems[edit]] == edit)
    if len(word) >= _SHORTEST_FOR_TWO:
        yield from (token for token in _two_edits(word, near, words) if token.stem not in told)


def is_repairable(word: str) -> bool:
    """Whether a word is one whose misspellings can be told: four to thirty letters of ASCII."""
    return _SHORTEST <= len(word) <= _LONGEST and word.isascii() and word.isalpha()


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
    beginnings: list[str] = []
    for beginning in sorted({stem[:-1] for stem in known}):
        if not beginnings or not beginning.startswith(beginnings[-1]):
            beginnings.append(beginning)
    shortest = tuple(beginnings)
    return [edit for edit in edits if edit.startswith(head) and edit.startswith(shortest)]


def _stems_from(words: Vocabulary, head: str, length: int) -> dict[str, int]:
    """Return the stems that begin with `head` and are about as long, with their rows."""
    after = head[:-1] + chr(ord(head[-1]) + 1)
    # A stem is at most so much shorter than its word ("relational", "relat").
    return words.between(head, after, shortest=length // 2, longest=length + 2)


def _two_edits(word: str, known: dict[str, int], words: Vocabulary) -> Iterator[Token]:
    stem = words.split([word])[0][0].stem
    near = [(_distance(stem, term), -rows, term) for term, rows in known.items()]
    for distance, _, term in sorted(near):
        if distance > 2:  # noqa: PLR2004  (two edits)
            return
        # A stem alone may be stemmed further; a word that has it cannot.
        tokens = words.split([" ".join(term + ending for ending in _ENDINGS)])[0]
        found = next((token for token in tokens if token.stem == term), None)
        if found is not None:
            yield found


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
