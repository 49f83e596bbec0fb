"""Other spellings of what a query asks for: as one word or two, by characters, without typos.

"time zone" is "timezone" too, and "e-mail" is "email"; a pair of Chinese characters that no
fact holds is looked for by its characters; Turkish writes an i with and without a dot. These
are the words that were asked, not guesses, so they count like aliases. They are looked for only
where no fact holds all that is asked for, so that a plain question pays nothing.

A word that no fact holds is taken for one that a fact holds, where a letter or two differ. Only
facts that the search may answer with count: a word that stands in others' facts alone, or in one
that is forgotten, expired or waits, is as good as unknown, and nothing is ever taken for it.
Whoever asks learns no word that is not in a fact of theirs, as it stands there.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

from memctl.semantic.search.fact_query import QueryTermVariant
from memctl.semantic.search.fact_words import GRAMMAR, characters, dotless, neighbours
from memctl.text.splitting import Token, quoted
from memctl.text.typos import as_written, is_repairable, longer_names, parted, repairs

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from collections.abc import Set as AbstractSet

    from memctl.semantic.search.fact_query import QueryTerm
    from memctl.semantic.search.unindexed_facts import FactVocabulary
    from memctl.semantic.search.word_rows import WordRows
    from memctl.text.splitting import KnownWords

__all__ = ["corrections", "written_otherwise"]

# Facts that hold both halves of a word, which are read to see whether they stand side by side.
_MAX_READ = 100
# Half of a pair of characters is less than the pair.
_OF_A_PAIR = 0.75


def written_otherwise(
    query: str,
    terms: Sequence[QueryTerm],
    unseen: Sequence[QueryTerm],
    missing: AbstractSet[str],
    rows: WordRows,
) -> list[QueryTerm]:
    """Return the terms of a query, with other spellings that a fact of the scope has for them.

    Of `terms`, the `unseen` ones are in no fact that answers; only the words that are `missing` in
    the best fact are looked for as one with a neighbour.
    """
    joined = list(_joined(query, missing, rows))
    nowhere = {one.word for one in unseen}
    found: list[QueryTerm] = []
    for one in terms:
        variants = [variant for words, variant in joined if one.word in words]
        if one.word in nowhere:
            variants += [*_parted(one.word, rows), *_by_character(one.word), *_undotted(one.word)]
        found.append(replace(one, variants=tuple(dict.fromkeys((*one.variants, *variants)))))
    return found


def _joined(
    query: str, missing: AbstractSet[str], rows: WordRows
) -> Iterator[tuple[tuple[str, str], QueryTermVariant]]:
    """Yield neighbouring words of a query that a fact writes as one."""
    pairs = [both for both in dict.fromkeys(neighbours(query)) if not missing.isdisjoint(both)]
    if not pairs or not rows.numbers(" OR ".join(quoted(one + other) for one, other in pairs)):
        return
    for one, other in pairs:
        match = quoted(one + other)
        if rows.stands(match, filtered=True):
            apart = f"{one} {other}"
            yield (one, other), _spelt(match, apart, one + other)


def _parted(word: str, rows: WordRows) -> Iterator[QueryTermVariant]:
    """Yield the two words as which a fact writes a word."""
    for one, other in parted(word, GRAMMAR, lambda match: rows.texts(match, most=_MAX_READ)):
        yield _spelt(f"{quoted(one)} AND {quoted(other)}", word, f"{one} {other}")


def _by_character(word: str) -> Iterator[QueryTermVariant]:
    for one in characters(word):
        why = f'no fact holds "{word}"; its "{one}": {_OF_A_PAIR:.0%} of its weight'
        yield QueryTermVariant(quoted(one), why, one, trust=_OF_A_PAIR)


def _undotted(word: str) -> Iterator[QueryTermVariant]:
    if others := [other for other in dotless(word) if other != word]:
        yield QueryTermVariant(
            " OR ".join(quoted(other) for other in others), "an i without its dot, or with"
        )


def _spelt(match: str, asked: str, written: str) -> QueryTermVariant:
    return QueryTermVariant(
        match, f'"{asked}" is also written "{written}"', written, alias_of=asked
    )


# Words of one query, and spellings of one word, that are looked for.
_MAX_REPAIRS = 2
_MAX_SPELLINGS = 20
# Facts that hold a spelling, which are read to see how they write it.
_MAX_REPAIR_READ = 20


def corrections(
    unseen: Iterable[QueryTerm], rows: WordRows, vocabulary: FactVocabulary, known_words: KnownWords
) -> dict[str, str]:
    """Return words of a query that no fact holds, and the words that they were taken for.

    The `known_words` of turns and episodes are no typos of a fact's; `unseen` was found in no fact.
    """
    found: dict[str, str] = {}
    tried = 0
    for one in unseen:
        folded = _unmarked(one.word, vocabulary)
        if not is_repairable(folded):
            continue
        # A word that a filter leaves out is no typo.
        if any(rows.stands(variant.match, filtered=False) for variant in one.variants):
            continue
        if tried == _MAX_REPAIRS:
            break
        tried += 1
        taken = None if known_words.holds(one.word) else _taken(folded, rows, vocabulary)
        if taken is not None:
            found[one.word] = taken
    return found


def _taken(word: str, rows: WordRows, vocabulary: FactVocabulary) -> str | None:
    """Return a word as a fact writes it; the whole of a name that begins so, where it is one."""
    for token in islice(repairs(word, vocabulary), _MAX_SPELLINGS):
        texts = rows.texts(quoted(token.surface), most=_MAX_REPAIR_READ)
        written = as_written(word, token, texts, vocabulary)
        if written is not None:
            return written
    longer = [
        (stem, texts)
        for stem in longer_names(word, vocabulary)[:_MAX_SPELLINGS]
        if (texts := rows.texts(quoted(stem), most=_MAX_REPAIR_READ))
    ]
    if len(longer) != 1:
        return None
    ((stem, texts),) = longer
    return as_written(word, Token(stem, stem), texts, vocabulary)


def _unmarked(word: str, vocabulary: FactVocabulary) -> str:
    """Return a word without the marks that the index leaves out; empty where it is no single one."""
    if word.isascii():
        return word.lower()
    tokens = vocabulary.split([word])[0]
    return tokens[0].surface if len(tokens) == 1 else ""
