"""Repairs of words that occur nowhere: misspelt, cut short, or written as two words.

A repair is a stem of the index, and an ending that fits it need not be written anywhere:
"pets" is one letter from "pers", which would be a form of "per". `as_written` looks at the
texts that hold the stem, and tells the word that stands there.
"""

from __future__ import annotations

import string
from typing import TYPE_CHECKING

from memctl.text.splitting import WORD, Token, is_unspaced, quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from collections.abc import Set as AbstractSet

    from memctl.text.splitting import Splitter, Vocabulary

# The share of its weight that a repaired word keeps: it may be another word.
TRUST = 0.5

_SHORTEST = 4
# Shorter words with another letter in one place are other words: wifi, wife; horse, house.
_SHORTEST_FOR_OTHER_LETTER = 6
# From this length on, two letters may be wrong.
_SHORTEST_FOR_TWO = 8
# Shorter words keep their first letter: "cooked" is no misspelt "booked".
_SHORTEST_FOR_FIRST = 7
_LONGEST = 30
# A stem of so many letters tells a word, whatever its ending; with a usual ending, one less.
_TELLING_STEM = 5
# A name is cut short ("postgres" for "PostgreSQL") to this many letters at least, by so many
# at most.
_SHORTEST_NAME = 5
_MOST_CUT = 8
_ENDINGS = ("", "e", "s", "ed", "ing")
_ALPHABET = string.ascii_lowercase


def repairs(
    word: str,
    words: Vocabulary,
    *,
    never: AbstractSet[str] = frozenset(),
    fits: Callable[[str], bool] | None = None,
) -> Iterator[Token]:
    """Yield the words of an index that `word` could have been meant to be, the likeliest first.

    Of words that the index takes for one another, one is yielded.

    Words that nobody looks for `never` come: they stand in every row, and are dear to count. A short word
    with another letter in one place is another word, unless it `fits` among what else is asked for.

    Accepted is one insertion, deletion, substitution or exchange of neighbours
    (Damerau 1964, doi:10.1145/363958.363994), a substitution from six letters on; behind those
    two, from eight letters on; the commonest first. Of a short word no letter is left out that
    leaves three, but where it stands twice. The spellings one edit away that share the first half of the word are
    looked for among the stems that do, in one read; the others are asked for, all at once.
    The work does not grow with the store.
    """
    if not is_repairable(word):
        return
    head = word[: (len(word) + 1) // 2]
    after = head[:-1] + chr(ord(head[-1]) + 1)
    # A stem is at most so much shorter than its word ("relational", "relat").
    near = words.between(head, after, shortest=len(word) // 2, longest=len(word) + 2)
    edits = [edit for edit in _edits(word) if edit not in never]
    doubtful = _replaced(word) if len(word) < _SHORTEST_FOR_OTHER_LETTER else set()
    far = [edit for edit in edits if not edit.startswith(head)]
    stems = words.stems(far + _near(edits, head, near), keep=False)
    known = near | words.counts({stems[edit] for edit in far})
    edits_known = [edit for edit, stem in stems.items() if stem in known]
    best = sorted(edits_known, key=lambda edit: (-known[stems[edit]], len(edit), edit))
    by_stem = {stems[edit]: edit for edit in reversed(best)}
    yield from (
        Token(edit, stems[edit])
        for edit in best
        if by_stem[stems[edit]] == edit and (edit not in doubtful or (fits and fits(edit)))
    )
    if len(word) >= _SHORTEST_FOR_TWO:
        yield from (token for token in _two_edits(word, near, words) if token.stem not in by_stem)


def as_written(word: str, taken: Token, texts: Iterable[str], words: Splitter) -> str | None:
    """Return how the texts with a repair write it, in lower case; the nearest to `word`.

    `taken` is one of the `repairs` of a folded word; ``None`` where no written form of it is a repair: the
    word is another.
    """
    spelt = sorted({found for text in texts for found in WORD.findall(text.lower())})
    spelt = [found for found in spelt if not found.isascii() or found[:2] == taken.stem[:2]]
    alike = [
        (tokens[0].surface, found)
        for found, tokens in zip(spelt, words.split(spelt), strict=True)
        if len(tokens) == 1 and tokens[0].stem == taken.stem
    ]
    near = [(surface != taken.surface, _distance(word, surface), found) for surface, found in alike]
    if not near:
        return None
    other, distance, written = min(near)
    allowed = 2 if len(word) >= _SHORTEST_FOR_TWO else 1
    ended = taken.surface.endswith(("s", "ed", "ing"))
    telling = len(taken.stem) >= _TELLING_STEM - ended
    return written if not other or distance <= allowed or telling else None


def longer_names(word: str, words: Vocabulary) -> list[str]:
    """Return the stems that a word may be cut short of: that begin with it and go on."""
    if not (is_repairable(word) and len(word) >= _SHORTEST_NAME):
        return []
    after = word[:-1] + chr(ord(word[-1]) + 1)
    longest = len(word) + _MOST_CUT
    return sorted(words.between(word, after, shortest=len(word) + 1, longest=longest))


def parted(
    word: str, grammar: AbstractSet[str], texts_with: Callable[[str], Iterable[str]]
) -> Iterator[tuple[str, str]]:
    """Yield the two words into which texts part an unknown one: "time zone" for "timezone".

    A word of `grammar` is no half of another: "goat" is not "go at". `texts_with` gives texts that match
    an FTS5 expression.
    """
    match = match_of_parts(word, grammar)
    texts = [text.lower() for text in texts_with(match)] if match else []
    for first, other in _halves(word, grammar) if texts else ():
        if any(_beside(first, other, text) for text in texts):
            yield first, other


def match_of_parts(word: str, grammar: AbstractSet[str]) -> str:
    """Return an FTS5 expression of the rows that have both halves of a word, however it is cut."""
    both = _halves(word, grammar)
    return " OR ".join(f"({quoted(first)} AND {quoted(other)})" for first, other in both)


def is_repairable(word: str) -> bool:
    """Return whether misspellings of a word are looked for: it has 4 to 30 letters of ASCII."""
    return _SHORTEST <= len(word) <= _LONGEST and word.isascii() and word.isalpha()


def _edits(word: str) -> list[str]:
    splits = [(word[:place], word[place:]) for place in range(len(word) + 1)]
    deleted = [
        head + tail[1:]
        for head, tail in splits
        if tail and (len(word) > _SHORTEST or tail[0] == tail[1:2])
    ]
    swapped = [head + tail[1] + tail[0] + tail[2:] for head, tail in splits if len(tail) > 1]
    inserted = [head + c + tail for head, tail in splits for c in _ALPHABET]
    edits = {*deleted, *swapped, *inserted, *_replaced(word)} - {word}
    if len(word) >= _SHORTEST_FOR_FIRST:
        return sorted(edits)
    return sorted({swapped[0], *(edit for edit in edits if edit[:1] == word[0])})


def _replaced(word: str) -> set[str]:
    return {
        word[:place] + letter + word[place + 1 :]
        for place in range(len(word))
        for letter in _ALPHABET
    }


def _near(edits: Iterable[str], head: str, known: Iterable[str]) -> list[str]:
    """Return the spellings that begin like one of the stems that begin with `head`.

    Stemming takes an ending away and may change the last letter of what is left.
    """
    beginnings: list[str] = []
    for beginning in sorted({stem[:-1] for stem in known}):
        if not beginnings or not beginning.startswith(beginnings[-1]):
            beginnings.append(beginning)
    return [edit for edit in edits if edit.startswith(head) and edit.startswith((*beginnings,))]


def _two_edits(word: str, known: dict[str, int], words: Vocabulary) -> Iterator[Token]:
    stem = words.split([word])[0][0].stem
    near = [(_distance(stem, term), -rows, term) for term, rows in known.items()]
    for distance, _, term in sorted(near):
        if distance > 2:  # noqa: PLR2004  (two edits)
            return
        # A stem alone may be stemmed further; a word that has it cannot.
        tokens = words.split([" ".join(term + ending for ending in _ENDINGS)])[0]
        repair = next((token for token in tokens if token.stem == term), None)
        if repair is not None:
            yield repair


def _distance(word: str, other: str) -> int:
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, a in enumerate(word, 1):
        previous, row = row, [i]
        for j, b in enumerate(other, 1):
            cost = min(previous[j] + 1, row[j - 1] + 1, previous[j - 1] + (a != b))
            if i > 1 and j > 1 and a == other[j - 2] and word[i - 2] == b:
                cost = min(cost, before[j - 2] + 1)
            row.append(cost)
        before = previous
    return row[-1]


def _halves(word: str, grammar: AbstractSet[str]) -> list[tuple[str, str]]:
    if not _SHORTEST <= len(word) <= _LONGEST or is_unspaced(word):
        return []
    cut = [(word[:place], word[place:]) for place in range(1, len(word))]
    return [both for both in cut if not any(len(half) > 1 and half in grammar for half in both)]


def _beside(first: str, other: str, text: str) -> bool:
    """Return whether a text has two halves as words; a single letter before a hyphen alone."""
    marks = "-./" if min(len(first), len(other)) == 1 else "-./_ "
    for mark in marks:
        written = f"{first}{mark}{other.removesuffix('s')}"
        place = text.find(written)
        while place > 0 and text[place - 1].isalnum():
            place = text.find(written, place + 1)
        if place >= 0:
            return True
    return False
