"""Other ways in which a fact may write what a query asks for.

"time zone" is "timezone" too, and "e-mail" is "email"; a pair of Chinese characters that no
fact holds is looked for by its characters; Turkish writes an i with and without a dot. These
are the words that were asked, not guesses, so they count like aliases. They are looked for only
where no fact holds all that is asked for, so that a plain question pays nothing.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from memctl.semantic.search.fact_query import Form
from memctl.semantic.search.fact_words import GRAMMAR, characters, dotless, neighbours
from memctl.text.splitting import quoted
from memctl.text.typos import parted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from collections.abc import Set as AbstractSet

    from memctl.semantic.search.fact_query import Sought
    from memctl.semantic.search.word_rows import WordRows

__all__ = ["written_otherwise"]

# Facts that hold both halves of a word, which are read to see whether they stand side by side.
_MAX_READ = 100
# Half of a pair of characters is less than the pair.
_OF_A_PAIR = 0.75


def written_otherwise(
    query: str,
    sought: Sequence[Sought],
    unseen: Sequence[Sought],
    missing: AbstractSet[str],
    rows: WordRows,
) -> list[Sought]:
    """Return what is looked for, with what of it a fact of the scope writes otherwise.

    Parameters
    ----------
    unseen
        Of `sought`, what is in no fact that answers.
    missing
        The words that the best fact lacks: only those are looked for as one with a neighbour.
    """
    joined = list(_joined(query, missing, rows))
    nowhere = {one.word for one in unseen}
    found: list[Sought] = []
    for one in sought:
        forms = [form for words, form in joined if one.word in words]
        if one.word in nowhere:
            forms += [*_parted(one.word, rows), *_by_character(one.word), *_undotted(one.word)]
        found.append(replace(one, forms=tuple(dict.fromkeys((*one.forms, *forms)))))
    return found


def _joined(
    query: str, missing: AbstractSet[str], rows: WordRows
) -> Iterator[tuple[tuple[str, str], Form]]:
    """Yield neighbouring words of a query that a fact writes as one."""
    pairs = [both for both in dict.fromkeys(neighbours(query)) if not missing.isdisjoint(both)]
    if not pairs or not rows.numbers(" OR ".join(quoted(one + other) for one, other in pairs)):
        return
    for one, other in pairs:
        match = quoted(one + other)
        if rows.stands(match, filtered=True):
            apart = f"{one} {other}"
            yield (one, other), _form(match, apart, one + other)


def _parted(word: str, rows: WordRows) -> Iterator[Form]:
    """Yield the two words as which a fact writes a word."""
    for one, other in parted(word, GRAMMAR, lambda match: rows.texts(match, most=_MAX_READ)):
        yield _form(f"{quoted(one)} AND {quoted(other)}", word, f"{one} {other}")


def _by_character(word: str) -> Iterator[Form]:
    for one in characters(word):
        why = f'no fact holds "{word}"; its "{one}": {_OF_A_PAIR:.0%} of its weight'
        yield Form(quoted(one), why, one, trust=_OF_A_PAIR)


def _undotted(word: str) -> Iterator[Form]:
    if others := [other for other in dotless(word) if other != word]:
        yield Form(" OR ".join(quoted(other) for other in others), "an i without its dot, or with")


def _form(match: str, asked: str, written: str) -> Form:
    return Form(match, f'"{asked}" is also written "{written}"', written, alias_of=asked)
